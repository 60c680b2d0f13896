//! The parts of configurations that several architectures share.

use std::fmt;

use genvp_puzzle::family::{Family, families};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::expert::ExpertConfig;
use crate::image::EncoderConfig;

/// The grid of panels, the candidates and the rule matrix R (K_R x N_R).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleConfig {
    /// M, the rows of the grid.
    pub rows: usize,
    /// N, the columns of the grid.
    pub columns: usize,
    /// A + 1, the choices for the last panel.
    pub candidates: usize,
    /// K_R, the attributes that may carry a rule.
    pub attributes: usize,
    /// N_R, the rules an attribute may follow; rule 0 is "none".
    pub rules: usize,
    /// How many layouts the generative path is conditioned on; 0: on none.
    #[serde(default)]
    pub layouts: usize,
    /// The family of puzzles; where none is named, the one that has these counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<FamilyId>,
}

/// A family of puzzles, by its name in configurations.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FamilyId {
    /// Its place in the list of families.
    place: u8,
}

impl FamilyId {
    /// The name of a family that is in the list of families.
    pub fn named(id: &str) -> Option<Self> {
        let place = families().iter().position(|family| family.id() == id)?;
        Some(Self { place: place as u8 })
    }

    /// The family.
    pub fn family(self) -> &'static dyn Family {
        families()[usize::from(self.place)]
    }
}

impl fmt::Debug for FamilyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.family().id())
    }
}

impl Serialize for FamilyId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.family().id())
    }
}

impl<'de> Deserialize<'de> for FamilyId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = String::deserialize(deserializer)?;
        Self::named(&id).ok_or_else(|| {
            let known: Vec<&str> = families().iter().map(|family| family.id()).collect();
            D::Error::custom(format!(
                "there is no family of puzzles `{id}`; there are {}",
                known.join(", ")
            ))
        })
    }
}

/// A model that is for other puzzles than those it is asked about.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this model is for other puzzles: {found}; wanted are {wanted}")]
pub struct OtherPuzzles {
    /// What it is for.
    pub found: Box<PuzzleConfig>,
    /// What it is asked about.
    pub wanted: Box<PuzzleConfig>,
}

impl PuzzleConfig {
    /// The puzzles of a family, whose layouts are not told apart.
    pub fn of(family: &dyn Family) -> Self {
        let (form, space) = (family.form(), family.rule_space());
        let matrix = [space.attributes.len(), space.rules.len()];
        Self::unnamed([form.rows, form.columns], form.choices, matrix)
    }

    /// Puzzles of a grid (rows, columns), a number of candidates and a rule matrix (attributes,
    /// rules), without layouts and the name of a family.
    pub fn unnamed(grid: [usize; 2], candidates: usize, matrix: [usize; 2]) -> Self {
        let ([rows, columns], [attributes, rules]) = (grid, matrix);
        Self { rows, columns, candidates, attributes, rules, layouts: 0, family: None }
    }

