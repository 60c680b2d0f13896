//! From the best guess of every slot to the best scene, by drawing it.

use super::fit::Fit;
use super::view::View;
use crate::raven::render::{self, SIDE};
use crate::raven::{ComponentKind, Domain};

/// What a scene is compared with.
pub(super) enum Target<'a> {
    /// The search picture.
    Ink(&'a View<'a>),
    /// The exact panel.
    Grey(&'a [u8], Domain),
}

impl Target<'_> {
    /// What the right scene may leave: a picture of bytes at 64 px is rounded.
    fn least_error(&self) -> f32 {
        match self {
            Self::Ink(_) => 0.02,
            Self::Grey(..) => 0.0,
        }
    }

    /// Squared error of a scene, in ink at 64 px for both kinds.
    fn error(&self, fit: &Fit) -> f32 {
        match self {
            Self::Ink(view) => view.error(fit),
            Self::Grey(grey, domain) => {
                // One pixel of the search picture is the mean of 6.25.
                grey_error(grey, fit, *domain) as f32 / (255.0 * 255.0 * 6.25)
            }
        }
    }
}

fn grey_error(grey: &[u8], fit: &Fit, domain: Domain) -> u64 {
    let mut drawn = [255; SIDE * SIDE];
    render::panel_into(&fit.panel(), fit.layout, domain, &mut drawn);
    grey.iter().zip(&drawn).map(|(a, b)| u64::from(a.abs_diff(*b)).pow(2)).sum()
}

/// How far off a gain may be on a sharp picture: the renderer rounds the ink of
/// edges to bytes, and gains are sums of thousands of terms.
const ROUNDING: f32 = 0.1;

/// How far off a gain may be where objects touch: a few pixels of ink.
const OVERLAP: f32 = 4.0;

/// Whether a fit's scene is the panel, byte for byte.
pub(super) fn is_exact(grey: &[u8], fit: &Fit, domain: Domain) -> bool {
    let mut drawn = [255; SIDE * SIDE];
    render::panel_into(&fit.panel(), fit.layout, domain, &mut drawn);
    grey == drawn
}

/// Tries the runners-up of every slot that is not clear, and other degrees of
/// softness, and keeps what lowers the error of the whole picture.
pub(super) fn refine(fit: &mut Fit, view: &View, target: &Target) {
    let mut error = target.error(fit);
    // Sharp objects reach into each other only where one stands in another.
    let crowded = fit.sigma > 0.0 || fit.layout.components()[0] == ComponentKind::Out;
    for pass in 0..3 {
        let before = error;
        error = refine_sigma(fit, target, error);
        for slot in 0..fit.slots.len() {
            if crowded && pass < 2 && error > target.least_error() {
                view.rank_again(fit, slot);
            }
            error = refine_slot(fit, slot, target, error);
        }
        if error >= before {
            break;
        }
    }
    fit.residual = error;
}

/// Settles how soft the picture is; gives the error that is left.
fn refine_sigma(fit: &mut Fit, target: &Target, mut error: f32) -> f32 {
    if fit.sigma == 0.0 {
        return error;
    }
    for step in [1.2, 1.06] {
        for factor in [step, 1.0 / step] {
            // Walk on for as long as it helps.
            loop {
                let before = fit.sigma;
                fit.sigma = (before * factor).clamp(0.3, 2.5);
                let tried = target.error(fit);
                if tried >= error {
                    fit.sigma = before;
                    break;
                }
                error = tried;
            }
        }
    }
    error
}

/// Settles one slot; gives the error that is left.
fn refine_slot(fit: &mut Fit, slot: usize, target: &Target, error: f32) -> f32 {
    let taken = fit.slots[slot].taken;
    let alone = taken.is_some() && fit.count(fit.slots[slot].component) == 1;
    let here = &fit.slots[slot];
    let gain = here.gain(taken);
    // Neighbours change a gain by no more than the error they leave, so what
    // lies further below the best cannot win.
    let top = here.guesses.iter().map(|g| g.gain).fold(gain, f32::max);
    let floor = top - (2.0 * error).min(OVERLAP) - ROUNDING;
    let choices: Vec<Option<usize>> = (0..here.guesses.len())
        .map(Some)
        .chain((!alone).then_some(None))
        .filter(|&choice| choice != taken && here.gain(choice) >= floor)
        .collect();
    let mut best = (taken, error);
    for choice in choices {
        fit.slots[slot].taken = choice;
        let tried = target.error(fit);
        fit.slots[slot].set_gain(choice, gain + error - tried);
        if tried < best.1 {
            best = (choice, tried);
        }
    }
    fit.slots[slot].taken = best.0;
    best.1
}
