//! Panels made by hand, for tests.

use arrayvec::ArrayVec;

use genvp_puzzle::{
    Attribute, Component, ComponentRules, Domain, Entity, Layout, Panel, Puzzle, Rule, RuleKind,
    Set,
};

/// An object that is not turned.
pub(super) fn entity(slot: u8, shape: u8, size: u8, color: u8) -> Entity {
    Entity { slot, shape, size, color, angle: 3 }
}

pub(super) fn panel_of(components: &[&[Entity]]) -> Panel {
    let component =
        |entities: &&[Entity]| Component { entities: entities.iter().copied().collect() };
    Panel { components: components.iter().map(component).collect::<ArrayVec<_, 2>>() }
}

/// A panel that shows what is special about a layout.
pub(super) fn one_panel(layout: Layout) -> Panel {
    let turned = |e: Entity, angle| Entity { angle, ..e };
    match layout {
        Layout::CenterSingle => panel_of(&[&[turned(entity(0, 1, 5, 4), 4)]]),
        Layout::DistributeFour => panel_of(&[&[entity(0, 3, 5, 0), turned(entity(3, 2, 2, 9), 4)]]),
        Layout::DistributeNine => {
            let all: Vec<Entity> = (0..9).map(|i| entity(i, 1 + i % 5, i % 6, i)).collect();
            panel_of(&[&all])
        }
        Layout::LeftRight => panel_of(&[&[entity(0, 1, 5, 2)], &[entity(0, 5, 0, 9)]]),
        Layout::UpDown => panel_of(&[&[entity(0, 4, 3, 0)], &[entity(0, 2, 4, 6)]]),
        Layout::OutInCenter => panel_of(&[&[entity(0, 5, 5, 0)], &[entity(0, 3, 3, 7)]]),
        Layout::OutInGrid => panel_of(&[
            &[entity(0, 4, 5, 0)],
            &[entity(0, 5, 2, 4), entity(1, 2, 4, 9), entity(2, 2, 4, 9)],
        ]),
    }
}

/// A puzzle in which the object changes with row and column.
pub(super) fn one_puzzle() -> Puzzle {
    let rule = |attribute, kind, step| Rule { attribute, kind, step };
    let rules = ComponentRules([
        rule(Attribute::NumberPosition, RuleKind::Constant, 0),
        rule(Attribute::Type, RuleKind::Constant, 0),
        rule(Attribute::Size, RuleKind::Progression, 1),
        rule(Attribute::Color, RuleKind::DistributeThree, 0),
    ]);
    let panel = |row: u8, column: u8| {
        panel_of(&[&[entity(0, 1 + row, 1 + column, 3 * ((row + column) % 3))]])
    };
    Puzzle {
        set: Set::IRaven,
        layout: Layout::CenterSingle,
        domain: Domain::Standard,
        rules: [rules].into_iter().collect(),
        latin: [[None; 4]; 2],
        uniformity: [3; 2],
        context: std::array::from_fn(|i| panel(i as u8 / 3, i as u8 % 3)),
        choices: std::array::from_fn(|i| panel(i as u8 % 5, i as u8 / 4)),
        target: 4,
        changes: Default::default(),
    }
}
