//! What every family promises, whatever its puzzles look like.

use std::collections::BTreeSet;

use genvp_puzzle::SIDE;
use genvp_puzzle::family::{
    AnyPuzzle, Family, FamilyError, Form, PuzzleSpec, Sheet, families, family_of_file,
    family_of_set, vote_chance,
};

const SEED: u64 = 41;

fn puzzles(family: &dyn Family, n: u64) -> impl Iterator<Item = Box<dyn AnyPuzzle>> {
    family.strata().into_iter().flat_map(move |stratum| {
        let generator = family.generator(&PuzzleSpec::new(stratum)).expect("a plain request");
        (0..n)
            .map(move |index| generator.puzzle(SEED, index).expect("a puzzle"))
            .collect::<Vec<_>>()
    })
}

#[test]
fn names_of_families_sets_and_strata_are_their_own() {
    let mut seen = BTreeSet::new();
    for family in families() {
        assert!(seen.insert(family.id().to_owned()) || family.sets()[0].name == family.id());
        assert_eq!(family.rule_space().rules[0], "none");
        for set in family.sets() {
            assert_eq!(family_of_set(set.name).map(Family::id), Some(family.id()));
            assert!(family.strata().iter().any(|stratum| stratum.set == set.name));
        }
        let strata: BTreeSet<_> = family.strata().into_iter().collect();
        assert_eq!(strata.len(), family.strata().len());
        let stem = format!("{}7", family.file_prefix());
        assert_eq!(family_of_file(&stem).map(Family::id), Some(family.id()));
    }
    assert!(family_of_set("sudoku").is_none() && family_of_file("sudoku_7").is_none());
}

/// A model that names no family is for the one that has its counts.
#[test]
fn no_two_families_share_their_form_and_the_size_of_their_rule_space() {
    let counts = |family: &dyn Family| {
        let (form, space) = (family.form(), family.rule_space());
        [form.rows, form.columns, form.choices, space.attributes.len(), space.rules.len()]
    };
    let distinct: BTreeSet<_> = families().iter().map(|&family| counts(family)).collect();
    assert_eq!(distinct.len(), families().len());
}

#[test]
fn puzzles_are_a_function_of_seed_and_index_and_sound() {
    for family in families() {
        for (one, other) in puzzles(*family, 3).zip(puzzles(*family, 3)) {
            assert_eq!(one.sheet(), other.sheet());
            assert_eq!(one.family().id(), family.id());
            let audit = one.audit();
            assert!(audit.is_sound(one.target()), "{}: {audit:?}", one.stratum());
        }
    }
}

#[test]
fn the_truth_fits_the_rule_space_and_only_wrong_choices_lose_rules() {
    for family in families() {
        let (form, space) = (family.form(), family.rule_space());
        for puzzle in puzzles(*family, 3) {
            let truth = puzzle.truth();
            assert_eq!(truth.axes.len(), space.attributes.len());
            assert_eq!(truth.choices.len(), form.choices);
            let active = |labels: &[u8]| labels.iter().filter(|&&rule| rule > 0).count();
            assert!(active(truth.rules.as_slice()) > 0);
            for (choice, labels) in truth.choices.iter().enumerate() {
                assert_eq!(labels == &truth.rules, choice == puzzle.target());
                let kept = labels.as_slice().iter().zip(truth.rules.as_slice());
                assert!(kept.into_iter().all(|(own, all)| *own == 0 || own == all));
            }
            assert!(truth.counted.iter().flatten().all(|&row| row < space.attributes.len()));
            assert!((0.0..=1.0).contains(&vote_chance(&truth.vote, puzzle.target())));
            let broken = puzzle.broken();
            assert_eq!(broken.len(), form.choices);
            assert!(broken[puzzle.target()].is_empty());
            let facts = puzzle.facts();
            assert!(!facts.rules.is_empty());
            assert_eq!(facts.changes.len(), form.choices - 1);
        }
    }
}

#[test]
fn rules_that_a_puzzle_states_can_be_asked_for() {
    for family in families() {
        for puzzle in puzzles(*family, 1) {
            let spec =
                PuzzleSpec { rules: puzzle.rules_text(), ..PuzzleSpec::new(puzzle.stratum()) };
            let generator = family.generator(&spec).expect("its own rules");
            let again = generator.puzzle(SEED + 1, 0).expect("a puzzle");
            assert_eq!(again.truth().rules, puzzle.truth().rules);
            assert_eq!(again.truth().axes, puzzle.truth().axes);
        }
    }
}

#[test]
fn puzzles_are_solved_from_their_pixels_and_wrong_choices_explained() {
    for family in families() {
        let (mut right, mut n) = (0, 0);
        for puzzle in puzzles(*family, 2) {
            let sheet = puzzle.sheet();
            // Neither target nor truth may help.
            let pixels = Sheet::new(sheet.form, sheet.side, sheet.pixels.clone());
            let solved = family.solve(&pixels, true).expect("its own puzzle");
            assert_eq!(solved, family.solve(&sheet, true).expect("its own puzzle"));
            assert_eq!(solved.scores.len(), family.form().choices);
            assert!(family.solve(&sheet, false).expect("its own puzzle").explanation.is_none());
            (right, n) = (right + u32::from(solved.answer == puzzle.target()), n + 1);
            if solved.answer == puzzle.target() {
                let explained = solved.explanation.expect("it was asked for");
                assert!(explained.broken[solved.answer].is_empty());
                assert!(explained.broken.iter().any(|broken| !broken.is_empty()));
            }
        }
        assert!(10 * right >= 9 * n, "{}: {right} of {n}", family.id());
    }
}

#[test]
fn ink_is_the_drawing_averaged() {
    for family in families() {
        for puzzle in puzzles(*family, 1).take(2) {
            for panel in [0, family.form().context()] {
                let (mut grey, mut ink) = (vec![0; SIDE * SIDE], vec![0.0; 64 * 64]);
                puzzle.draw_into(panel, &mut grey);
                puzzle.ink_into(panel, 64, &mut ink);
                let mut averaged = vec![0.0; 64 * 64];
                genvp_puzzle::resize_area(&grey, SIDE, 64, &mut averaged);
                assert_eq!(ink, averaged);
            }
        }
    }
}

#[test]
fn what_a_family_does_not_have_is_rejected() {
    for family in families() {
        let form = Form { choices: family.form().choices + 1, ..family.form() };
        let sheet = Sheet::new(form, 64, vec![255; form.inputs() * 64 * 64]);
        assert!(matches!(family.solve(&sheet, false), Err(FamilyError::OtherForm { .. })));
        let plain = PuzzleSpec::new(family.strata()[0]);
        let unknown = PuzzleSpec { rules: "smell=constant".to_owned(), ..plain.clone() };
        assert!(family.generator(&unknown).is_err());
        let mut nowhere = plain.clone();
        nowhere.stratum.name = "nowhere";
        assert!(matches!(family.generator(&nowhere), Err(FamilyError::Unknown { .. })));
        let odd = PuzzleSpec { ood: Some("smell-i".to_owned()), ..plain };
        assert!(family.generator(&odd).is_err());
    }
    for set in ["pgm", "vad"] {
        let family = family_of_set(set).expect("a family");
        let mut spec = PuzzleSpec::new(family.strata()[0]);
        spec.uniform = true;
        assert!(matches!(family.generator(&spec), Err(FamilyError::NoOption { .. })));
        let tiny = Sheet::new(family.form(), 8, vec![255; family.form().inputs() * 64]);
        assert!(matches!(family.solve(&tiny, false), Err(FamilyError::Side { .. })));
    }
}
