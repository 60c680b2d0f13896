//! What can be said about a puzzle whose truth is known.

/// Whether a puzzle is what it claims to be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    /// Stated rules that do not hold, in words.
    pub untrue: Vec<String>,
    /// The choices that satisfy all stated rules.
    pub right: Vec<usize>,
    /// Pairs of choices that look alike.
    pub twins: Vec<(usize, usize)>,
    /// The choices that agree most with the other choices.
    pub vote: Vec<usize>,
    /// The choices that agree least with the other choices.
    pub outvoted: Vec<usize>,
    /// How many stated rules hold, while no line shows which they are.
    pub unshown: usize,
    /// How many stated rules could be left out without changing the answer.
    pub unneeded: usize,
    /// How many other choices are singled out by other rules that fit the context.
    pub rivals: usize,
}

impl Audit {
    /// Whether the stated rules hold, exactly one choice satisfies them, it is
    /// `target`, and no two choices look alike.
    pub fn is_sound(&self, target: usize) -> bool {
        self.untrue.is_empty() && self.twins.is_empty() && self.right == [target]
    }
}

/// What a dataset's statistics count in one puzzle, as names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Every rule.
    pub rules: Vec<String>,
    /// The number of objects in each panel of the completed grid.
    pub objects: Vec<String>,
    /// The components whose objects are all alike.
    pub uniform: Vec<String>,
    /// For each wrong choice, what it changes in the answer.
    pub changes: Vec<Vec<String>>,
}
