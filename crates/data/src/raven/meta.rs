//! The arrays that say in numbers which rules and nodes a puzzle has.

use genvp_puzzle::{Attribute, Group, Layout, Row, RuleKind, RuleMatrix};

/// The nodes of `meta_structure`, in the order of its bits.
const NODES: [&str; 21] = [
    "Singleton",
    "Left_Right",
    "Up_Down",
    "Out_In",
    "Left",
    "Right",
    "Up",
    "Down",
    "Out",
    "In",
    "Grid",
    "Center_Single",
    "Distribute_Four",
    "Distribute_Nine",
    "Left_Center_Single",
    "Right_Center_Single",
    "Up_Center_Single",
    "Down_Center_Single",
    "Out_Center_Single",
    "In_Center_Single",
    "In_Distribute_Four",
];

/// The attributes of columns 4 to 8 of `meta_matrix`.
const COLUMNS: [Attribute; 5] =
    [Attribute::Number, Attribute::Position, Attribute::Type, Attribute::Size, Attribute::Color];

/// `meta_matrix`: columns 0 to 3 tell the rule, 4 to 8 the attribute. A constant
/// on number and position sets both of their columns.
pub(crate) fn matrix(layout: Layout, rules: &RuleMatrix) -> [[u8; 9]; 8] {
    let mut rows = [[0; 9]; 8];
    for component in 0..layout.components().len() {
        for group in Group::ALL {
            let Some((attribute, kind, _)) = rules.stated(component, group) else { continue };
            let row = &mut rows[component * 4 + group.index()];
            row[kind as usize] = 1;
            for (column, governed) in COLUMNS.into_iter().enumerate() {
                let joint = attribute == Attribute::NumberPosition
                    && governed.group() == Group::NumberPosition;
                if attribute == governed || joint {
                    row[4 + column] = 1;
                }
            }
        }
    }
    rows
}

/// `meta_target`: the rows joined by "or".
pub(crate) fn target(matrix: &[[u8; 9]; 8]) -> [u8; 9] {
    std::array::from_fn(|column| matrix.iter().fold(0, |all, row| all | row[column]))
}

/// The rules that a `meta_matrix` states; rows that state none are left out.
pub(crate) fn rules(matrix: &[[u8; 9]; 8]) -> RuleMatrix {
    let mut rules = RuleMatrix::from_columns(&[0; 12]);
    for (index, row) in matrix.iter().enumerate() {
        let kind = (0..4).find(|&k| row[k] == 1).map(|k| RuleKind::ALL[k]);
        let attribute = match &row[4..] {
            [1, 1, ..] => Some(Attribute::NumberPosition),
            columns => (0..5).find(|&c| columns[c] == 1).map(|c| COLUMNS[c]),
        };
        if let (Some(kind), Some(attribute)) = (kind, attribute) {
            rules.set(index / 4, attribute, Row::Rule(kind, None));
        }
    }
    rules
}

/// `structure`: the layout's tree, where "/" closes a node.
pub(crate) fn structure_words(layout: Layout) -> Vec<String> {
    let mut words = vec!["Scene", layout.structure_name()];
    for component in layout.components() {
        words.extend([component.component_name(), component.layout_name(), "/", "/"]);
    }
    words.extend(["/", "/"]);
    words.into_iter().map(str::to_owned).collect()
}

/// `meta_structure`: a bit for every node that the tree has.
pub(crate) fn structure_bits(layout: Layout) -> [u8; 21] {
    let words = structure_words(layout);
    NODES.map(|node| u8::from(words.iter().any(|w| w == node)))
}
