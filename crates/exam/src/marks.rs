//! How well a model did, as counts.

use std::collections::BTreeMap;

use genvp_puzzle::family::Truth;

/// How well a model did on some puzzles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// Puzzles asked.
    pub asked: u64,
    /// Right answers, by the model's own mixture.
    pub right: u64,
    /// Puzzles whose choices are known as scenes.
    pub voted: u64,
    /// The chance of a majority vote among the choices, summed over those.
    pub vote: f64,
    /// What was said about the rules that count, by the true one: the row of its attribute
    /// and its number in the family's rule space.
    pub rules: BTreeMap<(usize, usize), RuleMarks>,
    /// Right answers of each mixture, in the order of [`genvp_model::MixtureKind::ALL`].
    pub mixtures: [u64; 6],
    /// Right answers of each expert alone.
    pub experts: Vec<u64>,
    /// Squared error of a redrawn panel of the question, summed over its pixels and over
    /// puzzles.
    pub squared_error: f64,
    /// KL of Z_o-bar in nats a panel, summed over puzzles.
    pub kl_irrelevant: f64,
}

/// What was said where one rule was true.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleMarks {
    /// How often it was true.
    pub asked: u64,
    /// How often the attribute's group was right.
    pub right: u64,
    /// Which rule was said, by its number (0: none).
    pub said: Vec<u64>,
}

impl Marks {
    /// Rules right and asked, all together.
    pub fn rules_right(&self) -> (u64, u64) {
        self.rules.values().fold((0, 0), |(r, a), own| (r + own.right, a + own.asked))
    }

    /// Counts what was said about one puzzle: a rule number for each row, of which there are
    /// `rules`. A model may know rules that never occur: what it says of those is wrong, and
    /// not counted by number.
    pub fn mark_rules(&mut self, truth: &Truth, said: &[usize], rules: usize) {
        let labels = truth.rules.as_slice();
        let of = |row: usize| usize::from(labels[row]);
        for group in &truth.counted {
            let ruled = group.iter().copied().find(|&row| of(row) != 0);
            let Some(row) = ruled.or(group.first().copied()) else { continue };
            let own = self.rules.entry((row, of(row))).or_default();
            own.asked += 1;
            own.right += u64::from(group.iter().all(|&row| said[row] == of(row)));
            own.said.resize(rules, 0);
            if let Some(count) = own.said.get_mut(said[row]) {
                *count += 1;
            }
        }
    }

    /// Adds those of other puzzles.
    pub fn add(&mut self, other: &Self) {
        self.asked += other.asked;
        self.right += other.right;
        self.voted += other.voted;
        self.vote += other.vote;
        for (rule, marks) in &other.rules {
            self.rules.entry(*rule).or_default().add(marks);
        }
        add_counts(self.mixtures.iter_mut(), &other.mixtures);
        self.experts.resize(self.experts.len().max(other.experts.len()), 0);
        add_counts(self.experts.iter_mut(), &other.experts);
        self.squared_error += other.squared_error;
        self.kl_irrelevant += other.kl_irrelevant;
    }
}

impl RuleMarks {
    /// Adds those of other puzzles or of another row.
    pub fn add(&mut self, other: &Self) {
        self.asked += other.asked;
        self.right += other.right;
        self.said.resize(self.said.len().max(other.said.len()), 0);
        add_counts(self.said.iter_mut(), &other.said);
    }
}

fn add_counts<'a>(own: impl Iterator<Item = &'a mut u64>, more: &[u64]) {
    own.zip(more).for_each(|(own, more)| *own += more);
}

#[cfg(test)]
mod tests {
    use super::*;
    use genvp_puzzle::family::{PuzzleSpec, families};

    /// Some puzzles of each stratum of all families, with the number of their rules.
    fn truths() -> impl Iterator<Item = (Truth, usize)> {
        families().iter().flat_map(|family| {
            let rules = family.rule_space().rules.len();
            family.strata().into_iter().flat_map(move |stratum| {
                let generator = family.generator(&PuzzleSpec::new(stratum)).unwrap();
                (0..12).map(move |index| (generator.puzzle(4, index).unwrap().truth(), rules))
            })
        })
    }

    #[test]
    fn the_truth_is_all_right_and_said_where_it_is_true() {
        let mut marks = Marks::default();
        for (truth, rules) in truths() {
            let said: Vec<usize> = truth.rules.as_slice().iter().map(|&r| usize::from(r)).collect();
            let before = marks.rules_right().1;
            marks.mark_rules(&truth, &said, rules);
            assert_eq!(marks.rules_right().1 - before, truth.counted.len() as u64);
        }
        for ((_, rule), own) in &marks.rules {
            assert_eq!((own.right, own.said[*rule]), (own.asked, own.asked));
        }
    }

    #[test]
    fn none_is_right_only_where_there_is_no_rule() {
        for (truth, rules) in truths() {
            let mut marks = Marks::default();
            marks.mark_rules(&truth, &vec![0; truth.rules.as_slice().len()], rules);
            for ((_, rule), own) in &marks.rules {
                assert_eq!(own.right, if *rule == 0 { own.asked } else { 0 });
            }
            assert!(marks.rules.keys().any(|(_, rule)| *rule != 0));
        }
    }

    #[test]
    fn a_rule_that_the_family_does_not_have_is_wrong_and_counted_nowhere() {
        let (truth, rules) = truths().next().unwrap();
        let mut marks = Marks::default();
        marks.mark_rules(&truth, &vec![rules; truth.rules.as_slice().len()], rules);
        assert_eq!(marks.rules_right().0, 0);
        assert!(marks.rules.values().all(|own| own.said == vec![0; rules]));
    }
}