    /// The family that is named, or else the one whose grid, choices and rule matrix these are.
    pub fn family(&self) -> Option<&'static dyn Family> {
        if let Some(named) = self.family {
            return Some(named.family());
        }
        families().iter().copied().find(|&family| self.check_for(family).is_ok())
    }

    /// Checks that grid, choices and rule matrix are exactly those of a family.
    ///
    /// # Errors
    /// When they are not.
    pub fn check_for(&self, family: &dyn Family) -> Result<(), OtherPuzzles> {
        let wanted = Self::of(family);
        if self.may_be(family) && self.is_for(&wanted) {
            Ok(())
        } else {
            Err(self.other_than(wanted))
        }
    }

    /// Checks that grid and choices are those of a family, and that the rule matrix holds its
    /// rules: rows and columns that never occur may follow.
    ///
    /// # Errors
    /// When they are not.
    pub fn check_holds(&self, family: &dyn Family) -> Result<(), OtherPuzzles> {
        let wanted = Self::of(family);
        if self.may_be(family) && self.holds(&wanted) {
            Ok(())
        } else {
            Err(self.other_than(wanted))
        }
    }

    fn other_than(&self, wanted: Self) -> OtherPuzzles {
        OtherPuzzles { found: Box::new(*self), wanted: Box::new(wanted) }
    }

    /// Whether no other family is named.
    fn may_be(&self, family: &dyn Family) -> bool {
        self.family.is_none_or(|named| named.family().id() == family.id())
    }

    /// Whether grid, choices and rule matrix are those of other puzzles.
    fn is_for(&self, puzzles: &Self) -> bool {
        Self { layouts: puzzles.layouts, family: puzzles.family, ..*self } == *puzzles
    }

    /// The same for a rule matrix in which further rows and columns may follow.
    fn holds(&self, puzzles: &Self) -> bool {
        let Self { attributes, rules, .. } = *puzzles;
        Self { attributes, rules, ..*self }.is_for(puzzles)
            && self.attributes >= attributes
            && self.rules >= rules
    }

    /// MN, the panels of a complete puzzle.
    pub fn panels(&self) -> usize {
        self.rows * self.columns
    }

    /// MN - 1, the panels that are given.
    pub fn context(&self) -> usize {
        self.panels() - 1
    }

    /// The panels a puzzle comes with: context, then candidates.
    pub fn inputs(&self) -> usize {
        self.context() + self.candidates
    }

    /// How many rule matrices the experts predict for one completed puzzle:
    /// one from all panels, MN with a panel missing, M with a row missing, one from Z_r.
    pub fn predictions(&self) -> usize {
        1 + self.panels() + self.rows + 1
    }

    /// K_R · N_R, the cells of a rule matrix.
    pub fn cells(&self) -> usize {
        self.attributes * self.rules
    }
}

/// Widths and limits of the latent variables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LatentConfig {
    /// K_Zo, the part of a panel's latent that rules act on.
    pub relevant: usize,
    /// K_Zo-bar, the part they do not.
    pub irrelevant: usize,
    /// The rule-irrelevant numbers of Z_r per row (PGM, VAD: 200; else 0). The
    /// rule-relevant ones are always K_Zo per row.
    #[serde(default)]
    pub row_irrelevant: usize,
    /// Log-variances are clamped to this range, so that no variance vanishes or explodes.
    #[serde(default = "default_log_var")]
    pub log_var: [f32; 2],
}

fn default_log_var() -> [f32; 2] {
    [-8.0, 4.0]
}

impl LatentConfig {
    /// K = K_Zo + K_Zo-bar, a panel's latent.
    pub fn panel(&self) -> usize {
        self.relevant + self.irrelevant
    }

    /// K_Zr: the rule-relevant numbers of Z_r, K_Zo for each row.
    pub fn row_relevant(&self, puzzle: &PuzzleConfig) -> usize {
        puzzle.rows * self.relevant
    }

    /// All of Z_r: relevant numbers first, then irrelevant ones.
    pub fn row_latent(&self, puzzle: &PuzzleConfig) -> usize {
        self.row_relevant(puzzle) + puzzle.rows * self.row_irrelevant
    }
}

/// Why a configuration cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the model cannot be built:\n  {}", .problems.join("\n  "))]
pub struct ConfigError {
    /// Everything that is wrong, one sentence each.
    pub problems: Vec<String>,
}

/// What the networks that models share are built for: an encoder or a family of experts takes what
/// it needs from here.
#[derive(Clone, Copy, Debug)]
pub struct NetworkConfig<'a> {
    /// The grid of panels, the candidates and the rule matrix.
    pub puzzle: &'a PuzzleConfig,
    /// Widths and limits of the latent variables.
    pub latent: &'a LatentConfig,
    /// Side of a panel in pixels.
    pub size: usize,
    /// q(Z|X).
    pub encoder: &'a EncoderConfig,
    /// The rule experts.
    pub experts: &'a ExpertConfig,
}

impl NetworkConfig<'_> {
    /// 2K, the numbers that an encoder gives for a panel: means, then log-variances.
    pub fn encoder_outputs(&self) -> usize {
        2 * self.latent.panel()
    }

    /// Everything that keeps the networks from being built, or does not fit together.
    pub(crate) fn problems(&self) -> Vec<String> {
        let mut problems = self.puzzle.problems();
        problems.extend(self.latent.problems());
        if (16..=512).contains(&self.size) {
            problems.extend(self.encoder.problems(self));
        } else {
            problems.push(format!("image.size is 16 to 512 pixels, not {}", self.size));
        }
        problems.extend(self.experts.problems(self.puzzle, self.latent));
        problems
    }
}

