//! With and without wrong choices in training, by regime (paper: tab:pgm-vad-nocontrast).

use genvp_puzzle::family::Family;

use super::super::Ours;
use super::{OTHER_FILES, RegimeMarks, of_regime, recomputed};
use crate::paper::{ByRegime, Paper};
use crate::table::{Entry, Table};

/// A model and one that was taught without wrong choices, and, if they are wanted, the paper's rows.
pub fn contrast_table(
    family: &dyn Family,
    with: &Ours<Vec<RegimeMarks>>,
    without: &Ours<Vec<RegimeMarks>>,
    compare: bool,
) -> Table {
    let id = family.id();
    let mut table = Table::new(
        &format!("{id}-contrast"),
        format!("Right answers with and without contrast, {} (%)", id.to_uppercase()),
    );
    table.column("with").column("without");
    // The paper's two rows are of the weighted average.
    let paper = Paper::get();
    let weighted = paper
        .regime_rows("mixture", id)
        .find(|row| row.condition.as_deref() == Some("weighted-avg"));
    let without_contrast = paper.regime_rows("contrast", id).next();
    let printed: Vec<(&str, &ByRegime)> = [("with", weighted), ("without", without_contrast)]
        .into_iter()
        .filter_map(|(name, row)| Some((name, row.filter(|_| compare)?)))
        .collect();
    for (name, row) in &printed {
        table.sourced(format!("{name}, {}", row.who), row.source.clone());
    }
    for regime in &paper.regimes[id] {
        let own = |ours: &Ours<Vec<RegimeMarks>>| match ours {
            Ours::Measured { result, .. } if of_regime(result, regime).is_none() => Entry::empty(),
            _ => ours.share(|all| Some(of_regime(all, regime)?.answers)),
        };
        let mut entries = vec![own(with), own(without)];
        let printed = printed.iter();
        entries.extend(printed.map(|(_, row)| Entry::printed(row.of(regime), 1, &row.place)));
        table.row(regime.clone(), entries);
    }
    if compare {
        let mut means = vec![Entry::empty(), Entry::empty()];
        means.extend(printed.iter().map(|(_, row)| recomputed(row)));
        table.summary("mean", means);
        table.note(OTHER_FILES);
    }
    table
}
