//! Objects laid over paper, as logits, and what ink that makes.

use std::ops::Range;
use std::sync::Arc;

use super::channels::for_best_isa;
use super::parallel::{self, Shared, written};

/// Where an object is drawn.
#[derive(Clone, Debug)]
pub struct Cutout {
    /// Its panel.
    pub panel: usize,
    /// The pixel of the panel that each of its own falls on; [`Cutout::BEYOND`] for those over
    /// the edge.
    pub pixels: Arc<[u32]>,
}

impl Cutout {
    /// Over the edge of the panel.
    pub const BEYOND: u32 = u32::MAX;
}

/// Objects of one size, in the order of their panels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Objects<'a> {
    /// `[objects, pixels]`
    pub(crate) drawn: &'a [f32],
    /// How much of each is there.
    pub(crate) there: &'a [f32],
    pub(crate) cutouts: &'a [Cutout],
}

impl<'a> Objects<'a> {
    /// The objects of some panels.
    fn of(&self, panels: Range<usize>) -> Range<usize> {
        let first = |panel| self.cutouts.partition_point(|cutout| cutout.panel < panel);
        first(panels.start)..first(panels.end)
    }

    fn drawn(&self, object: usize) -> &'a [f32] {
        let pixels = self.cutouts[object].pixels.len();
        &self.drawn[object * pixels..][..pixels]
    }
}

/// Panels that one task draws.
const PANELS: usize = 8;

