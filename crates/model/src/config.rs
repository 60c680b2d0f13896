//! What a model is made of: every width and every choice, as plain data.
//!
//! A [`ModelConfig`] is read from a preset, stored inside the weights file, and
//! turned into a module by [`ModelConfig::init`](crate::Genvp).

use serde::{Deserialize, Serialize};

use crate::expert::ExpertConfig;
use crate::image::{DecoderConfig, ImageConfig};
use crate::mixture::MixtureKind;
use crate::values::{Objects, ValuesConfig};

/// The whole model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelConfig {
    /// The grid of panels, the candidates and the rule matrix.
    pub puzzle: PuzzleConfig,
    /// Widths and limits of the latent variables.
    pub latent: LatentConfig,
    /// q(Z|X) and p(X|Z).
    pub image: ImageConfig,
    /// q(R|·), q(Z_r|Z_o), p(Z_r|R) and p(Z_o|Z_r).
    pub experts: ExpertConfig,
    /// What the blocks of Z_o mean, where that is agreed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<ValuesConfig>,
    /// How the experts' predictions become one.
    #[serde(default)]
    pub mixture: MixtureKind,
}

/// The grid of panels, the candidates and the rule matrix R (K_R x N_R).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// How many layouts the generative path is told apart; 0: it is not told.
    #[serde(default)]
    pub layouts: usize,
}

impl PuzzleConfig {
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
}

/// Why a configuration cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the model cannot be built:\n  {}", .problems.join("\n  "))]
pub struct ConfigError {
    /// Everything that is wrong, one sentence each.
    pub problems: Vec<String>,
}

impl ModelConfig {
    /// K_Zr: the rule-relevant numbers of Z_r, K_Zo for each row.
    pub fn row_relevant(&self) -> usize {
        self.puzzle.rows * self.latent.relevant
    }

    /// All of Z_r: relevant numbers first, then irrelevant ones.
    pub fn row_latent(&self) -> usize {
        self.row_relevant() + self.puzzle.rows * self.latent.row_irrelevant
    }

    /// Components of a panel, as far as the experts tell them apart.
    pub fn components(&self) -> usize {
        match &self.experts {
            ExpertConfig::Slots(slots) => slots.components,
            _ => 1,
        }
    }

    /// The rows of R that each attribute group stands for, group by group and
    /// component by component; none for experts without groups.
    pub(crate) fn rule_rows(&self) -> Vec<Vec<Vec<usize>>> {
        let ExpertConfig::Slots(slots) = &self.experts else { return Vec::new() };
        let per_component: usize = slots.rule_rows.iter().sum();
        let group = |g: usize| {
            let from: usize = slots.rule_rows[..g].iter().sum();
            let own =
                |c: usize| (0..slots.rule_rows[g]).map(|r| c * per_component + from + r).collect();
            (0..slots.components).map(own).collect()
        };
        (0..slots.rule_rows.len()).map(group).collect()
    }

    /// The objects that Z speaks about, for a decoder that draws object by object.
    pub(crate) fn objects(&self) -> Option<Objects> {
        let DecoderConfig::Objects(decoder) = &self.image.decoder else { return None };
        let values = self.values.as_ref()?;
        let slots = decoder.slots();
        (slots.len() == self.components()).then_some(())?;
        Objects::new(values, self.puzzle.layouts, &self.latent, &slots)
    }

    /// Checks that every part can be built and fits the others.
    ///
    /// # Errors
    /// With the list of everything that does not fit.
    pub fn check(&self) -> Result<(), ConfigError> {
        let mut problems = Vec::new();
        let p = &self.puzzle;
        let mut wants = |holds: bool, sentence: String| {
            if !holds {
                problems.push(sentence);
            }
        };
        let grid = (2..=8).contains(&p.rows) && (2..=8).contains(&p.columns);
        wants(grid, format!("a grid has 2 to 8 rows and columns, not {}x{}", p.rows, p.columns));
        let choices = (1..=64).contains(&p.candidates);
        wants(choices, format!("a puzzle has 1 to 64 candidates, not {}", p.candidates));
        let matrix = (1..=256).contains(&p.attributes) && (2..=256).contains(&p.rules);
        wants(
            matrix,
            format!(
                "a rule matrix has 1-256 attributes and 2-256 rules, not {}x{}",
                p.attributes, p.rules
            ),
        );
        wants(p.layouts <= 64, format!("at most 64 layouts, not {}", p.layouts));
        let l = &self.latent;
        wants(
            (1..=4096).contains(&l.relevant),
            format!("latent.relevant is 1 to 4096, not {}", l.relevant),
        );
        wants(
            l.irrelevant <= 4096,
            format!("latent.irrelevant is at most 4096, not {}", l.irrelevant),
        );
        wants(
            l.row_irrelevant <= 4096,
            format!("latent.row_irrelevant is at most 4096, not {}", l.row_irrelevant),
        );
        let [low, high] = l.log_var;
        wants(
            low.is_finite() && high.is_finite() && low < high && low >= -30.0 && high <= 20.0,
            format!("latent.log_var is an increasing pair within -30..20, not {low}..{high}"),
        );
        problems.extend(self.image.problems(p.layouts));
        problems.extend(self.experts.problems(p, l));
        if matches!(self.image.decoder, DecoderConfig::Objects(_)) && self.objects().is_none() {
            problems.push("decoder.kind \"objects\" needs values, the first of them places, decoder.windows for as many components as the experts have, for each at least one slot and at most as many as places, and 4 numbers of latent.irrelevant for each slot".into());
        }
        if let Some(values) = &self.values {
            problems.extend(values.problems(&self.experts, p.layouts));
        }
        if problems.is_empty() { Ok(()) } else { Err(ConfigError { problems }) }
    }
}
