//! One file per table of the paper: what ours looks like as data, and both side
//! by side as a [`Table`](crate::Table).

pub mod ablation;
pub mod coherence;
pub mod cost;
pub mod held_out;
pub mod inconsistencies;
pub mod mixture;
pub mod ood;
pub mod regimes;
pub mod rules;
pub mod single;
pub mod solving;
pub mod taught;

use genvp_exam::Share;
use genvp_puzzle::{Layout, Set};

use crate::paper::{ByLayout, LAYOUTS};
use crate::scores::Scores;
use crate::table::{Entry, Table};

/// A result of ours with the command that made it, or why there is none.
#[derive(Clone, Debug)]
pub enum Ours<T> {
    /// Measured.
    Measured {
        /// What came out.
        result: T,
        /// The command.
        command: String,
    },
    /// Not measured, and why.
    Missing(String),
}

impl<T> Ours<T> {
    /// A result.
    pub fn new(result: T, command: impl Into<String>) -> Self {
        Self::Measured { result, command: command.into() }
    }

    /// An entry that is read off the result.
    fn share(&self, read: impl FnOnce(&T) -> Option<Share>) -> Entry {
        match self {
            Self::Measured { result, command } => Entry::share(read(result), Some(command)),
            Self::Missing(why) => Entry::missing(why.clone()),
        }
    }

    /// Words that are read off the result.
    fn text(&self, read: impl FnOnce(&T) -> &'static str) -> Entry {
        match self {
            Self::Measured { result, .. } => Entry::text(read(result)),
            Self::Missing(why) => Entry::missing(why.clone()),
        }
    }

    /// An entry that is read off the result.
    fn number(&self, decimals: usize, read: impl FnOnce(&T) -> Option<f64>) -> Entry {
        match self {
            Self::Measured { result, command } => {
                Entry::number(read(result), decimals, Some(command))
            }
            Self::Missing(why) => Entry::missing(why.clone()),
        }
    }
}

/// The name of a set as people write it.
pub fn set_name(set: Set) -> &'static str {
    match set {
        Set::Raven => "RAVEN",
        Set::IRaven => "I-RAVEN",
        Set::RavenFair => "RAVEN-FAIR",
    }
}

/// A column of figures by layout.
enum Figures<'a> {
    /// Ours.
    Ours(Box<dyn Fn(Option<Layout>) -> Entry + 'a>),
    /// The paper's.
    Printed(&'a ByLayout),
}

/// Fills a table with a row for each layout, and the averages below: as
/// printed, and the mean of the columns.
fn by_layout(table: &mut Table, columns: &[Figures<'_>]) {
    let printed = columns.iter().any(|column| matches!(column, Figures::Printed(_)));
    // The mean of some layouts is no match for a printed one of all seven.
    let is_whole = |read: &dyn Fn(Option<Layout>) -> Entry| {
        LAYOUTS.iter().all(|&layout| read(Some(layout)).is_measured())
    };
    for layout in LAYOUTS {
        let entry = |column: &Figures<'_>| match column {
            Figures::Ours(read) => read(Some(layout)),
            Figures::Printed(row) => Entry::printed(row.of(layout), 1, &row.place),
        };
        table.row(layout.short(), columns.iter().map(entry).collect());
    }
    let entry = |column: &Figures<'_>| match column {
        Figures::Ours(read) if printed && read(None).is_measured() && !is_whole(read) => {
            Entry::missing("not all layouts were measured")
        }
        Figures::Ours(read) => read(None),
        Figures::Printed(row) => Entry::printed(row.average, 1, &row.place),
    };
    table.summary(
        if printed { "average, printed" } else { "average" },
        columns.iter().map(entry).collect(),
    );
    if printed {
        let entry = |column: &Figures<'_>| match column {
            Figures::Ours(_) => Entry::empty(),
            Figures::Printed(row) => Entry::printed(row.recomputed(), 1, &row.place),
        };
        table.summary("average, recomputed", columns.iter().map(entry).collect());
    }
    let wrong = columns.iter().filter_map(|column| match column {
        Figures::Printed(row) if !row.adds_up() => Some(row),
        _ => None,
    });
    for row in wrong {
        let (printed, mean) =
            (row.average.unwrap_or_default(), row.recomputed().unwrap_or_default());
        table.note(format!(
            "{} of {}{} prints {printed:.1}; its columns average {mean:.1}.",
            row.who,
            row.place,
            row.set.as_ref().map(|set| format!(" ({set})")).unwrap_or_default()
        ));
    }
}

/// Our share of a layout, or the average, where every layout was asked.
fn share_of(scores: &Scores, layout: Option<Layout>) -> Option<Share> {
    match layout {
        Some(layout) => scores.share(layout),
        None => scores.average_interval,
    }
}
