//! Which models are trained for the ablations: each is a preset with some
//! settings changed.

use genvp_puzzle::Layout;
use genvp_train::RunConfig;
use genvp_train::feed::LayoutWeights;

use crate::error::ReportError;
use crate::paper::Paper;

/// One model to train.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The table it stands in.
    pub group: &'static str,
    /// Its name, by which it is asked for.
    pub name: &'static str,
    /// What is different about it.
    pub about: &'static str,
    /// The preset of the small version.
    pub preset: &'static str,
    /// What is set in the small version.
    pub small: &'static [&'static str],
    /// The preset and what is set in the full version; absent: there is none.
    pub full: Option<(&'static str, &'static [&'static str])>,
    /// Where the paper's figure stands: what and condition.
    pub printed: Option<(&'static str, &'static str)>,
}

/// The tables: name and title.
pub const GROUPS: [(&str, &str); 6] = [
    ("contrast", "What the wrong choices teach"),
    ("weights", "Weights of the objective"),
    ("latent-size", "Sizes of the latents"),
    ("rule-free", "Without rule labels"),
    ("experts", "Families of experts"),
    ("encoders", "Networks that read the panels"),
];

/// The paper's objective on the image networks of `cpu-64`: what the paper
/// varies can then be varied in minutes.
const DENSE: [&str; 5] = [
    "model.image.encoder={kind=\"small\",channels=[56,96,128],hidden=320}",
    "model.image.decoder={kind=\"patch\",hidden=448,channels=[128,96,64]}",
    "train.batch=32",
    "train.learning_rate=2e-3",
    "train.schedule=cosine",
];

/// Puzzles that each small model learns from.
pub const SMALL_PUZZLES: u64 = 12_800;

const fn trial(
    group: &'static str,
    name: &'static str,
    about: &'static str,
    small: &'static [&'static str],
) -> Trial {
    Trial { group, name, about, preset: "cpu-64", small, full: None, printed: None }
}

const fn dense(base: Trial) -> Trial {
    Trial { preset: "paper-64", ..base }
}

