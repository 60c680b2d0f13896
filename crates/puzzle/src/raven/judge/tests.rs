//! What the judge promises.

use crate::Stream;
use crate::raven::make::{Maker, Request};
use crate::raven::{Attribute, Layout, RuleMatrix, Set};

use super::stress::{Marks, Spoil, pictures, trial};
use super::*;

fn maker(layout: Layout) -> Maker {
    Maker::new(Request::new(Set::Raven, layout)).expect("a plain request")
}

fn nine(puzzle: &crate::raven::Puzzle) -> [Panel; 9] {
    std::array::from_fn(|i| puzzle.context.get(i).unwrap_or_else(|| puzzle.answer()).clone())
}

#[test]
fn every_scene_of_the_engine_keeps_its_rules() {
    for layout in Layout::ALL {
        let maker = maker(layout);
        for index in 0..300 {
            let puzzle = maker.puzzle(11, index).expect("made");
            let verdict = judge_scene(nine(&puzzle), &RuleSpec::of_puzzle(&puzzle));
            assert!(verdict.agrees(), "{layout} {index}: {}", verdict.words());
            // With its very parameters, too.
            let stated = RuleSpec::new(layout, RuleMatrix::of(&puzzle.rules)).expect("all rules");
            assert!(judge_scene(nine(&puzzle), &stated).agrees(), "{layout} {index}");
        }
    }
}

#[test]
fn every_picture_of_the_engine_keeps_its_rules() {
    for layout in Layout::ALL {
        for index in 0..8 {
            let spoil = Spoil { blur: 0.0, noise: 0.0 };
            let trial = trial(layout, spoil, 3, index).expect("made");
            assert_eq!(trial.own.right, trial.own.asked, "{layout} {index}");
            assert!(trial.confidence > 0.9);
        }
    }
}

#[test]
fn a_wrong_choice_in_the_last_place_is_caught() {
    for layout in Layout::ALL {
        let maker = maker(layout);
        for index in 0..60 {
            let mut puzzle = maker.puzzle(12, index).expect("made");
            let asked = RuleSpec::of_puzzle(&puzzle);
            let right = puzzle.target;
            for choice in (0..8).filter(|&c| c != right) {
                puzzle.target = choice;
                let verdict = judge_scene(nine(&puzzle), &asked);
                let change = &puzzle.changes[usize::from(choice)];
                assert!(
                    !verdict.agrees() || has_noise(&verdict, change),
                    "{layout} {index} choice {choice} passes: {change:?}"
                );
            }
        }
    }
}

/// Rules that do not count cannot be broken: a uniform grid whose constants look
/// like noise is not held to them.
fn has_noise(verdict: &Verdict, changes: &[crate::raven::Change]) -> bool {
    changes.iter().all(|change| {
        let group = change.attribute.group();
        !verdict.ruling(usize::from(change.component), group).counted
    })
}

#[test]
fn a_stated_parameter_must_be_kept() {
    let request = Request {
        rules: RuleMatrix::parse("size=progression:+1", Layout::CenterSingle).expect("a rule"),
        ..Request::new(Set::Raven, Layout::CenterSingle)
    };
    let puzzle = Maker::new(request).expect("possible").puzzle(1, 0).expect("made");
    let mut rules = RuleMatrix::of(&puzzle.rules);
    let ask =
        |rules| judge_scene(nine(&puzzle), &RuleSpec::new(puzzle.layout, rules).expect("all"));
    assert!(ask(rules).agrees());
    let step = |s| crate::raven::Row::Rule(crate::raven::RuleKind::Progression, Some(s));
    rules.set(0, Attribute::Size, step(-1));
    let verdict = ask(rules);
    assert!(!verdict.agrees());
    assert_eq!(verdict.words(), "does not hold: size=progression");
}

#[test]
fn noise_and_blank_paper_are_wrong_with_little_confidence() {
    let puzzle = maker(Layout::DistributeNine).puzzle(1, 0).expect("made");
    let asked = RuleSpec::of_puzzle(&puzzle);
    let mut stream = Stream::new(1, "noise", 0);
    let noise: [Vec<f32>; 9] = std::array::from_fn(|_| (0..4096).map(|_| stream.unit()).collect());
    let blank: [Vec<f32>; 9] = std::array::from_fn(|_| vec![0.0; 4096]);
    for pictures in [noise, blank] {
        let verdict = judge(&std::array::from_fn(|i| pictures[i].as_slice()), &asked);
        assert_eq!(verdict.marks().0, 0);
        assert!(verdict.reading.least_confidence() < 0.1 && !verdict.is_legible());
    }
}

