//! Examples by hand: every kind of rule, right and wrong.

use arrayvec::ArrayVec;
use genvp_puzzle::check::{Order, Sight, Stated, broken_rules, holds, solve};
use genvp_puzzle::{
    Attribute, Component, ComponentRules, Domain, Entity, Group, Latin, Layout, Panel,
};
use genvp_puzzle::{Rule, RuleKind};

use Attribute::{Color, Number, NumberPosition, Position, Size, Type};
use RuleKind::{Arithmetic, Constant, DistributeThree, Progression};

/// Objects as (slot, shape, size, color).
type Objects = &'static [(u8, u8, u8, u8)];

fn component(objects: &[(u8, u8, u8, u8)]) -> Component {
    let entity = |&(slot, shape, size, color)| Entity { slot, shape, size, color, angle: 3 };
    Component { entities: objects.iter().map(entity).collect() }
}

/// A place rule, and constants for the rest.
fn rules(attribute: Attribute, kind: RuleKind, step: i8) -> ComponentRules {
    let constant = |attribute| Rule { attribute, kind: Constant, step: 0 };
    let mut rules = [NumberPosition, Type, Size, Color].map(constant);
    rules[attribute.group().index()] = Rule { attribute, kind, step };
    ComponentRules(rules)
}

fn obeys(rules: ComponentRules, group: Group, latin: Option<Latin>, row: [Objects; 3]) -> bool {
    let mut all = [[None; 4]; 2];
    all[0][group.index()] = latin;
    let stated = Stated {
        layout: Layout::DistributeFour,
        rules: &[rules],
        latin: &all,
        uniform: [false; 2],
    };
    let row = row.map(component);
    holds(&stated, 0, group, 2, row.each_ref(), Order::Unknown)
}

#[test]
fn rules_on_places_know_right_from_wrong() {
    const A: Objects = &[(0, 1, 1, 1)];
    const B: Objects = &[(1, 1, 1, 1)];
    const C: Objects = &[(2, 1, 1, 1)];
    const D: Objects = &[(3, 1, 1, 1)];
    const AB: Objects = &[(1, 1, 1, 1), (0, 1, 1, 1)];
    const CD: Objects = &[(2, 1, 1, 1), (3, 1, 1, 1)];
    const ABC: Objects = &[(0, 1, 1, 1), (1, 1, 1, 1), (2, 1, 1, 1)];
    for (attribute, kind, step, row, expected) in [
        (NumberPosition, Constant, 0, [AB, AB, AB], true),
        (NumberPosition, Constant, 0, [AB, AB, CD], false),
        (Number, Progression, 1, [A, CD, ABC], true),
        (Number, Progression, 1, [A, CD, CD], false),
        (Number, Progression, -1, [ABC, CD, A], true),
        (Number, Arithmetic, 1, [A, CD, ABC], true),
        (Number, Arithmetic, 1, [A, B, ABC], false),
        (Number, Arithmetic, -1, [ABC, CD, D], true),
        (Number, Arithmetic, -1, [ABC, CD, AB], false),
        (Position, Progression, 1, [C, D, A], true),
        (Position, Progression, 1, [C, D, B], false),
        (Position, Progression, -1, [A, D, C], true),
        (Position, Arithmetic, 1, [A, B, AB], true),
        (Position, Arithmetic, 1, [A, B, CD], false),
        (Position, Arithmetic, -1, [ABC, C, AB], true),
        (Position, Arithmetic, -1, [AB, C, AB], true),
        (Position, Arithmetic, -1, [AB, A, AB], false),
    ] {
        let found = obeys(rules(attribute, kind, step), Group::NumberPosition, None, row);
        assert_eq!(found, expected, "{attribute} {kind} {step} {row:?}");
    }
    let masks = Latin { rows: [[1, 2, 4], [2, 4, 1], [4, 1, 2]] };
    let dealt = rules(Position, DistributeThree, 0);
    assert!(obeys(dealt, Group::NumberPosition, Some(masks), [C, A, B]));
    assert!(!obeys(dealt, Group::NumberPosition, Some(masks), [C, A, D]));
    let numbers = Latin { rows: [[0, 1, 2], [1, 2, 0], [2, 0, 1]] };
    let dealt = rules(Number, DistributeThree, 0);
    assert!(obeys(dealt, Group::NumberPosition, Some(numbers), [ABC, A, CD]));
    assert!(!obeys(dealt, Group::NumberPosition, Some(numbers), [ABC, A, B]));
}

#[test]
fn rules_on_looks_know_right_from_wrong() {
    const ROW: fn([u8; 3]) -> [Component; 3] =
        |levels| levels.map(|l| component(&[(0, l, l, l), (2, l, l, l)]));
    for (attribute, kind, step, levels, expected) in [
        (Type, Progression, 2, [1, 3, 5], true),
        (Type, Progression, 2, [1, 3, 4], false),
        (Color, Progression, -1, [3, 2, 1], true),
        (Size, Arithmetic, 1, [1, 2, 4], true),
        (Size, Arithmetic, 1, [1, 2, 3], false),
        (Size, Arithmetic, -1, [4, 2, 1], true),
        (Color, Arithmetic, 1, [1, 2, 3], true),
        (Color, Arithmetic, 1, [1, 2, 4], false),
        (Color, Arithmetic, -1, [5, 2, 3], true),
        (Size, Constant, 0, [2, 2, 2], true),
        (Size, Constant, 0, [2, 2, 3], false),
    ] {
        let rules = [rules(attribute, kind, step)];
        let stated = Stated {
            layout: Layout::DistributeFour,
            rules: &rules,
            latin: &[[None; 4]; 2],
            uniform: [false; 2],
        };
        let row = ROW(levels);
        let found = holds(&stated, 0, attribute.group(), 0, row.each_ref(), Order::Unknown);
        assert_eq!(found, expected, "{attribute} {kind} {step} {levels:?}");
    }
}

