//! From scenes to pixels, bit for bit as the original programs draw them.
//!
//! A panel is 160x160 grey bytes, 255 = paper. Objects are put down in their
//! order, each replacing what lies under its ink, and the line of L-R and U-D
//! comes last. [`annotate()`] gives the mask and box that the originals' files
//! carry, [`ink_into`] the down-sampled view that a model sees.
//!
//! Every function is single-threaded and may be called from many threads at
//! once; they share one bank of sprites, built on first use.

mod annotate;
mod canvas;
mod shape;
pub(crate) mod sprite;

pub use crate::resize::{SIDE, raise_bilinear, resize_area, resize_ink};
pub use annotate::{Annotation, annotate};

use crate::raven::{Divider, Domain, Layout, Panel, Puzzle};

/// Draws a panel into 160x160 grey bytes, 255 = paper.
///
/// # Panics
/// When `out` does not hold 25,600 bytes, or when a level or slot is not one
/// of the domain's and the layout's.
pub fn panel_into(panel: &Panel, layout: Layout, domain: Domain, out: &mut [u8]) {
    assert_eq!(out.len(), SIDE * SIDE, "a panel of {SIDE}x{SIDE} bytes");
    out.fill(255);
    for (&kind, component) in layout.components().iter().zip(&panel.components) {
        for entity in &component.entities {
            let ink = 255 - domain.colors()[usize::from(entity.color)];
            sprite::of(kind, entity, domain).blit(ink, out);
        }
    }
    const MIDDLE: usize = SIDE / 2;
    match layout.divider() {
        Some(Divider::Vertical) => out.iter_mut().skip(MIDDLE).step_by(SIDE).for_each(|p| *p = 0),
        Some(Divider::Horizontal) => out[MIDDLE * SIDE..(MIDDLE + 1) * SIDE].fill(0),
        None => {}
    }
}

/// Draws all sixteen panels: the question, then the choices.
pub fn puzzle(puzzle: &Puzzle) -> Vec<u8> {
    let mut out = vec![255; 16 * SIDE * SIDE];
    for (panel, out) in puzzle.panels().zip(out.chunks_exact_mut(SIDE * SIDE)) {
        panel_into(panel, puzzle.layout, puzzle.domain, out);
    }
    out
}

/// Draws a panel as a model sees it: `side * side` values, ink = 1, paper = 0,
/// each the mean of the exact panel over its area.
///
/// # Panics
/// As [`panel_into`], and when `out` does not hold `side * side` values.
pub fn ink_into(panel: &Panel, layout: Layout, domain: Domain, side: usize, out: &mut [f32]) {
    let mut grey = [255; SIDE * SIDE];
    panel_into(panel, layout, domain, &mut grey);
    resize_area(&grey, SIDE, side, out);
}
