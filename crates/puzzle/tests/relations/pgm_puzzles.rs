//! Every PGM puzzle is sound and is what its regime says.

use std::collections::HashSet;

use genvp_puzzle::pgm::{HeldOut, Maker, Puzzle, Regime, Request};
use genvp_puzzle::relations::{Axis, Panel, Split, render};

use super::brute::{self, Named};
use super::on_all_cores;

const SEED: u64 = 2024;

/// Makes `n` puzzles of every regime, a third of each split, and looks at each.
fn look(n: u64, pixels_every: u64) {
    for regime in Regime::ALL {
        let makers = Split::ALL.map(|split| Maker::new(Request::new(regime, split)).unwrap());
        on_all_cores(n, |index| {
            let puzzle = makers[index as usize % 3].puzzle(SEED, index / 3).unwrap();
            let name = format!("{regime} {} {}", puzzle.split, index / 3);
            look_at(&puzzle, &name);
            let triples = named(&puzzle);
            belongs(regime, puzzle.split, &triples, &name);
            values_are_allowed(regime, &puzzle, &name);
            if index % pixels_every == 0 {
                let images: HashSet<Vec<u8>> =
                    puzzle.choices.iter().map(|choice| render::panels([choice])).collect();
                assert_eq!(images.len(), 8, "{name}: eight different pictures");
            }
        });
    }
}

fn named(puzzle: &Puzzle) -> Vec<Named> {
    let name = |triple: genvp_puzzle::relations::Triple| {
        (triple.attribute.object().name(), triple.attribute.name(), triple.relation.name())
    };
    puzzle.structure.iter().map(|g| name(g.triple)).collect()
}

/// One choice is right, the others break what they say, nothing holds by
/// accident whichever choice is taken.
fn look_at(puzzle: &Puzzle, name: &str) {
    let triples = named(puzzle);
    let step = match puzzle.regime {
        Regime::Interpolation => [2, 1],
        _ => [1, 1],
    };
    for (number, choice) in puzzle.choices.iter().enumerate() {
        let nine: [&Panel; 9] = std::array::from_fn(|i| puzzle.context.get(i).unwrap_or(choice));
        let mut broken = 0;
        for (i, (governed, &(object, attribute, relation))) in
            puzzle.structure.iter().zip(&triples).enumerate()
        {
            let lines = brute::lines(&nine, governed.axis, object, attribute);
            // Values of colors and sizes are two apart in interpolation.
            let limited = matches!(attribute, "color" | "size");
            let step = step[usize::from(!limited)];
            let even_steps = lines.iter().all(|line| {
                let values: Vec<u8> = line.iter().flatten().copied().collect();
                values.windows(2).all(|pair| pair[1] == pair[0] + step)
            });
            let holds =
                brute::counts(relation, &lines) && (relation != "progression" || even_steps);
            broken |= u8::from(!holds) << i;
        }
        assert_eq!(broken, puzzle.broken[number], "{name}: what choice {number} breaks");
        let is_target = number == usize::from(puzzle.target);
        assert_eq!(broken == 0, is_target, "{name}: choice {number}");
        for (object, attribute, relation) in brute::LEGAL {
            for axis in Axis::ALL {
                let stated = puzzle
                    .structure
                    .iter()
                    .zip(&triples)
                    .any(|(g, t)| *t == (object, attribute, relation) && g.axis == axis);
                let lines = brute::lines(&nine, axis, object, attribute);
                assert!(
                    stated || !brute::counts(relation, &lines),
                    "{name}: {object} {attribute} {relation} along {axis} by accident, choice {number}"
                );
            }
        }
    }
    // The two complete lines alone tell OR from XOR.
    for (governed, &(object, attribute, relation)) in puzzle.structure.iter().zip(&triples) {
        if matches!(relation, "XOR" | "OR") {
            let nine: [&Panel; 9] =
                std::array::from_fn(|i| puzzle.context.get(i).unwrap_or(puzzle.answer()));
            let lines = brute::lines(&nine, governed.axis, object, attribute);
            assert!(brute::counts(relation, &lines[..2]), "{name}: {relation} can be told");
        }
    }
    constants_are_constant(puzzle, &triples, name);
}

fn constants_are_constant(puzzle: &Puzzle, triples: &[Named], name: &str) {
    let governs = |object, attribute| triples.iter().any(|t| (t.0, t.1) == (object, attribute));
    for (i, (object, attribute)) in brute::ATTRIBUTES.into_iter().enumerate() {
        let follows = attribute == "number" && governs("shape", "position");
        if governs(object, attribute) || follows {
            assert!(!puzzle.distracting[i], "{name}: {object} {attribute} does not distract");
        } else if !puzzle.distracting[i] {
            let shown = puzzle.panels().map(|panel| brute::values(panel, object, attribute));
            let different: HashSet<_> = shown.filter(|values| !values.is_empty()).collect();
            assert!(different.len() <= 1, "{name}: {object} {attribute} is constant");
        }
    }
}

