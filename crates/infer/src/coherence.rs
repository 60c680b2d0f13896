//! How often a model draws what it was asked for.

use std::collections::BTreeMap;

use genvp_puzzle::check::same_rule;
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::raven::RuleRows;
use genvp_puzzle::{
    Attribute, Combination, Group, Layout, Puzzle, PuzzleError, RuleKind, RuleMatrix, Set,
};
use rayon::prelude::*;

use crate::diversity::{Values, distinct};
use crate::imagine::{Artist, Drawing, ImagineError};
use crate::judge::stress::{Marks, nine};
use crate::judge::{RuleSpec, Verdict, judge, judge_scene};

/// Samples of one rule matrix that are compared with each other.
pub const SAMPLES: usize = 8;

/// Puzzles that are drawn before they are judged together.
const CHUNK: u64 = 16;

/// Which rule matrices of a layout are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// How many, each once.
    pub n: u64,
    /// How many of them [`SAMPLES`] times.
    pub matrices: u64,
    /// The seed of the matrices and of the drawings.
    pub seed: u64,
    /// Rules of which one must be there; empty: any matrix.
    pub having: &'a [Combination],
    /// Instead of matrices of the engine's puzzles these, one after the other; `n` is at most
    /// their number.
    pub listed: Option<&'a [RuleMatrix]>,
    /// Whether the parameters of the rules are asked for too: those of the engine's puzzle.
    pub parameters: bool,
}

/// Rule matrices kept apart from all development: 100 a layout, never used to teach a model or to
/// choose a setting, made once (`fixtures/frozen`).
///
/// # Errors
/// When the list holds a matrix that this layout cannot have.
pub fn frozen_matrices(layout: Layout) -> Result<Vec<RuleMatrix>, PuzzleError> {
    let own = |line: &'static str| line.strip_prefix(layout.short())?.strip_prefix(' ');
    let list = include_str!("../../../fixtures/frozen/rule-matrices.txt");
    list.lines().filter_map(own).map(|rules| RuleMatrix::parse(rules, layout)).collect()
}

/// What was found for one rule of one attribute.
#[derive(Clone, Copy, Debug, Default)]
pub struct RuleMarks {
    /// In what the model wrote.
    pub written: Marks,
    /// By the model's own encoder.
    pub own_encoder: Marks,
    /// By the judge.
    pub judge: Marks,
}

/// What was found for one layout.
#[derive(Clone, Debug, Default)]
pub struct LayoutCoherence {
    /// Puzzles drawn, one for each rule matrix, none rejected.
    pub n: u64,
    /// Rules that hold in what the model wrote, before it drew anything; nothing is asked where its
    /// latents say no scene.
    pub written: Marks,
    /// Rules that the model's own encoder sees as asked.
    pub own_encoder: Marks,
    /// Rules that the judge finds to hold.
    pub judge: Marks,
    /// The same drawings held against the rules of other puzzles, by the encoder.
    pub own_encoder_by_chance: Marks,
    /// The same, by the judge.
    pub judge_by_chance: Marks,
    /// Puzzles with every panel readable, in the asked layout.
    pub legible: u64,
    /// Puzzles in which the judge finds every rule to hold.
    pub whole: u64,
    /// Each attribute and rule.
    pub rules: BTreeMap<(Attribute, RuleKind), RuleMarks>,
    /// Different scenes among [`SAMPLES`] drawings of one rule matrix, the mean.
    pub distinct: Option<f64>,
    /// Distance of the drawn values from those of the engine's puzzles with the
    /// same rules, by attribute of [`COMPARED`](crate::diversity::COMPARED).
    pub distances: [f64; 5],
    /// The same distance between the engine's puzzles and others of the engine:
    /// what remains where there is no difference.
    pub distances_of_engine: [f64; 5],
    /// Percent of groups of objects that are not all alike, see [`Values::unlike`].
    pub unlike: Option<f64>,
    /// The same in the engine's puzzles with the same rules.
    pub unlike_of_engine: Option<f64>,
    /// Squared differences between drawings and what the engine draws of the scenes that the judge
    /// read in them, a mean over pixels, summed over the puzzles that can be read.
    squared_difference: f64,
}

