//! How often a model draws what it was asked for.

use std::collections::BTreeMap;

use genvp_model::ModelConfig;
use genvp_puzzle::check::same_rule;
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::{Attribute, Combination, Group, Layout, Puzzle, RuleKind, Set};
use rayon::prelude::*;

use crate::diversity::{Values, distinct};
use crate::imagine::{Artist, Drawing, ImagineError};
use crate::judge::stress::{Marks, nine};
use crate::judge::{RuleSpec, Verdict, judge, judge_scene};

/// Samples of one rule matrix that are compared with each other.
pub const SAMPLES: usize = 8;

/// What no measure of imagined puzzles sees: in the objects of a grid the writer decides on one
/// shape, one size and one grey for all.
pub const LIMIT: &str =
    "Imagined grids never hold unlike objects, though more than four in ten of the engine's do.";

/// The [limit](LIMIT), of a model that has it: one that decides on values before it draws.
pub fn limit(model: &ModelConfig) -> Option<&'static str> {
    model.values().is_some().then_some(LIMIT)
}

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
    /// Rules that hold in what the model wrote, before it drew anything; all wrong
    /// where its latents say no scene.
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
    let Sample { n, matrices, seed, having } = *sample;
    let maker = Maker::new(Request::new(Set::IRaven, layout))?;
    let matrix = |index: u64| {
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
        let chunk: Vec<Question> = (start..n.min(start + CHUNK))
            .map(|index| Question::draw(artist, &maker, matrix(index)?, seed, index))
            .collect::<Result<_, _>>()?;
        start += CHUNK;
        let verdicts: Vec<(Verdict, Verdict)> = chunk
            .par_iter()
            .map(|q| {
                let verdict = judge(&q.drawing.views(), &q.asked);
                let by_chance = verdict.against(&q.other_asked);
                done(1);
                (verdict, by_chance)
            })
            .collect();
        for (question, (verdict, by_chance)) in chunk.iter().zip(&verdicts) {
            result.add(question, verdict, by_chance);
            engine.add(&nine(&question.puzzle));
            engine_other.add(&nine(&question.other));
            if verdict.is_legible() {
                drawn.add(verdict.panels());
            }
        }
    }
    result.distances = drawn.distances(&engine);
    result.distances_of_engine = engine_other.distances(&engine);
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
        let asked = RuleSpec::of_puzzle(&matrix(index)?);
        let drawings: Vec<Drawing> = (0..SAMPLES as u64)
            .map(|sample| artist.draw(&asked, seed, index + ((sample + 1) << 32)))
            .collect::<Result<_, _>>()?;
        let verdicts: Vec<Verdict> =
            drawings.par_iter().map(|d| judge(&d.views(), &asked)).collect();
        let legible = verdicts.iter().filter(|v| v.is_legible()).map(Verdict::panels);
        total += distinct(legible) + usize::from(verdicts.iter().any(|v| !v.is_legible()));
        done(SAMPLES as u64);
    }
    Ok((matrices > 0).then(|| total as f64 / matrices as f64))
}

/// A rule matrix with the puzzle it came from, another of the layout, and what
/// the model drew.
struct Question {
    puzzle: Puzzle,
    asked: RuleSpec,
    other: Puzzle,
    other_asked: RuleSpec,
    drawing: Drawing,
    own_rules: [usize; 12],
}

impl Question {
    fn draw(
        artist: &Artist<'_>,
        maker: &Maker,
        puzzle: Puzzle,
        seed: u64,
        index: u64,
    ) -> Result<Self, ImagineError> {
        // Far from every index that is used for puzzles.
        let other = maker.puzzle(seed, index + (1 << 40))?;
        let asked = RuleSpec::of_puzzle(&puzzle);
        let drawing = artist.draw(&asked, seed, index)?;
        let own_rules = artist.own_rules(&drawing.views())?;
        Ok(Self {
            asked,
            other_asked: RuleSpec::of_puzzle(&other),
            puzzle,
            other,
            drawing,
            own_rules,
        })
    }

    fn own_marks(&self, asked: &RuleSpec) -> Vec<(usize, Group, bool)> {
        let wanted = asked.rules.columns();
        let right = |(part, group)| (part, group, same_rule(&self.own_rules, &wanted, part, group));
        asked.counted().into_iter().map(right).collect()
    }
}

impl LayoutCoherence {
    fn add(&mut self, question: &Question, verdict: &Verdict, by_chance: &Verdict) {
        self.n += 1;
        let scenes = question.drawing.decoded.as_ref();
        let written = scenes.map(|scenes| judge_scene((**scenes).clone(), &question.asked));
        self.judge.add(verdict);
        self.judge_by_chance.add(by_chance);
        self.legible += u64::from(verdict.is_legible());
        self.whole += u64::from(verdict.agrees());
        for (part, group, right) in question.own_marks(&question.asked) {
            let ruling = verdict.ruling(part, group);
            let marks = self.rules.entry((ruling.attribute, ruling.kind)).or_default();
            let wrote = written.as_ref().is_some_and(|v| v.ruling(part, group).holds);
            self.own_encoder.mark(right);
            self.written.mark(wrote);
            marks.written.mark(wrote);
            marks.own_encoder.mark(right);
            marks.judge.mark(ruling.holds);
        }
        for (_, _, right) in question.own_marks(&question.other_asked) {
            self.own_encoder_by_chance.mark(right);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_four_in_ten_of_the_engines_grids_hold_unlike_objects() {
        let (mut unlike, mut all) = (0, 0);
        for layout in [Layout::DistributeFour, Layout::DistributeNine, Layout::OutInGrid] {
            let grid = layout.components().len() - 1;
            let maker = Maker::new(Request::new(Set::IRaven, layout)).expect("a plain request");
            for index in 0..400 {
                let panels = nine(&maker.puzzle(19, index).expect("made"));
                let looks = [Attribute::Type, Attribute::Size, Attribute::Color];
                let is_unlike = |attribute| {
                    panels.iter().any(|panel| panel.components[grid].shared(attribute).is_none())
                };
                unlike += usize::from(looks.into_iter().any(is_unlike));
                all += 1;
            }
        }
        let share = f64::from(unlike as u32) / f64::from(all);
        assert!((0.4..0.5).contains(&share), "{share}: the note says more than four in ten");
    }
}
