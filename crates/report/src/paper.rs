//! What the paper prints: every figure with the place it comes from.
//!
//! The figures live in `data/paper.toml` and nowhere else.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use genvp_puzzle::Layout;
use serde::{Deserialize, Serialize};

/// The layouts in the order of the paper's tables.
pub const LAYOUTS: [Layout; 7] = [
    Layout::CenterSingle,
    Layout::LeftRight,
    Layout::UpDown,
    Layout::OutInCenter,
    Layout::OutInGrid,
    Layout::DistributeFour,
    Layout::DistributeNine,
];

/// All of it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// The short names of the layouts, in the order of every `values`.
    pub layouts: Vec<String>,
    /// Rows with a figure for each layout.
    pub by_layout: Vec<ByLayout>,
    /// The regimes of PGM and VAD, in the order of every row of `by_regime`.
    pub regimes: BTreeMap<String, Vec<String>>,
    /// Rows with a figure for each regime.
    pub by_regime: Vec<ByRegime>,
    /// Single figures.
    pub number: Vec<Number>,
    /// What does not fit together.
    pub inconsistency: Vec<Inconsistency>,
}

/// A row with a figure for each layout, in percent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByLayout {
    /// The label of the table.
    pub place: String,
    /// What was measured.
    pub what: String,
    /// Under which condition.
    pub condition: Option<String>,
    /// On which set, by [`genvp_puzzle::Set::key`].
    pub set: Option<String>,
    /// Which model.
    pub who: String,
    /// The average as printed; absent where none is.
    pub average: Option<f64>,
    /// The figures, layout by layout; not a number where none is printed.
    pub values: [f64; 7],
    /// Whose run it is.
    pub source: String,
}

/// A row with a figure for each regime of a family, in percent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByRegime {
    /// The label of the table.
    pub place: String,
    /// What was measured.
    pub what: String,
    /// Under which condition.
    pub condition: Option<String>,
    /// The family: `pgm` or `vad`.
    pub family: String,
    /// Which model.
    pub who: String,
    /// The figures, regime by regime.
    pub values: Vec<f64>,
    /// Whose run it is.
    pub source: String,
}

/// A single figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Number {
    /// The label of the table.
    pub place: String,
    /// What was measured.
    pub what: String,
    /// Under which condition.
    pub condition: String,
    /// On which set.
    pub set: Option<String>,
    /// Which model.
    pub who: String,
    /// The figure.
    pub value: f64,
    /// Its unit.
    pub unit: String,
    /// Whose run it is.
    pub source: String,
}

/// Two things in the paper that cannot both be right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inconsistency {
    /// The label of the table or section.
    pub place: String,
    /// What was measured, where it is about an average.
    pub what: Option<String>,
    /// Under which condition.
    pub condition: Option<String>,
    /// On which set.
    pub set: Option<String>,
    /// Which model.
    pub who: Option<String>,
    /// What is printed.
    pub printed: String,
    /// What is found elsewhere, or recomputed.
    pub found: String,
    /// What this is about.
    pub note: String,
}

static PAPER: LazyLock<Paper> = LazyLock::new(|| {
    toml::from_str(include_str!("../data/paper.toml")).expect("a test reads the same bytes")
});

impl Paper {
    /// The paper.
    pub fn get() -> &'static Self {
        &PAPER
    }

    /// The rows of a measurement on a set.
    pub fn rows<'a>(
        &'a self,
        what: &'a str,
        condition: Option<&'a str>,
        set: &'a str,
    ) -> impl Iterator<Item = &'a ByLayout> {
        self.by_layout.iter().filter(move |row| {
            row.what == what
                && row.condition.as_deref() == condition
                && row.set.as_deref() == Some(set)
        })
    }

    /// A model's row of a measurement on a set.
    pub fn row(
        &self,
        what: &str,
        condition: Option<&str>,
        set: &str,
        who: &str,
    ) -> Option<&ByLayout> {
        self.by_layout.iter().find(|row| {
            row.what == what
                && row.condition.as_deref() == condition
                && row.set.as_deref() == Some(set)
                && row.who == who
        })
    }

    /// The rows of a measurement on the regimes of a family.
    pub fn regime_rows<'a>(
        &'a self,
        what: &'a str,
        family: &'a str,
    ) -> impl Iterator<Item = &'a ByRegime> {
        self.by_regime.iter().filter(move |row| row.what == what && row.family == family)
    }

    /// A single figure.
    pub fn number(
        &self,
        what: &str,
        condition: &str,
        set: Option<&str>,
        who: &str,
    ) -> Option<&Number> {
        self.number.iter().find(|number| {
            number.what == what
                && number.condition == condition
                && (set.is_none() || number.set.as_deref() == set)
                && number.who == who
        })
    }
}

impl ByRegime {
    /// The figure of a regime.
    pub fn of(&self, regime: &str) -> Option<f64> {
        let regimes = Paper::get().regimes.get(&self.family)?;
        self.values.get(regimes.iter().position(|name| name == regime)?).copied()
    }
}

