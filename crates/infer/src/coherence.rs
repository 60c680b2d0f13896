//! How often a model draws what it was asked for.

use std::collections::BTreeMap;

use genvp_puzzle::check::same_rule;
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::{Attribute, Group, Layout, Panel, Puzzle, RuleKind, Set};
use rayon::prelude::*;

use crate::diversity::{Values, distinct};
use crate::imagine::{Artist, Drawing, ImagineError};
use crate::judge::stress::Marks;
use crate::judge::{Asked, Verdict, judge};

/// Samples of one rule matrix that are compared with each other.
pub const SAMPLES: usize = 8;

/// Puzzles that are drawn before they are judged together.
const CHUNK: u64 = 16;

/// What was found for one layout.
#[derive(Clone, Debug, Default)]
pub struct LayoutCoherence {
    /// Puzzles drawn, one for each rule matrix, none rejected.
    pub n: u64,
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
    /// Encoder and judge for each attribute and rule.
    pub rules: BTreeMap<(Attribute, RuleKind), (Marks, Marks)>,
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
/// every puzzle.
///
/// # Errors
/// When a puzzle cannot be made or the model fails.
pub fn measure(
    artist: &Artist<'_>,
    layout: Layout,
    n: u64,
    matrices: u64,
    seed: u64,
    done: &(dyn Fn(u64) + Sync),
) -> Result<LayoutCoherence, ImagineError> {
    let maker = Maker::new(Request::new(Set::IRaven, layout))?;
    let mut result = LayoutCoherence::default();
    let (mut drawn, mut engine, mut engine_other) =
        (Values::default(), Values::default(), Values::default());
    let mut start = 0;
    while start < n {
        let chunk: Vec<Question> = (start..n.min(start + CHUNK))
            .map(|index| Question::draw(artist, &maker, seed, index))
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
    result.distinct = diversity(artist, &maker, matrices, seed, done)?;
    Ok(result)
}

/// The mean number of different scenes among [`SAMPLES`] drawings of one rule
/// matrix. Drawings that cannot be read count as one scene together.
fn diversity(
    artist: &Artist<'_>,
    maker: &Maker,
    matrices: u64,
    seed: u64,
    done: &(dyn Fn(u64) + Sync),
) -> Result<Option<f64>, ImagineError> {
    let mut total = 0;
    for index in 0..matrices {
        let asked = Asked::of_puzzle(&maker.puzzle(seed, index)?);
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
    asked: Asked,
    other: Puzzle,
    other_asked: Asked,
    drawing: Drawing,
    own_rules: [usize; 12],
}

impl Question {
    fn draw(
        artist: &Artist<'_>,
        maker: &Maker,
        seed: u64,
        index: u64,
    ) -> Result<Self, ImagineError> {
        let puzzle = maker.puzzle(seed, index)?;
        // Far from every index that is used for puzzles.
        let other = maker.puzzle(seed, index + (1 << 40))?;
        let asked = Asked::of_puzzle(&puzzle);
        let drawing = artist.draw(&asked, seed, index)?;
        let own_rules = artist.own_rules(&drawing.views())?;
        Ok(Self { asked, other_asked: Asked::of_puzzle(&other), puzzle, other, drawing, own_rules })
    }

    fn own_marks(&self, asked: &Asked) -> Vec<(usize, Group, bool)> {
        let wanted = asked.rules.columns();
        let right = |(part, group)| (part, group, same_rule(&self.own_rules, &wanted, part, group));
        asked.counted().into_iter().map(right).collect()
    }
}

impl LayoutCoherence {
    fn add(&mut self, question: &Question, verdict: &Verdict, by_chance: &Verdict) {
        self.n += 1;
        self.judge.add(verdict);
        self.judge_by_chance.add(by_chance);
        self.legible += u64::from(verdict.is_legible());
        self.whole += u64::from(verdict.agrees());
        for (part, group, right) in question.own_marks(&question.asked) {
            let ruling = verdict.ruling(part, group);
            let marks = self.rules.entry((ruling.attribute, ruling.kind)).or_default();
            self.own_encoder.mark(right);
            marks.0.mark(right);
            marks.1.mark(ruling.holds);
        }
        for (_, _, right) in question.own_marks(&question.other_asked) {
            self.own_encoder_by_chance.mark(right);
        }
    }
}

fn nine(puzzle: &Puzzle) -> [Panel; 9] {
    std::array::from_fn(|i| puzzle.context.get(i).unwrap_or_else(|| puzzle.answer()).clone())
}
