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

/// As in PGM, but the one line of a progression keeps its step, for any three
/// growing numbers would do otherwise.
fn counts(relation: &str, line: &[Set; 3]) -> bool {
    let values: Vec<u8> = line.iter().flatten().copied().collect();
    brute::counts(relation, std::slice::from_ref(line))
        && (relation != "progression" || values[1] - values[0] == values[2] - values[1])
}

/// The relations that a row follows, with their domains.
fn readings(panels: [&Panel; 3]) -> Vec<(&'static str, &'static str, &'static str)> {
    let legal = brute::LEGAL.into_iter().filter(|(.., r)| *r != "consistent_union");
    legal.filter(|(o, a, r)| counts(r, &row(panels, o, a))).collect()
}

fn look_at(puzzle: &Puzzle, name: &str) {
    let analogy = puzzle.analogy;
    let relation = analogy.relation.name();
    let stated = |attribute: genvp_puzzle::relations::Attribute| {
        (attribute.object().name(), attribute.name(), relation)
    };
    let [a, b, c, d, e] = puzzle.context.each_ref();
    assert_eq!(readings([a, b, c]), [stated(analogy.source)], "{name}: one reading of the source");
    let answer = readings([d, e, puzzle.answer()]);
    assert_eq!(answer, [stated(analogy.target)], "{name}: one reading of the target row");
    for (number, choice) in puzzle.choices.iter().enumerate() {
        let found = readings([d, e, choice]);
        let fits = found.iter().any(|(.., r)| *r == relation);
        assert_eq!(fits, number == usize::from(puzzle.target), "{name}: choice {number}");
        let domain = (analogy.target.object().name(), analogy.target.name());
        let completes = puzzle.completes[number].map(|r| r.name());
        let own = found.iter().find(|(o, a, _)| (*o, *a) == domain).map(|(.., r)| *r);
        assert_eq!(completes, own, "{name}: what choice {number} completes");
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
fn wrong_lbc_choices_complete_the_row_under_other_relations() {
    let others = |kind| {
        let request = Request::new(Regime::DomainTransfer, Split::Train, kind);
        let maker = Maker::new(request).unwrap();
        let complete = |index| {
            let puzzle = maker.puzzle(1, index).unwrap();
            puzzle.completes.iter().flatten().count() - 1
        };
        (0..1_000).map(complete).sum::<usize>()
    };
    let [lbc, normal] = ChoiceKind::ALL.map(others);
    assert!(lbc > 1_200, "{lbc} choices of 3,000 complete another relation");
    assert!(normal < 60, "{normal} choices of 3,000 do so by chance");
}
