//! A rule matrix of RAVEN as a model gives it: probabilities.

use crate::rule_table::RuleTable;
use genvp_puzzle::{Attribute, Group, RuleKind, RuleMatrix};

const ROWS: usize = RuleMatrix::ATTRIBUTES;
const COLUMNS: usize = RuleMatrix::RULES;

/// For every attribute of RAVEN's components the probability of each rule, `none` first: a
/// [`RuleTable`] with RAVEN's names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RuleProbabilities {
    rows: [[f32; COLUMNS]; ROWS],
}

impl RuleProbabilities {
    /// How many numbers there are.
    pub const CELLS: usize = ROWS * COLUMNS;

    /// What a table says of RAVEN's attributes.
    pub fn of(table: &RuleTable) -> Self {
        Self::of_cells(table.cells())
    }

    /// From numbers in the order of rows, as tensors hold them; missing ones are 0.
    pub fn of_cells(cells: &[f32]) -> Self {
        let cell = |row: usize, column: usize| cells.get(row * COLUMNS + column).copied();
        let row = |row| std::array::from_fn(|column| cell(row, column).unwrap_or_default());
        Self { rows: std::array::from_fn(row) }
    }

    /// All rows, component by component, in the order of [`Attribute::ALL`].
    pub fn rows(&self) -> &[[f32; COLUMNS]; ROWS] {
        &self.rows
    }

    /// The probabilities of an attribute of a component.
    pub fn row(&self, component: usize, attribute: Attribute) -> &[f32; COLUMNS] {
        &self.rows[component * Attribute::ALL.len() + attribute.index()]
    }

    /// The probability that an attribute of a component follows a rule at all.
    pub fn active(&self, component: usize, attribute: Attribute) -> f32 {
        1.0 - self.row(component, attribute)[0]
    }

    /// The soft count of active rules of a component; a component that is not
    /// there has next to none, one that is there has four.
    pub fn active_of_component(&self, component: usize) -> f32 {
        Attribute::ALL.iter().map(|&attribute| self.active(component, attribute)).sum()
    }

    /// The soft count of active rules.
    pub fn active_of_all(&self) -> f32 {
        (0..RuleMatrix::COMPONENTS).map(|component| self.active_of_component(component)).sum()
    }

    /// The most likely rule of an attribute and its probability; `None` is "no rule".
    pub fn most_likely(&self, component: usize, attribute: Attribute) -> (Option<RuleKind>, f32) {
        let row = self.row(component, attribute);
        let best = (1..COLUMNS).fold(0, |best, i| if row[i] > row[best] { i } else { best });
        (best.checked_sub(1).map(|kind| RuleKind::ALL[kind]), row[best])
    }

    /// The most likely rule matrix. Number and position share one rule: that of
    /// the more active row counts.
    pub fn matrix(&self) -> RuleMatrix {
        let mut columns = [0; ROWS];
        for component in 0..ROWS / Attribute::ALL.len() {
            for group in Group::ALL {
                let rows = group.attributes().iter().copied();
                let strongest = rows.max_by(|&a, &b| {
                    self.active(component, a).total_cmp(&self.active(component, b))
                });
                let Some(attribute) = strongest else { continue };
                let (kind, _) = self.most_likely(component, attribute);
                columns[component * Attribute::ALL.len() + attribute.index()] =
                    kind.map_or(0, RuleKind::column);
            }
        }
        RuleMatrix::from_columns(&columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use genvp_puzzle::Layout;

    #[test]
    fn number_and_position_get_one_rule_between_them() {
        let mut cells = [0.0; RuleProbabilities::CELLS];
        for row in cells.chunks_exact_mut(5) {
            row[0] = 1.0;
        }
        cells[5..10].copy_from_slice(&[0.4, 0.0, 0.6, 0.0, 0.0]);
        cells[10..15].copy_from_slice(&[0.2, 0.0, 0.0, 0.8, 0.0]);
        cells[15..20].copy_from_slice(&[0.0, 0.1, 0.2, 0.3, 0.4]);
        let rules = RuleProbabilities::of_cells(&cells);
        assert_eq!(
            rules.matrix().text(Layout::DistributeNine),
            "position=arithmetic type=distribute-three size=none color=none"
        );
        assert!((rules.active_of_component(0) - 2.4).abs() < 1e-6);
        assert_eq!(rules.active_of_component(1), 0.0);
    }
}
