//! What the originals' files leave out: parameters of rules, the values of
//! distribute-three, what each choice changes. One JSON line per puzzle, in one
//! file per layout (`truth.jsonl`) that existing loaders pass over. The truth
//! recorded from the original programs has the same form.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use arrayvec::ArrayVec;
use genvp_puzzle::{
    Attribute, Change, Component, ComponentKind, ComponentRules, Domain, Entity, Group, Latin,
    Layout, Panel, Puzzle, Rule, RuleKind, Set,
};
use serde::{Deserialize, Serialize};

use crate::error::InFile;
use crate::{DataError, FormatError, PANELS, file, limits};

/// The name of the file in a layout's folder.
pub const FILE_NAME: &str = "truth.jsonl";

#[derive(Serialize, Deserialize)]
struct Line {
    k: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    target: Option<u8>,
    rules: Vec<Vec<RuleTruth>>,
    mods: Vec<Vec<(u8, String)>>,
    panels: Vec<Vec<ComponentTruth>>,
}

#[derive(Serialize, Deserialize)]
struct RuleTruth {
    name: String,
    attr: String,
    value: i8,
    value_levels: Vec<Vec<Value>>,
}

/// A level, or the occupied slots.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Value {
    Level(u16),
    Slots(Vec<u8>),
}

#[derive(Serialize, Deserialize)]
struct ComponentTruth {
    num: u8,
    pos: Vec<u8>,
    uni: u8,
    /// Type, size, color and angle of each object.
    ent: Vec<[u8; 4]>,
}

/// The line of puzzle number `index`, without a line break.
pub fn encode(index: u64, puzzle: &Puzzle) -> String {
    let line = Line {
        k: index,
        target: Some(puzzle.target),
        rules: puzzle
            .rules
            .iter()
            .zip(&puzzle.latin)
            .map(|(rules, latin)| {
                rules.0.iter().zip(latin).map(|(rule, latin)| rule_truth(rule, *latin)).collect()
            })
            .collect(),
        mods: puzzle
            .changes
            .iter()
            .map(|list| list.iter().map(|c| (c.component, c.attribute.name().to_owned())).collect())
            .collect(),
        panels: puzzle.panels().map(|panel| panel_truth(panel, puzzle.uniformity)).collect(),
    };
    serde_json::to_string(&line).expect("numbers and names always make JSON")
}

fn rule_truth(rule: &Rule, latin: Option<Latin>) -> RuleTruth {
    let value = |v: u16| match rule.attribute {
        Attribute::Position => Value::Slots((0..9).filter(|slot| v >> slot & 1 == 1).collect()),
        _ => Value::Level(v),
    };
    RuleTruth {
        name: rule.kind.name().to_owned(),
        attr: rule.attribute.name().to_owned(),
        value: rule.step,
        value_levels: latin
            .map(|latin| latin.rows.map(|row| row.map(value).into()).into())
            .unwrap_or_default(),
    }
}

fn panel_truth(panel: &Panel, uniformity: [u8; 2]) -> Vec<ComponentTruth> {
    let component = |(component, uni): (&Component, u8)| ComponentTruth {
        num: component.entities.len() as u8 - 1,
        pos: component.entities.iter().map(|e| e.slot).collect(),
        uni,
        ent: component.entities.iter().map(|e| [e.shape, e.size, e.color, e.angle]).collect(),
    };
    panel.components.iter().zip(uniformity).map(component).collect()
}

/// Reads one line: the puzzle's index, and the whole puzzle. The line number is
/// for the message of an error.
pub fn parse(
    text: &str,
    line: usize,
    set: Set,
    layout: Layout,
    domain: Domain,
) -> Result<(u64, Puzzle), FormatError> {
    let parsed: Line =
        serde_json::from_str(text).map_err(|e| FormatError::Json { line, what: e.to_string() })?;
    let index = parsed.k;
    puzzle_of(parsed, set, layout, domain)
        .map(|puzzle| (index, puzzle))
        .map_err(|what| FormatError::Json { line, what })
}

fn puzzle_of(line: Line, set: Set, layout: Layout, domain: Domain) -> Result<Puzzle, String> {
    let kinds = layout.components();
    if line.rules.len() != kinds.len() {
        return Err(format!("rules of {} components, wanted {}", line.rules.len(), kinds.len()));
    }
    let mut latin = [[None; 4]; 2];
    let mut rules = ArrayVec::new();
    for (component, given) in line.rules.into_iter().enumerate() {
        let (component_rules, values) = rules_of(given)?;
        rules.push(component_rules);
        latin[component] = values;
    }
    let mut changes: [ArrayVec<Change, 8>; 8] = Default::default();
    if line.mods.len() != 8 {
        return Err(format!("changes of {} choices, wanted 8", line.mods.len()));
    }
    for (to, from) in changes.iter_mut().zip(line.mods) {
        for (component, name) in from {
            let attribute =
                Attribute::parse(&name).ok_or_else(|| format!("`{name}` is not an attribute"))?;
            if usize::from(component) >= kinds.len() {
                return Err(format!("there is no component {component}"));
            }
            to.try_push(Change { component, attribute }).map_err(|_| "more than 8 changes")?;
        }
    }
    // The originals' truth does not say which choice is right, but only the answer
    // changes nothing.
    let unchanged = || changes.iter().position(ArrayVec::is_empty).map(|t| t as u8);
    let target = line.target.or_else(unchanged).ok_or("every choice changes something")?;
    if target > 7 {
        return Err(format!("target {target}, wanted 0 to 7"));
    }
    if line.panels.len() != PANELS {
        return Err(format!("{} panels, wanted 16", line.panels.len()));
    }
    let mut uniformity = [0; 2];
    let mut panels = ArrayVec::<Panel, PANELS>::new();
    for given in line.panels {
        if given.len() != kinds.len() {
            return Err(format!("a panel of {} components, wanted {}", given.len(), kinds.len()));
        }
        let mut panel = Panel::default();
        for (id, (component, &kind)) in given.into_iter().zip(kinds).enumerate() {
            if component.uni > 3 {
                return Err(format!("uniformity {}, wanted 0 to 3", component.uni));
            }
            uniformity[id] = component.uni;
            panel.components.push(component_of(&component, kind, domain)?);
        }
        panels.push(panel);
    }
    let mut panels = panels.into_iter();
    let mut eight = || std::array::from_fn(|_| panels.next().expect("sixteen were counted"));
    let (context, choices) = (eight(), eight());
    Ok(Puzzle { set, layout, domain, rules, latin, uniformity, context, choices, target, changes })
}

