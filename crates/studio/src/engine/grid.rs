//! Which rules can be asked for, given those that are stated already.

use genvp_puzzle::family::Family;
use genvp_puzzle::raven::Raven;
use genvp_puzzle::relations::Relation;
use genvp_puzzle::{Attribute, Domain, Layout, RuleKind};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{PuzzleRef, Refusal};

/// What is asked for: a set, a layout or regime, and the rules stated so far.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    set: String,
    kind: String,
    #[serde(default)]
    rules: String,
}

/// For every attribute and rule its parameters that are possible beside the other stated rules,
/// or the reason why none is.
pub fn grid(request: &Grid) -> Result<Value, Refusal> {
    let wanted = |rules: String| PuzzleRef {
        set: request.set.clone(),
        kind: request.kind.clone(),
        rules,
        choices: None,
        no_rivals: false,
        seed: 0,
        index: 0,
    };
    let (family, spec) = wanted(request.rules.clone()).spec()?;
    let stated: Vec<&str> = request
        .rules
        .split(|c: char| c.is_whitespace() || c == ',')
        .filter(|piece| !piece.is_empty())
        .collect();
    let is_possible = |rules: String| -> Result<(), Refusal> {
        let (family, spec) = wanted(rules).spec()?;
        family.generator(&spec).map(|_| ()).map_err(Refusal::from)
    };
    let mut rows = Vec::new();
    for key in family.rule_groups(spec.stratum).into_iter().flatten() {
        let others: Vec<&str> =
            stated.iter().copied().filter(|rule| !is_about(rule, &key)).collect();
        let cells: Vec<Value> = rule_names(family)
            .into_iter()
            .map(|(rule, parameters)| {
                let texts = parameters.into_iter().map(|p| format!("{key}={rule}{p}"));
                let tried = texts.map(|text| {
                    let possible = possible(family, &others, &text, &is_possible);
                    (text, possible)
                });
                cell(rule, tried)
            })
            .collect();
        let values = Raven::layout(spec.stratum).and_then(|layout| values(layout, &key));
        rows.push(json!({ "attribute": key, "cells": cells, "values": values }));
    }
    let problem = is_possible(request.rules.clone()).err().map(|refusal| refusal.message);
    Ok(json!({ "rows": rows, "problem": problem }))
}

/// The least and the largest value that a distribute-three of an attribute hands out, as rule texts
/// write them: numbers of objects count from 1. Sets of slots cannot be stated.
fn values(layout: Layout, key: &str) -> Option<[i32; 2]> {
    let (prefix, name) = key.split_once('.').map_or((None, key), |(p, name)| (Some(p), name));
    let attribute = Attribute::parse(name)?;
    let kind = layout.components().iter().find(|kind| kind.prefix() == prefix)?;
    let first = match attribute {
        Attribute::NumberPosition | Attribute::Position => return None,
        Attribute::Number => 1,
        Attribute::Type | Attribute::Size | Attribute::Color => 0,
    };
    let levels = Domain::Standard.range(*kind, attribute);
    Some([levels.lo + first, levels.hi + first])
}

fn is_about(rule: &str, key: &str) -> bool {
    rule.split_once('=').is_some_and(|(found, _)| found.eq_ignore_ascii_case(key))
}

/// A rule of an attribute: the texts that can be stated, or why none can.
fn cell(rule: &str, tried: impl Iterator<Item = (String, Result<(), Refusal>)>) -> Value {
    let (mut texts, mut reason) = (Vec::new(), None);
    for (text, possible) in tried {
        match possible {
            Ok(()) => texts.push(text),
            Err(refusal) => reason = reason.or(Some(refusal.message)),
        }
    }
    let reason = if texts.is_empty() { reason } else { None };
    json!({ "rule": rule, "texts": texts, "reason": reason })
}

/// Whether a rule can be stated beside others. An analogy states two: the other half may
/// still be open, and then any will do.
fn possible(
    family: &dyn Family,
    others: &[&str],
    text: &str,
    is_possible: &impl Fn(String) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let with = |more: &[&str]| [others, more].concat().join(" ");
    if family.id() != "vad" || !others.is_empty() {
        return is_possible(with(&[text]));
    }
    let (key, relation) = text.split_once('=').unwrap_or((text, ""));
    let half = if key.starts_with("source.") { "target." } else { "source." };
    let groups = family.rule_groups(family.strata()[0]).into_iter().flatten();
    let mut last = Ok(());
    for other in groups.filter(|other| other.starts_with(half)) {
        last = is_possible(with(&[text, &format!("{other}={relation}")]));
        if last.is_ok() {
            return Ok(());
        }
    }
    last
}

/// The rules of a family with their parameters as texts state them; the first of each is the
/// rule with any parameter, where it has some.
fn rule_names(family: &dyn Family) -> Vec<(&'static str, Vec<String>)> {
    if family.has_layouts() {
        let steps = |kind: RuleKind| match kind.steps() {
            [0] => vec![String::new()],
            steps => {
                let step = |s: &i8| format!(":{}", genvp_puzzle::Rule::step_text(kind, *s));
                [String::new()].into_iter().chain(steps.iter().map(step)).collect()
            }
        };
        return RuleKind::ALL.map(|kind| (kind.key(), steps(kind))).to_vec();
    }
    let along = match family.id() {
        "pgm" => vec![String::new(), ":rows".to_owned(), ":columns".to_owned()],
        _ => vec![String::new()],
    };
    Relation::ALL.map(|relation| (relation.name(), along.clone())).to_vec()
}
