//! What happens when something is left out or changed (paper:
//! tab:contrast-ablation, tab:opt-obj-finetuning, tab:ablation-latent-size,
//! tab:rule-free-acc, tab:genvp-scalability).

use genvp_train::Share;
use serde::{Deserialize, Serialize};

use super::Ours;
use crate::table::{Entry, Table};

/// How well a model of its own training does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Taught {
    /// Right answers on RAVEN.
    pub raven: Option<Share>,
    /// Right answers on I-RAVEN.
    pub iraven: Option<Share>,
    /// Right rules.
    pub rules: Option<Share>,
    /// Parameters.
    pub parameters: u64,
    /// Puzzles learned from.
    pub puzzles: u64,
    /// Minutes that learning took.
    pub minutes: f64,
}

/// A row of an ablation.
#[derive(Clone, Debug)]
pub struct Line {
    /// What is changed.
    pub name: String,
    /// Ours.
    pub own: Ours<Taught>,
    /// The paper's accuracy on RAVEN, and its place.
    pub printed: Option<(f64, String)>,
}

/// A group of cells side by side.
pub fn table(id: &str, title: &str, lines: &[Line], budget: &str, compare: bool) -> Table {
    let mut table = Table::new(&format!("ablation-{id}"), title);
    for name in ["RAVEN ours", "I-RAVEN ours", "rules ours", "parameters", "puzzles", "minutes"] {
        table.column(name);
    }
    if compare {
        table.sourced("RAVEN GenVP", "GenVP's authors, full training on all layouts");
    }
    for line in lines {
        let own = &line.own;
        let mut entries = vec![
            own.share(|own| own.raven),
            own.share(|own| own.iraven),
            own.share(|own| own.rules),
            own.number(0, |own| Some(own.parameters as f64)),
            own.number(0, |own| Some(own.puzzles as f64)),
            own.number(1, |own| Some(own.minutes)),
        ];
        if compare {
            let place = line.printed.as_ref().map(|(_, place)| place.as_str()).unwrap_or_default();
            entries.push(Entry::printed(line.printed.as_ref().map(|(v, _)| *v), 1, place));
        }
        table.row(&line.name, entries);
    }
    table.note(budget);
    table
}
