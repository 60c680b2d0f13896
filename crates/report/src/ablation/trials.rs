//! The models that are the lines of the tables.

use super::groups::{CONTRAST, ENCODERS, EXPERTS, LATENT_SIZE, SIZES, SUPERVISION, WEIGHTS};
use super::settings::{DENSE, FULL_LABELS, FULL_RULE_FREE, RESNET, ROWS, RULE_FREE};
use super::{Group, Trial};

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
            (
                "paper-64",
                &["train.loss.weights.supervised=1", "train.warm_up.loss.weights.supervised=1"],
            ),
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
                    "train.warm_up.loss.weights.supervised=1",
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
                    "train.warm_up.loss.weights.supervised=1",
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
            ("paper-64", FULL_RULE_FREE),
        ),
        "rule-free",
        "no labels",
    ),
    trial(SUPERVISION, "labels", "with rule labels", &[], ("paper-64", FULL_LABELS)),
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
        trial(SIZES, "size-64", "64 px", &[], ("paper-64-resnet", &[])),
        "encoder",
        "64 px ResNet",
    ),
    printed(
        trial(SIZES, "size-128", "128 px", &["model.image.size=128"], ("paper-128", &[])),
        "encoder",
        "128 px ResNet",
    ),
    printed(
        trial(SIZES, "size-224", "224 px", &["model.image.size=224"], ("paper-224", &[])),
        "encoder",
        "224 px ResNet",
    ),
];
