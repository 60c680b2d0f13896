//! The same puzzle seen a little larger or smaller, and a little turned.
//!
//! All panels change alike and a little, so the rules stay, and slots stay where they
//! are told to be; sizes and angles become some that the engine never draws. What a model then
//! does with values between the standard ones is no longer a test of values never seen.

use genvp_puzzle::Stream;
use serde::{Deserialize, Serialize};

/// How far panels may be enlarged and turned.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WarpConfig {
    /// At most so much larger or smaller: 0.1 is ten percent.
    pub zoom: f32,
    /// At most so many degrees to either side.
    pub turn: f32,
}

impl WarpConfig {
    /// Whether nothing is ever changed.
    pub fn is_off(&self) -> bool {
        self.zoom == 0.0 && self.turn == 0.0
    }

    pub(super) fn problem(&self) -> Option<String> {
        let fits = (0.0..=0.2).contains(&self.zoom) && (0.0..=20.0).contains(&self.turn);
        (!fits).then(|| {
            "train.feed.warp: zoom lies between 0 and 0.2, turn between 0 and 20 degrees".into()
        })
    }

    /// Changes panels of `side * side` numbers, all in the same way.
    pub(super) fn apply(&self, pixels: &mut [f32], side: usize, stream: &mut Stream) {
        let even = |stream: &mut Stream| 2.0 * stream.unit() - 1.0;
        let zoom = (1.0 + self.zoom).powf(even(stream));
        let (sin, cos) = (self.turn * even(stream)).to_radians().sin_cos();
        let (sin, cos) = (sin / zoom, cos / zoom);
        let middle = (side as f32 - 1.0) / 2.0;
        for panel in pixels.chunks_exact_mut((side * side).max(1)) {
            let before = panel.to_vec();
            for (i, pixel) in panel.iter_mut().enumerate() {
                let (y, x) = ((i / side) as f32 - middle, (i % side) as f32 - middle);
                let from = (cos * y - sin * x + middle, sin * y + cos * x + middle);
                *pixel = sample(&before, side, from);
            }
        }
    }
}

/// The picture at a place between pixels; paper outside of it.
fn sample(pixels: &[f32], side: usize, (y, x): (f32, f32)) -> f32 {
    let at = |y: f32, x: f32| {
        let inside = |v: f32| v >= 0.0 && v < side as f32;
        if inside(y) && inside(x) { pixels[y as usize * side + x as usize] } else { 0.0 }
    };
    let (top, left) = (y.floor(), x.floor());
    let (down, right) = (y - top, x - left);
    let row = |y: f32| at(y, left) * (1.0 - right) + at(y, left + 1.0) * right;
    row(top) * (1.0 - down) + row(top + 1.0) * down
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disc in the middle and a small one to the right of it, sixteen times.
    fn discs(side: usize, radius: f32) -> Vec<f32> {
        let middle = (side as f32 - 1.0) / 2.0;
        let disc = (0..side * side).map(|i| {
            let (y, x) = ((i / side) as f32 - middle, (i % side) as f32 - middle);
            let beside = y.hypot(x - 1.4 * radius) < radius / 4.0;
            f32::from(u8::from(y.hypot(x) < radius || beside))
        });
        disc.collect::<Vec<_>>().repeat(16)
    }

    #[test]
    fn all_panels_change_alike_and_ink_grows_with_the_zoom() {
        let warp = WarpConfig { zoom: 0.2, turn: 0.0 };
        let (mut smaller, mut larger) = (0, 0);
        for draw in 0..40 {
            let mut pixels = discs(32, 9.0);
            let ink: f32 = pixels[..1024].iter().sum();
            warp.apply(&mut pixels, 32, &mut Stream::new(1, "test", draw));
            assert!(pixels.chunks_exact(1024).all(|panel| panel == &pixels[..1024]));
            let share = pixels[..1024].iter().sum::<f32>() / ink;
            assert!((0.65..1.5).contains(&share), "{share}");
            smaller += usize::from(share < 0.9);
            larger += usize::from(share > 1.1);
        }
        assert!(smaller > 5 && larger > 5, "{smaller} {larger}");
    }

    #[test]
    fn what_is_to_the_right_turns_up_and_down() {
        let warp = WarpConfig { zoom: 0.0, turn: 20.0 };
        let (mut up, mut down) = (0, 0);
        for draw in 0..40 {
            let mut pixels = discs(32, 9.0);
            warp.apply(&mut pixels, 32, &mut Stream::new(1, "test", draw));
            // Ink above and below the middle line, right of the large disc.
            let ink = |lines: std::ops::Range<usize>| -> f32 {
                lines.map(|y| pixels[y * 32 + 26..y * 32 + 32].iter().sum::<f32>()).sum()
            };
            let (above, below) = (ink(0..16), ink(16..32));
            up += usize::from(above > 1.5 * below);
            down += usize::from(below > 1.5 * above);
        }
        assert!(up > 5 && down > 5, "{up} {down}");
    }

    #[test]
    fn off_it_changes_nothing() {
        let before = discs(16, 5.0);
        let mut pixels = before.clone();
        WarpConfig::default().apply(&mut pixels, 16, &mut Stream::new(1, "test", 0));
        assert_eq!(pixels, before);
    }
}
