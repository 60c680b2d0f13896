//! What kinds of puzzles there are.

use genvp_puzzle::family::{Family, Stratum, families, family_of_set};
use pyo3::prelude::*;

use crate::error;

/// Every set: its name, its family, and what it is.
#[pyfunction]
pub fn sets() -> Vec<(&'static str, &'static str, &'static str)> {
    let of = |family: &&'static dyn Family| {
        let id = family.id();
        family.sets().iter().map(move |set| (set.name, id, set.about))
    };
    families().iter().flat_map(of).collect()
}

/// The layouts or regimes of a set: the name in files, and the short one.
#[pyfunction]
pub fn strata(set: &str) -> PyResult<Vec<(&'static str, &'static str)>> {
    let family = of_set(set)?;
    let own = family.strata().into_iter().filter(|stratum| stratum.set == set);
    Ok(own.map(|stratum| (stratum.name, family.short_name(stratum))).collect())
}

/// Rows, columns and choices of a family's puzzles.
#[pyfunction]
pub fn form(family: &str) -> PyResult<(usize, usize, usize)> {
    let form = by_id(family)?.form();
    Ok((form.rows, form.columns, form.choices))
}

/// The names of a family's attributes and of its rules.
#[pyfunction]
pub fn rule_space(family: &str) -> PyResult<(Vec<&'static str>, Vec<&'static str>)> {
    let space = by_id(family)?.rule_space();
    Ok((space.attributes.to_vec(), space.rules.to_vec()))
}

/// The family of that name.
pub fn by_id(id: &str) -> PyResult<&'static dyn Family> {
    families().iter().copied().find(|family| family.id() == id).ok_or_else(|| {
        let known: Vec<_> = families().iter().map(|family| family.id()).collect();
        error::spec(format!("there is no family `{id}`: known are {}", known.join(", ")))
    })
}

/// The family that has a set.
pub fn of_set(set: &str) -> PyResult<&'static dyn Family> {
    family_of_set(set).ok_or_else(|| {
        let known: Vec<_> = sets().into_iter().map(|(name, ..)| name).collect();
        error::spec(format!("there is no set `{set}`: known are {}", known.join(", ")))
    })
}

/// A layout or regime of a set, by the name in files or the short one.
pub fn stratum(set: &str, name: &str) -> PyResult<(&'static dyn Family, Stratum)> {
    let family = of_set(set)?;
    let own = || family.strata().into_iter().filter(|stratum| stratum.set == set);
    let is_named = |stratum: &Stratum| {
        [stratum.name, family.short_name(*stratum)].iter().any(|own| own.eq_ignore_ascii_case(name))
    };
    let found = own().find(is_named).ok_or_else(|| {
        let what = if family.has_layouts() { "layout" } else { "regime" };
        let known: Vec<_> = own().map(|stratum| family.short_name(stratum)).collect();
        error::spec(format!("{set} has no {what} `{name}`: known are {}", known.join(", ")))
    })?;
    Ok((family, found))
}