/// Draws one puzzle for each of `n` rule matrices of a layout, taken from the
/// engine's puzzles of that seed, and marks them. `matrices` of these are drawn
/// [`SAMPLES`] times, to see how much the drawings differ. `done` is told after
/// every puzzle. With combinations of rules given, only matrices in which one of
/// them occurs are taken.
///
/// # Errors
/// When a puzzle cannot be made or the model fails.
pub fn measure(
    artist: &Artist<'_>,
    layout: Layout,
    sample: &Sample<'_>,
    done: &(dyn Fn(u64) + Sync),
) -> Result<LayoutCoherence, ImagineError> {
    let Sample { n, matrices, seed, having, listed, parameters } = *sample;
    let ask = if parameters { RuleSpec::with_parameters } else { RuleSpec::of_puzzle };
    let maker = Maker::new(Request::new(Set::IRaven, layout))?;
    let matrix = |index: u64| {
        if let Some(listed) = listed {
            let rules = listed.get(index as usize).ok_or(ImagineError::NoSuchRules { layout })?;
            let request = Request { rules: *rules, ..Request::new(Set::IRaven, layout) };
            return Ok(Maker::new(request)?.puzzle(seed, index)?);
        }
        let mut tries = (0..1 << 12).map(|attempt| maker.puzzle(seed, index | attempt << 44));
        let fits = |puzzle: &Puzzle| {
            having.is_empty() || having.iter().any(|rules| rules.occurs_in(&puzzle.rules))
        };
        let found = tries.find(|made| made.as_ref().map_or(true, fits));
        found.ok_or(ImagineError::NoSuchRules { layout })?.map_err(ImagineError::from)
    };
    let mut result = LayoutCoherence::default();
    let (mut drawn, mut engine, mut engine_other) =
        (Values::default(), Values::default(), Values::default());
    let mut start = 0;
    while start < n {
        let chunk: Vec<RuleTrial> = (start..n.min(start + CHUNK))
            .map(|index| RuleTrial::draw(artist, &maker, matrix(index)?, ask, seed, index))
            .collect::<Result<_, _>>()?;
        start += CHUNK;
        let verdicts: Vec<(Verdict, Verdict)> = chunk
            .par_iter()
            .map(|q| {
                let verdict = judge(&q.drawing.views(), &q.spec);
                let by_chance = verdict.against(&q.other_spec);
                done(1);
                (verdict, by_chance)
            })
            .collect();
        for (trial, (verdict, by_chance)) in chunk.iter().zip(&verdicts) {
            result.add(trial, verdict, by_chance);
            engine.add(&nine(&trial.puzzle));
            engine_other.add(&nine(&trial.other));
            if verdict.is_legible() {
                drawn.add(verdict.panels());
            }
        }
    }
    result.distances = drawn.distances(&engine);
    result.distances_of_engine = engine_other.distances(&engine);
    (result.unlike, result.unlike_of_engine) = (drawn.unlike(), engine.unlike());
    result.distinct = diversity(artist, &matrix, matrices, seed, done)?;
    Ok(result)
}

