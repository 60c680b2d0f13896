//! What a puzzle's xml says: levels of every object, rules by name.

use arrayvec::ArrayVec;
use genvp_puzzle::{Attribute, Change, Component, Domain, Layout, Panel, Puzzle, Row, RuleMatrix};

use crate::PANELS;

/// What each of the eight choices changes in the answer, in order of
/// application.
pub type Changes = [ArrayVec<Change, 8>; 8];

/// The symbolic half of a puzzle. The originals keep the names of the rules but
/// not their parameters; those are in a truth file, or must be inferred.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// Where objects stand.
    pub layout: Layout,
    /// What the levels mean.
    pub domain: Domain,
    /// Uniformity level of each component, 0 to 3.
    pub uniformity: [u8; 2],
    /// The eight panels of the question row by row, then the choices.
    pub panels: [Panel; PANELS],
    /// The rules, with unknown parameters.
    pub rules: RuleMatrix,
    /// What each choice changes, where the file says so (I-RAVEN).
    pub changes: Option<Changes>,
}

impl Scene {
    /// The scene of a made puzzle, without what no xml holds.
    pub fn of(puzzle: &Puzzle) -> Self {
        let mut panels = puzzle.panels();
        Self {
            layout: puzzle.layout,
            domain: puzzle.domain,
            uniformity: puzzle.uniformity,
            panels: std::array::from_fn(|_| {
                panels.next().expect("a puzzle has sixteen panels").clone()
            }),
            rules: without_steps(&RuleMatrix::of(&puzzle.rules)),
            changes: Some(puzzle.changes.clone()),
        }
    }

    /// The eight choices.
    pub fn choices(&self) -> &[Panel] {
        &self.panels[8..]
    }

    /// What each choice changes: as the file says or, where it does not, as
    /// comparing with the answer shows. Where the number of objects changes,
    /// the objects are new, so further changes of that component do not show.
    pub fn changes(&self, target: u8) -> Changes {
        self.changes.clone().unwrap_or_else(|| self.derived_changes(target))
    }

    /// What comparing each choice with the answer shows.
    pub fn derived_changes(&self, target: u8) -> Changes {
        let answer = &self.choices()[usize::from(target)];
        std::array::from_fn(|choice| {
            let mut changes = ArrayVec::new();
            let components = self.choices()[choice].components.iter().zip(&answer.components);
            for (component, (found, right)) in components.enumerate() {
                for attribute in differences(found, right) {
                    changes.push(Change { component: component as u8, attribute });
                }
            }
            changes
        })
    }
}

fn differences(found: &Component, right: &Component) -> ArrayVec<Attribute, 4> {
    let mut out = ArrayVec::new();
    if found.number() != right.number() {
        out.push(Attribute::Number);
        return out;
    }
    if found.mask() != right.mask() {
        out.push(Attribute::Position);
    }
    for attribute in [Attribute::Type, Attribute::Size, Attribute::Color] {
        let pairs = || found.entities.iter().zip(&right.entities);
        if pairs().any(|(a, b)| a.level(attribute) != b.level(attribute)) {
            out.push(attribute);
        }
    }
    out
}

fn without_steps(rules: &RuleMatrix) -> RuleMatrix {
    let mut out = RuleMatrix::from_columns(&rules.columns());
    for component in 0..2 {
        for attribute in Attribute::ALL {
            if rules.row(component, attribute) == Row::Free {
                out.set(component, attribute, Row::Free);
            }
        }
    }
    out
}