/// The ink of all panels: `sigmoid(line + column + sum of there * drawn)`.
///
/// `paper` is `[n, h + w]`: a logit for each line of pixels, and one for each column.
pub(crate) fn compose(paper: &[f32], [h, w]: [usize; 2], layers: &[Objects<'_>]) -> Vec<f32> {
    let n = paper.len() / (h + w).max(1);
    let tasks = n.div_ceil(PANELS);
    let fill = |to: Shared| {
        parallel::for_each_with(
            tasks,
            tasks > 1,
            || (),
            |(), task| {
                for panel in task * PANELS..n.min((task + 1) * PANELS) {
                    // SAFETY: every panel has its own part, which is overwritten.
                    let ink = unsafe { to.slice(panel * h * w, h * w) };
                    lay_paper(ink, &paper[panel * (h + w)..][..h + w], w);
                    for layer in layers {
                        for object in layer.of(panel..panel + 1) {
                            let pixels = &layer.cutouts[object].pixels;
                            lay_object(ink, layer.drawn(object), layer.there[object], pixels);
                        }
                    }
                    sigmoid(ink);
                }
            },
        );
    };
    // SAFETY: the tasks cover all panels.
    unsafe { written(n * h * w, fill) }
}

/// The gradients of [`compose`]: of the paper, and of each layer what is drawn and how much of
/// it is there.
pub(crate) struct ComposeGradients {
    pub(crate) paper: Vec<f32>,
    pub(crate) layers: Vec<(Vec<f32>, Vec<f32>)>,
}

/// From the gradient `dy` of the ink `y`.
pub(crate) fn compose_backward(
    y: &[f32],
    dy: &[f32],
    [h, w]: [usize; 2],
    layers: &[Objects<'_>],
) -> ComposeGradients {
    let n = y.len() / (h * w).max(1);
    let mut paper = vec![0.0; n * (h + w)];
    let mut found: Vec<(Vec<f32>, Vec<f32>)> = layers
        .iter()
        .map(|layer| (vec![0.0; layer.drawn.len()], vec![0.0; layer.there.len()]))
        .collect();
    let to_paper = Shared::new(paper.as_mut_ptr());
    let to_layers: Vec<(Shared, Shared)> = found
        .iter_mut()
        .map(|(drawn, there)| (Shared::new(drawn.as_mut_ptr()), Shared::new(there.as_mut_ptr())))
        .collect();
    let tasks = n.div_ceil(PANELS);
    let scratch = || vec![0.0; h * w];
    parallel::for_each_with(tasks, tasks > 1, scratch, |logits, task| {
        for panel in task * PANELS..n.min((task + 1) * PANELS) {
            let part = panel * h * w..(panel + 1) * h * w;
            back_to_logits(logits, &y[part.clone()], &dy[part]);
            // SAFETY: every panel has its own lines and columns, and its own objects.
            let own = unsafe { to_paper.slice(panel * (h + w), h + w) };
            let (lines, columns) = own.split_at_mut(h);
            sum_lines(logits, lines, columns);
            for (layer, (to_drawn, to_there)) in layers.iter().zip(&to_layers) {
                for object in layer.of(panel..panel + 1) {
                    let drawn = layer.drawn(object);
                    // SAFETY: as above.
                    let (to, there) = unsafe {
                        (
                            to_drawn.slice(object * drawn.len(), drawn.len()),
                            to_there.slice(object, 1),
                        )
                    };
                    let pixels = &layer.cutouts[object].pixels;
                    there[0] = lift_object(logits, drawn, layer.there[object], pixels, to);
                }
            }
        }
    });
    ComposeGradients { paper, layers: found }
}

for_best_isa! {
    fn lay_paper(ink: &mut [f32], paper: &[f32], w: usize) {
        let (lines, columns) = paper.split_at(paper.len() - w);
        for (ink, line) in ink.chunks_exact_mut(w).zip(lines) {
            for (ink, column) in ink.iter_mut().zip(columns) {
                *ink = line + column;
            }
        }
    }
}

fn lay_object(ink: &mut [f32], drawn: &[f32], there: f32, pixels: &[u32]) {
    for (drawn, &pixel) in drawn.iter().zip(pixels) {
        // What falls over the edge is on no pixel.
        if let Some(ink) = ink.get_mut(pixel as usize) {
            *ink += there * drawn;
        }
    }
}

/// The gradient of what is drawn; returns that of how much of it is there.
fn lift_object(logits: &[f32], drawn: &[f32], there: f32, pixels: &[u32], to: &mut [f32]) -> f32 {
    let mut sum = 0.0;
    for ((to, drawn), &pixel) in to.iter_mut().zip(drawn).zip(pixels) {
        let gradient = logits.get(pixel as usize).copied().unwrap_or_default();
        *to = there * gradient;
        sum += drawn * gradient;
    }
    sum
}

for_best_isa! {
    fn sum_lines(logits: &[f32], lines: &mut [f32], columns: &mut [f32]) {
        for (logits, line) in logits.chunks_exact(columns.len()).zip(lines) {
            *line = logits.iter().sum();
            for (column, logit) in columns.iter_mut().zip(logits) {
                *column += logit;
            }
        }
    }
}

for_best_isa! {
    /// `dy * y * (1 - y)`
    fn back_to_logits(to: &mut [f32], y: &[f32], dy: &[f32]) {
        for ((to, y), dy) in to.iter_mut().zip(y).zip(dy) {
            *to = dy * y * (1.0 - y);
        }
    }
}

for_best_isa! {
    /// `1 / (1 + exp(-x))`
    fn sigmoid(values: &mut [f32]) {
        for x in values {
            *x = 1.0 / (1.0 + exp(-*x));
        }
    }
}

/// The exponential function to about 1e-7 of its value, in a form that fits into registers of
/// many floats. A NaN stays a NaN.
#[inline(always)]
fn exp(x: f32) -> f32 {
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let x = x.clamp(-87.0, 88.0);
    let whole = (x * std::f32::consts::LOG2_E).round_ties_even();
    let r = (x - whole * LN_2_HIGH) - whole * LN_2_LOW;
    let mut sum = 1.0 / 5040.0;
    for term in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        sum = sum * r + term;
    }
    // 2^whole, by way of the exponent's bits.
    sum * f32::from_bits(((whole as i32 + 127) << 23) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sigmoids_are_right_everywhere() {
        let xs: Vec<f32> = (-4000..=4000).map(|i| i as f32 * 0.025).collect();
        let mut found = xs.clone();
        sigmoid(&mut found);
        for (x, found) in xs.iter().zip(&found) {
            let wanted = 1.0 / (1.0 + (-f64::from(*x)).exp());
            let apart = (f64::from(*found) - wanted).abs();
            assert!(apart <= 3e-7 * wanted + 1e-37, "sigmoid({x}) is {found}, not {wanted}");
        }
        let mut odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
        sigmoid(&mut odd);
        assert!(odd[0].is_nan() && odd[1] == 1.0 && odd[2] < 1e-30, "{odd:?}");
    }
}
