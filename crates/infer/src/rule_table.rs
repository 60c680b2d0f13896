//! A rule matrix of any family as a model gives it: probabilities.

use genvp_puzzle::family::RuleSpace;

/// For every attribute of a family the probability of each rule, `none` first.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleTable {
    space: RuleSpace,
    cells: Vec<f32>,
}

impl RuleTable {
    /// From numbers in the order of rows, as tensors hold them.
    ///
    /// # Panics
    /// When they are not one for each attribute and rule.
    pub fn new(space: RuleSpace, cells: Vec<f32>) -> Self {
        assert_eq!(cells.len(), space.attributes.len() * space.rules.len(), "a rule matrix");
        Self { space, cells }
    }

    /// The names of attributes and rules.
    pub fn space(&self) -> RuleSpace {
        self.space
    }

    /// Every attribute with the probabilities of its rules.
    pub fn rows(&self) -> impl Iterator<Item = (&'static str, &[f32])> {
        let rules = self.space.rules.len();
        self.space.attributes.iter().copied().zip(self.cells.chunks_exact(rules))
    }

    /// The soft count of rules that hold.
    pub fn active(&self) -> f32 {
        self.rows().map(|(_, row)| 1.0 - row[0]).sum()
    }

    /// The most likely rule of every attribute that follows one, by attribute and rule, with its
    /// probability.
    pub fn rules(&self) -> impl Iterator<Item = (&'static str, &'static str, f32)> + '_ {
        self.rows().filter_map(|(attribute, row)| {
            let best = (1..row.len()).fold(0, |best, i| if row[i] > row[best] { i } else { best });
            (best > 0).then(|| (attribute, self.space.rules[best], row[best]))
        })
    }

    /// The rules in words, such as `shape.color=XOR line.type=OR`; empty where none holds.
    pub fn text(&self) -> String {
        let rules: Vec<String> =
            self.rules().map(|(attribute, rule, _)| format!("{attribute}={rule}")).collect();
        rules.join(" ")
    }

    /// The rules that are much less likely here than in another table: attribute, rule, how likely
    /// it is there, and here.
    pub fn lost_from(&self, other: &Self) -> Vec<(&'static str, &'static str, f32, f32)> {
        /// Half as likely, or less, is lost.
        const LOST: f32 = 0.5;
        let place = |names: &[&str], name: &str| names.iter().position(|own| *own == name);
        let held = other.rules().filter_map(|(attribute, rule, there)| {
            let row = place(self.space.attributes, attribute)?;
            let column = place(self.space.rules, rule)?;
            let here = self.cells[row * self.space.rules.len() + column];
            (here < LOST * there).then_some((attribute, rule, there, here))
        });
        held.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use genvp_puzzle::family::Family;
    use genvp_puzzle::pgm::Pgm;

    fn table(color: [f32; 6]) -> RuleTable {
        let space = Pgm.rule_space();
        let mut cells = vec![0.0; 60];
        cells.chunks_mut(6).for_each(|row| row[0] = 1.0);
        cells[..6].copy_from_slice(&color);
        RuleTable::new(space, cells)
    }

    #[test]
    fn rules_are_named_and_a_rule_that_a_choice_breaks_is_found() {
        let right = table([0.1, 0.0, 0.9, 0.0, 0.0, 0.0]);
        let wrong = table([0.9, 0.0, 0.1, 0.0, 0.0, 0.0]);
        assert_eq!(right.text(), "shape.color=XOR");
        assert_eq!(wrong.text(), "");
        assert!((right.active() - 0.9).abs() < 1e-6);
        let lost = wrong.lost_from(&right);
        assert_eq!(lost.len(), 1);
        assert_eq!((lost[0].0, lost[0].1), ("shape.color", "XOR"));
        assert!(right.lost_from(&right).is_empty());
    }
}
