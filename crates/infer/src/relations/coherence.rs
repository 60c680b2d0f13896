//! How often a model draws the relations that it was asked for.

use std::collections::BTreeMap;

use genvp_puzzle::relations::Triple;
use genvp_puzzle::relations::judge::{AskedRule, AskedRules, JudgedPanels};
use rayon::prelude::*;

use super::artist::read;
use super::{RelationArtist, RelationDrawing, RelationSampler};
use crate::coherence::RuleMarks;
use crate::imagine::ImagineError;
use crate::judge::stress::Marks;

/// Puzzles that are drawn before they are judged together.
const CHUNK: u64 = 16;

/// What was found for the puzzles of one regime.
#[derive(Clone, Debug, Default)]
pub struct RelationCoherence {
    /// Puzzles drawn, one for each rule matrix, none rejected.
    pub n: u64,
    /// Rules that hold in what the model wrote, before it drew anything.
    pub written: Marks,
    /// Rules that the model's own reader and experts see as asked.
    pub own_encoder: Marks,
    /// Rules that the judge finds to hold.
    pub judge: Marks,
    /// The same drawings held against the rules of other puzzles, by reader and experts.
    pub own_encoder_by_chance: Marks,
    /// The same, by the judge.
    pub judge_by_chance: Marks,
    /// Puzzles with every panel readable.
    pub legible: u64,
    /// Puzzles in which the judge finds every rule to hold.
    pub whole: u64,
    /// Puzzles in which the judge finds a relation that was not asked for.
    pub with_others: u64,
    /// Each attribute and relation.
    pub rules: BTreeMap<Triple, RuleMarks>,
    /// Squared differences between drawings and what the engine draws of the panels that the judge
    /// read, a mean over pixels, summed over the puzzles that can be read.
    squared_difference: f64,
}

/// A rule matrix, another one, and what the model drew.
struct Trial {
    asked: AskedRules,
    other: AskedRules,
    drawing: RelationDrawing,
    own_rules: Vec<u8>,
}

/// Draws one puzzle for each of `n` rule matrices, those of the engine's puzzles of the sampler's seed,
/// and marks them. `done` is told after every puzzle.
///
/// # Errors
/// When a puzzle cannot be made or the model fails.
pub fn measure(
    artist: &RelationArtist<'_>,
    sampler: &RelationSampler,
    n: u64,
    done: &(dyn Fn(u64) + Sync),
) -> Result<RelationCoherence, ImagineError> {
    let vocabulary = artist.vocabulary();
    let mut result = RelationCoherence::default();
    let mut start = 0;
    while start < n {
        let trial = |index: u64| {
            let asked = sampler.sample(index)?;
            // Far from every index that is used for puzzles.
            let other = sampler.sample(index + (1 << 40))?;
            let drawing = artist.draw(&asked, sampler.seed(), index)?;
            let own_rules = artist.own_rules(&drawing.panels)?;
            done(1);
            Ok(Trial { asked, other, drawing, own_rules })
        };
        let chunk: Vec<Trial> =
            (start..n.min(start + CHUNK)).map(trial).collect::<Result<_, ImagineError>>()?;
        start += CHUNK;
        let readings: Vec<JudgedPanels> =
            chunk.par_iter().map(|trial| read(&trial.drawing.panels, vocabulary)).collect();
        chunk.iter().zip(&readings).for_each(|(trial, read)| result.add(trial, read));
    }
    Ok(result)
}

impl RelationCoherence {
    /// The mean squared difference of a pixel between drawings and what the engine draws of what
    /// the judge read in them.
    pub fn error(&self) -> f64 {
        self.squared_difference / self.legible.max(1) as f64
    }

    fn add(&mut self, trial: &Trial, read: &JudgedPanels) {
        self.n += 1;
        self.whole += u64::from(read.keeps(&trial.asked));
        self.with_others += u64::from(!read.unasked(&trial.asked).is_empty());
        if read.is_legible() {
            self.legible += 1;
            self.squared_difference += trial.drawing.squared_difference(read);
        }
        let written = JudgedPanels::of_scene(trial.drawing.decoded.iter().cloned());
        let sees = |rule: &AskedRule| {
            let triple = rule.triple;
            usize::from(trial.own_rules[triple.attribute.row()]) == triple.relation.column()
        };
        for rule in &trial.asked.0 {
            let marks = self.rules.entry(rule.triple).or_default();
            let (wrote, seen, holds) = (written.holds(*rule), sees(rule), read.holds(*rule));
            for (all, own, right) in [
                (&mut self.written, &mut marks.written, wrote),
                (&mut self.own_encoder, &mut marks.own_encoder, seen),
                (&mut self.judge, &mut marks.judge, holds),
            ] {
                all.mark(right);
                own.mark(right);
            }
        }
        for rule in &trial.other.0 {
            self.own_encoder_by_chance.mark(sees(rule));
            self.judge_by_chance.mark(read.holds(*rule));
        }
    }
}
