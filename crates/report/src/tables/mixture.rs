//! Mixtures of the experts (paper: tab:raven-f-moe).

use std::collections::BTreeMap;

use genvp_exam::Marks;
use genvp_model::MixtureKind;
use genvp_model::expert::Predictions;
use genvp_puzzle::{Layout, Set};
use serde::{Deserialize, Serialize};

use super::{Ours, set_name, share_of};
use crate::paper::{LAYOUTS, Paper};
use crate::scores::Scores;
use crate::table::{Entry, Table};

/// How well every mixture and every expert alone solves the same puzzles.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mixtures {
    /// Each mixture by name.
    pub mixtures: BTreeMap<String, Scores>,
    /// Each expert by name.
    pub experts: BTreeMap<String, Scores>,
}

/// A mixture's name.
pub fn name(kind: MixtureKind) -> &'static str {
    match kind {
        MixtureKind::WeightedAvg => "weighted-avg",
        MixtureKind::Avg => "avg",
        MixtureKind::ArgmaxAvg => "argmax-avg",
        MixtureKind::Prod => "prod",
        MixtureKind::ArgmaxProd => "argmax-prod",
        MixtureKind::Nn => "nn",
    }
}

impl Mixtures {
    /// From the marks of each layout; `learned` says whether there was a
    /// learned mixture to mark.
    pub fn of(marks: &BTreeMap<Layout, Marks>, predictions: &Predictions, learned: bool) -> Self {
        let scores = |read: &dyn Fn(&Marks) -> u64| {
            Scores::of(marks.iter().map(|(&layout, own)| (layout, read(own), own.asked)))
        };
        let kinds = MixtureKind::ALL.into_iter().enumerate();
        let kinds = kinds.filter(|(_, kind)| learned || *kind != MixtureKind::Nn);
        let mixtures = kinds.map(|(i, kind)| (name(kind).to_owned(), scores(&|m| m.mixtures[i])));
        let experts = predictions.kinds().into_iter().enumerate().map(|(i, kind)| {
            let own = scores(&|m| m.experts.get(i).copied().unwrap_or(0));
            (Predictions::name(kind), own)
        });
        Self { mixtures: mixtures.collect(), experts: experts.collect() }
    }
}

/// Ours, and, if they are wanted, the paper's rows.
pub fn table(set: Set, ours: &Ours<Mixtures>, compare: bool) -> Table {
    let title = format!("Right answers by mixture, {} (%)", set_name(set));
    let mut table = Table::new(&format!("mixture-{}", set.key()), title);
    table.brief = true;
    table.column("average");
    LAYOUTS.iter().for_each(|layout| {
        table.column(layout.short());
    });
    for kind in MixtureKind::ALL {
        let name = name(kind);
        let entry = |layout: Option<Layout>| match ours {
            Ours::Measured { result, command } if !result.mixtures.contains_key(name) => {
                Entry::missing(format!("it must be taught first, and was not: {command}"))
            }
            _ => ours.share(|own| share_of(own.mixtures.get(name)?, layout)),
        };
        let mut entries = vec![entry(None)];
        entries.extend(LAYOUTS.map(|layout| entry(Some(layout))));
        table.row(name, entries);
        let printed = Paper::get().row("mixture", Some(name), set.key(), "GenVP");
        if let Some(row) = printed.filter(|_| compare) {
            let mut entries = vec![Entry::printed(row.recomputed(), 1, &row.place)];
            entries.extend(LAYOUTS.map(|layout| Entry::printed(row.of(layout), 1, &row.place)));
            table.row(format!("{name}, GenVP"), entries);
        }
    }
    if let Ours::Measured { result, .. } = ours {
        note_size(&mut table, result.mixtures.values().next());
        if result.mixtures.contains_key(name(MixtureKind::Nn)) {
            table.note("nn: learned afterwards from which choice is right, the rest of the model held still.");
        }
    }
    if compare && set == Set::RavenFair {
        table.note("GenVP: its authors (tab:raven-f-moe), which prints no averages: these are the means of its columns. Its product is not normalised, ours is.");
    }
    table
}

pub(super) fn note_size(table: &mut Table, scores: Option<&Scores>) {
    let Some(scores) = scores else { return };
    let sizes: Vec<u64> = scores.intervals.values().map(|share| share.n).collect();
    if let (Some(low), Some(high)) = (sizes.iter().min(), sizes.iter().max()) {
        let n = if low == high { low.to_string() } else { format!("{low} to {high}") };
        table.note(format!("n = {n} puzzles of each layout, the same for all rows."));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use genvp_model::Preset;

    #[test]
    fn every_mixture_and_expert_has_its_row() {
        let predictions = Predictions::new(Preset::named("cpu-64").unwrap().model.puzzle());
        let own = Marks { asked: 40, mixtures: [10; 6], experts: vec![5; 14], ..Marks::default() };
        let marks = LAYOUTS.into_iter().map(|layout| (layout, own.clone())).collect();
        let mixtures = Mixtures::of(&marks, &predictions, true);
        assert_eq!((mixtures.mixtures.len(), mixtures.experts.len()), (6, 14));
        let text = table(Set::RavenFair, &Ours::new(mixtures, "genvp eval moe"), true).to_text();
        assert!(text.contains("n = 40 puzzles") && text.contains("nn, GenVP"), "{text}");
        let without = Mixtures::of(&marks, &predictions, false);
        assert!(!without.mixtures.contains_key("nn"));
    }
}
