//! The paper's tables with anybody's solver in them.

use std::collections::BTreeMap;

use genvp_exam::{Marks, Share};
use genvp_puzzle::Layout;
use genvp_puzzle::raven::Set;
use genvp_report::paper::{ByLayout, ByRegime};
use genvp_report::tables::Ours;
use genvp_report::tables::regimes::{self, RegimeMarks};
use genvp_report::tables::solving::{self, Solving};
use genvp_report::{Paper, Table};
use pyo3::prelude::*;

use crate::{error, family};

/// A share of right answers in percent with its 95 % interval (Wilson).
#[pyfunction]
pub fn share(right: u64, n: u64) -> PyResult<(f64, f64, f64)> {
    if right > n {
        return Err(error::spec(format!("{right} right answers to {n} questions")));
    }
    let share = Share::of(right, n);
    Ok((share.percent, share.low, share.high))
}

/// The mean of the shares of right answers of some strata, each counting the same.
#[pyfunction]
pub fn mean_share(counts: Vec<(u64, u64)>) -> PyResult<Option<(f64, f64, f64)>> {
    let shares: Vec<Share> = counts.iter().map(|&(right, n)| Share::of(right, n)).collect();
    Ok(Share::mean(&shares).map(|share| (share.percent, share.low, share.high)))
}

/// What the paper prints of a model's right answers: its name, and percent by layout.
type Printed = (String, BTreeMap<String, f64>, Option<f64>);

/// The rows of the paper on a set.
#[pyfunction]
pub fn paper_rows(set: &str) -> Vec<Printed> {
    let paper = Paper::get();
    let by_layout = |row: &ByLayout| {
        let of = |layout: Layout| Some((layout.folder().to_owned(), row.of(layout)?));
        let values = Layout::ALL.into_iter().filter_map(of).collect();
        (row.who.clone(), values, row.average)
    };
    let regimes = paper.regimes.get(set).map_or(&[][..], Vec::as_slice);
    let by_regime = |row: &ByRegime| {
        let of = |regime: &String| Some((regime.clone(), row.of(regime)?));
        (row.who.clone(), regimes.iter().filter_map(of).collect(), None)
    };
    let layouts = paper.rows("solving", None, set).map(by_layout);
    layouts.chain(paper.regime_rows("solving", set).map(by_regime)).collect()
}

/// By layout or regime how many were right, were asked, and the chances of a vote, summed.
type Counts = BTreeMap<String, (u64, u64, f64)>;

/// A table of right answers with the paper's columns, as text and as markdown.
#[pyfunction]
pub fn solving_table(set: &str, counts: Counts, solver: &str) -> PyResult<(String, String)> {
    let mut table = match Set::parse(set) {
        Some(set) => by_layout(set, counts, solver)?,
        None => by_regime(set, counts, solver)?,
    };
    if let Some(ours) = table.columns.first_mut() {
        solver.clone_into(&mut ours.name);
    }
    Ok((table.to_text(), table.to_markdown()))
}

fn marks((right, asked, vote): (u64, u64, f64)) -> Marks {
    Marks { asked, right, voted: asked, vote, ..Marks::default() }
}

fn by_layout(set: Set, counts: Counts, solver: &str) -> PyResult<Table> {
    let mut all = BTreeMap::new();
    for (name, own) in counts {
        let layout = Layout::parse(&name)
            .ok_or_else(|| error::spec(format!("there is no layout `{name}`")))?;
        all.insert(layout, marks(own));
    }
    Ok(solving::table(set, &Ours::new(Solving::of(&all), solver), true))
}

fn by_regime(set: &str, counts: Counts, solver: &str) -> PyResult<Table> {
    let mut all = Vec::new();
    for (name, own) in counts {
        let (_, stratum) = family::stratum(set, &name)?;
        all.push(RegimeMarks::of(stratum, None, &marks(own)));
    }
    let asked: Vec<String> = all.iter().map(|own| own.regime.clone()).collect();
    let mut table = regimes::table(family::of_set(set)?, &Ours::new(all, solver), true);
    table.rows.retain(|row| asked.contains(&row.name));
    // Answers alone name no rules.
    while let Some(at) = table.columns.iter().position(|own| RULES.contains(&own.name.as_str())) {
        table.columns.remove(at);
        table.rows.iter_mut().for_each(|row| drop(row.entries.remove(at)));
    }
    Ok(table)
}

/// The columns about rules in the table of regimes.
const RULES: [&str; 2] = ["relations", "all rules"];
