//! Soft pictures: the reader also compares with blurred objects, because a
//! model's drawings are rarely sharp.

use super::bank::GRID;

/// How soft a picture may be: standard deviations in pixels at 64 px.
pub(super) const BLURS: [f32; 3] = [0.0, 0.7, 1.4];

/// Blurs a search picture; beyond its edge lies paper.
pub(super) fn blur(picture: Vec<f32>, sigma: f32) -> Vec<f32> {
    if sigma == 0.0 {
        return picture;
    }
    let reach = (3.0 * sigma).ceil() as usize;
    let weight = |d: usize| (-0.5 * (d as f32 / sigma).powi(2)).exp();
    let total: f32 = weight(0) + 2.0 * (1..=reach).map(weight).sum::<f32>();
    let kernel: Vec<f32> = (0..=reach).map(|d| weight(d) / total).collect();
    let across = pass(&picture, &kernel, 1, GRID);
    pass(&across, &kernel, GRID, 1)
}

/// One direction: neighbours lie `step` apart, lines `line` apart.
fn pass(picture: &[f32], kernel: &[f32], step: usize, line: usize) -> Vec<f32> {
    let mut out = vec![0.0; GRID * GRID];
    for start in (0..GRID).map(|i| i * line) {
        for i in 0..GRID {
            let value = picture[start + i * step];
            if value == 0.0 {
                continue;
            }
            for (d, w) in kernel.iter().enumerate() {
                if i + d < GRID {
                    out[start + (i + d) * step] += w * value;
                }
                if d > 0 && i >= d {
                    out[start + (i - d) * step] += w * value;
                }
            }
        }
    }
    out
}
