//! A puzzle of the original files (neutral, train, number 1073149), decoded by
//! hand from a thumbnail: positions and lines are known, greys and types are not.

use genvp_puzzle::pgm::{Governed, broken, readings};
use genvp_puzzle::relations::{Axis, BLACK, Line, LineType, Panel, Shape, ShapeType, Triple};

/// Rows T, M and B, columns L, C and R; d and u are the diagonals down and up,
/// then vertical, horizontal, diamond (m) and circle (o).
const PANELS: [(&str, &str); 9] = [
    ("BL BC BR", "o"),
    ("TC TR BR", "d h o"),
    ("TC TR BL BC BR", "d m o"),
    ("MR BC", "h o"),
    ("TR MR BC BR", "d u m h"),
    ("TR MR BC BR", "d v h o"),
    ("TC BR", "h o"),
    ("TR ML MR BC BR", "d u m h o"),
    ("TC TR ML MR BC BR", "d m v h o"),
];

/// Greys and types differ from panel to panel, as the distracting ones of the
/// original do.
fn panel(index: usize, (positions, lines): (&str, &str)) -> Panel {
    let place = |text: &str| {
        let at = |letters: &str, letter: u8| letters.bytes().position(|l| l == letter).unwrap();
        (3 * at("TMB", text.as_bytes()[0]) + at("LCR", text.as_bytes()[1])) as u8
    };
    let line = |text: &str| LineType::ALL["duvhmo".find(text).unwrap()];
    let mut panel = Panel {
        shapes: positions
            .split(' ')
            .map(place)
            .map(|position| Shape {
                position,
                kind: ShapeType::ALL[(index * 5 + usize::from(position) * 3) % 7],
                size: 4,
                color: ((index * 7 + usize::from(position) * 3) % 10) as u8,
            })
            .collect(),
        lines: lines.split(' ').map(line).map(|kind| Line { kind, color: BLACK }).collect(),
    };
    panel.shapes.sort();
    panel.lines.sort();
    panel
}

#[test]
fn both_stated_relations_are_found_along_their_axes() {
    let panels: [Panel; 9] = std::array::from_fn(|i| panel(i, PANELS[i]));
    let (context, answer) = (panels[..8].to_vec().try_into().unwrap(), &panels[8]);
    let stated = [
        Governed { triple: Triple::parse("shape", "position", "OR").unwrap(), axis: Axis::Rows },
        Governed { triple: Triple::parse("line", "type", "OR").unwrap(), axis: Axis::Columns },
    ];
    let found: Vec<Governed> = readings(&context, answer).iter().map(|r| r.governed).collect();
    assert_eq!(found, stated);
    assert_eq!(broken(&context, answer, &stated), []);
    // One shape or line less breaks the one relation and not the other.
    let mut fewer = answer.clone();
    fewer.shapes.remove(0);
    let broken_positions = broken(&context, &fewer, &stated);
    assert_eq!(broken_positions.len(), 1);
    assert_eq!(
        broken_positions[0].to_string(),
        "shape position OR along rows asks for top, top right, left, right, bottom and \
         bottom right, not top right, left, right, bottom and bottom right"
    );
    let mut fewer = answer.clone();
    fewer.lines.pop();
    let broken_lines = broken(&context, &fewer, &stated);
    assert_eq!(broken_lines.len(), 1);
    assert_eq!(broken_lines[0].triple, stated[1].triple);
}
