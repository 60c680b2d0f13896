//! The solver on the originals' puzzles, from scenes in slot order.

use genvp_puzzle::check::{Sight, Solution, solve};
use genvp_puzzle::{Puzzle, RuleMatrix};

use crate::originals;

fn solution(puzzle: &Puzzle, sight: Sight) -> Solution {
    let context = puzzle.context.each_ref().map(originals::in_slot_order);
    let choices = puzzle.choices.each_ref().map(originals::in_slot_order);
    solve(&context, &choices, puzzle.layout, puzzle.domain, sight)
}

#[test]
fn scores() {
    let Some(puzzles) = originals::all() else { return };
    for sight in [Sight::Levels, Sight::Pixels] {
        let (mut right, mut tied) = (0, 0);
        let start = std::time::Instant::now();
        for (i, puzzle) in puzzles.iter().enumerate() {
            let s = solution(puzzle, sight);
            right += u32::from(s.answer == usize::from(puzzle.target));
            tied += u32::from(s.tied);
            if s.answer != usize::from(puzzle.target) || s.tied {
                println!(
                    "{sight:?} {:?} {} {} target {} {:?}\n   {}\n   {}",
                    puzzle.set,
                    puzzle.layout,
                    i % 30,
                    puzzle.target,
                    s.scores.map(|x| (x * 10.0).round() / 10.0),
                    s.rules.text(puzzle.layout),
                    RuleMatrix::of(&puzzle.rules).text(puzzle.layout)
                );
            }
        }
        println!("{sight:?} right {right} tied {tied} {:?}", start.elapsed() / 630);
    }
}

#[test]
fn rules() {
    use genvp_puzzle::{Group, check::Stated};
    let Some(puzzles) = originals::all() else { return };
    for sight in [Sight::Levels, Sight::Pixels] {
        let (mut right, mut all) = (0, 0);
        for (i, puzzle) in puzzles.iter().enumerate() {
            let s = solution(puzzle, sight);
            let stated = Stated::of(puzzle);
            for part in 0..puzzle.rules.len() {
                for group in Group::ALL {
                    let rule = puzzle.rules[part].of(group);
                    let found = s.found[part].rules[group.index()];
                    let noise = stated.is_noise(part, group);
                    if noise {
                        continue;
                    }
                    all += 1;
                    right += u32::from(found == Some(rule));
                    if found != Some(rule) {
                        println!(
                            "{sight:?} {:?} {} {} {part} stated {rule} found {}",
                            puzzle.set,
                            puzzle.layout,
                            i % 30,
                            found.map_or("none".into(), |f| f.to_string())
                        );
                    }
                }
            }
        }
        println!("{sight:?} rules right {right} of {all}");
    }
}
