//! Whether a model has stopped telling puzzles apart.
//!
//! Two ways to fail look like learning from afar: all rules become "constant" (often
//! right by chance), and Z_o-bar becomes noise that the decoder ignores. The first shows in
//! the entropy of what is said, the second in how many nats Z_o-bar carries.

use crate::validate::Validation;

/// Rules are said to have collapsed when what is said varies this many times less than the truth.
const RULES: f64 = 0.25;

/// Nats of Z_o-bar a panel below which it says nothing.
const NATS: f64 = 0.05;

/// The entropy of a count of things, in nats.
///
/// H = -Σ p ln p
pub(crate) fn entropy(counts: &[u64]) -> f64 {
    let total = counts.iter().sum::<u64>().max(1) as f64;
    let shares = counts.iter().filter(|&&n| n > 0).map(|&n| n as f64 / total);
    shares.map(|p| -p * p.ln()).sum()
}

/// A sentence for everything that has collapsed, for people to read.
///
/// `names`, `draws`: whether the model is being taught to name rules, and to draw, so that what
/// it says of rules, and Z_o-bar, ought to vary.
pub(crate) fn warnings(result: &Validation, names: bool, draws: bool) -> Vec<String> {
    let mut warnings = Vec::new();
    let (said, truth) = (result.rule_entropy, result.true_rule_entropy);
    if names && said < RULES * truth {
        warnings.push(format!(
            "nearly the same rule is said of every attribute (entropy {said:.2} nats, the truth has {truth:.2}): the experts have collapsed; a lower train.learning_rate or a longer warm-up may help"
        ));
    }
    if draws && result.kl_irrelevant < NATS {
        warnings.push(format!(
            "Z_o-bar says nothing ({:.3} nats a panel): the posterior has collapsed; train.feed.learned_irrelevant with a lower train.loss.weights.z_irrelevant or a higher reconstruction weight may help",
            result.kl_irrelevant
        ));
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_is_that_of_dice() {
        assert_eq!(entropy(&[7, 0, 0]), 0.0);
        assert_eq!(entropy(&[]), 0.0);
        assert!((entropy(&[5, 5, 5, 5]) - 4f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn a_model_that_says_constant_of_everything_is_named() {
        let well = Validation {
            rule_entropy: 1.2,
            true_rule_entropy: 1.3,
            kl_irrelevant: 8.0,
            ..Validation::default()
        };
        assert!(warnings(&well, true, true).is_empty());
        let constant = Validation { rule_entropy: 0.1, ..well.clone() };
        assert!(warnings(&constant, true, true)[0].contains("experts have collapsed"));
        assert!(warnings(&constant, false, true).is_empty(), "it was not asked for rules");
        let silent = Validation { kl_irrelevant: 0.001, ..well };
        assert!(warnings(&silent, true, true)[0].contains("posterior has collapsed"));
        assert!(warnings(&silent, true, false).is_empty(), "it was not asked to draw");
    }
}
