//! How often the answers that a model draws keep the rules, when several are drawn for
//! one question.

use genvp_puzzle::check::{Stated, same_rule};
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::raven::Grid;
use genvp_puzzle::{Attribute, Group, Layout, Panel, Puzzle, Set};
use rayon::prelude::*;

use crate::complete::{Gap, Protocol};
use crate::diversity::distinct;
use crate::imagine::{Artist, Drawing, ImagineError};
use crate::judge::stress::{Marks, pictures};
use crate::judge::{RuleSpec, Verdict, judge};

/// Where rules allow this many answers, this many different ones are looked for.
pub const ENOUGH: usize = 4;

/// Which questions are asked.
#[derive(Clone, Copy, Debug)]
pub struct AnswerSettings {
    /// Puzzles of a layout.
    pub n: u64,
    /// Answers drawn for each.
    pub samples: u64,
    /// The panels that are missing.
    pub missing: Grid<bool>,
    /// The seed of puzzles and answers.
    pub seed: u64,
}

/// What was found for one layout and protocol.
#[derive(Clone, Copy, Debug, Default)]
pub struct Answers {
    /// Questions asked.
    pub n: u64,
    /// Rules that the model's own encoder sees in the completed puzzles.
    pub own_encoder: Marks,
    /// Rules that the judge finds to hold.
    pub judge: Marks,
    /// The same drawings held against the rules of other puzzles, by the judge.
    pub judge_by_chance: Marks,
    /// Answers that keep every rule, by the judge.
    pub whole: Marks,
    /// Different scenes among the answers that keep every rule, summed over questions;
    /// angles do not count.
    pub distinct: u64,
    /// Whether [`ENOUGH`] of them differ, of the questions whose rules allow that many.
    pub enough: Marks,
}

/// Draws several answers to each of some questions of a layout, and marks them.
/// `done` is told after every answer.
///
/// # Errors
/// When a puzzle cannot be made or the model fails.
pub fn measure(
    artist: &Artist<'_>,
    layout: Layout,
    protocol: Protocol,
    questions: &AnswerSettings,
    done: &(dyn Fn(u64) + Sync),
) -> Result<Answers, ImagineError> {
    let AnswerSettings { n, samples, missing, seed } = *questions;
    let maker = Maker::new(Request::new(Set::IRaven, layout))?;
    let mut result = Answers { n, ..Answers::default() };
    for index in 0..n {
        let puzzle = maker.puzzle(seed, index)?;
        let spec = RuleSpec::of_puzzle(&puzzle);
        // Far from every index that is used for questions.
        let other = RuleSpec::of_puzzle(&maker.puzzle(seed, index + (1 << 40))?);
        let gap = Gap::new(pictures(&puzzle), missing)?;
        let numbers = index * samples..(index + 1) * samples;
        let answers = artist.complete_several(&gap, protocol, seed, numbers)?;
        let answers: Vec<Drawing> = answers.into_iter().map(|answer| answer.drawing).collect();
        let verdicts: Vec<Verdict> = answers
            .par_iter()
            .map(|answer| {
                let verdict = judge(&answer.views(), &spec);
                done(1);
                verdict
            })
            .collect();
        for (answer, verdict) in answers.iter().zip(&verdicts) {
            let (seen, wanted) = (artist.own_rules(&answer.views())?, spec.rules.columns());
            for (component, group) in spec.counted() {
                result.own_encoder.mark(same_rule(&seen, &wanted, component, group));
            }
            result.judge.add(verdict);
            result.judge_by_chance.add(&verdict.against(&other));
            result.whole.mark(verdict.agrees());
        }
        // The given panels are the same for all, however they were read beside the drawn ones.
        let drawn = |verdict: &Verdict| -> Grid<Panel> {
            let read = verdict.panels();
            std::array::from_fn(|i| {
                if missing[i] { &read[i] } else { panel_of(&puzzle, i) }.clone()
            })
        };
        let right: Vec<_> = verdicts.iter().filter(|v| v.agrees()).map(drawn).collect();
        let different = distinct(&right);
        result.distinct += different as u64;
        if samples >= ENOUGH as u64 && allows(&puzzle, &missing) >= ENOUGH as u64 {
            result.enough.mark(different >= ENOUGH);
        }
    }
    Ok(result)
}

/// At least so many different scenes would do for the missing panels: objects whose number alone
/// follows a rule may stand anywhere, and what is noise may be anything.
pub(crate) fn allows(puzzle: &Puzzle, missing: &Grid<bool>) -> u64 {
    let stated = Stated::of(puzzle);
    let mut ways = 1u64;
    for panel in (0..missing.len()).filter(|&i| missing[i]).map(|i| panel_of(puzzle, i)) {
        for (component, (objects, kind)) in
            panel.components.iter().zip(puzzle.layout.components()).enumerate()
        {
            let rule = puzzle.rules[component].of(Group::NumberPosition);
            if rule.attribute == Attribute::Number {
                ways = ways.saturating_mul(choose(kind.slot_count(), objects.entities.len()));
            }
            let noise = [Group::Type, Group::Size, Group::Color]
                .into_iter()
                .filter(|&group| stated.is_noise(component, group));
            ways = ways.saturating_mul(5u64.pow(noise.count() as u32));
        }
    }
    ways
}

/// n choose k.
fn choose(n: usize, k: usize) -> u64 {
    (0..k.min(n)).fold(1, |ways, i| ways * (n - i) as u64 / (i + 1) as u64)
}

fn panel_of(puzzle: &Puzzle, index: usize) -> &Panel {
    puzzle.context.get(index).unwrap_or_else(|| puzzle.answer())
}

#[cfg(test)]
mod tests {
    use super::*;
    use genvp_puzzle::RuleMatrix;

    #[test]
    fn objects_may_stand_anywhere_where_only_their_number_follows_a_rule() {
        assert_eq!([choose(4, 0), choose(4, 2), choose(9, 4), choose(9, 9)], [1, 6, 126, 1]);
        let last = Gap::parse("9").unwrap();
        let maker = Maker::new(Request::new(Set::IRaven, Layout::DistributeNine)).unwrap();
        let (mut free, mut fixed) = (0, 0);
        for index in 0..200 {
            let puzzle = maker.puzzle(3, index).unwrap();
            let (ways, rules) = (allows(&puzzle, &last), RuleMatrix::of(&puzzle.rules));
            let by_number = puzzle.rules[0].of(Group::NumberPosition).attribute;
            let objects = puzzle.answer().components[0].entities.len();
            if by_number == Attribute::Number && (3..=6).contains(&objects) {
                assert!(ways >= 84, "{ways}: {rules:?}");
                free += 1;
            }
            fixed += usize::from(ways == 1);
        }
        assert!(free > 5 && fixed > 20, "{free} {fixed}");
        let single = Maker::new(Request::new(Set::IRaven, Layout::LeftRight)).unwrap();
        assert_eq!(allows(&single.puzzle(3, 0).unwrap(), &last), 1);
    }
}