impl ByLayout {
    /// The figure of a layout, where one is printed.
    pub fn of(&self, layout: Layout) -> Option<f64> {
        let place = LAYOUTS.iter().position(|&l| l == layout)?;
        Some(self.values[place]).filter(|value| value.is_finite())
    }

    /// The average of the columns; absent where a column is.
    pub fn recomputed(&self) -> Option<f64> {
        let mean = self.values.iter().sum::<f64>() / self.values.len() as f64;
        mean.is_finite().then_some(mean)
    }

    /// Whether the printed average can be a rounding of the columns' average,
    /// which are rounded themselves.
    pub fn adds_up(&self) -> bool {
        match (self.average, self.recomputed()) {
            (Some(printed), Some(mean)) => (printed - mean).abs() <= 0.1 + 1e-9,
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_are_the_papers() {
        let names: Vec<_> = LAYOUTS.iter().map(|layout| layout.short()).collect();
        assert_eq!(Paper::get().layouts, names);
    }

    #[test]
    fn every_average_is_that_of_its_columns_or_is_listed_as_not() {
        let paper = Paper::get();
        for row in &paper.by_layout {
            let listed = paper.inconsistency.iter().find(|i| {
                i.place == row.place
                    && i.what.as_ref() == Some(&row.what)
                    && i.condition == row.condition
                    && i.set == row.set
                    && i.who.as_ref() == Some(&row.who)
            });
            assert_eq!(row.adds_up(), listed.is_none(), "{row:?}");
            if let (Some(listed), Some(mean)) = (listed, row.recomputed()) {
                assert_eq!(listed.found, format!("{mean:.1}"), "{row:?}");
                assert_eq!(listed.printed, format!("{:.1}", row.average.unwrap()), "{row:?}");
            }
        }
        let about_averages = paper.inconsistency.iter().filter(|i| i.what.is_some()).count();
        let wrong = paper.by_layout.iter().filter(|row| !row.adds_up()).count();
        assert_eq!(about_averages, wrong, "nothing is listed that adds up");
    }

    #[test]
    fn the_recomputed_averages_of_the_shifted_sets_are_these() {
        let average = |condition, set| {
            let row = Paper::get().row("ood", Some(condition), set, "GenVP").unwrap();
            format!("{:.1}", row.recomputed().unwrap())
        };
        for (condition, raven, iraven) in [
            ("angle-i", "90.2", "91.7"),
            ("color-i", "69.2", "74.5"),
            ("size-i", "83.1", "88.9"),
            ("size-e", "54.8", "65.5"),
        ] {
            assert_eq!(
                [average(condition, "raven"), average(condition, "iraven")],
                [raven, iraven]
            );
        }
    }

    #[test]
    fn every_row_of_regimes_has_a_figure_for_each_of_the_familys_regimes() {
        let paper = Paper::get();
        for (family, regimes) in &paper.regimes {
            let own = genvp_puzzle::family::family_of_set(family).expect("a family").strata();
            let mut own: Vec<&str> = own.iter().map(|stratum| stratum.name).collect();
            let mut named: Vec<&str> = regimes.iter().map(String::as_str).collect();
            own.sort_unstable();
            named.sort_unstable();
            assert_eq!(own, named);
        }
        for row in &paper.by_regime {
            assert_eq!(row.values.len(), paper.regimes[&row.family].len(), "{row:?}");
            assert!(row.values.iter().all(|value| (0.0..=100.0).contains(value)), "{row:?}");
        }
        let main = paper.regime_rows("solving", "pgm").find(|row| row.who == "GenVP").unwrap();
        assert_eq!((main.of("neutral"), main.of("attr.rel.pairs")), (Some(85.5), Some(78.6)));
    }

    #[test]
    fn every_figure_has_a_place_and_a_source_and_is_possible() {
        let paper = Paper::get();
        for row in &paper.by_layout {
            assert!(row.place.starts_with("tab:") && !row.source.is_empty());
            assert!(row.values.iter().all(|v| v.is_nan() || (0.0..=100.0).contains(v)));
        }
        for number in &paper.number {
            assert!(number.place.starts_with("tab:") && !number.source.is_empty());
            assert!(number.unit != "percent" || (0.0..=100.0).contains(&number.value));
        }
    }

    #[test]
    fn the_main_figures_are_there() {
        for (set, printed) in [("raven", 94.7), ("iraven", 96.1), ("raven-fair", 97.3)] {
            let row = Paper::get().row("solving", None, set, "GenVP").unwrap();
            assert_eq!(row.average, Some(printed));
        }
        let models: Vec<_> =
            Paper::get().rows("solving", None, "raven").map(|row| row.who.as_str()).collect();
        assert_eq!(models, ["GCA", "ALANS", "PrAE", "RAISE", "RAISE*", "GenVP"]);
    }
}
