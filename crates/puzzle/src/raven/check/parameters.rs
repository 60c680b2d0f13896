//! The parameters that rules have, from their names and the nine panels.

use arrayvec::ArrayVec;

use crate::raven::{
    Attribute, Component, ComponentRules, Domain, Group, Latin, Layout, Panel, Rule, RuleKind,
};

use super::hypotheses::first_column;
use super::stated::{Stated, components, holds_rule, looks_kept, value};

/// The parameters with which a named rule explains three rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fit {
    /// What the rule governs.
    pub attribute: Attribute,
    /// What it does.
    pub kind: RuleKind,
    /// All steps that fit, 0 for rules without one. None: the rule does not
    /// hold; several: the panels do not tell.
    pub steps: ArrayVec<i8, 4>,
    /// The values that a distribute-three rule hands out.
    pub latin: Option<Latin>,
}

impl Fit {
    /// The rule, where its parameter is certain.
    pub fn rule(&self) -> Option<Rule> {
        match self.steps.as_slice() {
            [step] => Some(Rule { attribute: self.attribute, kind: self.kind, step: *step }),
            _ => None,
        }
    }
}

/// Names of a component's rules: attribute and kind, by group.
pub type RuleNames = [(Attribute, RuleKind); 4];

/// Finds the parameters of named rules in nine panels (the context and the
/// answer), by component and group.
///
/// Files that keep rules without their parameters are completed this way. The
/// order of entities does not matter.
pub fn infer_parameters(
    layout: Layout,
    domain: Domain,
    names: &[RuleNames],
    panels: [&Panel; 9],
) -> ArrayVec<[Fit; 4], 2> {
    let [a, b, c, d, e, f, g, h, i] = panels;
    let rows = [[a, b, c], [d, e, f], [g, h, i]];
    names
        .iter()
        .enumerate()
        .map(|(component, names)| {
            let rows = rows.map(|row| components(row, component));
            std::array::from_fn(|group| {
                fit(layout, domain, component, names, Group::ALL[group], rows)
            })
        })
        .collect()
}

fn fit(
    layout: Layout,
    domain: Domain,
    component: usize,
    names: &RuleNames,
    group: Group,
    rows: [[&Component; 3]; 3],
) -> Fit {
    let (attribute, kind) = names[group.index()];
    let component_kind = layout.components()[component];
    let mut fit = Fit { attribute, kind, steps: ArrayVec::new(), latin: None };
    match kind {
        // Whether a constant is real or noise is no parameter.
        RuleKind::Constant => fit.steps.push(0),
        RuleKind::DistributeThree => {
            fit.latin = latin(attribute, rows);
            fit.steps.extend(fit.latin.map(|_| 0));
        }
        RuleKind::Progression | RuleKind::Arithmetic => {
            for &step in kind.steps() {
                let rule = Rule { attribute, kind, step };
                let slots = component_kind.slot_count() as i32;
                if first_column(component_kind, domain, rule).is_some()
                    && rows.iter().all(|&row| holds_rule(rule, slots, row))
                    && (attribute != Attribute::Position
                        || kind == RuleKind::Arithmetic
                        || objects_move_along(layout, component, names, rule, rows))
                {
                    fit.steps.push(step);
                }
            }
        }
    }
    fit
}

/// Some sets of slots look the same after two different steps; what their
/// objects look like can still tell the steps apart.
fn objects_move_along(
    layout: Layout,
    component: usize,
    names: &RuleNames,
    place: Rule,
    rows: [[&Component; 3]; 3],
) -> bool {
    let mut rules = names.map(|(attribute, kind)| Rule { attribute, kind, step: 0 });
    rules[0] = place;
    let rules = [ComponentRules(rules); 2];
    let stated = Stated { layout, rules: &rules, latin: &[[None; 4]; 2], uniform: [false; 2] };
    let constant = |group: &Group| names[group.index()].1 == RuleKind::Constant;
    rows.iter().all(|[a, b, c]| {
        [Group::Type, Group::Size, Group::Color].iter().filter(|g| constant(g)).all(|&group| {
            looks_kept(&stated, component, group, a, b)
                && looks_kept(&stated, component, group, b, c)
        })
    })
}

/// The values of nine panels, if they are three different ones in three orders
/// such that no column repeats one.
pub(super) fn latin(attribute: Attribute, rows: [[&Component; 3]; 3]) -> Option<Latin> {
    let mut values = [[0; 3]; 3];
    for (values, row) in values.iter_mut().zip(rows) {
        for (value_of, component) in values.iter_mut().zip(row) {
            *value_of = u16::try_from(value(component, attribute)?).ok()?;
        }
    }
    let [[a, b, c], second, third] = values;
    let orders = [[[b, c, a], [c, a, b]], [[c, a, b], [b, c, a]]];
    let different = a != b && b != c && a != c;
    (different && orders.contains(&[second, third])).then_some(Latin { rows: values })
}
