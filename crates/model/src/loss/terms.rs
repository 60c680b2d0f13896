//! The terms of all models' objectives: their names, weights and values.

use burn::tensor::Tensor;
use serde::{Deserialize, Serialize};

use crate::error::{ModelError, to_host};

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

/// What training minimises.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LossConfig {
    /// Which negatives teach what.
    pub contrast: Contrast,
    /// Whether to learn from images and the right answer alone: a uniform prior over rules,
    /// and candidates ranked by their active mass. Everything else in a batch is ignored.
    pub rule_free: bool,
    /// For models that can be told what panels show: their experts learn from the true values of a
    /// batch instead of those that are read from pixels, which costs a fraction of a step.
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
            Term::Supervised | Term::Values | Term::Layout => !self.rule_free,
            Term::Ranking => self.rule_free,
            _ => true,
        };
        used && term.weight(&self.weights) != 0.0
    }

    /// Whether any of some terms counts.
    pub(crate) fn wants_any(&self, terms: &[Term]) -> bool {
        terms.iter().any(|&term| self.wants(term))
    }
}

/// Writes the enum of terms and the struct of their weights.
macro_rules! terms {
    ($($(#[$about:meta])* $Term:ident: $name:ident = $weight:literal,)+) => {
        /// One term of an objective.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Term {
            $($(#[$about])* $Term,)+
        }

        impl Term {
            /// All terms, in order.
            pub const ALL: [Self; [$(Self::$Term),+].len()] = [$(Self::$Term),+];

            /// The name of the term, as of its weight.
            pub fn name(self) -> &'static str {
                match self { $(Self::$Term => stringify!($name),)+ }
            }

            /// The weight of the term.
            pub fn weight(self, weights: &LossWeights) -> f32 {
                match self { $(Self::$Term => weights.$name,)+ }
            }
        }

        /// The weights of the terms; the default is the paper's, with β₆ counted once (see [`Term::Z`]).
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct LossWeights {
            $($(#[$about])* pub $name: f32,)+
        }

        impl Default for LossWeights {
            fn default() -> Self {
                Self { $($name: $weight,)+ }
            }
        }
    };
}

// The term, the name of its weight in settings, and the paper's weight. A model lists those that it
// has in `ArchitectureConfig::terms`.
terms! {
    /// β₁ L_rec: squared error, summed over the pixels of the complete puzzle.
    Reconstruction: reconstruction = 1.0,
    /// β₂ L_R: KL(q(R|·) || uniform).
    RulePrior: rule_prior = 0.0,
    /// β₃ L_Zo-bar: KL(q(Z_o-bar|Z) || N(0, I)).
    ZIrrelevant: z_irrelevant = 1.0,
    /// β₄ L_Zo: KL(q(Z_o|Z) || p(Z_o|Z_r)).
    ZO: z_o = 1.0,
    /// β₅ L_Zr: KL(q(Z_r|Z_o) || p(Z_r|R)).
    ZR: z_r = 1.0,
    /// β₆ L_Z: KL(q(Z|X) || p(Z|Z_o, Z_o-bar)). As Z_o and Z_o-bar are slices of Z
    /// this is the sum of the two terms above once more, so its weight is 0 by default.
    Z: z = 0.0,
    /// β_R* L_sup: cross-entropy of the experts on the right puzzle.
    Supervised: supervised = 250.0,
    /// −β_G G (eq. 7), or nothing for cross-entropy contrast.
    ContrastGlobal: contrast_global = 20.0,
    /// −β_L L (eq. 8), or the cross-entropy on R⁻.
    ContrastLocal: contrast_local = 20.0,
    /// For training without rule labels: cross-entropy of the candidates' active mass.
    Ranking: ranking = 0.0,
    /// Of models that can be told what panels show: how far blocks of Z_o are from the codes of their attributes' values.
    Values: values = 0.0,
    /// Cross-entropy of the layout that a panel shows, for encoders that look by layout.
    Layout: layout = 0.0,
    /// Of models with a learned mixture: cross-entropy of its scores of the candidates, from
    /// predictions that do not learn from it.
    Mixture: mixture = 0.0,
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
        let values = to_host(all)?;
        Ok(self.0.iter().map(|(term, _)| *term).zip(values).collect())
    }
}