const fn full(base: Trial, preset: &'static str, set: &'static [&'static str]) -> Trial {
    Trial { full: Some((preset, set)), ..base }
}

const fn printed(base: Trial, what: &'static str, condition: &'static str) -> Trial {
    Trial { printed: Some((what, condition)), ..base }
}

const PAPER: &str = "train.loss.contrast=paper";

/// All of them.
pub const TRIALS: [Trial; 20] = [
    printed(
        full(
            trial(
                "contrast",
                "contrast-none",
                "no contrast: ELBO and supervision",
                &["train.loss.contrast=none"],
            ),
            "paper-64",
            &["train.loss.contrast=none"],
        ),
        "contrast",
        "none",
    ),
    printed(
        full(
            trial(
                "contrast",
                "contrast-paper",
                "the paper's masked terms",
                &[
                    PAPER,
                    "train.loss.weights.contrast_global=20",
                    "train.loss.weights.contrast_local=20",
                ],
            ),
            "paper-64",
            &[],
        ),
        "contrast",
        "paper",
    ),
    full(
        trial("contrast", "contrast-ce", "cross-entropy on R⁻ (ours)", &[]),
        "paper-64",
        &["train.loss.contrast=ce"],
    ),
    printed(
        full(
            dense(trial("weights", "weights-250-20", "β_R* 250, β_G and β_L 20", &[])),
            "paper-64",
            &[],
        ),
        "weights",
        "supervised=250 contrast=20",
    ),
    printed(
        full(
            dense(trial(
                "weights",
                "weights-1-20",
                "β_R* 1, β_G and β_L 20",
                &["train.loss.weights.supervised=1"],
            )),
            "paper-64",
            &["train.loss.weights.supervised=1"],
        ),
        "weights",
        "supervised=1 contrast=20",
    ),
    printed(
        full(
            dense(trial(
                "weights",
                "weights-1-1",
                "β_R* 1, β_G and β_L 1",
                &[
                    "train.loss.weights.supervised=1",
                    "train.loss.weights.contrast_global=1",
                    "train.loss.weights.contrast_local=1",
                ],
            )),
            "paper-64",
            &[
                "train.loss.weights.supervised=1",
                "train.loss.weights.contrast_global=1",
                "train.loss.weights.contrast_local=1",
            ],
        ),
        "weights",
        "supervised=1 contrast=1",
    ),
    printed(
        full(
            dense(trial(
                "weights",
                "weights-1-40",
                "β_R* 1, β_G and β_L 40",
                &[
                    "train.loss.weights.supervised=1",
                    "train.loss.weights.contrast_global=40",
                    "train.loss.weights.contrast_local=40",
                ],
            )),
            "paper-64",
            &[
                "train.loss.weights.supervised=1",
                "train.loss.weights.contrast_global=40",
                "train.loss.weights.contrast_local=40",
            ],
        ),
        "weights",
        "supervised=1 contrast=40",
    ),
    printed(
        full(
            dense(trial(
                "latent-size",
                "latent-32-20",
                "K 32, K_Zo 20",
                &["model.latent.relevant=20", "model.latent.irrelevant=12"],
            )),
            "paper-64",
            &["model.latent.relevant=20", "model.latent.irrelevant=12"],
        ),
        "latent-size",
        "K=32 K_Zo=20 K_R=12 N_R=5",
    ),
    full(dense(trial("latent-size", "latent-64-54", "K 64, K_Zo 54", &[])), "paper-64", &[]),
    printed(
        full(
            dense(trial(
                "latent-size",
                "latent-128-100",
                "K 128, K_Zo 100",
                &["model.latent.relevant=100", "model.latent.irrelevant=28"],
            )),
            "paper-64",
            &["model.latent.relevant=100", "model.latent.irrelevant=28"],
        ),
        "latent-size",
        "K=128 K_Zo=100 K_R=12 N_R=5",
    ),
    printed(
        full(
            dense(trial(
                "latent-size",
                "latent-128-126",
                "K 128, K_Zo 126",
                &["model.latent.relevant=126", "model.latent.irrelevant=2"],
            )),
            "paper-64",
            &["model.latent.relevant=126", "model.latent.irrelevant=2"],
        ),
        "latent-size",
        "K=128 K_Zo=126 K_R=12 N_R=5",
    ),
    printed(
        full(
            trial("rule-free", "rule-free", "images and answers only", RULE_FREE),
            "paper-64",
            &[
                "train.loss.rule_free=true",
                "train.loss.weights.ranking=50",
                "train.loss.weights.rule_prior=0.01",
            ],
        ),
        "rule-free",
        "no labels",
    ),
    full(trial("rule-free", "labels", "with rule labels", &[]), "paper-64", &[]),
    full(
        dense(trial("experts", "experts-dense", "dense: the paper's", &["train.loss.contrast=ce"])),
        "paper-64",
        &["train.loss.contrast=ce"],
    ),
    full(
        dense(trial(
            "experts",
            "experts-rows",
            "rows: one row encoder",
            &["train.loss.contrast=ce", ROWS],
        )),
        "paper-64",
        &["train.loss.contrast=ce", ROWS],
    ),
    full(
        trial("experts", "experts-slots", "slots: one relation network by attribute (ours)", &[]),
        "cpu-64",
        &[],
    ),
    printed(
        full(
            trial(
                "encoders",
                "encoder-cnn-s",
                "small convolutions",
                &[
                    "model.image.encoder={kind=\"paper\",channels=[32,32,64,64],hidden=128,bias=false}",
                ],
            ),
            "paper-cnn-s",
            &[],
        ),
        "encoder",
        "64 px CNN-S",
    ),
    printed(
        full(
            trial(
                "encoders",
                "encoder-resnet",
                "residual",
                &["model.image.encoder={kind=\"resnet\",channels=[16,24,32,48],blocks=[1,1,1,1]}"],
            ),
            "paper-64-resnet",
            &[],
        ),
        "encoder",
        "64 px ResNet",
    ),
    printed(
        full(
            trial(
                "encoders",
                "encoder-vit",
                "vision transformer",
                &[
                    "model.image.encoder={kind=\"vit\",patch=8,transformer={width=96,heads=6,layers=3,feed_forward=192}}",
                ],
            ),
            "paper-64-vit",
            &[],
        ),
        "encoder",
        "64 px ViT",
    ),
    full(
        trial("encoders", "encoder-small", "patch stem and matrix products (ours)", &[]),
        "cpu-64",
        &[],
    ),
];

const ROWS: &str = "model.experts={family=\"rows\",relation=128,hidden=256}";

/// The auxiliary task knows what is drawn: without labels it must go too.
const RULE_FREE: &[&str] = &[
    "train.loss.rule_free=true",
    "train.loss.weights.values=0",
    "train.loss.weights.supervised=0",
    "train.loss.weights.contrast_local=0",
    "train.loss.weights.ranking=50",
    "train.loss.weights.rule_prior=0.01",
];

impl Trial {
    /// The settings by which it is trained.
    ///
    /// # Errors
    /// When a setting does not exist.
    pub fn settings(&self, budget: Budget) -> Result<RunConfig, ReportError> {
        let (preset, set) = match (budget, self.full) {
            (Budget::Full, Some(full)) => full,
            _ => (self.preset, self.small),
        };
        let mut config = RunConfig::preset(preset)?;
        let shared: &[&str] = match budget {
            Budget::Small { .. } if preset == "paper-64" => &DENSE,
            _ => &[],
        };
        for setting in shared.iter().chain(set) {
            config = config.with_setting(setting)?;
        }
        if let Budget::Small { puzzles } = budget {
            config.train.puzzles = puzzles.max(config.train.batch as u64);
            config.train.feed.layouts = LayoutWeights::only(&[Layout::CenterSingle]);
            // The average over a thousand steps would lag behind in so short a run.
            config.train.ema_decay = config.train.ema_decay.min(0.97);
        }
        Ok(config)
    }

    /// The paper's accuracy on RAVEN, and its place.
    pub fn paper(&self) -> Option<(f64, String)> {
        let (what, condition) = self.printed?;
        let paper = Paper::get();
        if let Some(row) = paper.row(what, Some(condition), "raven", "GenVP") {
            return Some((row.average?, row.place.clone()));
        }
        let number = paper.number(what, condition, Some("raven"), "GenVP")?;
        Some((number.value, number.place.clone()))
    }

    /// The trial of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        TRIALS.iter().find(|trial| trial.name == name)
    }
}

