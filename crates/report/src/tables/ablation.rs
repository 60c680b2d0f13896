//! What happens when something is left out or changed (paper:
//! tab:contrast-ablation, tab:opt-obj-finetuning, tab:ablation-latent-size,
//! tab:rule-free-acc, tab:genvp-scalability).

use genvp_exam::Share;
use genvp_train::feed::Supervision;
use serde::{Deserialize, Serialize};

use super::{Ours, taught};
use crate::ablation::Group;
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
    /// What it was taught with.
    pub supervision: Supervision,
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
    /// What it is taught with.
    pub supervision: Supervision,
    /// Ours.
    pub own: Ours<Taught>,
    /// The paper's accuracy on RAVEN, and its place.
    pub printed: Option<(f64, String)>,
}

/// What the figures of small models can be taken for.
const SMALL: &str = "Small models on C-S alone, one seed: small image networks, slots experts where the table says nothing else, and no values told. They show what matters when little is learned; the paper trained all layouts to the end, so only the order of its figures may be compared.";

/// Models side by side that differ in one thing.
pub fn table(group: &Group, lines: &[Line], full: bool, compare: bool) -> Table {
    let mut table = Table::new(&format!("ablation-{}", group.name), group.title);
    for name in [
        taught::COLUMN,
        "puzzles",
        "RAVEN ours",
        "I-RAVEN ours",
        "rules ours",
        "parameters",
        "minutes",
    ] {
        table.column(name);
    }
    if compare {
        table.sourced("RAVEN GenVP", "GenVP's authors, full training on all layouts");
    }
    for line in lines {
        let own = &line.own;
        let mut entries = vec![
            Entry::text(line.supervision.name()),
            own.number(0, |own| Some(own.puzzles as f64)),
            own.share(|own| own.raven),
            own.share(|own| own.iraven),
            own.share(|own| own.rules),
            own.number(0, |own| Some(own.parameters as f64)),
            own.number(1, |own| Some(own.minutes)),
        ];
        if compare {
            let place = line.printed.as_ref().map(|(_, place)| place.as_str()).unwrap_or_default();
            entries.push(Entry::printed(line.printed.as_ref().map(|(v, _)| *v), 1, place));
        }
        table.row(&line.name, entries);
    }
    if compare && lines.iter().any(|line| line.printed.is_some()) {
        table.note("GenVP's figure of a line: taught with the same supervision, by its authors.");
    }
    table.note(format!("The lines differ in {}, and in nothing else.", group.differs_in(full)));
    if full {
        table.note("The paper's networks on all layouts, one seed.");
        return table;
    }
    if !group.small.is_empty() {
        table.note(group.small);
    }
    table.note(SMALL);
    table.note("Minutes: of learning, by the clock, whatever else the machine had to do.");
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ablation::GROUPS;

    #[test]
    fn the_papers_column_says_what_it_was_taught_with() {
        let line = |printed| Line {
            name: "a line".to_owned(),
            supervision: Supervision::Rules,
            own: Ours::Missing("left out".to_owned()),
            printed,
        };
        let says = |lines: &[Line], compare| {
            let notes = table(&GROUPS[0], lines, false, compare).notes;
            notes.iter().any(|note| note.contains("taught with the same supervision"))
        };
        let lines = [line(Some((90.0, "a table".to_owned()))), line(None)];
        assert!(says(&lines, true));
        assert!(!says(&lines, false) && !says(&lines[1..], true), "no figures of theirs");
    }
}