/// The mean number of different scenes among [`SAMPLES`] drawings of one rule
/// matrix. Drawings that cannot be read count as one scene together.
fn diversity(
    artist: &Artist<'_>,
    matrix: &dyn Fn(u64) -> Result<Puzzle, ImagineError>,
    matrices: u64,
    seed: u64,
    done: &(dyn Fn(u64) + Sync),
) -> Result<Option<f64>, ImagineError> {
    let mut total = 0;
    for index in 0..matrices {
        let spec = RuleSpec::of_puzzle(&matrix(index)?);
        let drawings: Vec<Drawing> = (0..SAMPLES as u64)
            .map(|sample| artist.draw(&spec, seed, index + ((sample + 1) << 32)))
            .collect::<Result<_, _>>()?;
        let verdicts: Vec<Verdict> =
            drawings.par_iter().map(|d| judge(&d.views(), &spec)).collect();
        let legible = verdicts.iter().filter(|v| v.is_legible()).map(Verdict::panels);
        total += distinct(legible) + usize::from(verdicts.iter().any(|v| !v.is_legible()));
        done(SAMPLES as u64);
    }
    Ok((matrices > 0).then(|| total as f64 / matrices as f64))
}

/// A rule matrix with the puzzle it came from, another of the layout, and what
/// the model drew.
struct RuleTrial {
    puzzle: Puzzle,
    spec: RuleSpec,
    other: Puzzle,
    other_spec: RuleSpec,
    drawing: Drawing,
    own_rules: RuleRows<usize>,
}

impl RuleTrial {
    fn draw(
        artist: &Artist<'_>,
        maker: &Maker,
        puzzle: Puzzle,
        ask: fn(&Puzzle) -> RuleSpec,
        seed: u64,
        index: u64,
    ) -> Result<Self, ImagineError> {
        // Far from every index that is used for puzzles.
        let other = maker.puzzle(seed, index + (1 << 40))?;
        let spec = ask(&puzzle);
        let drawing = artist.draw(&spec, seed, index)?;
        let own_rules = artist.own_rules(&drawing.views())?;
        Ok(Self { spec, other_spec: ask(&other), puzzle, other, drawing, own_rules })
    }

    fn own_marks(&self, spec: &RuleSpec) -> Vec<(usize, Group, bool)> {
        let wanted = spec.rules.columns();
        let right = |(component, group)| {
            (component, group, same_rule(&self.own_rules, &wanted, component, group))
        };
        spec.counted().into_iter().map(right).collect()
    }
}

impl LayoutCoherence {
    /// The mean squared difference of a pixel between drawings and what the engine draws of the
    /// scenes that the judge read in them: how far a drawing is from the nearest proper one.
    pub fn error(&self) -> f64 {
        self.squared_difference / self.legible.max(1) as f64
    }

    fn add(&mut self, trial: &RuleTrial, verdict: &Verdict, by_chance: &Verdict) {
        self.n += 1;
        let scenes = trial.drawing.decoded.as_ref();
        let written = scenes.map(|scenes| judge_scene((**scenes).clone(), &trial.spec));
        self.judge.add(verdict);
        self.judge_by_chance.add(by_chance);
        if verdict.is_legible() {
            self.legible += 1;
            self.squared_difference += trial.drawing.squared_difference(verdict);
        }
        self.whole += u64::from(verdict.agrees());
        for (component, group, right) in trial.own_marks(&trial.spec) {
            let ruling = verdict.ruling(component, group);
            let marks = self.rules.entry((ruling.attribute, ruling.kind)).or_default();
            if let Some(written) = &written {
                let wrote = written.ruling(component, group).holds;
                self.written.mark(wrote);
                marks.written.mark(wrote);
            }
            self.own_encoder.mark(right);
            marks.own_encoder.mark(right);
            marks.judge.mark(ruling.holds);
        }
        for (_, _, right) in trial.own_marks(&trial.other_spec) {
            self.own_encoder_by_chance.mark(right);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frozen_list_holds_a_hundred_matrices_a_layout_that_puzzles_can_have() {
        for layout in Layout::ALL {
            let list = frozen_matrices(layout).unwrap();
            assert_eq!(list.len(), 100, "{layout}");
            for (index, rules) in list.into_iter().enumerate().step_by(20) {
                let request = Request { rules, ..Request::new(Set::IRaven, layout) };
                Maker::new(request).unwrap().puzzle(1, index as u64).unwrap();
            }
        }
    }
}
