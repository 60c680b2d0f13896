//! A checker that shares no code with the maker: ordered sets of numbers, the
//! legal triples as a written list, and the definition of a relation that counts
//! word by word.

use std::collections::BTreeSet;

use genvp_puzzle::relations::{Axis, Panel};

pub type Set = BTreeSet<u8>;
/// Object, attribute and relation, as files name them.
pub type Named = (&'static str, &'static str, &'static str);

pub const ATTRIBUTES: [(&str, &str); 7] = [
    ("shape", "color"),
    ("shape", "number"),
    ("shape", "position"),
    ("shape", "size"),
    ("shape", "type"),
    ("line", "color"),
    ("line", "type"),
];

pub const LEGAL: [Named; 29] = [
    ("shape", "color", "progression"),
    ("shape", "color", "XOR"),
    ("shape", "color", "OR"),
    ("shape", "color", "AND"),
    ("shape", "color", "consistent_union"),
    ("shape", "number", "progression"),
    ("shape", "number", "consistent_union"),
    ("shape", "position", "XOR"),
    ("shape", "position", "OR"),
    ("shape", "position", "AND"),
    ("shape", "size", "progression"),
    ("shape", "size", "XOR"),
    ("shape", "size", "OR"),
    ("shape", "size", "AND"),
    ("shape", "size", "consistent_union"),
    ("shape", "type", "progression"),
    ("shape", "type", "XOR"),
    ("shape", "type", "OR"),
    ("shape", "type", "AND"),
    ("shape", "type", "consistent_union"),
    ("line", "color", "progression"),
    ("line", "color", "XOR"),
    ("line", "color", "OR"),
    ("line", "color", "AND"),
    ("line", "color", "consistent_union"),
    ("line", "type", "XOR"),
    ("line", "type", "OR"),
    ("line", "type", "AND"),
    ("line", "type", "consistent_union"),
];

/// The values of an attribute in a panel.
pub fn values(panel: &Panel, object: &str, attribute: &str) -> Set {
    match (object, attribute) {
        ("shape", "color") => panel.shapes.iter().map(|s| s.color).collect(),
        ("shape", "number") => Set::from([panel.shapes.iter().count() as u8]),
        ("shape", "position") => panel.shapes.iter().map(|s| s.position).collect(),
        ("shape", "size") => panel.shapes.iter().map(|s| s.size).collect(),
        ("shape", "type") => panel.shapes.iter().map(|s| s.kind as u8).collect(),
        ("line", "color") => panel.lines.iter().map(|l| l.color).collect(),
        ("line", "type") => panel.lines.iter().map(|l| l.kind as u8).collect(),
        _ => panic!("{object} {attribute}"),
    }
}

/// The three lines of nine panels.
pub fn lines(nine: &[&Panel; 9], axis: Axis, object: &str, attribute: &str) -> Vec<[Set; 3]> {
    let at = |i: usize| values(nine[i], object, attribute);
    match axis {
        Axis::Rows => vec![[at(0), at(1), at(2)], [at(3), at(4), at(5)], [at(6), at(7), at(8)]],
        Axis::Columns => vec![[at(0), at(3), at(6)], [at(1), at(4), at(7)], [at(2), at(5), at(8)]],
    }
}

/// Whether a relation holds on every line, by its definition. A progression
/// holds when single values increase by any steps.
pub fn holds(relation: &str, lines: &[[Set; 3]]) -> bool {
    let single = |set: &Set| (set.len() == 1).then(|| *set.first().unwrap());
    let every = |f: &dyn Fn(&Set, &Set) -> Set| lines.iter().all(|[a, b, c]| *c == f(a, b));
    match relation {
        "XOR" => every(&|a, b| a.symmetric_difference(b).copied().collect()),
        "OR" => every(&|a, b| a.union(b).copied().collect()),
        "AND" => every(&|a, b| a.intersection(b).copied().collect()),
        "progression" => lines.iter().all(|line| {
            let values: Vec<u8> = line.iter().filter_map(single).collect();
            values.len() == 3 && values[0] < values[1] && values[1] < values[2]
        }),
        "consistent_union" => {
            let members = |line: &[Set; 3]| -> Set { line.iter().filter_map(single).collect() };
            let first = members(&lines[0]);
            lines.iter().all(|line| line.iter().all(|s| s.len() == 1) && members(line) == first)
                && first.len() == 3
        }
        _ => panic!("{relation}"),
    }
}

/// Whether a line is completed under a relation that another one has shown: it need
/// not tell OR from XOR.
pub fn completes(relation: &str, line: &[Set; 3]) -> bool {
    line[0] != line[1] && holds(relation, std::slice::from_ref(line))
}

/// Whether a relation holds on every line and counts: at least one line is not
/// degenerate, and at least one tells OR from XOR.
pub fn counts(relation: &str, lines: &[[Set; 3]]) -> bool {
    // The first two panels differ, and then the third differs from one of them.
    let telling = |[a, b, _]: &[Set; 3]| a != b;
    let or_is_not_xor = |[a, b, _]: &[Set; 3]| a.intersection(b).next().is_some();
    holds(relation, lines)
        && lines.iter().any(telling)
        && (!matches!(relation, "XOR" | "OR") || lines.iter().any(or_is_not_xor))
}
