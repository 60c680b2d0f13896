//! Single experts against the mixture (paper: tab:moevssingle).

use genvp_puzzle::Set;

use super::mixture::{Mixtures, note_size};
use super::{Ours, set_name};
use crate::paper::Paper;
use crate::table::{Entry, Table};

/// The experts in the order of the paper's columns, the two that cannot see
/// the choices last.
const EXPERTS: [&str; 14] = [
    "full",
    "row-latents",
    "rows-without-2",
    "rows-without-1",
    "context-1",
    "context-2",
    "context-3",
    "context-4",
    "context-5",
    "context-6",
    "context-7",
    "context-8",
    "context-9",
    "rows-without-3",
];

/// Ours, and, if it is wanted, the paper's column.
pub fn table(set: Set, ours: &Ours<Mixtures>, compare: bool) -> Table {
    let compare = compare && set == Set::Raven;
    let title = format!("Right answers of single experts, {} (%)", set_name(set));
    let mut table = Table::new(&format!("single-{}", set.key()), title);
    table.column("ours");
    if compare {
        table.sourced("GenVP", "GenVP's authors (tab:moevssingle)");
    }
    let mut row = |name: &str, own: Entry| {
        let mut entries = vec![own];
        if compare {
            let number = Paper::get().number("single", name, Some("raven"), "GenVP");
            let place = number.map(|n| n.place.as_str()).unwrap_or_default();
            entries.push(Entry::printed(number.map(|n| n.value), 1, place));
        }
        table.row(name, entries);
    };
    let own = ours.share(|own| own.mixtures.get("weighted-avg")?.average_interval);
    row("mixture", own);
    for name in EXPERTS {
        row(name, ours.share(|own| own.experts.get(name)?.average_interval));
    }
    table.note("context-9 and rows-without-3 cannot see the choices: they always take the first one, and the paper leaves them out. rows-without-2 is the paper's prow 13, rows-without-1 its prow 23.");
    if let Ours::Measured { result, .. } = ours {
        note_size(&mut table, result.experts.values().next());
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printed_expert_stands_in_its_row() {
        let text = table(Set::Raven, &Ours::Missing("no weights".into()), true).to_text();
        for number in Paper::get().number.iter().filter(|n| n.what == "single") {
            let line = text.lines().find(|l| l.trim_start().starts_with(&number.condition));
            assert!(line.unwrap().ends_with(&format!("{:.1}", number.value)), "{text}");
        }
    }
}
