//! Which models are trained for the ablations: the lines of a table differ in one
//! thing, and the table says in which.

use genvp_puzzle::Layout;
use genvp_train::RunConfig;
use genvp_train::feed::LayoutWeights;

use crate::error::ReportError;
use crate::paper::Paper;

/// A table: models that differ in one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name, by which it is asked for.
    pub name: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// What its lines differ in.
    varies: &'static str,
    /// The settings that this consists of.
    pub keys: &'static [&'static str],
    /// Both for its full models, where they differ in more.
    full: Option<(&'static str, &'static [&'static str])>,
    /// What is to be said about its small models.
    pub small: &'static str,
    /// What its small models share beyond the common settings.
    shares: &'static [&'static str],
    /// Its small models learn from one puzzle in so many of those asked for.
    part: u64,
}

/// One model to train.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The table it stands in.
    pub group: Group,
    /// Its name, by which it is asked for.
    pub name: &'static str,
    /// What is different about it.
    pub about: &'static str,
    /// What is set in the small version, over what its group shares.
    pub small: &'static [&'static str],
    /// The preset of the full version, and what is set in it.
    pub full: (&'static str, &'static [&'static str]),
    /// Where the paper's figure stands: what and condition.
    pub printed: Option<(&'static str, &'static str)>,
}

/// What all small models share, over `paper-64`: image networks that learn in minutes,
/// experts that share one relation network, and rule labels. No values are told.
const BASE: [&str; 13] = [
    "model.latent.relevant=96",
    "model.latent.irrelevant=16",
    "model.image.encoder={kind=\"small\",channels=[56,96,128],hidden=320}",
    "model.image.decoder={kind=\"patch\",hidden=320,channels=[128,96,64]}",
    "model.experts={family=\"slots\",components=2,widths=[12,12,12,12],rule_rows=[3,1,1,1],code=24,relation=64,hidden=128}",
    "train.batch=16",
    "train.learning_rate=2e-3",
    "train.schedule=cosine",
    "train.loss.contrast=ce",
    "train.loss.weights.reconstruction=20",
    "train.loss.weights.supervised=50",
    "train.loss.weights.contrast_local=50",
    "train.loss.weights.contrast_global=50",
];

/// Puzzles that each small model learns from.
pub const SMALL_PUZZLES: u64 = 10_240;

const DENSE: &str = "model.experts={family=\"dense\",experts=[128],z_r_posterior=[128,256],z_r_prior=[128],z_o_prior=[256,512]}";
const ROWS: &str = "model.experts={family=\"rows\",relation=128,hidden=256}";
const RESNET: &str = "model.image.encoder={kind=\"resnet\",channels=[8,16,32,48],blocks=[1,1,1,1]}";

const CONTRAST: Group = Group {
    name: "contrast",
    title: "What the wrong choices teach",
    varies: "the contrast",
    keys: &["train.loss.contrast"],
    full: None,
    small: "",
    shares: &[],
    part: 1,
};

const WEIGHTS: Group = Group {
    name: "weights",
    title: "Weights of the objective",
    varies: "the weights of supervision and contrast, in the paper's objective",
    keys: &[
        "train.loss.weights.supervised",
        "train.loss.weights.contrast_global",
        "train.loss.weights.contrast_local",
    ],
    full: None,
    small: "",
    shares: &[
        "train.loss.contrast=paper",
        "train.loss.weights.reconstruction=1",
        "train.loss.weights.supervised=250",
        "train.loss.weights.contrast_global=20",
        "train.loss.weights.contrast_local=20",
    ],
    part: 1,
};

const LATENT_SIZE: Group = Group {
    name: "latent-size",
    title: "Sizes of the latents and of the rule matrix",
    varies: "the sizes of the latents and of the rule matrix, with dense experts",
    keys: &["model.latent.relevant", "model.latent.irrelevant", "model.puzzle"],
    full: None,
    small: "Dense experts, as the paper's.",
    shares: &[DENSE, "model.latent.relevant=54", "model.latent.irrelevant=10"],
    part: 1,
};

const SUPERVISION: Group = Group {
    name: "supervision",
    title: "Without rule labels",
    varies: "the supervision, and with it the terms that need labels or take their place",
    keys: &[
        "train.loss.rule_free",
        "train.loss.contrast",
        "train.loss.weights.supervised",
        "train.loss.weights.ranking",
        "train.loss.weights.rule_prior",
    ],
    full: None,
    small: "",
    shares: &[],
    part: 1,
};

const EXPERTS: Group = Group {
    name: "experts",
    title: "Families of experts",
    varies: "the family of experts",
    keys: &["model.experts"],
    full: None,
    small: "",
    shares: &[],
    part: 1,
};

const ENCODERS: Group = Group {
    name: "encoders",
    title: "Networks that read the panels",
    varies: "the network that reads the panels",
    keys: &["model.image.encoder"],
    full: None,
    small: "Networks of the paper's kinds, narrowed so that they learn in minutes.",
    shares: &[],
    part: 1,
};

const SIZES: Group = Group {
    name: "sizes",
    title: "Sizes of the panels",
    varies: "the side of the panels",
    keys: &["model.image.size"],
    full: Some((
        "the side of the panels, with networks sized for it as in the paper",
        &["model.image"],
    )),
    small: "A narrow residual network, and a quarter of the other tables' puzzles: a panel of 224 px costs twelve times one of 64 px.",
    // A few hundred steps: the learning rate must have time to fall again.
    shares: &[RESNET, "train.warmup_steps=20"],
    part: 4,
};

/// The tables.
pub const GROUPS: [Group; 7] =
    [CONTRAST, WEIGHTS, LATENT_SIZE, SUPERVISION, EXPERTS, ENCODERS, SIZES];

const fn trial(
    group: Group,
    name: &'static str,
    about: &'static str,
    small: &'static [&'static str],
    full: (&'static str, &'static [&'static str]),
) -> Trial {
    Trial { group, name, about, small, full, printed: None }
}

const fn printed(base: Trial, what: &'static str, condition: &'static str) -> Trial {
    Trial { printed: Some((what, condition)), ..base }
}

/// All of them.
pub const TRIALS: [Trial; 26] = [
    printed(
        trial(
            CONTRAST,
            "contrast-none",
            "no contrast: ELBO and supervision",
            &["train.loss.contrast=none"],
            ("paper-64", &["train.loss.contrast=none"]),
        ),
        "contrast",
        "none",
    ),
    printed(
        trial(
            CONTRAST,
            "contrast-paper",
            "the paper's masked terms",
            &["train.loss.contrast=paper"],
            ("paper-64", &[]),
        ),
        "contrast",
        "paper",
    ),
    trial(
        CONTRAST,
        "contrast-ce",
        "cross-entropy on R⁻ (ours)",
        &[],
        ("paper-64", &["train.loss.contrast=ce"]),
    ),
    printed(
        trial(WEIGHTS, "weights-250-20", "β_R* 250, β_G and β_L 20", &[], ("paper-64", &[])),
        "weights",
        "supervised=250 contrast=20",
    ),
    printed(
        trial(
            WEIGHTS,
            "weights-1-20",
            "β_R* 1, β_G and β_L 20",
            &["train.loss.weights.supervised=1"],
            ("paper-64", &["train.loss.weights.supervised=1"]),
        ),
        "weights",
        "supervised=1 contrast=20",
    ),
    printed(
        trial(
            WEIGHTS,
            "weights-1-1",
            "β_R* 1, β_G and β_L 1",
            &[
                "train.loss.weights.supervised=1",
                "train.loss.weights.contrast_global=1",
                "train.loss.weights.contrast_local=1",
            ],
            (
                "paper-64",
                &[
                    "train.loss.weights.supervised=1",
                    "train.loss.weights.contrast_global=1",
                    "train.loss.weights.contrast_local=1",
                ],
            ),
        ),
        "weights",
        "supervised=1 contrast=1",
    ),
    printed(
        trial(
            WEIGHTS,
            "weights-1-40",
            "β_R* 1, β_G and β_L 40",
            &[
                "train.loss.weights.supervised=1",
                "train.loss.weights.contrast_global=40",
                "train.loss.weights.contrast_local=40",
            ],
            (
                "paper-64",
                &[
                    "train.loss.weights.supervised=1",
                    "train.loss.weights.contrast_global=40",
                    "train.loss.weights.contrast_local=40",
                ],
            ),
        ),
        "weights",
        "supervised=1 contrast=40",
    ),
    printed(
        trial(
            LATENT_SIZE,
            "latent-32-20",
            "K 32, K_Zo 20",
            &["model.latent.relevant=20", "model.latent.irrelevant=12"],
            ("paper-64", &["model.latent.relevant=20", "model.latent.irrelevant=12"]),
        ),
        "latent-size",
        "K=32 K_Zo=20 K_R=12 N_R=5",
    ),
    trial(LATENT_SIZE, "latent-64-54", "K 64, K_Zo 54", &[], ("paper-64", &[])),
    printed(
        trial(
            LATENT_SIZE,
            "latent-128-100",
            "K 128, K_Zo 100",
            &["model.latent.relevant=100", "model.latent.irrelevant=28"],
            ("paper-64", &["model.latent.relevant=100", "model.latent.irrelevant=28"]),
        ),
        "latent-size",
        "K=128 K_Zo=100 K_R=12 N_R=5",
    ),
    printed(
        trial(
            LATENT_SIZE,
            "latent-128-126",
            "K 128, K_Zo 126",
            &["model.latent.relevant=126", "model.latent.irrelevant=2"],
            ("paper-64", &["model.latent.relevant=126", "model.latent.irrelevant=2"]),
        ),
        "latent-size",
        "K=128 K_Zo=126 K_R=12 N_R=5",
    ),
    printed(
        trial(
            LATENT_SIZE,
            "rules-22-5",
            "K 64, K_Zo 54, K_R 22: ten rows of R that never have a rule",
            &["model.puzzle.attributes=22"],
            ("paper-64", &["model.puzzle.attributes=22"]),
        ),
        "latent-size",
        "K=64 K_Zo=54 K_R=22 N_R=5",
    ),
    printed(
        trial(
            LATENT_SIZE,
            "rules-12-15",
            "K 64, K_Zo 54, N_R 15: ten rules that never occur",
            &["model.puzzle.rules=15"],
            ("paper-64", &["model.puzzle.rules=15"]),
        ),
        "latent-size",
        "K=64 K_Zo=54 K_R=12 N_R=15",
    ),
    printed(
        trial(
            SUPERVISION,
            "rule-free",
            "images and answers only",
            RULE_FREE,
            ("paper-64", RULE_FREE),
        ),
        "rule-free",
        "no labels",
    ),
    trial(SUPERVISION, "labels", "with rule labels", &[], ("paper-64", &[])),
    trial(
        EXPERTS,
        "experts-dense",
        "dense: the paper's",
        &[DENSE],
        ("paper-64", &["train.loss.contrast=ce"]),
    ),
    trial(
        EXPERTS,
        "experts-rows",
        "rows: one row encoder",
        &[ROWS],
        ("paper-64", &["train.loss.contrast=ce", ROWS]),
    ),
    trial(
        EXPERTS,
        "experts-slots",
        "slots: one relation network by attribute (ours)",
        &[],
        (
            "paper-64",
            &[
                "train.loss.contrast=ce",
                "model.experts={family=\"slots\",components=2,widths=[6,7,7,7],rule_rows=[3,1,1,1],code=24,relation=64,hidden=128}",
            ],
        ),
    ),
    printed(
        trial(
            ENCODERS,
            "encoder-cnn-s",
            "small convolutions (CNN-S)",
            &["model.image.encoder={kind=\"paper\",channels=[32,32,64,64],hidden=128,bias=false}"],
            ("paper-cnn-s", &[]),
        ),
        "encoder",
        "64 px CNN-S",
    ),
    printed(
        trial(
            ENCODERS,
            "encoder-cnn-l",
            "larger convolutions (CNN-L)",
            &["model.image.encoder={kind=\"paper\",channels=[32,48,96,192],hidden=192}"],
            ("paper-64", &[]),
        ),
        "encoder",
        "64 px CNN-L",
    ),
    printed(
        trial(ENCODERS, "encoder-resnet", "residual", &[RESNET], ("paper-64-resnet", &[])),
        "encoder",
        "64 px ResNet",
    ),
    printed(
        trial(
            ENCODERS,
            "encoder-vit",
            "vision transformer",
            &[
                "model.image.encoder={kind=\"vit\",patch=8,transformer={width=64,heads=4,layers=2,feed_forward=128}}",
            ],
            ("paper-64-vit", &[]),
        ),
        "encoder",
        "64 px ViT",
    ),
    trial(
        ENCODERS,
        "encoder-small",
        "patch stem and matrix products (ours)",
        &[],
        ("paper-64", &["model.image.encoder={kind=\"small\",channels=[56,96,128],hidden=320}"]),
    ),
    printed(
        trial(SIZES, "size-64", "64 px, residual", &[], ("paper-64-resnet", &[])),
        "encoder",
        "64 px ResNet",
    ),
    printed(
        trial(SIZES, "size-128", "128 px, residual", &["model.image.size=128"], ("paper-128", &[])),
        "encoder",
        "128 px ResNet",
    ),
    printed(
        trial(SIZES, "size-224", "224 px, residual", &["model.image.size=224"], ("paper-224", &[])),
        "encoder",
        "224 px ResNet",
    ),
];

/// Without labels the terms that need them go, and two that do without take their place.
const RULE_FREE: &[&str] = &[
    "train.loss.rule_free=true",
    "train.loss.contrast=none",
    "train.loss.weights.supervised=0",
    "train.loss.weights.ranking=50",
    "train.loss.weights.rule_prior=0.01",
];

impl Group {
    /// What its lines differ in.
    pub fn differs_in(&self, full: bool) -> &'static str {
        self.full.filter(|_| full).map_or(self.varies, |(varies, _)| varies)
    }

    /// The trials that are its lines.
    pub fn trials(&self) -> impl Iterator<Item = &'static Trial> {
        let name = self.name;
        TRIALS.iter().filter(move |trial| trial.group.name == name)
    }

    /// What the small versions of its trials start from.
    ///
    /// # Errors
    /// When a setting does not exist.
    fn small_base(&self, puzzles: u64) -> Result<RunConfig, ReportError> {
        let mut config = RunConfig::preset("paper-64")?;
        for setting in BASE.iter().chain(self.shares) {
            config = config.with_setting(setting)?;
        }
        config.train.puzzles = (puzzles / self.part).max(config.train.batch as u64);
        config.train.feed.layouts = LayoutWeights::only(&[Layout::CenterSingle]);
        // The average over a thousand steps would lag behind in so short a run.
        config.train.ema_decay = config.train.ema_decay.min(0.97);
        Ok(config)
    }
}

