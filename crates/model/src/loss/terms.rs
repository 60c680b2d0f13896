//! The terms of the objective and their weights.

use burn::tensor::Tensor;
use serde::{Deserialize, Serialize};

use crate::error::ModelError;

/// Which negatives teach what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Contrast {
    /// Negatives are not used.
    #[default]
    None,
    /// The global and local masked terms as printed in the paper.
    Paper,
    /// Cross-entropy of the negatives' predictions against R⁻.
    Ce,
}

/// The objective.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LossConfig {
    /// Which negatives teach what.
    pub contrast: Contrast,
    /// Whether to learn from images and the right answer alone: a uniform prior over rules,
    /// and candidates ranked by their active mass. Everything else in a batch is ignored.
    pub rule_free: bool,
    /// Whether the experts learn from the true values of a batch instead of those that
    /// the encoder reads: no panel is looked at, and a step costs a fraction.
    #[serde(alias = "blind")]
    pub symbolic_only: bool,
    /// The terms' weights.
    pub weights: LossWeights,
}

impl LossConfig {
    /// Whether a term counts.
    pub fn wants(&self, term: Term) -> bool {
        let used = match term {
            Term::ContrastGlobal => self.contrast == Contrast::Paper && !self.rule_free,
            Term::ContrastLocal => self.contrast != Contrast::None && !self.rule_free,
            Term::Supervised | Term::Values => !self.rule_free,
            Term::Ranking => self.rule_free,
            _ => true,
        };
        used && term.weight(&self.weights) != 0.0
    }

    /// Whether some term needs pictures. Without one, values and rules are enough.
    pub fn needs_pixels(&self) -> bool {
        let sight = |term: Term| match term {
            Term::ZO => false,
            Term::Reconstruction => true,
            _ => !self.symbolic_only,
        };
        Term::ALL.into_iter().any(|term| sight(term) && self.wants(term))
    }

    /// Whether some term needs the experts; that of Z_o does where its prior needs a sample of
    /// q(Z_r|Z_o).
    pub(crate) fn asks_experts(&self, z_o_needs_rows: bool) -> bool {
        let asks = |term: Term| match term {
            Term::Reconstruction | Term::ZIrrelevant | Term::Values => false,
            Term::ZO | Term::Z => z_o_needs_rows,
            _ => true,
        };
        Term::ALL.into_iter().any(|term| asks(term) && self.wants(term))
    }
}

/// The weights of the terms; the default is the paper's, with β₆ counted once (see [`Term::Z`]).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LossWeights {
    /// β₁.
    pub reconstruction: f32,
    /// β₂.
    pub rule_prior: f32,
    /// β₃.
    pub z_irrelevant: f32,
    /// β₄.
    pub z_o: f32,
    /// β₅.
    pub z_r: f32,
    /// β₆.
    pub z: f32,
    /// β_R*.
    pub supervised: f32,
    /// β_G.
    pub contrast_global: f32,
    /// β_L.
    pub contrast_local: f32,
    /// The rule-free ranking of candidates.
    pub ranking: f32,
    /// The auxiliary task: what is where in each panel.
    pub values: f32,
}

impl Default for LossWeights {
    fn default() -> Self {
        Self {
            reconstruction: 1.0,
            rule_prior: 0.0,
            z_irrelevant: 1.0,
            z_o: 1.0,
            z_r: 1.0,
            z: 0.0,
            supervised: 250.0,
            contrast_global: 20.0,
            contrast_local: 20.0,
            ranking: 0.0,
            values: 0.0,
        }
    }
}

/// One term of the objective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// L_rec: squared error, summed over the pixels of the complete puzzle.
    Reconstruction,
    /// L_R: KL(q(R|·) || uniform).
    RulePrior,
    /// L_Zo-bar: KL(q(Z_o-bar|Z) || N(0, I)); where Z_o-bar is known, its negative log-likelihood under q.
    ZIrrelevant,
    /// L_Zo: KL(q(Z_o|Z) || p(Z_o|Z_r)).
    ZO,
    /// L_Zr: KL(q(Z_r|Z_o) || p(Z_r|R)).
    ZR,
    /// L_Z: KL(q(Z|X) || p(Z|Z_o, Z_o-bar)). As Z_o and Z_o-bar are slices of Z
    /// this is the sum of the two terms above once more, so its weight is 0 by default.
    Z,
    /// L_sup: cross-entropy of the experts on the right puzzle.
    Supervised,
    /// −G (eq. 7), or nothing for cross-entropy contrast.
    ContrastGlobal,
    /// −L (eq. 8), or the cross-entropy on R⁻.
    ContrastLocal,
    /// Cross-entropy of the candidates' active mass.
    Ranking,
    /// How far blocks of Z_o are from the codes of their attributes' values: cross-entropy.
    Values,
}

