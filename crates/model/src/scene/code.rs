//! The codes of values.

use genvp_puzzle::family::RuleParameter;
use serde::{Deserialize, Serialize};

/// What the values of an attribute group are, and so how they are coded.
///
/// A code is a row of shares between 0 and 1 (as part of Z_o: -1 to +1). That of
/// something that is not there is all 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ValueKind {
    /// Which of so many slots are taken, at least one: a share for each slot, then
    /// "at least 2", "at least 3", …; after the code, one number for each layout.
    #[serde(rename = "places")]
    Occupancy {
        /// How many slots there are at most.
        slots: usize,
    },
    /// One of so many names in a row: a share for each name, then "at least the
    /// second", …; after the code, "not all alike".
    Named {
        /// How many names there are.
        values: usize,
    },
    /// One of so many steps: "at least the first", "at least the second", …; after
    /// the code, "not all alike".
    Ordered {
        /// How many steps there are.
        values: usize,
    },
}

impl ValueKind {
    /// What keeps this kind from being used.
    pub(crate) fn problem(&self) -> Option<String> {
        let fits = match self {
            Self::Occupancy { slots } => (2..=9).contains(slots),
            Self::Named { values } | Self::Ordered { values } => (2..=64).contains(values),
        };
        (!fits).then(|| format!("values: 2-9 slots or 2-64 values a group, not {self:?}"))
    }

    /// Shares in a value's code.
    pub fn value_width(&self) -> usize {
        match self {
            Self::Occupancy { slots } => 2 * slots - 1,
            Self::Named { values } => 2 * values - 1,
            Self::Ordered { values } => *values,
        }
    }

    /// Numbers in a block: the code and what comes after it.
    pub fn width(&self, layouts: usize) -> usize {
        self.value_width() + if matches!(self, Self::Occupancy { .. }) { layouts } else { 1 }
    }

    /// How many values there are. Occupancies are counted as binary numbers: value
    /// v has slot i taken where bit i of v + 1 is set.
    pub fn count(&self) -> usize {
        match self {
            Self::Occupancy { slots } => (1 << slots) - 1,
            Self::Named { values } | Self::Ordered { values } => *values,
        }
    }

    /// Values that are drawn as one: occupancies by how many slots are taken, others one by one.
    pub(crate) fn class(&self, value: usize) -> usize {
        match self {
            Self::Occupancy { .. } => (value + 1).count_ones() as usize - 1,
            Self::Named { .. } | Self::Ordered { .. } => value,
        }
    }

    /// How many classes there are.
    pub(crate) fn classes(&self) -> usize {
        match self {
            Self::Occupancy { slots } => *slots,
            Self::Named { values } | Self::Ordered { values } => *values,
        }
    }

    /// Writes the code of a value.
    ///
    /// # Panics
    /// When there is no such value, or `code` has another width.
    pub fn write(&self, value: usize, code: &mut [f32]) {
        assert!(value < self.count() && code.len() == self.value_width());
        let share = |holds: bool| f32::from(u8::from(holds));
        match self {
            Self::Occupancy { slots } => {
                let mask = value + 1;
                let taken = mask.count_ones() as usize;
                let (taken_slots, numbers) = code.split_at_mut(*slots);
                taken_slots
                    .iter_mut()
                    .enumerate()
                    .for_each(|(i, p)| *p = share(mask >> i & 1 == 1));
                numbers.iter_mut().enumerate().for_each(|(i, n)| *n = share(taken >= i + 2));
            }
            Self::Named { values } => {
                let (names, steps) = code.split_at_mut(*values);
                names.iter_mut().enumerate().for_each(|(i, n)| *n = share(value == i));
                steps.iter_mut().enumerate().for_each(|(i, s)| *s = share(value > i));
            }
            Self::Ordered { .. } => {
                code.iter_mut().enumerate().for_each(|(i, s)| *s = share(value >= i));
            }
        }
    }

    /// Numbers that tell the parameter of a rule on such values: one for each step or sign, one
    /// for each class that can be handed out.
    pub fn parameter_width(&self) -> usize {
        RuleParameter::STEPS + self.classes()
    }

    /// Writes the parameter of a rule: 1 for its step and for each class that it hands out, else 0.
    ///
    /// # Panics
    /// When `out` has another width.
    pub fn write_parameter(&self, rule: RuleParameter, out: &mut [f32]) {
        assert_eq!(out.len(), self.parameter_width());
        let (steps, classes) = out.split_at_mut(RuleParameter::STEPS);
        for (step, number) in steps.iter_mut().enumerate() {
            *number = f32::from(u8::from(rule.step.map(usize::from) == Some(step)));
        }
        for (class, number) in classes.iter_mut().enumerate() {
            *number = f32::from(u8::from(u32::from(rule.values) >> class.min(31) & 1 == 1));
        }
    }

