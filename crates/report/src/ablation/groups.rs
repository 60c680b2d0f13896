//! The tables.

use super::Group;
use super::settings::DENSE;

pub(super) const CONTRAST: Group = Group {
    name: "contrast",
    title: "What the wrong choices teach",
    varies: "the contrast",
    keys: &["train.loss.contrast"],
    full: None,
    small: "",
    shares: &[],
};

pub(super) const WEIGHTS: Group = Group {
    name: "weights",
    title: "Weights of the objective",
    varies: "the weights of supervision and contrast, in the paper's objective",
    keys: &[
        "train.loss.weights.supervised",
        "train.loss.weights.contrast_global",
        "train.loss.weights.contrast_local",
    ],
    full: Some((
        "the weights of supervision, also in the warm-up, and of contrast, in the paper's objective",
        &[
            "train.loss.weights.supervised",
            "train.loss.weights.contrast_global",
            "train.loss.weights.contrast_local",
            "train.warm_up.loss.weights.supervised",
        ],
    )),
    small: "",
    shares: &[
        "train.loss.contrast=paper",
        "train.loss.weights.reconstruction=1",
        "train.loss.weights.supervised=250",
        "train.loss.weights.contrast_global=20",
        "train.loss.weights.contrast_local=20",
    ],
};

pub(super) const LATENT_SIZE: Group = Group {
    name: "latent-size",
    title: "Sizes of the latents and of the rule matrix",
    varies: "the sizes of the latents and of the rule matrix, with dense experts",
    keys: &["model.latent.relevant", "model.latent.irrelevant", "model.puzzle"],
    full: None,
    small: "Dense experts, as the paper's.",
    shares: &[DENSE, "model.latent.relevant=54", "model.latent.irrelevant=10"],
};

pub(super) const SUPERVISION: Group = Group {
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
};

pub(super) const EXPERTS: Group = Group {
    name: "experts",
    title: "Families of experts",
    varies: "the family of experts",
    keys: &["model.experts"],
    full: None,
    small: "",
    shares: &[],
};

pub(super) const ENCODERS: Group = Group {
    name: "encoders",
    title: "Networks that read the panels",
    varies: "the network that reads the panels",
    keys: &["model.image.encoder"],
    full: None,
    small: "Networks of the paper's kinds, narrowed so that they learn in minutes.",
    shares: &[],
};

pub(super) const SIZES: Group = Group {
    name: "sizes",
    title: "Sizes of the panels",
    varies: "the side of the panels, and with it in how much L_rec weighs (it is summed over pixels: at 224 px twelve times as much as at 64 px)",
    keys: &["model.image.size"],
    full: Some((
        "the side of the panels, with networks sized for it as in the paper, and with it in how much L_rec weighs (it is summed over pixels: at 224 px twelve times as much as at 64 px)",
        &["model.image"],
    )),
    small: "Our patch stem reads the panels; GenVP's column is of its residual networks.",
    shares: &[],
};

/// All of them.
pub const GROUPS: [Group; 7] =
    [CONTRAST, WEIGHTS, LATENT_SIZE, SUPERVISION, EXPERTS, ENCODERS, SIZES];