/// How long a trial may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// C-S only, so many puzzles: minutes on two cores.
    Small {
        /// Puzzles to learn from.
        puzzles: u64,
    },
    /// The paper's networks on all layouts, as its preset says.
    Full,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_trial_can_be_trained_small_and_full() {
        for trial in &TRIALS {
            for budget in [Budget::Small { puzzles: SMALL_PUZZLES }, Budget::Full] {
                let config = trial.settings(budget);
                let config = config.unwrap_or_else(|error| panic!("{}: {error}", trial.name));
                config.check().unwrap_or_else(|error| panic!("{}: {error}", trial.name));
            }
            assert!(trial.full.is_some(), "{}", trial.name);
            assert_eq!(trial.printed.is_some(), trial.paper().is_some(), "{}", trial.name);
            assert!(GROUPS.iter().any(|(group, _)| *group == trial.group), "{}", trial.name);
        }
    }

    #[test]
    fn names_are_used_once_and_trials_of_a_group_differ() {
        let budget = Budget::Small { puzzles: SMALL_PUZZLES };
        for (index, trial) in TRIALS.iter().enumerate() {
            assert_eq!(Trial::named(trial.name), Some(trial));
            let same_group = TRIALS[..index].iter().filter(|other| other.group == trial.group);
            for other in same_group {
                let differences =
                    trial.settings(budget).unwrap().differences(&other.settings(budget).unwrap());
                assert!(!differences.is_empty(), "{} and {}", trial.name, other.name);
            }
        }
    }

    #[test]
    fn the_rule_free_trial_learns_from_no_label() {
        let config = Trial::named("rule-free").unwrap();
        let config = config.settings(Budget::Small { puzzles: SMALL_PUZZLES }).unwrap();
        let weights = &config.train.loss.weights;
        assert!(config.train.loss.rule_free && weights.ranking > 0.0);
        assert_eq!([weights.values, weights.supervised, weights.contrast_local], [0.0; 3]);
    }
}
