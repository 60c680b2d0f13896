//! What does not fit together in the paper.

use crate::paper::Paper;
use crate::table::{Entry, Table};

/// Every inconsistency, printed and found.
pub fn table() -> Table {
    let mut table = Table::new("inconsistencies", "What does not fit together in the paper");
    table.column("about").column("printed").column("found or recomputed").column("what it is");
    for item in &Paper::get().inconsistency {
        let about = [&item.who, &item.set, &item.condition, &item.what];
        let about: Vec<&str> = about.into_iter().filter_map(|part| part.as_deref()).collect();
        let words = [about.join(" "), item.printed.clone(), item.found.clone(), item.note.clone()];
        table.row(&item.place, words.map(Entry::text).into());
    }
    table
}