#[test]
fn one_unreadable_panel_makes_every_rule_wrong() {
    let puzzle = maker(Layout::CenterSingle).puzzle(2, 0).expect("made");
    let mut drawn = pictures(&puzzle);
    let mut stream = Stream::new(1, "noise", 0);
    drawn[4] = (0..4096).map(|_| stream.unit()).collect();
    let verdict =
        judge(&std::array::from_fn(|i| drawn[i].as_slice()), &RuleSpec::of_puzzle(&puzzle));
    assert_eq!(verdict.marks().0, 0);
    assert_eq!(verdict.words(), "panel 5 cannot be read");
}

#[test]
fn other_rules_than_those_of_the_puzzle_hold_by_chance_alone() {
    let (mut own, mut other) = (Marks::default(), Marks::default());
    for layout in Layout::ALL {
        let maker = maker(layout);
        for index in 0..100 {
            let puzzle = maker.puzzle(13, index).expect("made");
            own.add(&judge_scene(nine(&puzzle), &RuleSpec::of_puzzle(&puzzle)));
            let asked = RuleSpec::of_puzzle(&maker.puzzle(14, index).expect("made"));
            other.add(&judge_scene(nine(&puzzle), &asked));
        }
    }
    assert_eq!(own.percent(), 100.0);
    assert!(other.percent() < 45.0, "{}", other.percent());
}

#[test]
fn a_puzzle_of_another_layout_is_wrong() {
    let puzzle = maker(Layout::LeftRight).puzzle(1, 0).expect("made");
    let asked = RuleSpec::of_puzzle(&maker(Layout::UpDown).puzzle(1, 0).expect("made"));
    let drawn = pictures(&puzzle);
    let verdict = judge(&std::array::from_fn(|i| drawn[i].as_slice()), &asked);
    assert_eq!(verdict.marks().0, 0);
    assert!(verdict.words().contains("looks like l-r"), "{}", verdict.words());
}

/// The pictures of a puzzle whose outer objects have this color in some panels.
fn with_outer(puzzle: &crate::raven::Puzzle, color: u8, changed: &[usize]) -> [Vec<f32>; 9] {
    let mut grey = puzzle.clone();
    let last = usize::from(grey.target);
    for &panel in changed {
        let scene = grey.context.get_mut(panel).unwrap_or(&mut grey.choices[last]);
        scene.components[0].entities.iter_mut().for_each(|entity| entity.color = color);
    }
    pictures(&grey)
}

#[test]
fn a_grey_outer_object_is_noticed() {
    let mut rules_hold = 0;
    for layout in [Layout::OutInCenter, Layout::OutInGrid] {
        for index in 0..6 {
            let puzzle = maker(layout).puzzle(17, index).expect("made");
            let asked = RuleSpec::of_puzzle(&puzzle);
            for (color, changed) in [(1, &[0, 1, 2, 3, 4, 5, 6, 7, 8][..]), (1, &[8]), (4, &[3])] {
                let drawn = with_outer(&puzzle, color, changed);
                let verdict = judge(&std::array::from_fn(|i| drawn[i].as_slice()), &asked);
                let words = verdict.words();
                assert!(!verdict.agrees(), "{layout} {index}: color {color} in {changed:?}");
                // So much grey that no scene explains it cannot be read at all.
                if color == 1 {
                    assert!(verdict.is_legible(), "{layout} {index} {changed:?}: {words}");
                    assert_eq!(verdict.odd, [(0, Attribute::Color)], "{words}");
                    assert_eq!(verdict.panels()[changed[0]].components[0].entities[0].color, color);
                    assert!(words.contains("not as the engine draws it: out.color"), "{words}");
                    rules_hold += usize::from(verdict.marks().0 == verdict.marks().1);
                }
            }
        }
    }
    assert!(rules_hold > 6, "{rules_hold}: nothing but the outer color is wrong");
}

#[test]
fn a_white_outer_object_is_white_in_soft_and_noisy_pictures_too() {
    for layout in [Layout::OutInCenter, Layout::OutInGrid] {
        for spoil in Spoil::ALL {
            for index in 0..12 {
                let puzzle = maker(layout).puzzle(18, index).expect("made");
                let mut stream = Stream::new(18, "white", index);
                let drawn = pictures(&puzzle).map(|picture| spoil.apply(&picture, &mut stream));
                let asked = RuleSpec::of_puzzle(&puzzle);
                let verdict = judge(&std::array::from_fn(|i| drawn[i].as_slice()), &asked);
                assert!(verdict.odd.is_empty(), "{layout} {index} {spoil:?}");
            }
        }
    }
}
