//! What there is: families, sets, layouts and regimes.

use genvp_puzzle::family::{Family, Stratum, families};
use genvp_puzzle::raven::Raven;
use genvp_puzzle::vad::ChoiceKind;
use genvp_puzzle::{Attribute, ComponentKind, Domain};
use serde_json::{Value, json};

/// Everything that a puzzle can be asked for by name.
pub fn catalog() -> Value {
    let all: Vec<Value> = families().iter().map(|family| family_json(*family)).collect();
    json!({ "version": env!("CARGO_PKG_VERSION"), "families": all })
}

fn family_json(family: &dyn Family) -> Value {
    let form = family.form();
    let sets: Vec<Value> =
        family.sets().iter().map(|set| json!({ "name": set.name, "about": set.about })).collect();
    let mut kinds: Vec<Value> = Vec::new();
    for stratum in family.strata() {
        let long = Raven::layout(stratum)
            .filter(|_| family.has_layouts())
            .map_or(stratum.name, genvp_puzzle::Layout::long_name);
        let kind = json!({
            "name": family.short_name(stratum),
            "long": long,
            "folder": stratum.name,
            "most_rules": most_rules(family, stratum),
        });
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    // RAVEN's kinds of choices are its sets.
    let choices: Vec<&str> =
        if family.id() == "vad" { ChoiceKind::ALL.map(ChoiceKind::name).to_vec() } else { vec![] };
    json!({
        "id": family.id(),
        "form": { "rows": form.rows, "columns": form.columns, "choices": form.choices },
        "sets": sets,
        "has_layouts": family.has_layouts(),
        "kinds": kinds,
        "choices": choices,
    })
}

/// How many rules of a puzzle can change something.
fn most_rules(family: &dyn Family, stratum: Stratum) -> usize {
    let varying = |kind: &ComponentKind| {
        let takes_values = |&attribute: &Attribute| {
            Domain::Standard.range(*kind, attribute).iter().take(2).count() > 1
        };
        let all = [Attribute::NumberPosition, Attribute::Type, Attribute::Size, Attribute::Color];
        all.iter().filter(|attribute| takes_values(attribute)).count()
    };
    match family.id() {
        // One relation, in two domains.
        "vad" => 2,
        "pgm" => 4,
        _ => {
            Raven::layout(stratum).map_or(0, |layout| layout.components().iter().map(varying).sum())
        }
    }
}
