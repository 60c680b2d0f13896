//! What the originals' files say about each object: its mask and its true box.

use std::fmt::Write;

use super::SIDE;
use super::shape::Shape;
use super::sprite::{self, Run};
use crate::raven::{ComponentKind, Domain, Entity};

/// The two annotations of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    /// Covered pixels as `[start,length,start,length,...]` over the flattened
    /// 160x160 panel; the first pixel is number 1.
    pub mask: String,
    /// `[y centre, x centre, height, width]` of the drawn object as fractions of
    /// the panel, to four decimals.
    pub real_bbox: [f64; 4],
}

/// The border adds 1.5 pixels on either side.
const BORDER: f64 = 2.0 * 1.5 / SIDE as f64;

impl Annotation {
    pub(super) fn new(shape: &Shape, mask: &[Run]) -> Self {
        let side = SIDE as f64;
        let bbox = if shape.is_circle() {
            let width = 2.0 * shape.reach / side + BORDER;
            [shape.cy as f64 / side, shape.cx as f64 / side, width, width]
        } else {
            // In the originals' order of operations: it decides the last digit of ties.
            let [x0, x1, y0, y1] = shape.bounds().map(|v| v / side);
            [(y0 + y1) / 2.0, (x0 + x1) / 2.0, y1 - y0 + BORDER, x1 - x0 + BORDER]
        };
        let mut text = String::from("[");
        for (i, run) in mask.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            // Writing to a String cannot fail.
            let _ = write!(text, "{comma}{},{}", run.start + 1, run.len);
        }
        text.push(']');
        Self { mask: text, real_bbox: bbox.map(|v| (v * 1e4).round_ties_even() / 1e4) }
    }
}

/// The mask and the true box of an object. They do not depend on its color.
///
/// # Panics
/// When a level or the slot is not one of the domain's and the component's.
pub fn annotate(component: ComponentKind, entity: &Entity, domain: Domain) -> &'static Annotation {
    sprite::of(component, entity, domain).annotation()
}