/// The condition of the regime, and that a puzzle has one to four triples that
/// may stand together.
fn belongs(regime: Regime, split: Split, triples: &[Named], name: &str) {
    assert!((1..=4).contains(&triples.len()), "{name}");
    assert!(triples.iter().all(|t| brute::LEGAL.contains(t)), "{name}: {triples:?}");
    let attributes: HashSet<(&str, &str)> = triples.iter().map(|t| (t.0, t.1)).collect();
    assert_eq!(attributes.len(), triples.len(), "{name}: one relation an attribute");
    let governs = |object, attribute| attributes.contains(&(object, attribute));
    assert!(!(governs("shape", "number") && governs("shape", "position")), "{name}");
    let test = split == Split::Test;
    let texts: HashSet<String> = triples.iter().map(|(o, a, r)| format!("{o} {a} {r}")).collect();
    match (regime, HeldOut::of(regime)) {
        (Regime::Neutral, _) => {}
        (Regime::Interpolation | Regime::Extrapolation, _) => {
            assert!(attributes.iter().any(|(_, a)| matches!(*a, "color" | "size")), "{name}");
        }
        (Regime::HeldOutShapeColor, _) => assert_eq!(governs("shape", "color"), test, "{name}"),
        (Regime::HeldOutLineType, _) => assert_eq!(governs("line", "type"), test, "{name}"),
        (Regime::HeldOutTriples, HeldOut::Triples(held)) => {
            let met = held.iter().any(|t| texts.contains(&t.to_string()));
            assert_eq!(met, test, "{name}");
        }
        (Regime::HeldOutTriplePairs, HeldOut::TriplePairs(held)) => {
            assert!(triples.len() >= 2, "{name}");
            let met = |pair: &[_; 2]| {
                pair.iter()
                    .all(|t: &genvp_puzzle::relations::Triple| texts.contains(&t.to_string()))
            };
            assert_eq!(held.iter().any(met), test, "{name}");
        }
        (Regime::HeldOutAttributePairs, HeldOut::AttributePairs(held)) => {
            assert!(triples.len() >= 2, "{name}");
            let met =
                held.iter().any(|pair| pair.iter().all(|a| governs(a.object().name(), a.name())));
            assert_eq!(met, test, "{name}");
        }
        (_, list) => panic!("{name}: {list:?}"),
    }
}

/// Colors and sizes of every object are those of the split; black lines occur in
/// every split.
fn values_are_allowed(regime: Regime, puzzle: &Puzzle, name: &str) {
    let test = puzzle.split == Split::Test;
    let allowed = |value: u8| match regime {
        Regime::Interpolation => (value % 2 == 1) == test,
        Regime::Extrapolation => (value >= 5) == test,
        _ => true,
    };
    for panel in puzzle.panels() {
        for shape in &panel.shapes {
            assert!(shape.color < 10 && shape.size < 10 && (shape.kind as u8) < 7, "{name}");
            assert!(allowed(shape.color) && allowed(shape.size), "{name}: {shape:?}");
        }
        for line in &panel.lines {
            assert!((line.kind as u8) < 6, "{name}");
            assert!(line.color == 10 || allowed(line.color), "{name}: {line:?}");
        }
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
fn triples_are_as_many_as_stated_and_run_both_ways() {
    let maker = Maker::new(Request::new(Regime::Neutral, Split::Train)).unwrap();
    let mut counts = [0u32; 4];
    let mut rows = 0;
    let mut legal = HashSet::new();
    for index in 0..4_000 {
        let puzzle = maker.puzzle(1, index).unwrap();
        counts[puzzle.structure.len() - 1] += 1;
        rows += u32::from(puzzle.structure[0].axis == Axis::Rows);
        legal.extend(named(&puzzle));
    }
    // Within five standard deviations of 68, 27, 4 and 1 percent.
    for (count, percent) in counts.into_iter().zip([68.0, 27.0, 4.0, 1.0]) {
        let p: f64 = percent / 100.0;
        let spread = 5.0 * (4_000.0 * p * (1.0 - p)).sqrt();
        assert!((f64::from(count) - 4_000.0 * p).abs() < spread, "{counts:?}");
    }
    assert!((1_800..2_200).contains(&rows), "{rows} of 4,000 along rows");
    assert_eq!(legal.len(), 29, "every legal triple occurs");
}

#[test]
fn a_faithful_request_keeps_accidents_and_its_puzzles_are_sound() {
    let mut request = Request::new(Regime::Neutral, Split::Train);
    request.faithful = true;
    let maker = Maker::new(request).unwrap();
    let (mut accidents, mut unshown) = (0, 0);
    for index in 0..500 {
        let puzzle = maker.puzzle(1, index).unwrap();
        let audit = genvp_puzzle::pgm::audit(&puzzle);
        assert!(audit.is_sound(puzzle.target), "{index}: {audit:?}");
        accidents += usize::from(!audit.accidents.is_empty());
        unshown += audit.unshown.len();
    }
    assert!(accidents > 0, "no accident in 500 puzzles");
    assert!(unshown > 0, "OR and XOR are told apart in all of 500 puzzles");
}
