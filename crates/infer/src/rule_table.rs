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

    /// All numbers, row by row.
    pub fn cells(&self) -> &[f32] {
        &self.cells
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

    /// The mean of several tables of one family.
    ///
    /// # Panics
    /// When there are none.
    pub(crate) fn mean(tables: &[&Self]) -> Self {
        let mut mean = tables[0].clone();
        for other in &tables[1..] {
            mean.cells.iter_mut().zip(&other.cells).for_each(|(sum, p)| *sum += p);
        }
        mean.cells.iter_mut().for_each(|sum| *sum /= tables.len() as f32);
        mean
    }

    /// The rules that a choice breaks, by this table, of the puzzle completed by the answer, and that of
    /// the puzzle completed by that choice: attributes whose probability of following a rule falls by a
    /// half or more, the largest fall first. Where none falls so far, the one that falls most is given,
    /// if it falls by a hundredth or more.
    pub fn lost_with(&self, choice: &Self) -> Vec<LostRule> {
        let of_row = |row: usize, kept: &[f32], other: &[f32]| {
            let best = (2..kept.len()).fold(1, |b, i| if kept[i] > kept[b] { i } else { b });
            let rule = self.space.rules[best];
            LostRule { row, rule, with_answer: 1.0 - kept[0], with_choice: 1.0 - other[0] }
        };
        let fall = |lost: &LostRule| lost.with_answer - lost.with_choice;
        let pairs = self.rows().zip(choice.rows()).enumerate();
        let rows = pairs.map(|(row, ((_, kept), (_, other)))| of_row(row, kept, other));
        let mut lost: Vec<LostRule> = rows.filter(|lost| fall(lost) >= LEAST).collect();
        lost.sort_by(|a, b| fall(b).total_cmp(&fall(a)));
        let broken = lost.iter().take_while(|lost| fall(lost) >= BROKEN).count();
        lost.truncate(broken.max(1));
        lost
    }
}

/// How much less likely a rule must be to count as broken.
const BROKEN: f32 = 0.5;
/// What falls less does not show in two decimals.
const LEAST: f32 = 0.01;

/// A rule that the answer keeps and another choice does not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LostRule {
    /// The row of its attribute in the rule matrix.
    pub row: usize,
    /// The attribute's most likely rule with the answer, other than "none".
    pub rule: &'static str,
    /// The probability that the attribute follows a rule with the answer.
    pub with_answer: f32,
    /// The same with the other choice.
    pub with_choice: f32,
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
        let lost = right.lost_with(&wrong);
        assert_eq!(lost.len(), 1);
        assert_eq!((lost[0].row, lost[0].rule), (0, "XOR"));
        assert!((lost[0].with_answer - 0.9).abs() < 1e-6);
        assert!((lost[0].with_choice - 0.1).abs() < 1e-6);
        assert!(right.lost_with(&right).is_empty());
        // Where none falls by a half, the largest fall is given.
        let less = table([0.4, 0.0, 0.6, 0.0, 0.0, 0.0]);
        assert_eq!(right.lost_with(&less).len(), 1);
    }
}
