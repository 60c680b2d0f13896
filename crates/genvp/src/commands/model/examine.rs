//! The figures on a model's card.

use std::collections::BTreeMap;

use genvp_exam::Share;
use genvp_infer::coherence::{Sample, measure};
use genvp_infer::imagine::Artist;
use genvp_infer::judge::stress::Marks;
use genvp_infer::relations::{self, RelationArtist, RelationSampler};
use genvp_infer::{Model, Solver};
use genvp_model::Term;
use genvp_puzzle::family::{Family, PuzzleSpec, Split};
use genvp_puzzle::raven::Raven;
use genvp_puzzle::{Layout, Set};
use genvp_train::config::ValidationConfig;
use genvp_train::{Exam, Seeds};
use serde_json::{Value, json};

use crate::commands::eval::common_args::SEED;
use crate::commands::eval::confidence::{FIT_SEED, Measured, Seeds as FitSeeds};
use crate::console::Console;
use crate::failure::Failure;

/// Imagined puzzles of each layout, unless a number is given: what is imagined takes long to judge.
pub const MOST_IMAGINED: u64 = 200;

/// How a model is examined.
pub struct Examination<'a> {
    /// Puzzles of each layout and set.
    pub n: u64,
    /// Imagined puzzles of each layout; 0 leaves out the figures of drawings.
    pub drawings: u64,
    /// The layouts.
    pub layouts: &'a [Layout],
}

impl Examination<'_> {
    /// Right answers and rules, coherence, and confidence, by their keys on the card. Models for
    /// other puzzles than the engine's cannot be examined on these: nothing.
    pub fn take(
        &self,
        model: &Model,
        console: &Console,
    ) -> Result<BTreeMap<&'static str, Value>, Failure> {
        if let Some(family) = model.family().filter(|family| !family.has_layouts()) {
            return self.take_regimes(family, model, console);
        }
        if let Err(other) = Solver::of_family(model, &Raven) {
            console.note(&format!("no figures: {other}"));
            return Ok(BTreeMap::new());
        }
        // Figures are of puzzles that neither taught the model nor chose anything about it.
        let mut used = Seeds::of_card(model.card().said());
        used.settings.insert(FIT_SEED);
        let seed = used.free_from(model.card().said()["exam_seed"].as_u64().unwrap_or(SEED));
        let fresh = used.free_from(SEED);
        console.note(&format!("examining on {} puzzles of each layout and set", self.n));
        let validation = ValidationConfig { seed, puzzles: self.n, ..ValidationConfig::default() };
        let exam = Exam::of_sets(&Set::ALL, &validation, self.layouts)
            .and_then(|exam| exam.take(model.genvp(), model.device()))
            .map_err(crate::commands::train::failure)?;
        let coherence =
            (self.drawings > 0).then(|| self.coherence(model, fresh, console)).transpose()?;
        let seeds = FitSeeds { fit: FIT_SEED, check: fresh };
        let mut confidence = Measured::take(model, self.layouts, self.n, seeds, console)?.json();
        // The constants that the model used before are of no interest once they are replaced.
        confidence.as_object_mut().map(|own| own.remove("before"));
        let mut figures = BTreeMap::from([
            ("exam", json!(exam)),
            ("exam_seed", json!(seed)),
            ("settings_seeds", json!(used.settings)),
            ("confidence", confidence),
        ]);
        figures.extend(coherence.map(|own| ("coherence", own)));
        Ok(figures)
    }

    /// Right answers and rules on the test of every regime of a family.
    fn take_regimes(
        &self,
        family: &'static dyn Family,
        model: &Model,
        console: &Console,
    ) -> Result<BTreeMap<&'static str, Value>, Failure> {
        let used = Seeds::of_card(model.card().said());
        let seed = used.free_from(model.card().said()["exam_seed"].as_u64().unwrap_or(SEED));
        console.note(&format!("examining on {} puzzles of each regime", self.n));
        let spec = |stratum| PuzzleSpec { split: Some(Split::Test), ..PuzzleSpec::new(stratum) };
        let specs: Vec<PuzzleSpec> = family.strata().into_iter().map(spec).collect();
        let validation = ValidationConfig { seed, puzzles: self.n, ..ValidationConfig::default() };
        let exam = Exam::of_specs(family, &specs, &validation)
            .and_then(|exam| exam.take(model.genvp(), model.device()))
            .map_err(crate::commands::train::failure)?;
        let mut figures = BTreeMap::from([
            ("exam", json!({ "rules": exam.rules, "regimes": exam.regimes })),
            ("exam_seed", json!(seed)),
            ("settings_seeds", json!(used.settings)),
        ]);
        if self.drawings > 0 && model.config().terms().contains(&Term::Reconstruction) {
            let fresh = used.free_from(SEED);
            figures.insert("coherence", self.relation_coherence(family, model, fresh, console)?);
        }
        Ok(figures)
    }

    /// Rules that drawings keep, those of the family's first regime.
    fn relation_coherence(
        &self,
        family: &'static dyn Family,
        model: &Model,
        seed: u64,
        console: &Console,
    ) -> Result<Value, Failure> {
        let artist = RelationArtist::new(model.genvp(), family, model.device())?;
        let sampler = RelationSampler::new(family, None, "", seed)?;
        let n = self.drawings;
        let progress = console.progress("imagining", n);
        let own = relations::coherence::measure(&artist, &sampler, n, &|n| progress.add(n))?;
        progress.finish();
        let figures = figures([own.own_encoder, own.judge], own.whole, own.n);
        let regime = family.strata()[0].name;
        Ok(json!({ "seed": seed, "n": n, "regimes": { regime: figures } }))
    }

    fn coherence(&self, model: &Model, seed: u64, console: &Console) -> Result<Value, Failure> {
        let artist = Artist::new(model.genvp(), model.device())?;
        let n = self.drawings;
        let progress = console.progress("imagining", n * self.layouts.len() as u64);
        let mut layouts = BTreeMap::new();
        for &layout in self.layouts {
            let sample =
                Sample { n, matrices: 0, seed, having: &[], listed: None, parameters: false };
            let own = measure(&artist, layout, &sample, &|n| progress.add(n))?;
            let figures = figures([own.own_encoder, own.judge], own.whole, own.n);
            layouts.insert(layout.short(), figures);
        }
        progress.finish();
        Ok(json!({ "seed": seed, "n": n, "layouts": layouts }))
    }
}

/// What own encoder and judge say of the asked rules, and how many of `n` puzzles have all of them.
fn figures([own_encoder, judge]: [Marks; 2], whole: u64, n: u64) -> Value {
    let share = |marks: Marks| Share::of(marks.right, marks.asked);
    json!({ "own_encoder": share(own_encoder), "judge": share(judge), "whole": Share::of(whole, n) })
}
