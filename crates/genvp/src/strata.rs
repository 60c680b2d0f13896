//! Layouts and regimes in reports.

use genvp_puzzle::family::{Stratum, family_of_set};
use serde_json::Value;

fn is_layout(stratum: Stratum) -> bool {
    family_of_set(stratum.set).is_some_and(|family| family.has_layouts())
}

/// The name in tables: that of the layout, or `pgm/neutral`.
pub fn label(stratum: Stratum) -> String {
    if is_layout(stratum) { stratum.name.to_owned() } else { stratum.to_string() }
}

/// Puts what is said about a stratum into `per_layout` or `per_stratum` of a report.
pub fn insert(report: &mut Value, stratum: Stratum, said: Value) {
    let table = if is_layout(stratum) { "per_layout" } else { "per_stratum" };
    report[table][label(stratum)] = said;
}
