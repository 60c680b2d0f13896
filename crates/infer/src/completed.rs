//! A stored puzzle with panels missing: several answers under both protocols, each judged by
//! the rules that it followed and by those of the puzzle.

use genvp_data::StoredPuzzle;
use genvp_puzzle::raven::{FORM, Grid};
use genvp_puzzle::{Domain, Layout, Row, RuleMatrix, exact, render};
use serde_json::{Value, json};

use crate::complete::{Completion, Gap, Protocol, likely_rules, same_panel, verdict};
use crate::diversity::distinct;
use crate::imagine::{Artist, Drawing, ImagineError, Progress};
use crate::json;
use crate::judge::stress::Marks;
use crate::judge::{self, Verdict};

/// The puzzle that is to be completed.
#[derive(Clone, Debug)]
pub struct CompletionTask {
    /// Its panels, and which are missing.
    pub gap: Gap,
    /// The layout, as the exact solver reads it.
    pub layout: Layout,
    /// The rules of the complete puzzle.
    pub rules: RuleMatrix,
    /// Whether the file says those rules; otherwise the exact solver found them.
    pub stated: bool,
}

impl CompletionTask {
    /// A puzzle without some panels. The ninth is the choice that the file calls right; where it
    /// says nothing, the choice that the exact solver finds.
    ///
    /// # Errors
    /// When no panel or all of them are missing.
    pub fn new(
        stored: &StoredPuzzle,
        domain: Domain,
        missing: Grid<bool>,
    ) -> Result<Self, ImagineError> {
        let side = stored.images.side();
        let panels = std::array::from_fn(|i| stored.images.panel(i));
        let exact = exact::solve(&panels, side, domain);
        let answer = stored.target.map_or(exact.solution.answer, usize::from);
        let ink = |i: usize| {
            let choice = FORM.context() + answer.min(FORM.choices - 1);
            let grey = if i < FORM.context() { panels[i] } else { panels[choice] };
            let mut out = vec![0.0; judge::SIDE * judge::SIDE];
            render::resize_area(grey, side, judge::SIDE, &mut out);
            out
        };
        let mut found = RuleMatrix::of(&[]);
        for (component, own) in exact.solution.found.iter().enumerate() {
            for rule in own.rules.iter().flatten() {
                found.set(component, rule.attribute, Row::Rule(rule.kind, None));
            }
        }
        let stated = stored.rules();
        Ok(Self {
            gap: Gap::new(std::array::from_fn(ink), missing)?,
            layout: exact.reading.layout,
            stated: stated.is_some(),
            rules: stated.unwrap_or(found),
        })
    }
}

/// An answer with what the judge says of it.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The puzzle with the missing panels drawn.
    pub drawing: Drawing,
    /// The rules that the model followed.
    pub followed: RuleMatrix,
    /// Judged by the rules that were followed.
    pub by_followed: Verdict,
    /// Judged by the rules of the complete puzzle.
    pub by_whole: Verdict,
    /// Whether it shows what stood in the gaps.
    pub same: bool,
}

impl Sample {
    /// Judges an answer.
    ///
    /// # Errors
    /// When the rules leave a group open.
    fn new(question: &CompletionTask, done: Completion) -> Result<Self, ImagineError> {
        let followed = likely_rules(&done.rules, question.layout)?;
        Ok(Self {
            by_followed: verdict(&done.drawing, question.layout, followed)?,
            by_whole: verdict(&done.drawing, question.layout, question.rules)?,
            same: same_panel(&question.gap, &done.drawing),
            followed,
            drawing: done.drawing,
        })
    }
}

/// The answers to a question.
#[derive(Clone, Debug)]
pub struct Completed {
    /// What was asked.
    pub question: CompletionTask,
    /// Answers whose rules were inferred from the panels that are there.
    pub honest: Vec<Sample>,
    /// Answers whose rules are those of the complete puzzle.
    pub leaking: Vec<Sample>,
}

impl Completed {
    /// Draws and judges `samples` answers under each protocol; `progress` is told after each.
    ///
    /// # Errors
    /// When the model cannot complete, its device fails, or it was given up.
    pub fn new(
        artist: &Artist<'_>,
        question: CompletionTask,
        seed: u64,
        samples: u64,
        progress: &dyn Progress,
    ) -> Result<Self, ImagineError> {
        let answers = |protocol| -> Result<Vec<Sample>, ImagineError> {
            let drawn =
                artist.complete_while(&question.gap, protocol, seed, 0..samples, progress)?;
            drawn.into_iter().map(|answer| Sample::new(&question, answer)).collect()
        };
        let (honest, leaking) = (answers(Protocol::Honest)?, answers(Protocol::Leaking)?);
        Ok(Self { question, honest, leaking })
    }

    /// Everything as one object; `missing` is the list of panels as it was asked for.
    pub fn json(&self, file: &str, missing: &str) -> Value {
        let Self { question, honest, leaking } = self;
        let each: Vec<Value> = honest
            .iter()
            .map(|sample| {
                json!({
                    "followed_rules": sample.followed.text(question.layout),
                    "judged_by_followed_rules": json::verdict(&sample.by_followed),
                    "judged_by_puzzle_rules": json::verdict(&sample.by_whole),
                    "same_as_file": sample.same,
                })
            })
            .collect();
        let protocol = |samples: &[Sample]| {
            let shares = Shares::of(samples);
            json!({
                "puzzle_rules": shares.whole, "followed_rules": shares.followed,
                "same_as_file": shares.same, "n": samples.len(),
            })
        };
        json!({
            "file": file,
            "layout": question.layout.folder(),
            "missing": missing,
            "rules": question.rules.text(question.layout),
            "rules_from": if question.stated { "file" } else { "exact solver" },
            "protocols": { "honest": protocol(honest), "leaking": protocol(leaking) },
            "distinct": distinct(honest.iter().map(|s| s.by_whole.panels())),
            "samples": each,
        })
    }
}

/// What holds over all samples of a protocol, in percent.
#[derive(Clone, Copy, Debug)]
pub struct Shares {
    /// Of the rules that were followed.
    pub followed: f64,
    /// Of the rules of the complete puzzle.
    pub whole: f64,
    /// How many samples show what stood in the gaps.
    pub same: usize,
}

impl Shares {
    /// Counts.
    pub fn of(samples: &[Sample]) -> Self {
        let share = |of: fn(&Sample) -> &Verdict| {
            let mut marks = Marks::default();
            samples.iter().for_each(|sample| marks.add(of(sample)));
            marks.percent()
        };
        Self {
            followed: share(|s| &s.by_followed),
            whole: share(|s| &s.by_whole),
            same: samples.iter().filter(|s| s.same).count(),
        }
    }
}
