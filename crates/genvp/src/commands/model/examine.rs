//! The figures on a model's card.

use std::collections::BTreeMap;

use genvp_exam::Share;
use genvp_infer::coherence::{LayoutCoherence, Sample, measure};
use genvp_infer::imagine::Artist;
use genvp_infer::{Model, Solver};
use genvp_puzzle::{Layout, Set};
use genvp_train::config::ValidationConfig;
use genvp_train::{Exam, Seeds};
use serde_json::{Value, json};

use crate::commands::eval::common_args::SEED;
use crate::commands::eval::confidence::{FIT_SEED, Measured, Seeds as FitSeeds};
use crate::console::Console;
use crate::failure::Failure;

/// Imagined puzzles of each layout, at most: what is imagined takes long to judge.
const MOST_IMAGINED: u64 = 200;

/// How a model is examined.
pub struct Examination<'a> {
    /// Puzzles of each layout and set.
    pub n: u64,
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
        if let Err(other) = Solver::new(model) {
            console.note(&format!("no figures: {other}"));
            return Ok(BTreeMap::new());
        }
        // Figures are of puzzles that neither taught the model nor chose anything about it.
        let mut used = Seeds::of_card(model.card().said());
        used.settings.insert(FIT_SEED);
        let seed = used.free_from(model.card().said()["exam_seed"].as_u64().unwrap_or(SEED));
        let fresh = used.free_from(SEED);
        console.note(&format!("examining on {} puzzles of each layout and set", self.n));
        let asked = ValidationConfig { seed, puzzles: self.n, ..ValidationConfig::default() };
        let exam = Exam::of_sets(&Set::ALL, &asked, self.layouts)
            .and_then(|exam| exam.take(model.genvp(), model.device()))
            .map_err(crate::commands::train::failure)?;
        let coherence = self.coherence(model, fresh, console)?;
        let seeds = FitSeeds { fit: FIT_SEED, check: fresh };
        let mut confidence = Measured::take(model, self.layouts, self.n, seeds, console)?.json();
        // The constants that the model used before are of no interest once they are replaced.
        confidence.as_object_mut().map(|own| own.remove("before"));
        Ok(BTreeMap::from([
            ("exam", json!(exam)),
            ("exam_seed", json!(seed)),
            ("settings_seeds", json!(used.settings)),
            ("coherence", coherence),
            ("confidence", confidence),
        ]))
    }

    fn coherence(&self, model: &Model, seed: u64, console: &Console) -> Result<Value, Failure> {
        let artist = Artist::new(model.genvp(), model.device())?;
        let n = self.n.min(MOST_IMAGINED);
        let progress = console.progress("imagining", n * self.layouts.len() as u64);
        let mut layouts = BTreeMap::new();
        for &layout in self.layouts {
            let sample = Sample { n, matrices: 0, seed, having: &[] };
            let own = measure(&artist, layout, &sample, &|n| progress.add(n))?;
            layouts.insert(layout.short(), figures(&own));
        }
        progress.finish();
        Ok(json!({ "seed": seed, "n": n, "layouts": layouts }))
    }
}

fn figures(own: &LayoutCoherence) -> Value {
    let share = |marks: genvp_infer::judge::stress::Marks| Share::of(marks.right, marks.asked);
    json!({
        "own_encoder": share(own.own_encoder),
        "judge": share(own.judge),
        "whole": Share::of(own.whole, own.n),
    })
}
