//! Rules never seen in training (paper: tab:ood-rules-rpmacc).

use std::collections::BTreeMap;

use genvp_exam::Share;
use genvp_puzzle::Set;
use genvp_puzzle::make::HeldOut;
use genvp_train::feed::Supervision;
use serde::{Deserialize, Serialize};

use super::{Ours, set_name, taught};
use crate::paper::Paper;
use crate::table::{Entry, Table};

/// How well a model solves the ordinary test set after training without some rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Withheld {
    /// Right answers by set.
    pub sets: BTreeMap<String, Share>,
    /// Right answers on puzzles that have a rule that was left out.
    pub unseen: BTreeMap<String, Share>,
    /// What it was taught with.
    pub supervision: Supervision,
    /// Puzzles learned from.
    pub puzzles: u64,
    /// Minutes that learning took.
    pub minutes: f64,
}

/// Ours, and, if they are wanted, the paper's columns.
pub fn table(ours: &[(HeldOut, Ours<Withheld>)], compare: bool) -> Table {
    let mut table =
        Table::new("ood-held-out", "Right answers after training without some rules (%)");
    table.column(taught::COLUMN);
    for set in super::ood::SETS {
        let name = set_name(set);
        table.column(format!("{name} ours")).column(format!("{name} ours, unseen rules"));
        if compare {
            for who in ["GenVP", "RAISE*"] {
                let number = Paper::get().number("held-out", "cs-held-out", Some(set.key()), who);
                let source = number.map(|n| format!("{} ({})", n.source, n.place));
                table.sourced(format!("{name} {who}"), source.unwrap_or_default());
            }
        }
    }
    for (held_out, own) in ours {
        let mut entries = vec![own.text(|own| own.supervision.name())];
        for set in super::ood::SETS {
            entries.extend(measured(own, set));
            for who in ["GenVP", "RAISE*"].iter().filter(|_| compare) {
                let number = Paper::get().number("held-out", held_out.name(), Some(set.key()), who);
                let place = number.map(|n| n.place.as_str()).unwrap_or_default();
                entries.push(Entry::printed(number.map(|n| n.value), 1, place));
            }
        }
        table.row(held_out.name(), entries);
        if let Ours::Measured { result, .. } = own {
            table.note(format!(
                "{}: a small model of its own, {} puzzles in {:.1} minutes.",
                held_out.name(),
                result.puzzles,
                result.minutes
            ));
        }
    }
    table.note(
        "Tested on the ordinary puzzles of that layout, which have the rules that were left out.",
    );
    taught::note_beside_column(&mut table);
    table
}

fn measured(own: &Ours<Withheld>, set: Set) -> [Entry; 2] {
    [
        own.share(|own| own.sets.get(set.key()).copied()),
        own.share(|own| own.unseen.get(set.key()).copied()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_columns_say_what_they_were_taught_with() {
        let ours = HeldOut::ALL.map(|held_out| (held_out, Ours::Missing("left out".to_owned())));
        let notes = table(&ours, true).notes;
        let taught = notes.iter().find(|note| note.starts_with("Taught with")).unwrap();
        assert!(taught.contains("GenVP: rule labels") && taught.contains("RAISE: "), "{taught}");
        assert!(!table(&ours, false).notes.iter().any(|note| note.contains("GenVP")));
    }
}
