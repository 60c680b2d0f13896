//! Which rules hold in which rows, whether or not anybody stated them.

use crate::raven::check::hypotheses::possible;
use crate::raven::{Attribute, ComponentKind, Domain, Group, Layout, Panel, Rule, RuleKind};

use super::chance::{of_levels, of_places};
use super::component::share_of_matchings;
use super::seen::{LevelSet, Seen};
use super::{SeenContext, Sight};

/// A rule that holds somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holding {
    /// Component, 0 or 1.
    pub component: usize,
    /// The rule.
    pub rule: Rule,
    /// Whether it holds in each row, looked at alone.
    pub rows: [bool; 3],
    /// Whether it holds in all rows taken together: three rows can each show
    /// three values, but a distribute-three rule wants the same ones.
    pub everywhere: bool,
}

/// All rules that hold in at least one row of nine panels: the context and one
/// candidate. Component by component, in the order of groups.
///
/// A type, size or color is constant in a row when all its objects are alike, or
/// when each could be one of the objects of the panel before.
pub fn rules_of(panels: [&Panel; 9], layout: Layout, domain: Domain, sight: Sight) -> Vec<Holding> {
    let question = SeenContext { layout, domain, sight, context: Vec::new(), blurred: Vec::new() };
    let seen = panels.map(|panel| question.see(panel));
    let mut all = Vec::new();
    for (component, &kind) in layout.components().iter().enumerate() {
        let rows: [[&Seen; 3]; 3] = std::array::from_fn(|row| {
            std::array::from_fn(|column| &seen[3 * row + column][component])
        });
        for group in Group::ALL {
            for (rule, _) in possible(kind, domain, group) {
                let row_alone = rows.map(|row| alone(kind, domain, rule, row));
                let everywhere = row_alone == [true; 3] && together(kind, domain, rule, rows);
                if row_alone != [false; 3] {
                    all.push(Holding { component, rule, rows: row_alone, everywhere });
                }
            }
        }
    }
    all
}

fn alone(kind: ComponentKind, domain: Domain, rule: Rule, row: [&Seen; 3]) -> bool {
    match (rule.attribute, rule.kind) {
        (Attribute::Position, RuleKind::DistributeThree) => {
            let [a, b, c] = row.map(|p| p.mask);
            let same_number = row.iter().all(|p| p.number() == row[0].number());
            same_number && a != b && b != c && a != c
        }
        (Attribute::Position | Attribute::NumberPosition, _) => {
            of_places(kind, domain, rule, &[row; 3]) > 0.0
        }
        (_, RuleKind::Constant) => is_constant(rule.attribute, row),
        _ => {
            // Rows that show anything: only this one can contradict the rule.
            const ANYTHING: [LevelSet; 3] = [LevelSet::MAX; 3];
            let sets = [levels(rule.attribute, row), ANYTHING, ANYTHING];
            of_levels(kind, domain, rule, sets) > 0.0
        }
    }
}

fn together(kind: ComponentKind, domain: Domain, rule: Rule, rows: [[&Seen; 3]; 3]) -> bool {
    match (rule.attribute, rule.kind) {
        (Attribute::Position, RuleKind::DistributeThree) => {
            of_places(kind, domain, rule, &rows) > 0.0
        }
        (_, RuleKind::DistributeThree) => {
            let sets = rows.map(|row| levels(rule.attribute, row));
            of_levels(kind, domain, rule, sets) > 0.0
        }
        _ => true,
    }
}

fn levels(attribute: Attribute, row: [&Seen; 3]) -> [LevelSet; 3] {
    match attribute {
        Attribute::Number => row.map(|p| 1 << (p.number().max(1) - 1)),
        _ => row.map(|p| p.common[attribute.group().index() - 1]),
    }
}

fn is_constant(attribute: Attribute, row: [&Seen; 3]) -> bool {
    let look = attribute.group().index() - 1;
    let [a, b, c] = levels(attribute, row);
    let kept = |from: &Seen, to: &Seen| {
        if from.mask == to.mask {
            from.slots().all(|slot| from.levels[look][slot] & to.levels[look][slot] != 0)
        } else {
            share_of_matchings(from, to, 1 << look) > 0.0
        }
    };
    a & b & c != 0 || (kept(row[0], row[1]) && kept(row[1], row[2]))
}