fn rules_of(given: Vec<RuleTruth>) -> Result<(ComponentRules, [Option<Latin>; 4]), String> {
    let mut rules = ArrayVec::<Rule, 4>::new();
    let mut latin = [None; 4];
    for (group, rule) in Group::ALL.into_iter().zip(&given) {
        let attribute = Attribute::parse(&rule.attr).filter(|a| a.group() == group);
        let attribute = attribute.ok_or_else(|| format!("`{}` is out of place", rule.attr))?;
        let kind =
            RuleKind::parse(&rule.name).ok_or_else(|| format!("`{}` is not a rule", rule.name))?;
        if !kind.steps().contains(&rule.value) {
            return Err(format!("{kind} cannot have the parameter {}", rule.value));
        }
        rules.push(Rule { attribute, kind, step: rule.value });
        latin[group.index()] = latin_of(&rule.value_levels)?;
    }
    let rules = rules.into_inner().ok().filter(|_| given.len() == 4);
    Ok((ComponentRules(rules.ok_or_else(|| format!("{} rules, wanted 4", given.len()))?), latin))
}

fn latin_of(values: &[Vec<Value>]) -> Result<Option<Latin>, String> {
    if values.is_empty() {
        return Ok(None);
    }
    let mut rows = [[0; 3]; 3];
    if values.len() != 3 || values.iter().any(|row| row.len() != 3) {
        return Err("the values of distribute-three are not 3x3".to_owned());
    }
    for (to, from) in rows.as_flattened_mut().iter_mut().zip(values.iter().flatten()) {
        *to = match from {
            Value::Level(level) => *level,
            Value::Slots(slots) => slots.iter().try_fold(0u16, |mask, &slot| match slot {
                0..=8 => Ok(mask | 1 << slot),
                _ => Err(format!("there is no slot {slot}")),
            })?,
        };
    }
    Ok(Some(Latin { rows }))
}

fn component_of(
    given: &ComponentTruth,
    kind: ComponentKind,
    domain: Domain,
) -> Result<Component, String> {
    if given.pos.len() != given.ent.len() || given.ent.len() != usize::from(given.num) + 1 {
        return Err(format!(
            "number {} with {} slots and {} objects",
            given.num,
            given.pos.len(),
            given.ent.len()
        ));
    }
    let mut component = Component::default();
    for (&slot, &[shape, size, color, angle]) in given.pos.iter().zip(&given.ent) {
        let known = usize::from(slot) < kind.slot_count()
            && component.mask() >> slot & 1 == 0
            && (1..=5).contains(&shape)
            && usize::from(size) < domain.sizes().len()
            && usize::from(color) < domain.colors().len()
            && usize::from(angle) < domain.angles().len();
        if !known {
            return Err(format!("no object {shape},{size},{color},{angle} can stand in {slot}"));
        }
        component.entities.push(Entity { slot, shape, size, color, angle });
    }
    Ok(component)
}

/// Reads a truth file line by line. After an error of the file itself, or a line
/// without end, nothing follows.
pub fn read(
    path: &Path,
    set: Set,
    layout: Layout,
    domain: Domain,
) -> Result<impl Iterator<Item = Result<(u64, Puzzle), DataError>> + use<>, DataError> {
    let mut reader = BufReader::new(file::open(path)?);
    let path = path.to_owned();
    let mut number = 0;
    let mut over = false;
    Ok(std::iter::from_fn(move || {
        if over {
            return None;
        }
        number += 1;
        let mut text = String::new();
        let mut bounded = reader.by_ref().take(limits::TRUTH_LINE_BYTES);
        match bounded.read_line(&mut text) {
            Ok(0) => None,
            Ok(_) if bounded.limit() == 0 && !text.ends_with('\n') => {
                over = true;
                let what = format!("more than {} bytes long", limits::TRUTH_LINE_BYTES);
                Some(Err(FormatError::Json { line: number, what }).in_file(&path))
            }
            Ok(_) => Some(parse(text.trim_end(), number, set, layout, domain).in_file(&path)),
            Err(source) => {
                over = true;
                Some(Err(DataError::Read { path: path.clone(), source }))
            }
        }
    }))
}
