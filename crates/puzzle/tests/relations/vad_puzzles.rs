//! Every VAD puzzle is sound and is what its regime says.

use std::collections::HashSet;

use genvp_puzzle::relations::{Panel, Split, render};
use genvp_puzzle::vad::{ChoiceKind, Maker, Puzzle, Regime, Request, held_out_pairs};

use super::brute::{self, Set};
use super::on_all_cores;

const SEED: u64 = 2024;

/// Makes `n` puzzles of every regime, spread over splits and kinds of choices,
/// and looks at each.
fn look(n: u64, pixels_every: u64) {
    for regime in Regime::ALL {
        let makers: Vec<Maker> = ChoiceKind::ALL
            .into_iter()
            .flat_map(|kind| Split::ALL.map(|split| Request::new(regime, split, kind)))
            .map(|request| Maker::new(request).unwrap())
            .collect();
        on_all_cores(n, |index| {
            let puzzle = makers[index as usize % 6].puzzle(SEED, index / 6).unwrap();
            let name = format!("{regime} {} {:?} {}", puzzle.split, puzzle.kind, index / 6);
            look_at(&puzzle, &name);
            belongs(regime, &puzzle, &name);
            if index % pixels_every == 0 {
                let images: HashSet<Vec<u8>> =
                    puzzle.choices.iter().map(|choice| render::panels([choice])).collect();
                assert_eq!(images.len(), 4, "{name}: four different pictures");
            }
        });
    }
}

fn row(panels: [&Panel; 3], object: &str, attribute: &str) -> [Set; 3] {
    panels.map(|panel| brute::values(panel, object, attribute))
}

/// VAD's relations.
fn legal() -> impl Iterator<Item = brute::Named> {
    brute::LEGAL.into_iter().filter(|(.., relation)| *relation != "consistent_union")
}

/// The relations that a source row shows, with their domains; any increase is a
/// progression.
fn shown(panels: [&Panel; 3]) -> Vec<brute::Named> {
    let shows = |(o, a, r): &brute::Named| brute::counts(r, &[row(panels, o, a)]);
    legal().filter(shows).collect()
}

/// The relations that a target row can repeat, with their domains.
fn repeated(panels: [&Panel; 3]) -> Vec<brute::Named> {
    legal().filter(|(o, a, r)| brute::completes(r, &row(panels, o, a))).collect()
}

fn look_at(puzzle: &Puzzle, name: &str) {
    let analogy = puzzle.analogy;
    let relation = analogy.relation.name();
    let stated = |attribute: genvp_puzzle::relations::Attribute| {
        (attribute.object().name(), attribute.name(), relation)
    };
    let [a, b, c, d, e] = puzzle.context.each_ref();
    assert_eq!(shown([a, b, c]), [stated(analogy.source)], "{name}: one reading of the source");
    let domain = (analogy.target.object().name(), analogy.target.name());
    for (number, choice) in puzzle.choices.iter().enumerate() {
        let found = repeated([d, e, choice]);
        assert!(found.iter().all(|(o, a, _)| (*o, *a) == domain), "{name}: choice {number}");
        // Three growing numbers are a progression only if they keep their step.
        let values: Vec<u8> =
            row([d, e, choice], domain.0, domain.1).iter().flatten().copied().collect();
        let completes = |r: &str| {
            let even = || values[1] - values[0] == values[2] - values[1];
            found.iter().any(|(.., other)| *other == r) && (r != "progression" || even())
        };
        let is_right = number == usize::from(puzzle.target);
        assert_eq!(completes(relation), is_right, "{name}: choice {number}");
        let all = ["progression", "XOR", "OR", "AND"];
        let first = [relation].into_iter().chain(all).find(|r| completes(r));
        let told = puzzle.completes[number].map(|r| r.name());
        assert_eq!(told, first, "{name}: what choice {number} completes");
    }
}

fn belongs(regime: Regime, puzzle: &Puzzle, name: &str) {
    let test = puzzle.split == Split::Test;
    let [source, target] = [puzzle.analogy.source, puzzle.analogy.target].map(|a| a.to_string());
    assert_ne!(source, target, "{name}");
    let held_out = || {
        let pairs = held_out_pairs();
        pairs.iter().any(|[s, t]| s.to_string() == source && t.to_string() == target)
    };
    match regime {
        Regime::DomainTransfer => assert_eq!(held_out(), test, "{name}"),
        Regime::TargetLineType => assert_eq!(target == "line type", test, "{name}"),
        Regime::TargetShapeColor => assert_eq!(target == "shape color", test, "{name}"),
        Regime::Interpolation | Regime::Extrapolation => {
            let shifted = |domain: &String| domain.ends_with("color") || domain.ends_with("size");
            assert!(shifted(&source) || shifted(&target), "{name}");
        }
    }
    let allowed = |value: u8| match regime {
        Regime::Interpolation => (value % 2 == 1) == test,
        Regime::Extrapolation => (value >= 5) == test,
        _ => true,
    };
    for panel in puzzle.panels() {
        assert!(panel.shapes.iter().all(|s| allowed(s.color) && allowed(s.size)), "{name}");
        assert!(panel.lines.iter().all(|l| l.color == 10 || allowed(l.color)), "{name}");
        let kinds: HashSet<u8> = panel.lines.iter().map(|l| l.kind as u8).collect();
        let corners = (6..10).filter(|kind| kinds.contains(kind)).count();
        let diamond = kinds.contains(&4);
        assert!(corners < 4 && (corners == 0 || !diamond), "{name}: lines that hide each other");
    }
}

#[test]
fn every_puzzle_is_sound_and_meets_the_condition_of_its_regime() {
    look(2_000, 10);
}

#[test]
#[ignore = "long: 100,000 puzzles a regime, all choices drawn"]
fn every_puzzle_of_many_is_sound_and_meets_the_condition_of_its_regime() {
    look(100_000, 1);
}

#[test]
fn two_wrong_lbc_choices_complete_the_row_under_other_relations() {
    let others = |kind| {
        let request = Request::new(Regime::DomainTransfer, Split::Train, kind);
        let maker = Maker::new(request).unwrap();
        let complete = |index| {
            let puzzle = maker.puzzle(1, index).unwrap();
            let others = puzzle.completes.iter().flatten().count() - 1;
            // A number follows nothing but a progression.
            let is_number = puzzle.analogy.target.to_string() == "shape number";
            assert!(kind == ChoiceKind::Normal || others == if is_number { 0 } else { 2 });
            others
        };
        (0..1_000).map(complete).sum::<usize>()
    };
    let [lbc, normal] = ChoiceKind::ALL.map(others);
    assert!(lbc > 1_800, "{lbc} choices of 3,000 complete another relation");
    assert!(normal < 200, "{normal} choices of 3,000 do so by chance");
}

#[test]
fn a_faithful_request_keeps_accidents_and_its_puzzles_are_sound() {
    let mut unshown = 0;
    for regime in Regime::ALL {
        let mut request = Request::new(regime, Split::Train, ChoiceKind::Lbc);
        request.faithful = true;
        let maker = Maker::new(request).unwrap();
        for index in 0..200 {
            let puzzle = maker.puzzle(1, index).unwrap();
            let audit = genvp_puzzle::vad::audit(&puzzle);
            assert!(audit.is_sound(puzzle.target), "{regime} {index}: {audit:?}");
            unshown += usize::from(!audit.is_shown);
        }
    }
    assert!(unshown > 0, "no source row in 1,000 that does not tell OR from XOR");
}
