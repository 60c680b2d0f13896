//! The originals' puzzles with their recorded truth, as scenes.

use std::path::PathBuf;

use arrayvec::ArrayVec;
use genvp_puzzle::{
    Attribute, Change, Domain, Entity, Latin, Layout, Panel, Part, PartRules, Puzzle, Rule,
    RuleKind, Set,
};
use serde_json::Value;

/// The puzzles of one set and layout; `None` where the folder is absent.
pub fn puzzles(set: Set, layout: Layout) -> Option<Vec<Puzzle>> {
    let root = std::env::var_os("GENVP_ORIGINALS").map_or_else(
        || {
            let workspace = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
            workspace.join("../shared/data/raven-originals")
        },
        PathBuf::from,
    );
    let folder = match set {
        Set::Raven => "RAVEN",
        Set::IRaven => "I-RAVEN",
        Set::RavenFair => "RAVEN-F",
    };
    let path = root.join("truth").join(folder).join(format!("{layout}.jsonl"));
    let text = std::fs::read_to_string(path).ok()?;
    Some(text.lines().map(|line| puzzle(set, layout, &parse(line))).collect())
}

/// All 630 puzzles; `None`, said aloud, where they are absent.
#[expect(clippy::print_stdout, reason = "a skipped test says so")]
pub fn all() -> Option<Vec<Puzzle>> {
    let mut all = Vec::new();
    for set in Set::ALL {
        for layout in Layout::ALL {
            match puzzles(set, layout) {
                Some(puzzles) => all.extend(puzzles),
                None => {
                    println!("skipped: the originals' puzzles are not here (GENVP_ORIGINALS)");
                    return None;
                }
            }
        }
    }
    Some(all)
}

fn parse(line: &str) -> Value {
    serde_json::from_str(line).expect("the truth files are JSON lines")
}

fn number(value: &Value) -> i64 {
    value.as_i64().expect("a whole number")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn puzzle(set: Set, layout: Layout, line: &Value) -> Puzzle {
    let mut rules = ArrayVec::new();
    let mut latin = [[None; 4]; 2];
    for (part, stated) in list(&line["rules"]).iter().enumerate() {
        let stated = list(stated);
        rules.push(PartRules(std::array::from_fn(|group| rule(&stated[group]))));
        for (group, rule) in stated.iter().enumerate() {
            latin[part][group] = handed_out(&rule["value_levels"]);
        }
    }
    let panels: Vec<Panel> = list(&line["panels"]).iter().map(panel).collect();
    let mut uniformity = [0; 2];
    for (part, first) in list(&list(&line["panels"])[0]).iter().enumerate() {
        uniformity[part] = number(&first["uni"]) as u8;
    }
    let changes: [ArrayVec<Change, 8>; 8] = std::array::from_fn(|choice| {
        list(&list(&line["mods"])[choice]).iter().map(change).collect()
    });
    Puzzle {
        set,
        layout,
        domain: Domain::Standard,
        rules,
        latin,
        uniformity,
        context: std::array::from_fn(|i| panels[i].clone()),
        choices: std::array::from_fn(|i| panels[8 + i].clone()),
        target: changes.iter().position(ArrayVec::is_empty).expect("an answer") as u8,
        changes,
    }
}

fn rule(value: &Value) -> Rule {
    Rule {
        attribute: Attribute::parse(text(&value["attr"])).expect("an attribute"),
        kind: RuleKind::parse(text(&value["name"])).expect("a rule"),
        step: number(&value["value"]) as i8,
    }
}

fn handed_out(value: &Value) -> Option<Latin> {
    let rows = list(value);
    let cell = |row: usize, column: usize| match &list(&rows[row])[column] {
        Value::Array(slots) => slots.iter().fold(0, |mask, s| mask | 1u16 << number(s)),
        level => number(level) as u16,
    };
    (rows.len() == 3).then(|| Latin {
        rows: std::array::from_fn(|row| std::array::from_fn(|column| cell(row, column))),
    })
}

fn panel(value: &Value) -> Panel {
    let part = |value: &Value| Part {
        entities: list(&value["ent"])
            .iter()
            .zip(list(&value["pos"]))
            .map(|(levels, slot)| {
                let level = |i: usize| number(&list(levels)[i]) as u8;
                Entity {
                    slot: number(slot) as u8,
                    shape: level(0),
                    size: level(1),
                    color: level(2),
                    angle: level(3),
                }
            })
            .collect(),
    };
    Panel { parts: list(value).iter().map(part).collect() }
}

fn change(value: &Value) -> Change {
    Change {
        part: number(&list(value)[0]) as u8,
        attribute: Attribute::parse(text(&list(value)[1])).expect("an attribute"),
    }
}
