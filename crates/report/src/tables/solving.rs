//! Right answers on RAVEN, I-RAVEN and RAVEN-FAIR (paper: tab:rpm-acc,
//! tab:raven-f-zero-shot).

use std::collections::BTreeMap;

use genvp_exam::Marks;
use genvp_puzzle::{Layout, Set};
use serde::{Deserialize, Serialize};

use super::{Figures, Ours, by_layout, set_name, share_of};
use crate::paper::Paper;
use crate::scores::Scores;
use crate::table::Table;

/// How well a model solves the puzzles of a set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Solving {
    /// Right answers.
    #[serde(flatten)]
    pub scores: Scores,
    /// What a majority vote among the same choices reaches, the question unseen.
    pub majority_vote: Vote,
}

/// What a majority vote reaches, in percent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Vote {
    /// The mean over layouts.
    pub average: Option<f64>,
    /// Each layout.
    pub per_layout: BTreeMap<String, f64>,
}

impl Solving {
    /// From the marks of each layout.
    pub fn of(marks: &BTreeMap<Layout, Marks>) -> Self {
        let scores = Scores::of(marks.iter().map(|(&layout, own)| (layout, own.right, own.asked)));
        let voted = marks.iter().filter(|(_, own)| own.voted > 0);
        let per_layout: BTreeMap<String, f64> = voted
            .map(|(layout, own)| (layout.folder().to_owned(), 100.0 * own.vote / own.voted as f64))
            .collect();
        let sum: f64 = per_layout.values().sum();
        let average = (!per_layout.is_empty()).then(|| sum / per_layout.len() as f64);
        Self { scores, majority_vote: Vote { average, per_layout } }
    }
}

impl Vote {
    fn of(&self, layout: Option<Layout>) -> Option<f64> {
        match layout {
            Some(layout) => self.per_layout.get(layout.folder()).copied(),
            None => self.average,
        }
    }
}

/// Ours, and, if they are wanted, the paper's columns.
pub fn table(set: Set, ours: &Ours<Solving>, compare: bool) -> Table {
    let name = set_name(set);
    let zero_shot = if set == Set::RavenFair { ", zero-shot" } else { "" };
    let mut table = Table::new(
        &format!("solving-{}", set.key()),
        format!("Right answers, {name}{zero_shot} (%)"),
    );
    table.column("ours").column("majority vote");
    let mut columns = vec![
        Figures::Ours(Box::new(|layout| ours.share(|own| share_of(&own.scores, layout)))),
        Figures::Ours(Box::new(|layout| ours.number(1, |own| own.majority_vote.of(layout)))),
    ];
    if compare {
        let mut rows: Vec<_> = Paper::get().rows("solving", None, set.key()).collect();
        rows.reverse();
        for row in rows {
            table.sourced(&row.who, format!("{} ({})", row.source, row.place));
            columns.push(Figures::Printed(row));
        }
    }
    by_layout(&mut table, &columns);
    table.note("95 % intervals (Wilson) in brackets. The vote is taken among the same choices, the question unseen.");
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Entry;

    fn marks() -> BTreeMap<Layout, Marks> {
        let own = Marks { asked: 50, right: 40, voted: 50, vote: 25.0, ..Marks::default() };
        Layout::ALL.into_iter().map(|layout| (layout, own.clone())).collect()
    }

    #[test]
    fn the_papers_averages_stand_printed_and_recomputed() {
        let ours = Ours::new(Solving::of(&marks()), "genvp eval solve");
        let table = table(Set::Raven, &ours, true);
        let names: Vec<_> = table.columns.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(
            names,
            ["ours", "majority vote", "GenVP", "RAISE*", "RAISE", "PrAE", "ALANS", "GCA"]
        );
        assert!(table.columns[2..].iter().all(|c| c.source.is_some()));
        let text = table.to_text();
        let row = |name: &str| text.lines().find(|l| l.contains(name)).unwrap().to_owned();
        assert!(
            row("average, printed").contains("80.0 (") && row("average, printed").contains("94.7")
        );
        assert!(row("average, recomputed").contains("88.8"), "RAISE* is printed 89.0");
        assert!(text.contains("prints 89.0; its columns average 88.8"));
    }

    #[test]
    fn an_average_of_some_layouts_does_not_stand_beside_the_papers_of_seven() {
        let mut some = marks();
        some.remove(&Layout::DistributeNine);
        let ours = Ours::new(Solving::of(&some), "genvp eval solve");
        let average = |compare: bool| {
            let rows = table(Set::Raven, &ours, compare).rows;
            rows.into_iter().find(|row| row.name.starts_with("average")).unwrap().entries.remove(0)
        };
        assert_eq!(average(true), Entry::missing("not all layouts were measured"));
        assert!(average(false).is_measured());
    }

    #[test]
    fn without_weights_the_rows_say_so_once() {
        let text = table(Set::IRaven, &Ours::Missing("no weights".into()), false).to_text();
        assert_eq!(text.matches("no weights").count(), 8, "seven layouts and the average");
    }

    #[test]
    fn results_are_read_back_as_they_were_written() {
        let solving = Solving::of(&marks());
        let text = serde_json::to_string(&solving).unwrap();
        assert!(text.contains("\"center_single\":80.0") && text.contains("\"average\":80.0"));
        assert_eq!(serde_json::from_str::<Solving>(&text).unwrap(), solving);
    }
}
