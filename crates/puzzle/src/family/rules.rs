//! The rules of any family as names and numbers.

/// The attributes that may carry a rule, and the rules; rule 0 is `none`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleSpace {
    /// K_R names.
    pub attributes: &'static [&'static str],
    /// N_R names, the first of which is `none`.
    pub rules: &'static [&'static str],
}

/// One rule number for each attribute of a [`RuleSpace`]; 0 is none.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RuleLabels(Box<[u8]>);

impl RuleLabels {
    /// Labels with these rule numbers.
    ///
    /// # Panics
    /// When they are not one number below `space.rules.len()` for each attribute.
    pub fn new(space: RuleSpace, labels: &[u8]) -> Self {
        assert_eq!(labels.len(), space.attributes.len(), "one rule for each attribute");
        let known = |&label: &u8| usize::from(label) < space.rules.len();
        assert!(labels.iter().all(known), "rules below {}, not {labels:?}", space.rules.len());
        Self(labels.into())
    }

    /// The rule numbers, in the order of the space's attributes.
    pub fn as_slice(&self) -> &[u8] {
        &self.0
    }
}
