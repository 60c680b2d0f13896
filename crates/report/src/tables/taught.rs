//! What each system was taught with, for tables that show several of them: figures of systems
//! that were told different things do not measure the same.

use crate::table::Table;

/// Systems that the paper's tables name, with what they learned from.
const OTHERS: [(&str, &str); 5] = [
    (
        "GenVP",
        "rule labels, the originals' training sets (RAVEN: 6,000 puzzles a layout; PGM: 1.2 million \
         a regime; VAD: 600,000)",
    ),
    ("RAISE", "complete puzzles, no wrong choices, rule labels of 5 to 100 % of them by layout"),
    ("PrAE", "choices and rule labels"),
    ("ALANS", "choices and rule labels"),
    ("GCA", "choices and rule labels"),
];

/// Adds, below figures of other systems, what ours and theirs were taught with. Tables whose lines
/// were taught with different things have a column and a note of their own.
pub fn note(table: &mut Table, ours: &str) {
    if table.columns.iter().all(|column| column.name != COLUMN) {
        add(table, ours);
    }
}

/// The same below a table that has a column for what ours were taught with.
pub fn note_beside_column(table: &mut Table) {
    add(table, "as its column says");
}

/// The column of tables whose lines were taught with different things.
pub(super) const COLUMN: &str = "supervision";

fn add(table: &mut Table, ours: &str) {
    let columns = table.columns.iter().filter(|column| column.source.is_some());
    let names = columns.map(|column| &column.name).chain(table.rows.iter().map(|row| &row.name));
    let names: Vec<&String> = names.collect();
    let shown = OTHERS.iter().filter(|(who, _)| names.iter().any(|name| name.contains(who)));
    let theirs: Vec<String> = shown.map(|(who, what)| format!("{who}: {what}")).collect();
    if !theirs.is_empty() {
        table.note(format!("Taught with: ours: {ours}; {}.", theirs.join("; ")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Entry;

    #[test]
    fn tables_say_what_every_shown_system_was_taught_with() {
        let mut table = Table::new("t", "t");
        table.column("ours").sourced("RAVEN RAISE*", "its authors");
        table.row("weighted-avg, GenVP", vec![Entry::empty(), Entry::empty()]);
        note(&mut table, "values of 5 puzzles");
        let [note] = &table.notes[..] else { panic!("{:?}", table.notes) };
        assert!(note.starts_with(
            "Taught with: ours: values of 5 puzzles; GenVP: rule labels, the originals'"
        ));
        assert!(note.contains("RAISE: complete puzzles") && !note.contains("PrAE"), "{note}");
    }

    #[test]
    fn tables_with_a_column_for_ours_say_it_of_the_others() {
        let mut table = Table::new("t", "t");
        table.column(COLUMN).sourced("RAVEN GenVP", "its authors");
        note(&mut table, "values");
        assert!(table.notes.is_empty(), "ours differ from line to line");
        note_beside_column(&mut table);
        let [note] = &table.notes[..] else { panic!("{:?}", table.notes) };
        assert!(
            note.contains("ours: as its column says; GenVP: rule labels, the originals'"),
            "{note}"
        );
    }

    #[test]
    fn tables_of_ours_alone_need_no_note() {
        let mut table = Table::new("t", "t");
        table.column("ours").row("c-s", vec![Entry::empty()]);
        note(&mut table, "values");
        assert!(table.notes.is_empty());
    }
}
