//! Mixtures of the experts and each expert alone, by regime (paper: tab:pgm-vad-moe).

use genvp_exam::Share;
use genvp_model::MixtureKind;
use genvp_puzzle::family::Family;

use super::super::{Ours, mixture};
use super::{OTHER_FILES, RegimeMarks, of_regime, recomputed};
use crate::paper::{ByRegime, Paper};
use crate::table::{Entry, Table};

/// Right answers of each mixture, and, if they are wanted, the paper's rows.
pub fn mixture_table(family: &dyn Family, ours: &Ours<Vec<RegimeMarks>>, compare: bool) -> Table {
    let id = family.id();
    let mut table = Table::new(
        &format!("{id}-mixtures"),
        format!("Right answers by mixture of the experts, {} (%)", id.to_uppercase()),
    );
    table.brief = true;
    for kind in MixtureKind::ALL {
        table.column(mixture::name(kind));
    }
    let printed: Vec<&ByRegime> =
        Paper::get().regime_rows("mixture", id).filter(|_| compare).collect();
    for row in &printed {
        let condition = row.condition.as_deref().unwrap_or_default();
        table.sourced(format!("{condition}, {}", row.who), row.source.clone());
    }
    let regimes = &Paper::get().regimes[id];
    for regime in regimes {
        let entry = |kind| share(ours, |own| own.mixtures.get(mixture::name(kind)), regime);
        let mut entries: Vec<Entry> = MixtureKind::ALL.into_iter().map(entry).collect();
        entries.extend(printed.iter().map(|row| Entry::printed(row.of(regime), 1, &row.place)));
        table.row(regime.clone(), entries);
    }
    let kinds = MixtureKind::ALL.map(mixture::name);
    let mut means: Vec<Entry> =
        kinds.map(|name| mean(ours, |own| own.mixtures.get(name), regimes.len())).into();
    means.extend(printed.iter().map(|row| recomputed(row)));
    table.summary("mean", means);
    note_size(&mut table, ours);
    if compare {
        table.note(OTHER_FILES);
    }
    table
}

/// Right answers of each expert alone.
pub fn experts_table(family: &dyn Family, ours: &Ours<Vec<RegimeMarks>>) -> Table {
    let id = family.id();
    let mut table = Table::new(
        &format!("{id}-experts"),
        format!("Right answers of single experts, {} (%)", id.to_uppercase()),
    );
    table.brief = true;
    let regimes = &Paper::get().regimes[id];
    for regime in regimes {
        table.column(regime.clone());
    }
    table.column("mean");
    let mut row = |name: &str, read: &dyn Fn(&RegimeMarks) -> Option<&Share>| {
        let mut entries: Vec<Entry> =
            regimes.iter().map(|regime| share(ours, read, regime)).collect();
        entries.push(mean(ours, read, regimes.len()));
        table.row(name, entries);
    };
    let weighted = mixture::name(MixtureKind::WeightedAvg);
    row("all, weighted-avg", &|own| own.mixtures.get(weighted));
    let names: Vec<String> = match ours {
        Ours::Measured { result, .. } => {
            result.first().map(|own| own.experts.keys().cloned().collect()).unwrap_or_default()
        }
        Ours::Missing(_) => Vec::new(),
    };
    for name in &names {
        row(name, &|own| own.experts.get(name));
    }
    table.note("Experts that cannot see the choices are left out. context-N sees all but panel N, rows-without-N all but row (or column) N.");
    note_size(&mut table, ours);
    table
}

/// A regime's share, or why there is none.
fn share(
    ours: &Ours<Vec<RegimeMarks>>,
    read: impl Fn(&RegimeMarks) -> Option<&Share>,
    regime: &str,
) -> Entry {
    match ours {
        Ours::Measured { result, .. }
            if of_regime(result, regime).is_some_and(|own| read(own).is_none()) =>
        {
            Entry::missing("this model has none")
        }
        _ => ours.share(|all| read(of_regime(all, regime)?).copied()),
    }
}

/// The mean over all regimes, where all were measured.
fn mean(
    ours: &Ours<Vec<RegimeMarks>>,
    read: impl Fn(&RegimeMarks) -> Option<&Share>,
    count: usize,
) -> Entry {
    if let Ours::Measured { result, .. } = ours
        && result.iter().all(|own| read(own).is_none())
    {
        return Entry::empty();
    }
    ours.share(|all| {
        let shares: Vec<Share> = all.iter().filter_map(|own| read(own).copied()).collect();
        Share::mean(&shares).filter(|_| shares.len() == count)
    })
}

fn note_size(table: &mut Table, ours: &Ours<Vec<RegimeMarks>>) {
    if let Ours::Measured { result, .. } = ours
        && let Some(own) = result.first()
    {
        let (n, half) = (own.answers.n, (own.answers.high - own.answers.low) / 2.0);
        table.note(format!(
            "n = {n} puzzles of each regime; 95 % intervals reach some {half:.1} points to either side where the first figure is."
        ));
    }
}
