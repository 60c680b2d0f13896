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

    /// The rules that another table of the same family has and this one loses, the largest fall
    /// first (see `lost_rows`): attribute, rule, how likely the attribute follows a rule there, and
    /// here.
    pub fn lost_from(&self, other: &Self) -> Vec<(&'static str, &'static str, f32, f32)> {
        let (kept, own): (Vec<&[f32]>, Vec<&[f32]>) =
            (other.rows().map(|(_, row)| row).collect(), self.rows().map(|(_, row)| row).collect());
        let named = |lost: LostRow| {
            let (attribute, rule) = (self.space.attributes[lost.row], self.space.rules[lost.rule]);
            (attribute, rule, lost.with_answer, lost.with_choice)
        };
        lost_rows(&kept, &own).into_iter().map(named).collect()
    }
}

/// A rule that a choice loses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LostRow {
    /// The row of its attribute.
    pub row: usize,
    /// The attribute's most likely rule with the answer, other than "none".
    pub rule: usize,
    /// The probability that the attribute follows a rule with the answer.
    pub with_answer: f32,
    /// The same with the other choice.
    pub with_choice: f32,
}

/// How much less likely a rule must be to count as broken.
const BROKEN: f32 = 0.5;
/// What falls less does not show in two decimals.
const LEAST: f32 = 0.01;

/// The rules that a choice breaks, by the rule matrices of the puzzle completed by the answer and by
/// that choice: attributes whose probability of following a rule falls by a half or more, the largest
/// fall first. Where none falls so far, the one that falls most is given, if it falls by a hundredth or
/// more.
pub(crate) fn lost_rows<R: AsRef<[f32]>>(answer: &[R], choice: &[R]) -> Vec<LostRow> {
    let of_row = |(row, (kept, other)): (usize, (&R, &R))| {
        let (kept, other) = (kept.as_ref(), other.as_ref());
        let best = (2..kept.len()).fold(1, |b, i| if kept[i] > kept[b] { i } else { b });
        LostRow { row, rule: best, with_answer: 1.0 - kept[0], with_choice: 1.0 - other[0] }
    };
    let fall = |lost: &LostRow| lost.with_answer - lost.with_choice;
    let rows = answer.iter().zip(choice).enumerate().map(of_row);
    let mut lost: Vec<LostRow> = rows.filter(|lost| fall(lost) >= LEAST).collect();
    lost.sort_by(|a, b| fall(b).total_cmp(&fall(a)));
    let broken = lost.iter().take_while(|lost| fall(lost) >= BROKEN).count();
    lost.truncate(broken.max(1));
    lost
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
        assert!((lost[0].2 - 0.9).abs() < 1e-6 && (lost[0].3 - 0.1).abs() < 1e-6);
        assert!(right.lost_from(&right).is_empty());
        // Where none falls by a half, the largest fall is given.
        let less = table([0.4, 0.0, 0.6, 0.0, 0.0, 0.0]);
        assert_eq!(less.lost_from(&right).len(), 1);
    }
}
