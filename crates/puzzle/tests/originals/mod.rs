//! The puzzles of the original programs: their recorded truth, and their pixels
//! where they are at hand.
#![allow(dead_code, reason = "not every test binary needs everything")]

use std::io::Read;
use std::path::Path;

use arrayvec::ArrayVec;
use genvp_puzzle::{
    Attribute, Change, Component, ComponentRules, Domain, Entity, Latin, Layout, Panel, Puzzle,
    Rule, RuleKind, Set,
};
use serde_json::Value;

/// How many there are where all are at hand.
pub const ALL: usize = 630;

/// The folder of a set.
fn set_folder(set: Set) -> &'static str {
    match set {
        Set::Raven => "RAVEN",
        Set::IRaven => "I-RAVEN",
        Set::RavenFair => "RAVEN-F",
    }
}

/// The numbers and truths of one set and layout below a folder.
fn truths(root: &Path, set: Set, layout: Layout) -> Vec<(u64, Puzzle)> {
    let path = root.join("truth").join(set_folder(set)).join(format!("{layout}.jsonl"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let puzzle = |line: &str| {
        let line = parse(line);
        (number(&line["k"]) as u64, puzzle_of_json(set, layout, &line))
    };
    text.lines().map(puzzle).collect()
}

fn truths_of_all(root: &Path) -> impl Iterator<Item = (u64, Puzzle)> {
    let cases = Set::ALL.into_iter().flat_map(|set| Layout::ALL.map(|layout| (set, layout)));
    cases.flat_map(move |(set, layout)| truths(root, set, layout))
}

/// All puzzles as scenes with their rules; the committed ones, said aloud, where
/// the others are not at hand.
pub fn puzzles() -> Vec<Puzzle> {
    truths_of_all(&genvp_originals::folder_or_committed()).map(|(_, puzzle)| puzzle).collect()
}

/// The committed puzzles.
pub fn committed() -> Vec<(u64, Puzzle)> {
    truths_of_all(&genvp_originals::committed()).collect()
}

/// One puzzle with the pixels that the original program drew.
pub struct Original {
    pub name: String,
    /// Sixteen panels of 160x160 grey bytes.
    pub image: Vec<u8>,
    /// What they show.
    pub puzzle: Puzzle,
}

/// All 630, set by set and layout by layout, below their folder.
pub fn with_pixels(root: &Path) -> impl Iterator<Item = Original> {
    truths_of_all(root).map(move |(k, puzzle)| {
        let split = ["train", "val", "test"][[0, 0, 0, 0, 0, 0, 1, 1, 2, 2][k as usize % 10]];
        let folder = set_folder(puzzle.set);
        let name = format!("{folder}/{}/RAVEN_{k}_{split}.npz", puzzle.layout);
        let image = image_of_npz(&std::fs::read(root.join(&name)).expect("readable"));
        Original { name, image, puzzle }
    })
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

fn puzzle_of_json(set: Set, layout: Layout, line: &Value) -> Puzzle {
    let mut rules = ArrayVec::new();
    let mut latin = [[None; 4]; 2];
    for (component, stated) in list(&line["rules"]).iter().enumerate() {
        let stated = list(stated);
        rules.push(ComponentRules(std::array::from_fn(|group| rule(&stated[group]))));
        for (group, rule) in stated.iter().enumerate() {
            latin[component][group] = handed_out(&rule["value_levels"]);
        }
    }
    let panels: Vec<Panel> = list(&line["panels"]).iter().map(panel).collect();
    let mut uniformity = [0; 2];
    for (component, first) in list(&list(&line["panels"])[0]).iter().enumerate() {
        uniformity[component] = number(&first["uni"]) as u8;
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
    let component = |value: &Value| Component {
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
    Panel { components: list(value).iter().map(component).collect() }
}

fn change(value: &Value) -> Change {
    Change {
        component: number(&list(value)[0]) as u8,
        attribute: Attribute::parse(text(&list(value)[1])).expect("an attribute"),
    }
}

/// Reads the scene of a line of `fixtures/render/panels.txt`.
pub fn panel_of_text(text: &str) -> Panel {
    let components = text.split('|').map(|component| {
        let entities = component.split(' ').map(|entity| {
            let levels: Vec<u8> = entity
                .split([':', ','])
                .map(|level| level.parse().expect("a sound file"))
                .collect();
            let [slot, shape, size, color, angle] = levels[..] else { panic!("{text}") };
            Entity { slot, shape, size, color, angle }
        });
        Component { entities: entities.collect() }
    });
    Panel { components: components.collect() }
}

/// The pixels of the `image` member: just enough of zip and npy for files that
/// are known to be sound.
fn image_of_npz(bytes: &[u8]) -> Vec<u8> {
    let header = bytes
        .windows(39)
        .position(|w| w.starts_with(b"PK\x03\x04") && w.ends_with(b"image.npy"))
        .expect("a sound file");
    let field = |at: usize| u16::from_le_bytes([bytes[header + at], bytes[header + at + 1]]);
    let (method, extra) = (field(8), usize::from(field(28)));
    let data = &bytes[header + 39 + extra..];
    let mut npy = Vec::new();
    if method == 0 {
        npy.extend_from_slice(&data[..data.len().min(410_000)]);
    } else {
        flate2::read::DeflateDecoder::new(data).read_to_end(&mut npy).expect("a sound file");
    }
    let start = 10 + usize::from(u16::from_le_bytes([npy[8], npy[9]]));
    npy[start..start + 16 * 160 * 160].to_vec()
}

/// Lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
