//! One panel in the clean style: true shapes instead of the datasets' pixels.

use genvp_puzzle::{Divider, Domain, Entity, Layout, Panel, Slot};

use super::alt_text;
use super::image::GreyImage;
use super::picture::{Area, Mark, Paint, Picture, Rgb};
use super::style::{FRAME, FRAME_WIDTH, INK, PANEL, PAPER, STROKE};

/// A panel with a thin frame around it, and its alt text.
pub fn panel(panel: &Panel, layout: Layout, domain: Domain) -> Picture {
    let bare = bare_panel(panel, layout, domain);
    let mut picture = Picture::new(PANEL + 2.0 * FRAME_WIDTH, PANEL + 2.0 * FRAME_WIDTH);
    framed(&mut picture, &bare, FRAME_WIDTH, FRAME_WIDTH, PANEL);
    picture.title = "Panel".to_owned();
    picture.description = bare.description;
    picture
}

/// A panel without frame, [`PANEL`] units wide and high: what a
/// [`Board`](super::Board) is made of.
pub fn bare_panel(panel: &Panel, layout: Layout, domain: Domain) -> Picture {
    let mut picture = Picture::new(PANEL, PANEL);
    picture.description = alt_text::panel(panel, layout, domain);
    for (component, kind) in panel.components.iter().zip(layout.components()) {
        for entity in &component.entities {
            if let Some(slot) = kind.slots().get(usize::from(entity.slot)) {
                picture.marks.extend(object(entity, slot, domain));
            }
        }
    }
    // As in the datasets, the line is the pixel after the middle: crisp at any whole scale.
    let middle = PANEL / 2.0;
    match layout.divider() {
        Some(Divider::Vertical) => {
            picture.rect(Area::new(middle, 0.0, 1.0, PANEL), INK);
        }
        Some(Divider::Horizontal) => {
            picture.rect(Area::new(0.0, middle, PANEL, 1.0), INK);
        }
        None => {}
    }
    picture
}

/// A panel that is an image, without frame; its pixels are shown as they are.
pub fn image_panel(image: &GreyImage) -> Picture {
    let mut picture = Picture::new(PANEL, PANEL);
    let area = Area::new(0.0, 0.0, PANEL, PANEL);
    picture.marks.push(Mark::Image { area, image: image.clone() });
    picture
}

/// Puts a bare panel at `(x, y)` with `side` units, and a thin frame around it.
pub(super) fn framed(picture: &mut Picture, panel: &Picture, x: f32, y: f32, side: f32) {
    let area = Area::new(x, y, side, side);
    outlined(picture, area, PAPER);
    picture.place(panel, x, y, side / panel.width.max(panel.height));
}

/// A filled area with a thin frame that lies outside of it.
pub(super) fn outlined(picture: &mut Picture, area: Area, fill: Rgb) {
    let paint = Paint { fill: Some(fill), stroke: Some((FRAME, FRAME_WIDTH)) };
    picture.rounded(area.grown(FRAME_WIDTH / 2.0), 0.0, paint);
}

/// Every shape is inscribed in a circle whose radius is half the slot times the
/// size; corners point up, and a square stands on its side.
fn object(entity: &Entity, slot: &Slot, domain: Domain) -> Option<Mark> {
    let side = f64::from(PANEL);
    let (x, y) = (slot.x * side, slot.y * side);
    let radius = side / 2.0 * slot.side * domain.sizes().get(usize::from(entity.size))?;
    let grey = *domain.colors().get(usize::from(entity.color))?;
    let turn = f64::from(*domain.angles().get(usize::from(entity.angle))?);
    // White objects are hollow, as in the datasets.
    let fill = (grey < 255).then_some(Rgb::grey(grey));
    let paint = Paint { fill, stroke: Some((INK, STROKE)) };
    let (corners, first) = match entity.shape {
        1 => (3, 90.0),
        2 => (4, 45.0),
        3 => (5, 90.0),
        4 => (6, 90.0),
        5 => {
            return Some(Mark::Circle { x: x as f32, y: y as f32, radius: radius as f32, paint });
        }
        _ => return None,
    };
    let points = (0..corners)
        .map(|corner| {
            let angle =
                (first + turn + 360.0 / f64::from(corners) * f64::from(corner)).to_radians();
            ((x + radius * angle.cos()) as f32, (y - radius * angle.sin()) as f32)
        })
        .collect();
    Some(Mark::Polygon { points, paint })
}
