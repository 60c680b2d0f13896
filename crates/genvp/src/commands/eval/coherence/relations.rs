//! Coherence of PGM's and VAD's puzzles.

use std::collections::BTreeMap;
use std::io::{Write, stdout};

use genvp_infer::relations::coherence::{RelationCoherence, measure};
use genvp_infer::relations::{RelationArtist, RelationSampler};
use genvp_model::DeviceChoice;
use genvp_puzzle::Layout;
use genvp_puzzle::family::Family;
use serde_json::{Value, json};

use super::{Coherence, share};
use crate::commands::eval::common_args::Subject;
use crate::console::Console;
use crate::failure::{Answer, Failure};

impl Coherence {
    /// Measures a model of a family whose strata are regimes.
    pub(super) fn relations(
        &self,
        family: &'static dyn Family,
        console: &Console,
        device: DeviceChoice,
    ) -> Result<Answer, Failure> {
        let of_raven = [
            ("--layout", self.layout.0.len() != Layout::ALL.len()),
            ("--having", !self.having.is_empty()),
            ("--frozen", self.frozen),
            ("--missing", self.missing.is_some()),
        ];
        if let Some((option, _)) = of_raven.into_iter().find(|(_, wanted)| *wanted) {
            return Err(Failure::bad(format!("{option} is for models of raven")));
        }
        let subject = Subject::open(&self.model, family, self.seed, console, device)?;
        let artist = RelationArtist::new(subject.model.genvp(), family, subject.model.device())?;
        let regimes: Vec<&str> = match self.regime.as_slice() {
            [] => vec![family.strata()[0].name],
            named => named.iter().map(String::as_str).collect(),
        };
        let progress = console.progress("imagining", self.n * regimes.len() as u64);
        let mut found: BTreeMap<&str, RelationCoherence> = BTreeMap::new();
        for regime in regimes {
            let sampler = RelationSampler::new(family, Some(regime), "", self.seed)?;
            let sampler = if self.parameters { sampler.with_axes() } else { sampler };
            found.insert(regime, measure(&artist, &sampler, self.n, &|n| progress.add(n))?);
        }
        progress.finish();
        let mut out = stdout().lock();
        if self.json {
            writeln!(out, "{}", report(&found, family, self.n, self.seed))?;
        } else {
            print(&mut out, &found, family)?;
        }
        Ok(Answer::Yes)
    }
}

/// What is measured of a regime, in percent.
fn shares(own: &RelationCoherence) -> [f64; 7] {
    [
        own.written.percent(),
        own.own_encoder.percent(),
        own.own_encoder_by_chance.percent(),
        own.judge.percent(),
        own.judge_by_chance.percent(),
        share(own.legible, own.n),
        share(own.whole, own.n),
    ]
}

/// Percent of the puzzles with a relation that was not asked for; of matrices only.
fn others(own: &RelationCoherence, family: &dyn Family) -> Option<f64> {
    let form = family.form();
    (form.rows == form.columns).then(|| share(own.with_others, own.n))
}

fn print(
    out: &mut impl Write,
    found: &BTreeMap<&str, RelationCoherence>,
    family: &dyn Family,
) -> Result<(), Failure> {
    writeln!(
        out,
        "{:<32} {:>5} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9} {:>8} {:>8}",
        "regime",
        "n",
        "written",
        "encoder",
        "chance",
        "judge",
        "chance",
        "readable",
        "whole",
        "others"
    )?;
    for (regime, own) in found {
        let values = shares(own);
        write!(out, "{regime:<32} {:>5}", own.n)?;
        for (column, value) in values.iter().enumerate() {
            let width = if column == 5 { 9 } else { 8 };
            write!(out, " {value:>width$.1}")?;
        }
        let others = others(own, family).map_or("-".to_owned(), |share| format!("{share:.1}"));
        writeln!(out, " {others:>8}")?;
    }
    writeln!(
        out,
        "\npercent of the asked rules; whole: puzzles with every rule; others: matrices with a relation\nthat was not asked for. By attribute and rule (written, encoder, judge):"
    )?;
    for (regime, own) in found {
        for (triple, marks) in &own.rules {
            let (attribute, relation) = (triple.attribute, triple.relation);
            writeln!(
                out,
                "  {regime} {:<16} {:<17} {:>6.1} {:>6.1} {:>6.1}   of {}",
                attribute.to_string(),
                relation.name(),
                marks.written.percent(),
                marks.own_encoder.percent(),
                marks.judge.percent(),
                marks.judge.asked
            )?;
        }
        let error = own.error();
        writeln!(
            out,
            "squared difference of a pixel from the engine's drawing of what was read, {regime}: {error:.5}"
        )?;
    }
    Ok(())
}

fn report(
    found: &BTreeMap<&str, RelationCoherence>,
    family: &dyn Family,
    n: u64,
    seed: u64,
) -> Value {
    let measure = |column: usize| {
        let regimes: BTreeMap<&str, f64> =
            found.iter().map(|(regime, own)| (*regime, shares(own)[column])).collect();
        let average = regimes.values().sum::<f64>() / regimes.len().max(1) as f64;
        json!({ "average": average, "per_stratum": regimes })
    };
    let rules = found.iter().flat_map(|(regime, own)| {
        own.rules.iter().map(move |(triple, marks)| {
            json!({
                "stratum": regime, "attribute": triple.attribute.to_string(),
                "rule": triple.relation.name(), "written": marks.written.percent(),
                "own_encoder": marks.own_encoder.percent(), "judge": marks.judge.percent(),
                "n": marks.judge.asked,
            })
        })
    });
    let error: BTreeMap<&str, f64> =
        found.iter().map(|(regime, own)| (*regime, own.error())).collect();
    let unasked: BTreeMap<&str, Option<f64>> =
        found.iter().map(|(regime, own)| (*regime, others(own, family))).collect();
    json!({
        "family": family.id(),
        "written": measure(0),
        "own_encoder": measure(1),
        "judge": measure(3),
        "other_rules": { "own_encoder": measure(2), "judge": measure(4) },
        "readable": measure(5),
        "every_rule_holds": measure(6),
        "unasked_relations": unasked,
        "squared_difference": error,
        "rules": rules.collect::<Vec<_>>(),
        "n": n,
        "seed": seed,
    })
}
