//! Soft pictures: the reader also compares with blurred objects, because a
//! model's drawings are rarely sharp.

use super::bank::GRID;

/// How soft the objects of the bank are: standard deviations in pixels at
/// 64 px. The reading settles on a value of its own in between.
pub(super) const BLURS: [f32; 4] = [0.0, 0.6, 1.0, 1.5];

/// A Gaussian blur of a picture of 64x64; beyond its edge lies paper.
pub(in crate::raven) fn blur(picture: Vec<f32>, sigma: f32) -> Vec<f32> {
    if sigma <= 0.0 {
        return picture;
    }
    let reach = (3.0 * sigma).ceil() as usize;
    let weight = |d: usize| (-0.5 * (d as f32 / sigma).powi(2)).exp();
    let total: f32 = weight(0) + 2.0 * (1..=reach).map(weight).sum::<f32>();
    let kernel: Vec<f32> = (0..=reach).map(|d| weight(d) / total).collect();
    let mut across = vec![0.0; GRID * GRID];
    for (from, to) in picture.chunks_exact(GRID).zip(across.chunks_exact_mut(GRID)) {
        for (d, &w) in kernel.iter().enumerate() {
            add(&mut to[d..], &from[..GRID - d], w);
            if d > 0 {
                add(&mut to[..GRID - d], &from[d..], w);
            }
        }
    }
    // Rows further down lie whole rows further on, so one pass serves them all.
    let mut down = vec![0.0; GRID * GRID];
    for (d, &w) in kernel.iter().enumerate() {
        let shift = d * GRID;
        add(&mut down[shift..], &across[..GRID * GRID - shift], w);
        if d > 0 {
            add(&mut down[..GRID * GRID - shift], &across[shift..], w);
        }
    }
    down
}

fn add(to: &mut [f32], from: &[f32], weight: f32) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += weight * from;
    }
}
