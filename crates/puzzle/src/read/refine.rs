//! From the best guess of every slot to the best scene, by drawing it.

use super::fit::{Fit, View};
use crate::Domain;
use crate::render::{self, SIDE};

/// What a scene is compared with.
pub(super) enum Target<'a> {
    /// The search picture.
    Ink(&'a View<'a>),
    /// The exact panel.
    Grey(&'a [u8], Domain),
}

impl Target<'_> {
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

/// Whether a fit's scene is the panel, byte for byte.
pub(super) fn is_exact(grey: &[u8], fit: &Fit, domain: Domain) -> bool {
    let mut drawn = [255; SIDE * SIDE];
    render::panel_into(&fit.panel(), fit.layout, domain, &mut drawn);
    grey == drawn
}

/// Tries the runners-up of every slot that is not clear, and keeps what lowers
/// the error of the whole picture.
pub(super) fn refine(fit: &mut Fit, target: &Target) {
    let mut error = target.error(fit);
    for _ in 0..2 {
        let before = error;
        for slot in 0..fit.slots.len() {
            error = refine_slot(fit, slot, target, error);
        }
        if error >= before {
            break;
        }
    }
    fit.residual = error;
}

/// Settles one slot; gives the error that is left.
fn refine_slot(fit: &mut Fit, slot: usize, target: &Target, mut error: f32) -> f32 {
    let taken = fit.slots[slot].taken;
    let alone = taken.is_some() && fit.count(fit.slots[slot].part) == 1;
    let gain = |choice: Option<usize>| choice.map_or(0.0, |i| fit.slots[slot].guesses[i].gain);
    // Neighbours change a gain by no more than the error they leave, so what
    // lies further below the best cannot win.
    let floor = gain(taken) - 2.0 * error - ROUNDING;
    let count = fit.slots[slot].guesses.len();
    let choices: Vec<Option<usize>> = (0..count)
        .map(Some)
        .chain((!alone).then_some(None))
        .filter(|&choice| choice != taken && gain(choice) >= floor)
        .collect();
    let mut best = taken;
    for choice in choices {
        fit.slots[slot].taken = choice;
        let tried = target.error(fit);
        if tried < error {
            (best, error) = (choice, tried);
        }
    }
    fit.slots[slot].taken = best;
    error
}