impl Term {
    /// All terms, in order.
    pub const ALL: [Self; 11] = [
        Self::Reconstruction,
        Self::RulePrior,
        Self::ZIrrelevant,
        Self::ZO,
        Self::ZR,
        Self::Z,
        Self::Supervised,
        Self::ContrastGlobal,
        Self::ContrastLocal,
        Self::Ranking,
        Self::Values,
    ];

    /// The name of the term, as of its weight.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reconstruction => "reconstruction",
            Self::RulePrior => "rule_prior",
            Self::ZIrrelevant => "z_irrelevant",
            Self::ZO => "z_o",
            Self::ZR => "z_r",
            Self::Z => "z",
            Self::Supervised => "supervised",
            Self::ContrastGlobal => "contrast_global",
            Self::ContrastLocal => "contrast_local",
            Self::Ranking => "ranking",
            Self::Values => "values",
        }
    }

    /// The weight of the term.
    pub fn weight(self, weights: &LossWeights) -> f32 {
        match self {
            Self::Reconstruction => weights.reconstruction,
            Self::RulePrior => weights.rule_prior,
            Self::ZIrrelevant => weights.z_irrelevant,
            Self::ZO => weights.z_o,
            Self::ZR => weights.z_r,
            Self::Z => weights.z,
            Self::Supervised => weights.supervised,
            Self::ContrastGlobal => weights.contrast_global,
            Self::ContrastLocal => weights.contrast_local,
            Self::Ranking => weights.ranking,
            Self::Values => weights.values,
        }
    }
}

/// A part of an objective that can be computed apart from the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossPart {
    /// The terms that need no panel to be read, because the batch says what is in it.
    SupervisedLatents,
    /// The terms that the encoder's reading of the panels enters.
    FromPixels,
}

/// The terms of one batch in the order of [`Term::ALL`], unweighted; those that were not computed are absent.
#[derive(Clone, Debug, Default)]
pub struct LossTerms(Vec<(Term, Tensor<1>)>);

impl LossTerms {
    pub(crate) fn set(&mut self, term: Term, value: Tensor<1>) {
        let place = self.0.partition_point(|(other, _)| *other < term);
        self.0.insert(place, (term, value));
    }

    /// Takes in the terms of others.
    pub(crate) fn join(&mut self, others: Self) {
        others.0.into_iter().for_each(|(term, value)| self.set(term, value));
    }

    /// Sets L_Z where it is wanted: as Z_o and Z_o-bar are slices of Z,
    /// `KL(q(Z|X) || p(Z|Z_o, Z_o-bar))` is the sum of the divergences of the two.
    pub(crate) fn add_z(&mut self, weights: &LossWeights) {
        if let (true, Some(z_o), Some(rest)) =
            (weights.z != 0.0, self.get(Term::ZO), self.get(Term::ZIrrelevant))
        {
            self.set(Term::Z, z_o + rest);
        }
    }

    /// One term `[1]`.
    pub fn get(&self, term: Term) -> Option<Tensor<1>> {
        self.0.iter().find(|(t, _)| *t == term).map(|(_, value)| value.clone())
    }

    /// `Σ weight · term`, to be minimised. Absent when no term was computed.
    ///
    /// # Shapes
    /// `[1]`
    pub fn total(&self, weights: &LossWeights) -> Option<Tensor<1>> {
        let weighted = self.0.iter().filter(|(term, _)| term.weight(weights) != 0.0);
        let weighted = weighted.map(|(term, value)| value.clone().mul_scalar(term.weight(weights)));
        weighted.reduce(|a, b| a + b)
    }

    /// The values of all terms, read in one go. A trainer skips the update when
    /// one is not finite, and can name it.
    ///
    /// # Errors
    /// When the device fails.
    pub fn values(&self) -> Result<Vec<(Term, f32)>, ModelError> {
        if self.0.is_empty() {
            return Ok(Vec::new());
        }
        let all = Tensor::cat(self.0.iter().map(|(_, value)| value.clone()).collect(), 0);
        let values = all.try_into_vec_as::<f32>().map_err(|e| ModelError::Device(e.to_string()))?;
        Ok(self.0.iter().map(|(term, _)| *term).zip(values).collect())
    }
}