impl Trial {
    /// The settings by which it is trained.
    ///
    /// # Errors
    /// When a setting does not exist.
    pub fn settings(&self, budget: Budget) -> Result<RunConfig, ReportError> {
        let (mut config, set) = match budget {
            Budget::Small { puzzles } => (self.group.small_base(puzzles)?, self.small),
            Budget::Full => (RunConfig::preset(self.full.0)?, self.full.1),
        };
        for setting in set {
            config = config.with_setting(setting)?;
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
    use std::collections::BTreeSet;

    use genvp_train::feed::Supervision;

    const SMALL: Budget = Budget::Small { puzzles: SMALL_PUZZLES };

    #[test]
    fn every_trial_can_be_trained_small_and_full() {
        for trial in &TRIALS {
            for budget in [SMALL, Budget::Full] {
                let config = trial.settings(budget);
                let config = config.unwrap_or_else(|error| panic!("{}: {error}", trial.name));
                config.check().unwrap_or_else(|error| panic!("{}: {error}", trial.name));
            }
            assert_eq!(trial.printed.is_some(), trial.paper().is_some(), "{}", trial.name);
            assert!(GROUPS.contains(&trial.group), "{}", trial.name);
            assert_eq!(Trial::named(trial.name), Some(trial), "a name is used once");
        }
        assert!(GROUPS.iter().all(|group| group.trials().count() > 1));
    }

    /// The settings in which two lines differ.
    fn differing(one: &RunConfig, other: &RunConfig) -> BTreeSet<String> {
        let (one, other) = (one.flat(), other.flat());
        let names = one.keys().chain(other.keys());
        names.filter(|name| one.get(*name) != other.get(*name)).cloned().collect()
    }

    fn belongs(name: &str, key: &str) -> bool {
        name == key || name.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'))
    }

    #[test]
    fn the_lines_of_a_small_table_differ_in_what_they_say_and_in_nothing_else() {
        for group in &GROUPS {
            let shared = group.small_base(SMALL_PUZZLES).unwrap();
            for trial in group.trials() {
                let own = trial.settings(SMALL).unwrap();
                let found = differing(&own, &shared);
                let said: Vec<&str> =
                    trial.small.iter().filter_map(|text| text.split('=').next()).collect();
                for name in &found {
                    assert!(said.iter().any(|key| belongs(name, key)), "{}: {name}", trial.name);
                }
                for key in said {
                    assert!(found.iter().any(|name| belongs(name, key)), "{}: {key}", trial.name);
                    assert!(
                        group.keys.iter().any(|own| belongs(key, own)),
                        "{}: {key}",
                        trial.name
                    );
                }
                for other in group.trials().filter(|other| other.name != trial.name) {
                    let found = differing(&own, &other.settings(SMALL).unwrap());
                    assert!(!found.is_empty(), "{} is {}", trial.name, other.name);
                }
            }
        }
    }

    #[test]
    fn the_lines_of_a_full_table_differ_in_what_the_table_says() {
        for group in &GROUPS {
            let keys = group.full.map_or(group.keys, |(_, keys)| keys);
            let lines: Vec<_> =
                group.trials().map(|trial| trial.settings(Budget::Full).unwrap()).collect();
            for (index, one) in lines.iter().enumerate() {
                for other in &lines[..index] {
                    let mut found = differing(one, other);
                    found.remove("preset");
                    assert!(!found.is_empty(), "{}", group.name);
                    for name in found {
                        assert!(
                            keys.iter().any(|key| belongs(&name, key)),
                            "{}: {name}",
                            group.name
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn no_trial_is_told_values_and_the_rule_free_one_no_labels() {
        for trial in &TRIALS {
            for budget in [SMALL, Budget::Full] {
                let config = trial.settings(budget).unwrap();
                let wanted = match trial.name {
                    "rule-free" => Supervision::Answers,
                    _ => Supervision::Rules,
                };
                assert_eq!(config.supervision(), wanted, "{}", trial.name);
                assert_eq!(config.feed_shape().supervision, wanted, "{}", trial.name);
                assert!(config.train.loss.weights.reconstruction > 0.0, "{}", trial.name);
            }
        }
    }
}
