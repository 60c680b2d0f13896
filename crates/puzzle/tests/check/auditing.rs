//! Audits of the originals.

use genvp_puzzle::check::{Audit, Sight, rules_of};

use crate::originals;

#[test]
fn audit() {
    let Some(puzzles) = originals::all() else { return };
    let start = std::time::Instant::now();
    for set in 0..3 {
        let (mut sound, mut dup, mut unneeded, mut rivals) = (0, 0, 0, 0);
        for puzzle in &puzzles[set * 210..set * 210 + 210] {
            let audit = Audit::of(puzzle);
            sound += u32::from(audit.is_sound());
            dup += u32::from(!audit.duplicates.is_empty());
            unneeded += u32::from(!audit.unneeded.is_empty());
            rivals += u32::from(!audit.rivals.is_empty());
            for r in audit.rivals.iter().take(1) {
                println!(
                    "{} target {} rival {} {:?}",
                    puzzle.layout,
                    puzzle.target,
                    r.choice,
                    r.rules
                        .iter()
                        .map(|f| f.rules.map(|r| r.unwrap().to_string()))
                        .collect::<Vec<_>>()
                );
            }
        }
        println!("set {set}: sound {sound} dup {dup} unneeded {unneeded} rivals {rivals}");
    }
    println!("{:?}", start.elapsed() / 630);
}

#[test]
fn stated_rules_are_among_those_that_hold() {
    let Some(puzzles) = originals::all() else { return };
    for puzzle in &puzzles {
        let [a, b, c, d, e, f, g, h] = puzzle.context.each_ref();
        let panels = [a, b, c, d, e, f, g, h, puzzle.answer()];
        let holding = rules_of(panels, puzzle.layout, puzzle.domain, Sight::Levels);
        for (part, rules) in puzzle.rules.iter().enumerate() {
            for (group, rule) in rules.0.into_iter().enumerate() {
                let stated = genvp_puzzle::check::Stated::of(puzzle);
                if stated.is_noise(part, genvp_puzzle::Group::ALL[group]) {
                    continue;
                }
                let found = holding.iter().find(|h| h.part == part && h.rule == rule);
                assert!(found.is_some_and(|h| h.everywhere), "{rule} {found:?}");
            }
        }
    }
}
