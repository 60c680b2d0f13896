//! Right answers, layout by layout.

use std::collections::BTreeMap;

use genvp_exam::Share;
use genvp_puzzle::Layout;
use serde::{Deserialize, Serialize};

use crate::paper::LAYOUTS;

/// Shares of right answers by layout, in percent. Layouts go by the names of
/// the datasets' folders.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// The mean over layouts: the paper's average.
    pub average: Option<f64>,
    /// The same with its interval.
    pub average_interval: Option<Share>,
    /// Each layout's share.
    pub per_layout: BTreeMap<String, f64>,
    /// The same with their intervals.
    pub intervals: BTreeMap<String, Share>,
}

impl Scores {
    /// From right and asked by layout; layouts that were not asked are left out.
    pub fn of(counts: impl IntoIterator<Item = (Layout, u64, u64)>) -> Self {
        let mut scores = Self::default();
        for (layout, right, asked) in counts.into_iter().filter(|&(_, _, asked)| asked > 0) {
            let share = Share::of(right, asked);
            scores.per_layout.insert(layout.folder().to_owned(), share.percent);
            scores.intervals.insert(layout.folder().to_owned(), share);
        }
        scores.average_interval =
            Share::mean(&scores.intervals.values().copied().collect::<Vec<_>>());
        scores.average = scores.average_interval.map(|share| share.percent);
        scores
    }

    /// A layout's share.
    pub fn share(&self, layout: Layout) -> Option<Share> {
        self.intervals.get(layout.folder()).copied()
    }

    /// Whether every layout was asked: only then the average is the paper's.
    pub fn is_whole(&self) -> bool {
        LAYOUTS.iter().all(|layout| self.share(*layout).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_average_is_the_mean_over_layouts_whatever_their_numbers() {
        let scores = Scores::of([(Layout::CenterSingle, 10, 10), (Layout::LeftRight, 50, 100)]);
        assert_eq!(scores.average, Some(75.0));
        assert!(!scores.is_whole());
        let share = scores.average_interval.unwrap();
        assert!(share.low < 75.0 && share.high > 75.0 && share.n == 110);
    }

    #[test]
    fn equal_layouts_give_the_interval_of_all_their_questions() {
        let scores = Scores::of(LAYOUTS.map(|layout| (layout, 90, 100)));
        assert_eq!(scores.average_interval, Some(Share::of(630, 700)));
        assert!(scores.is_whole());
    }

    #[test]
    fn a_layout_without_questions_has_no_score() {
        let scores = Scores::of([(Layout::UpDown, 0, 0)]);
        assert!(scores.per_layout.is_empty() && scores.average.is_none());
    }
}
