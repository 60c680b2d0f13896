//! The solver, from scenes in slot order and nothing else.

use genvp_puzzle::check::{Sight, Solution, Stated, solve};
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::{Component, Domain, Entity, Group, Layout, Panel, Puzzle, Set};

use crate::originals;
use crate::own_puzzles::{in_slot_order, some};

fn solution(puzzle: &Puzzle, sight: Sight) -> Solution {
    let context = puzzle.context.each_ref().map(in_slot_order);
    let choices = puzzle.choices.each_ref().map(in_slot_order);
    solve(&context, &choices, puzzle.layout, puzzle.domain, sight)
}

/// How many puzzles are answered right, and how many rules are named right with
/// their parameters, in percent. A constant that is noise is no rule.
fn accuracy(puzzles: &[Puzzle], sight: Sight) -> (f64, f64) {
    let (mut answers, mut rules, mut all_rules) = (0, 0, 0);
    for puzzle in puzzles {
        let solution = solution(puzzle, sight);
        answers += usize::from(solution.answer == usize::from(puzzle.target));
        let stated = Stated::of(puzzle);
        for (component, stated_rules) in puzzle.rules.iter().enumerate() {
            for group in Group::ALL.into_iter().filter(|&g| !stated.is_noise(component, g)) {
                let found = solution.found[component].rules[group.index()];
                rules += usize::from(found == Some(stated_rules.of(group)));
                all_rules += 1;
            }
        }
    }
    let percent = |component: usize, whole: usize| 100.0 * component as f64 / whole as f64;
    (percent(answers, puzzles.len()), percent(rules, all_rules))
}

#[test]
fn nearly_every_puzzle_is_solved_and_its_rules_are_named() {
    let puzzles = some(50);
    for sight in [Sight::Levels, Sight::Pixels] {
        let (answers, rules) = accuracy(&puzzles, sight);
        assert!(answers > 99.5 && rules > 99.5, "{sight:?}: {answers} {rules}");
    }
}

#[test]
fn values_never_seen_in_training_are_no_harder() {
    for domain in Domain::ALL {
        let mut puzzles = Vec::new();
        for layout in Layout::ALL {
            let request = Request { domain, ..Request::new(Set::IRaven, layout) };
            let maker = Maker::new(request).expect("any rule will do");
            puzzles.extend((0..30).map(|i| maker.puzzle(7, i).expect("nothing is asked for")));
        }
        let (answers, rules) = accuracy(&puzzles, Sight::Pixels);
        assert!(answers > 99.0 && rules > 99.0, "{}: {answers} {rules}", domain.name());
    }
}

#[test]
fn every_puzzle_of_the_originals_is_solved_and_its_rules_are_named() {
    let puzzles = originals::puzzles();
    for sight in [Sight::Levels, Sight::Pixels] {
        assert_eq!(accuracy(&puzzles, sight), (100.0, 100.0), "{sight:?}");
    }
}

#[test]
fn the_order_of_entities_does_not_matter() {
    for puzzle in some(20) {
        let backwards = |panel: &Panel| {
            let mut panel = panel.clone();
            for component in &mut panel.components {
                component.entities.reverse();
            }
            panel
        };
        let context = puzzle.context.each_ref().map(backwards);
        let choices = puzzle.choices.each_ref().map(backwards);
        let other = solve(&context, &choices, puzzle.layout, puzzle.domain, Sight::Levels);
        let solution = solution(&puzzle, Sight::Levels);
        assert_eq!(other.answer, solution.answer);
        assert_eq!(other.rules, solution.rules);
    }
}

#[test]
fn a_candidates_score_ignores_the_other_seven() {
    for puzzle in some(20) {
        let usual = solution(&puzzle, Sight::Levels);
        // Scores are normalised, so only differences mean something.
        let mut fewer = puzzle.clone();
        fewer.choices[2] = fewer.choices[3].clone();
        let fewer = solution(&fewer, Sight::Levels);
        let gap = |s: &Solution| s.scores[0] - s.scores[1];
        // Where a tie appears, angles add their thousandth.
        assert!((gap(&usual) - gap(&fewer)).abs() < 3e-3);
    }
}

#[test]
fn scores_are_logarithms_of_probabilities() {
    for puzzle in some(10) {
        let solution = solution(&puzzle, Sight::Levels);
        let total: f64 = solution.scores.iter().map(|s| s.exp()).sum();
        assert!((total - 1.0).abs() < 1e-9);
    }
}

#[test]
fn equal_choices_are_a_tie() {
    for mut puzzle in some(10) {
        let target = usize::from(puzzle.target);
        puzzle.choices[(target + 1) % 8] = puzzle.answer().clone();
        assert!(solution(&puzzle, Sight::Levels).tied);
    }
}

#[test]
fn a_misread_panel_costs_few_answers() {
    let mut puzzles = some(30);
    for (i, puzzle) in puzzles.iter_mut().enumerate() {
        let entity = &mut puzzle.context[i % 8].components[0].entities[0];
        match i % 3 {
            0 => entity.shape = entity.shape % 5 + 1,
            1 => entity.size = (entity.size + 1) % 6,
            _ => entity.color = (entity.color + 3) % 10,
        }
    }
    let (answers, _) = accuracy(&puzzles, Sight::Pixels);
    assert!(answers > 95.0, "{answers}");
}

#[test]
fn nonsense_is_answered_without_panic() {
    let empty = || Panel::default();
    let impossible = Entity { slot: 200, shape: 77, size: 99, color: 255, angle: 255 };
    let wild = || Panel {
        components: [Component { entities: [impossible; 3].into_iter().collect() }]
            .into_iter()
            .collect(),
    };
    for puzzle in some(1) {
        for panel in [empty(), wild()] {
            let panels: [Panel; 8] = std::array::from_fn(|_| panel.clone());
            for (context, choices) in
                [(&panels, &panels), (&puzzle.context, &panels), (&panels, &puzzle.choices)]
            {
                let found = solve(context, choices, puzzle.layout, puzzle.domain, Sight::Pixels);
                assert!(found.answer < 8);
                assert!(found.scores.iter().all(|s| s.is_finite()), "{:?}", found.scores);
            }
        }
    }
}
