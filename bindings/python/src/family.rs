//! What kinds of puzzles there are.

use genvp_puzzle::family::{Family, FamilyError, Stratum, families, family_of_set};
use genvp_puzzle::raven::{Domain, Raven};
use pyo3::prelude::*;

use crate::error;

/// Every set: its name, its family, and what it is.
///
/// >>> import genvp
/// >>> [name for name, family, about in genvp.sets()]
/// ['raven', 'iraven', 'raven-fair', 'pgm', 'vad']
#[pyfunction]
pub fn sets() -> Vec<(&'static str, &'static str, &'static str)> {
    let of = |family: &&'static dyn Family| {
        let id = family.id();
        family.sets().iter().map(move |set| (set.name, id, set.about))
    };
    families().iter().flat_map(of).collect()
}

/// The layouts or regimes of a set: the name in files, and the short one.
///
/// >>> import genvp
/// >>> genvp.strata("iraven")[2]
/// ('distribute_nine', '3x3')
#[pyfunction]
pub fn strata(set: &str) -> PyResult<Vec<(&'static str, &'static str)>> {
    let family = of_set(set)?;
    let own = family.strata().into_iter().filter(|stratum| stratum.set == set);
    Ok(own.map(|stratum| (stratum.name, family.short_name(stratum))).collect())
}

/// Rows, columns and choices of a family's puzzles.
///
/// >>> import genvp
/// >>> genvp.form("vad")
/// (2, 3, 4)
#[pyfunction]
pub fn form(family: &str) -> PyResult<(usize, usize, usize)> {
    let form = by_id(family)?.form();
    Ok((form.rows, form.columns, form.choices))
}

/// The names of a family's attributes and of its rules.
///
/// >>> import genvp
/// >>> attributes, rules = genvp.rule_space("raven")
/// >>> rules
/// ['none', 'constant', 'progression', 'arithmetic', 'distribute-three']
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

/// The name of the shifted values that a family's levels may stand for.
pub fn domain(family: &dyn Family, name: &str) -> PyResult<&'static str> {
    if family.id() != Raven.id() {
        return Err(error::family(FamilyError::NoOption { family: family.id(), option: "ood" }));
    }
    let known = || Domain::ALL.map(Domain::name).join(", ");
    let found = Domain::parse(name).map(Domain::name);
    found.ok_or_else(|| error::spec(format!("there is no ood `{name}`: known are {}", known())))
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