    /// The value whose code (as ±1) is nearest to some numbers; `None` where
    /// "nothing there" is nearer, or the width is another.
    pub fn read(&self, code: &[f32]) -> Option<usize> {
        if code.len() != self.value_width() {
            return None;
        }
        let mut own = vec![0.0; code.len()];
        let mut best = (None, code.iter().map(|z| -z).sum::<f32>());
        for value in 0..self.count() {
            self.write(value, &mut own);
            let likeness = own.iter().zip(code).map(|(c, z)| (2.0 * c - 1.0) * z).sum::<f32>();
            if likeness > best.1 {
                best = (Some(value), likeness);
            }
        }
        best.0
    }

    /// What the prior says about a value before it is put together: for occupancy
    /// each slot and each number of objects, else each value.
    pub(crate) fn features(&self) -> usize {
        match self {
            Self::Occupancy { slots } => 2 * slots,
            Self::Named { values } | Self::Ordered { values } => *values,
        }
    }

    /// Whether a feature speaks for a value.
    pub(crate) fn has(&self, value: usize, feature: usize) -> bool {
        match self {
            Self::Occupancy { slots } if feature < *slots => (value + 1) >> feature & 1 == 1,
            Self::Occupancy { slots } => (value + 1).count_ones() as usize == feature - slots + 1,
            Self::Named { .. } | Self::Ordered { .. } => value == feature,
        }
    }
}

/// Writes the parameters of a component's rules, one for each group.
///
/// # Panics
/// When `out` is shorter than all of them.
pub fn write_parameters(groups: &[ValueKind], rules: &[RuleParameter], out: &mut [f32]) {
    let mut rest = out;
    for (kind, rule) in groups.iter().zip(rules) {
        let (own, others) = rest.split_at_mut(kind.parameter_width());
        kind.write_parameter(*rule, own);
        rest = others;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [ValueKind; 3] = [
        ValueKind::Occupancy { slots: 9 },
        ValueKind::Named { values: 5 },
        ValueKind::Ordered { values: 10 },
    ];

    #[test]
    fn no_two_values_share_a_code_and_none_looks_absent() {
        for kind in KINDS {
            let mut codes: Vec<Vec<u8>> = (0..kind.count())
                .map(|value| {
                    let mut code = vec![9.0; kind.value_width()];
                    kind.write(value, &mut code);
                    code.iter().map(|&share| share as u8).collect()
                })
                .collect();
            codes.push(vec![0; kind.value_width()]);
            codes.sort_unstable();
            codes.dedup();
            assert_eq!(codes.len(), kind.count() + 1, "{kind:?}");
        }
    }

    #[test]
    fn every_code_is_read_back_even_if_it_is_not_exact() {
        for kind in KINDS {
            let mut code = vec![0.0; kind.value_width()];
            for value in 0..kind.count() {
                kind.write(value, &mut code);
                let blurred: Vec<f32> = code.iter().map(|c| 0.6 * (2.0 * c - 1.0) + 0.1).collect();
                assert_eq!(kind.read(&blurred), Some(value), "{kind:?}");
            }
            assert_eq!(kind.read(&vec![-0.7; kind.value_width()]), None);
        }
    }

    #[test]
    fn a_parameter_says_its_step_or_what_is_handed_out_and_nothing_of_itself_nothing() {
        for kind in KINDS {
            let code = |rule| {
                let mut code = vec![9.0; kind.parameter_width()];
                kind.write_parameter(rule, &mut code);
                code
            };
            assert!(code(RuleParameter::default()).iter().all(|&number| number == 0.0));
            let step = code(RuleParameter { step: Some(4), values: 0 });
            assert_eq!((step[4], step.iter().sum::<f32>()), (1.0, 1.0));
            let three = code(RuleParameter { step: None, values: 0b10110 });
            assert_eq!(three[RuleParameter::STEPS..][..5], [0.0, 1.0, 1.0, 0.0, 1.0]);
        }
    }

    #[test]
    fn every_value_has_features_of_its_own() {
        for kind in KINDS {
            let all = |value| (0..kind.features()).map(|f| kind.has(value, f)).collect::<Vec<_>>();
            let mut seen: Vec<_> = (0..kind.count()).map(all).collect();
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len(), kind.count(), "{kind:?}");
        }
    }
}