#[test]
fn a_changing_look_must_be_shared_by_all_objects() {
    const EVEN: Objects = &[(0, 1, 1, 1), (1, 1, 1, 1)];
    const GROWN: Objects = &[(0, 1, 2, 1), (1, 1, 2, 1)];
    const LAST: Objects = &[(0, 1, 3, 1), (1, 1, 3, 1)];
    const MIXED: Objects = &[(0, 1, 3, 1), (1, 1, 2, 1)];
    let growing = rules(Size, Progression, 1);
    assert!(obeys(growing, Group::Size, None, [EVEN, GROWN, LAST]));
    assert!(!obeys(growing, Group::Size, None, [EVEN, GROWN, MIXED]));
}

#[test]
fn a_constant_is_noise_where_every_panel_has_new_objects() {
    const ONE: Objects = &[(0, 1, 1, 1)];
    const TWO: Objects = &[(1, 2, 2, 2), (2, 3, 3, 3)];
    const THREE: Objects = &[(0, 4, 1, 2), (1, 4, 5, 6), (3, 5, 5, 5)];
    let counted = rules(Number, Progression, 1);
    assert!(obeys(counted, Group::Color, None, [ONE, TWO, THREE]));
}

#[test]
fn objects_that_stay_or_step_on_keep_their_looks_slot_by_slot() {
    const BEFORE: Objects = &[(0, 1, 1, 1), (1, 2, 2, 2)];
    const SWAPPED: Objects = &[(0, 2, 2, 2), (1, 1, 1, 1)];
    const NEXT: Objects = &[(1, 1, 1, 1), (2, 2, 2, 2)];
    const LAST: Objects = &[(2, 1, 1, 1), (3, 2, 2, 2)];
    const LAST_SWAPPED: Objects = &[(2, 2, 2, 2), (3, 1, 1, 1)];
    let staying = rules(NumberPosition, Constant, 0);
    assert!(obeys(staying, Group::Type, None, [BEFORE; 3]));
    assert!(!obeys(staying, Group::Type, None, [BEFORE, BEFORE, SWAPPED]));
    let stepping = rules(Position, Progression, 1);
    assert!(obeys(stepping, Group::Color, None, [BEFORE, NEXT, LAST]));
    assert!(!obeys(stepping, Group::Color, None, [BEFORE, NEXT, LAST_SWAPPED]));
}

#[test]
fn objects_that_are_dealt_anew_keep_their_looks_together() {
    const BEFORE: Objects = &[(0, 1, 1, 1), (1, 2, 1, 2)];
    const NEXT: Objects = &[(2, 2, 1, 2), (1, 1, 1, 1)];
    const LAST: Objects = &[(3, 1, 1, 1), (2, 2, 1, 2)];
    const MIXED: Objects = &[(3, 1, 1, 2), (2, 2, 1, 1)];
    let dealt = rules(Position, DistributeThree, 0);
    for group in [Group::Type, Group::Size, Group::Color] {
        assert!(obeys(dealt, group, None, [BEFORE, NEXT, LAST]));
    }
    // Each attribute alone is a permutation; the objects are not the same.
    assert!(obeys(dealt, Group::Type, None, [BEFORE, NEXT, MIXED]));
    assert!(!obeys(dealt, Group::Color, None, [BEFORE, NEXT, MIXED]));
}

fn single(shape: u8, size: u8, color: u8) -> Panel {
    Panel {
        components: [component(&[(0, shape, size, color)])].into_iter().collect::<ArrayVec<_, 2>>(),
    }
}

#[test]
fn a_small_question_is_answered_with_reasons() {
    let context = [
        single(1, 2, 4),
        single(2, 2, 7),
        single(3, 2, 0),
        single(2, 5, 7),
        single(3, 5, 0),
        single(4, 5, 4),
        single(3, 0, 0),
        single(4, 0, 4),
    ];
    let choices = [
        single(5, 0, 6),
        single(4, 0, 7),
        single(5, 1, 7),
        single(5, 0, 7),
        single(4, 1, 7),
        single(4, 0, 6),
        single(5, 1, 6),
        single(4, 1, 6),
    ];
    let (layout, domain) = (Layout::CenterSingle, Domain::Standard);
    let solution = solve(&context, &choices, layout, domain, Sight::Levels);
    assert_eq!(solution.answer, 3);
    assert!(!solution.tied);
    assert_eq!(
        solution.rules.text(layout),
        "number/position=constant type=progression:+1 size=constant color=distribute-three"
    );
    let why = |choice: usize| {
        let choice = &choices[choice];
        broken_rules(&context, choice, layout, domain, Sight::Levels, &solution.found)
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    assert!(why(3).is_empty());
    assert_eq!(why(0), ["color=distribute-three asks for grey 56, not grey 84"]);
    assert_eq!(
        why(4),
        ["type=progression:+1 asks for circle, not hexagon", "size=constant asks for 0.4, not 0.5"]
    );
}
