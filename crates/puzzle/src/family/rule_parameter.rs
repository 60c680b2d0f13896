//! What a rule says beside its name.

/// The parameter of a rule, as a model can be told it; nothing of it need be known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RuleParameter {
    /// The step of a progression or the sign of an arithmetic: its place among those that the
    /// family's rules can have, below [`STEPS`](Self::STEPS).
    pub step: Option<u8>,
    /// The values that a rule hands out to the panels of a row: bit v for value v; 0 where they
    /// are not known.
    pub values: u16,
}

impl RuleParameter {
    /// How many steps and signs there can be.
    pub const STEPS: usize = 6;
}
