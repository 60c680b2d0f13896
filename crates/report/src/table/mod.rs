//! Tables: figures with where each of them comes from, for terminals, pages
//! and programs.

mod csv;
mod html;
mod markdown;
mod text;

pub(crate) use html::escape;

use genvp_exam::Share;
use serde::Serialize;

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Table {
    /// A short name, for links and files.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// The columns behind the rows' names.
    pub columns: Vec<Column>,
    /// The rows.
    pub rows: Vec<Row>,
    /// What one must know to read it.
    pub notes: Vec<String>,
    /// Whether intervals and counts are left to the notes: for wide tables.
    pub brief: bool,
}

/// A column.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Column {
    /// Its heading.
    pub name: String,
    /// Where its figures come from, where they are not ours.
    pub source: Option<String>,
}

/// A row.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Row {
    /// Its heading.
    pub name: String,
    /// One entry for each column.
    pub entries: Vec<Entry>,
    /// Whether it sums up the rows above.
    pub summary: bool,
}

/// One entry.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Entry {
    /// What it says.
    pub value: Value,
    /// The command that made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Where it was printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// What an entry says.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Value {
    /// Nothing is to be said here.
    #[default]
    Empty,
    /// A measured share.
    Share(Share),
    /// A figure, with so many decimals.
    Number(f64, usize),
    /// Words.
    Text(String),
    /// There is no figure, and this is why.
    Missing(String),
}

impl Table {
    /// An empty table.
    pub fn new(id: &str, title: impl Into<String>) -> Self {
        Self { id: id.to_owned(), title: title.into(), ..Self::default() }
    }

    /// Adds a column of ours.
    pub fn column(&mut self, name: impl Into<String>) -> &mut Self {
        self.columns.push(Column { name: name.into(), source: None });
        self
    }

    /// Adds a column of others.
    pub fn sourced(&mut self, name: impl Into<String>, source: impl Into<String>) -> &mut Self {
        self.columns.push(Column { name: name.into(), source: Some(source.into()) });
        self
    }

    /// Adds a row. Why figures are missing is said once in it.
    pub fn row(&mut self, name: impl Into<String>, entries: Vec<Entry>) -> &mut Self {
        self.rows.push(Row { name: name.into(), entries: said_once(entries), summary: false });
        self
    }

    /// Adds a row that sums up.
    pub fn summary(&mut self, name: impl Into<String>, entries: Vec<Entry>) -> &mut Self {
        self.rows.push(Row { name: name.into(), entries: said_once(entries), summary: true });
        self
    }

    /// Adds a note.
    pub fn note(&mut self, note: impl Into<String>) -> &mut Self {
        self.notes.push(note.into());
        self
    }

    /// Every command that made a figure of it, once.
    pub fn commands(&self) -> Vec<&str> {
        let entries = self.rows.iter().flat_map(|row| &row.entries);
        let mut found = Vec::new();
        for command in entries.filter_map(|entry| entry.command.as_deref()) {
            if !found.contains(&command) {
                found.push(command);
            }
        }
        found
    }

    /// Shares of fewer than `least` questions become words that say so.
    pub fn without_small_samples(mut self, least: u64) -> Self {
        for entry in self.rows.iter_mut().flat_map(|row| &mut row.entries) {
            if let Value::Share(share) = entry.value
                && share.n < least
            {
                entry.value = Value::Missing(format!("too few: n = {}", share.n));
            }
        }
        self
    }
}

impl Entry {
    /// A share of ours.
    pub fn share(share: Option<Share>, command: Option<&str>) -> Self {
        match share {
            Some(share) => Self {
                value: Value::Share(share),
                command: command.map(str::to_owned),
                place: None,
            },
            None => Self::missing("not measured"),
        }
    }

    /// A figure of ours.
    pub fn number(number: Option<f64>, decimals: usize, command: Option<&str>) -> Self {
        match number.filter(|number| number.is_finite()) {
            Some(number) => Self {
                value: Value::Number(number, decimals),
                command: command.map(str::to_owned),
                place: None,
            },
            None => Self::missing("not measured"),
        }
    }

