//! How well imagined puzzles follow the rules they were asked for (paper:
//! tab:Gen_Coherence, tab:Gen_Coherence_complete).

use std::collections::BTreeMap;

use genvp_puzzle::Layout;
use serde::Deserialize;

use super::{Figures, Ours, by_layout};
use crate::paper::Paper;
use crate::table::Table;

/// The result of `genvp eval coherence --json`, as far as the report shows it.
#[derive(Clone, Debug, Deserialize)]
pub struct Coherence {
    /// As the paper measures: judged by the model's own encoder.
    pub own_encoder: Kept,
    /// Judged by reading what was drawn.
    pub judge: Kept,
}

/// Rules kept, in percent.
#[derive(Clone, Debug, Deserialize)]
pub struct Kept {
    /// The mean over layouts.
    pub average: Option<f64>,
    /// Each layout by the name of its folder.
    pub per_layout: BTreeMap<String, Option<f64>>,
}

impl Kept {
    fn of(&self, layout: Option<Layout>) -> Option<f64> {
        match layout {
            Some(layout) => self.per_layout.get(layout.folder()).copied().flatten(),
            None => self.average,
        }
    }
}

/// Ours, and, if they are wanted, the paper's columns.
pub fn table(ours: &Ours<Coherence>, compare: bool) -> Table {
    let mut table = Table::new("coherence", "Rules that imagined puzzles follow (%)");
    table.column("ours, own encoder").column("ours, independent judge");
    let mut columns = vec![
        Figures::Ours(Box::new(|layout| ours.number(1, |own| own.own_encoder.of(layout)))),
        Figures::Ours(Box::new(|layout| ours.number(1, |own| own.judge.of(layout)))),
    ];
    if compare {
        for (what, name) in [("coherence", "GenVP"), ("several-answers", "GenVP, several answers")]
        {
            if let Some(row) = Paper::get().row(what, None, "raven", "GenVP") {
                table.sourced(name, format!("{} ({})", row.source, row.place));
                columns.push(Figures::Printed(row));
            }
        }
    }
    by_layout(&mut table, &columns);
    table.note("A model that judges its own drawings can agree with itself on what nobody else would see; the independent judge reads the pixels.");
    table
}
