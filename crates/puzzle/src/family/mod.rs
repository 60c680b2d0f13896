//! The seam behind which families of puzzles live.
//!
//! A [`Family`] says what its puzzles look like and makes, solves and describes
//! them; inside its own folder it is as exact and as fixed in size as it likes.
//! Checking, counting, showing and exact solving of files, and the marks of models on
//! fresh puzzles, know the types of this module only. To add a family, write its
//! folder and add one line to [`families`]. A model of its form is trained on its fresh puzzles and
//! solves them; completing and imagining also want a judge. CONTRIBUTING.md lists what else a family
//! may want.

mod audit;
mod axis;
mod error;
mod form;
mod rule_parameter;
mod rules;
mod sheet;
mod solution;
mod spec;
mod split;
mod stratum;
pub(crate) mod vote;

use std::any::Any;
use std::fmt::{self, Debug};

pub use audit::{Audit, Facts};
pub use axis::Axis;
pub use error::FamilyError;
pub use form::Form;
pub use rule_parameter::RuleParameter;
pub use rules::{RuleLabels, RuleSpace};
pub use sheet::{Sheet, Truth};
pub(crate) use solution::CLOSE;
pub use solution::{ExactSolution, Explanation};
pub use spec::PuzzleSpec;
pub use split::Split;
pub use stratum::Stratum;
pub use vote::vote_chance;

/// All families, one line each. What names no family is the first one's.
pub fn families() -> &'static [&'static dyn Family] {
    &[&crate::raven::Raven, &crate::pgm::Pgm, &crate::vad::Vad]
}

/// The family of this name.
pub fn family_named(id: &str) -> Option<&'static dyn Family> {
    families().iter().copied().find(|family| family.id() == id)
}

/// The family that has a set of this name.
pub fn family_of_set(set: &str) -> Option<&'static dyn Family> {
    families().iter().copied().find(|family| family.sets().iter().any(|s| s.name == set))
}

/// The place of a stratum among those of all families, by which tables are sorted.
pub fn stratum_order(stratum: Stratum) -> usize {
    let place = families().iter().flat_map(|f| f.strata()).position(|s| s == stratum);
    place.unwrap_or(usize::MAX)
}

/// The family whose files are named like this.
pub fn family_of_file(stem: &str) -> Option<&'static dyn Family> {
    families().iter().copied().find(|family| stem.starts_with(family.file_prefix()))
}

/// A set of puzzles that the command line can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetInfo {
    /// Its name.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
}

/// A family of puzzles.
pub trait Family: Send + Sync {
    /// Its name.
    fn id(&self) -> &'static str;

    /// How many panels its puzzles have.
    fn form(&self) -> Form;

    /// The attributes and rules of its puzzles.
    fn rule_space(&self) -> RuleSpace;

    /// The sets that it has.
    fn sets(&self) -> &'static [SetInfo];

    /// Everything that is counted by itself, set by set.
    fn strata(&self) -> Vec<Stratum>;

    /// Whether its strata are layouts, which outputs name as such.
    fn has_layouts(&self) -> bool {
        false
    }

    /// The short name of a stratum, for people.
    fn short_name(&self, stratum: Stratum) -> &'static str {
        stratum.name
    }

    /// The attributes of a stratum as rule texts name them, in groups of which a
    /// puzzle has at most one rule each.
    fn rule_groups(&self, stratum: Stratum) -> Vec<Vec<String>>;

    /// How the names of its files begin.
    fn file_prefix(&self) -> &'static str;

    /// How many numbers [`codes_into`](AnyPuzzle::codes_into) writes about a panel; 0 in families
    /// that have no codes of their own.
    fn code_width(&self) -> usize {
        0
    }

    /// A generator of the puzzles that are wanted.
    ///
    /// # Errors
    /// When the family has no such puzzles; the error says why.
    fn generator(&self, spec: &PuzzleSpec) -> Result<Box<dyn Generator>, FamilyError>;

    /// Solves a puzzle by reading its pixels and reasoning about rules; neither
    /// target nor truth are looked at.
    ///
    /// # Errors
    /// When the puzzle does not have the family's form, or its side cannot be read.
    fn solve(&self, sheet: &Sheet, explain: bool) -> Result<ExactSolution, FamilyError>;
}

impl Debug for dyn Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// Makes puzzles: a pure function of seed and index.
pub trait Generator: Send + Sync {
    /// Puzzle number `index` of `seed`.
    ///
    /// # Errors
    /// When none turns up in a bounded number of tries.
    fn puzzle(&self, seed: u64, index: u64) -> Result<Box<dyn AnyPuzzle>, FamilyError>;
}

/// A puzzle of any family with its truth, made or restored from a file.
pub trait AnyPuzzle: Any + Debug + Send + Sync {
    /// Its family.
    fn family(&self) -> &'static dyn Family;

    /// What it is counted under.
    fn stratum(&self) -> Stratum;

    /// Which choice is right, counted from 0.
    fn target(&self) -> usize;

    /// Draws a panel as the original files have it, [`SIDE`](crate::SIDE) pixels a
    /// side, 255 = paper; the choices follow the context.
    ///
    /// # Panics
    /// When there is no such panel, or `out` does not hold its pixels.
    fn draw_into(&self, panel: usize, out: &mut [u8]);

    /// Draws a panel as a model sees it: ink = 1, paper = 0.
    ///
    /// # Panics
    /// When there is no such panel, or `out` does not hold `side * side` values.
    fn ink_into(&self, panel: usize, side: usize, out: &mut [f32]);

    /// Writes what a panel shows as [`code_width`](Family::code_width) numbers between 0 and 1.
    ///
    /// # Panics
    /// When there is no such panel, or `out` has another length.
    fn codes_into(&self, _panel: usize, _out: &mut [f32]) {}

    /// The rules as numbers.
    fn truth(&self) -> Truth;

    /// The rules in the family's text form.
    fn rules_text(&self) -> String;

    /// For each choice the rules that it breaks, in words; nothing for the answer.
    fn broken(&self) -> Vec<Vec<String>>;

    /// Whether it is what it claims to be.
    fn audit(&self) -> Audit;

    /// What statistics count in it.
    fn facts(&self) -> Facts;

    /// Whether the training split of a regime may have it; never in families whose strata hold
    /// nothing out.
    fn is_allowed_in_training(&self, _regime: Stratum) -> bool {
        false
    }

    /// The puzzle as pixels, with its target, stratum and truth.
    fn sheet(&self) -> Sheet {
        let form = self.family().form();
        let size = crate::SIDE * crate::SIDE;
        let mut pixels = vec![0; form.inputs() * size];
        for (panel, out) in pixels.chunks_exact_mut(size).enumerate() {
            self.draw_into(panel, out);
        }
        Sheet {
            target: Some(self.target()),
            stratum: Some(self.stratum()),
            truth: Some(self.truth()),
            ..Sheet::new(form, crate::SIDE, pixels)
        }
    }
}