impl fmt::Display for PuzzleConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(named) = self.family {
            write!(f, "{named:?}: ")?;
        }
        write!(
            f,
            "{}x{} panels, {} choices, {} attributes, {} rules",
            self.rows, self.columns, self.candidates, self.attributes, self.rules
        )
    }
}

impl PuzzleConfig {
    pub(crate) fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if !((2..=8).contains(&self.rows) && (2..=8).contains(&self.columns)) {
            problems.push(format!(
                "a grid has 2 to 8 rows and columns, not {}x{}",
                self.rows, self.columns
            ));
        }
        if !(1..=64).contains(&self.candidates) {
            problems.push(format!("a puzzle has 1 to 64 candidates, not {}", self.candidates));
        }
        if !((1..=256).contains(&self.attributes) && (2..=256).contains(&self.rules)) {
            problems.push(format!(
                "a rule matrix has 1-256 attributes and 2-256 rules, not {}x{}",
                self.attributes, self.rules
            ));
        }
        if let Some(family) = self.family.map(FamilyId::family)
            && self.check_holds(family).is_err()
        {
            let (id, wanted) = (family.id(), Self::of(family));
            problems.push(format!("puzzle.family is {id}, whose puzzles have {wanted}"));
        }
        if self.layouts > 64 {
            problems.push(format!("at most 64 layouts, not {}", self.layouts));
        }
        problems
    }
}

impl LatentConfig {
    fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if !(1..=4096).contains(&self.relevant) {
            problems.push(format!("latent.relevant is 1 to 4096, not {}", self.relevant));
        }
        if self.irrelevant > 4096 {
            problems.push(format!("latent.irrelevant is at most 4096, not {}", self.irrelevant));
        }
        if self.row_irrelevant > 4096 {
            let found = self.row_irrelevant;
            problems.push(format!("latent.row_irrelevant is at most 4096, not {found}"));
        }
        let [low, high] = self.log_var;
        if !(low.is_finite() && high.is_finite() && low < high && low >= -30.0 && high <= 20.0) {
            problems.push(format!(
                "latent.log_var is an increasing pair within -30..20, not {low}..{high}"
            ));
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use genvp_puzzle::raven::Raven;

    #[test]
    fn a_model_is_for_puzzles_of_its_form_and_may_have_rules_that_never_occur() {
        let raven = PuzzleConfig::of(&Raven);
        let with_layouts = PuzzleConfig { layouts: 7, ..raven };
        let wide = PuzzleConfig { attributes: 22, rules: 15, ..raven };
        let narrow = PuzzleConfig { rules: 4, ..raven };
        let other = PuzzleConfig { rows: 2, candidates: 4, ..raven };
        assert!(with_layouts.is_for(&raven) && with_layouts.holds(&raven));
        assert!(!wide.is_for(&raven) && wide.holds(&raven));
        assert!(!narrow.holds(&raven) && !other.holds(&raven));
    }

    #[test]
    fn a_family_that_is_named_is_preferred_and_must_fit() {
        let read = |family: &str| {
            let mut value = serde_json::to_value(PuzzleConfig::of(&Raven)).unwrap();
            assert!(value.get("family").is_none(), "older files have none");
            value["family"] = family.into();
            serde_json::from_value::<PuzzleConfig>(value)
        };
        let named = read("raven").unwrap();
        assert_eq!(named.family().unwrap().id(), "raven");
        assert_eq!(serde_json::to_value(named).unwrap()["family"], "raven");
        assert!(named.problems().is_empty() && named.check_for(&Raven).is_ok());
        let other = read("pgm").unwrap();
        assert_eq!(other.family().unwrap().id(), "pgm");
        assert!(other.check_for(&Raven).is_err() && other.check_holds(&Raven).is_err());
        assert!(other.problems()[0].contains("puzzle.family is pgm"), "{:?}", other.problems());
        assert!(read("sudoku").unwrap_err().to_string().contains("there are raven"));
    }
}