    /// A printed figure.
    pub fn printed(number: Option<f64>, decimals: usize, place: &str) -> Self {
        match number {
            Some(number) => Self {
                value: Value::Number(number, decimals),
                command: None,
                place: Some(place.to_owned()),
            },
            None => Self::text("–"),
        }
    }

    /// Words.
    pub fn text(text: impl Into<String>) -> Self {
        Self { value: Value::Text(text.into()), command: None, place: None }
    }

    /// No figure, and why.
    pub fn missing(why: impl Into<String>) -> Self {
        Self { value: Value::Missing(why.into()), command: None, place: None }
    }

    /// Nothing.
    pub fn empty() -> Self {
        Self::default()
    }

    /// Whether there is a figure.
    pub fn is_measured(&self) -> bool {
        matches!(self.value, Value::Share(_) | Value::Number(..))
    }

    /// As people read it.
    pub fn shown(&self, brief: bool) -> String {
        match &self.value {
            Value::Empty => String::new(),
            Value::Share(share) if brief => format!("{:.1}", share.percent),
            Value::Share(share) => {
                format!("{:.1} ({:.1}-{:.1}) n {}", share.percent, share.low, share.high, share.n)
            }
            Value::Number(number, 0) => grouped(*number),
            Value::Number(number, decimals) => format!("{number:.decimals$}"),
            Value::Text(text) => text.clone(),
            Value::Missing(why) => why.clone(),
        }
    }
}

/// Entries in which no reason for a missing figure is repeated.
fn said_once(mut entries: Vec<Entry>) -> Vec<Entry> {
    for index in 1..entries.len() {
        let (before, rest) = entries.split_at_mut(index);
        if matches!(rest[0].value, Value::Missing(_)) && before.contains(&rest[0]) {
            rest[0] = Entry::empty();
        }
    }
    entries
}

/// A whole number with its thousands apart.
fn grouped(number: f64) -> String {
    let digits = format!("{:.0}", number.abs());
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0.0 { format!("-{text}") } else { text }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub fn sample() -> Table {
        let mut table = Table::new("sample", "A <table>");
        table.column("ours").sourced("GenVP", "its authors");
        let command = Some("genvp eval solve -n 50");
        table.row(
            "c-s",
            vec![
                Entry::share(Some(Share::of(45, 50)), command),
                Entry::printed(Some(100.0), 1, "tab:rpm-acc"),
            ],
        );
        table.row("l-r", vec![Entry::missing("no weights"), Entry::printed(None, 1, "")]);
        table
            .summary("average", vec![Entry::share(Some(Share::of(4, 5)), command), Entry::empty()]);
        table.note("percent | of puzzles");
        table
    }

    #[test]
    fn a_small_sample_says_so_instead_of_a_number() {
        let table = sample().without_small_samples(30);
        assert_eq!(table.rows[2].entries[0].shown(false), "too few: n = 5");
        assert!(table.rows[0].entries[0].shown(false).starts_with("90.0 ("));
    }

    #[test]
    fn a_row_that_is_missing_says_so_once() {
        let mut table = Table::new("t", "t");
        let gone = || Entry::missing("left out");
        table.row("a", vec![Entry::text("x"), gone(), gone(), Entry::missing("too few"), gone()]);
        let shown: Vec<String> = table.rows[0].entries.iter().map(|e| e.shown(false)).collect();
        assert_eq!(shown, ["x", "left out", "", "too few", ""]);
    }

    #[test]
    fn a_command_is_listed_once() {
        assert_eq!(sample().commands(), ["genvp eval solve -n 50"]);
    }

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(grouped(8_879_877.0), "8,879,877");
        assert_eq!(grouped(120.0), "120");
        assert_eq!(grouped(-1000.0), "-1,000");
    }
}
