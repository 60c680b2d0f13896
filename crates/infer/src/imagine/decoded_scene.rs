//! The scenes that Z_o says: what a model meant to draw.

use genvp_model::ValuesConfig;
use genvp_puzzle::{Component, Entity, Layout, Panel};

/// Angles are no part of Z_o; every object stands upright.
const UPRIGHT: u8 = 3;

/// The scene of one panel; `None` where the model's blocks are no codes of RAVEN's
/// attributes, or what they say is no scene of the layout.
///
/// # Shapes
/// `z_o` `[K_Zo]`
pub fn scene(values: &ValuesConfig, layouts: usize, layout: Layout, z_o: &[f32]) -> Option<Panel> {
    let mut panel = Panel::default();
    let component = z_o.len() / 2;
    for (kind, block) in layout.components().iter().zip(z_o.chunks_exact(component)) {
        let mut read = [0; 4];
        let mut rest = block;
        for (value, group) in read.iter_mut().zip(&values.groups) {
            let (own, others) = rest.split_at_checked(group.width(layouts))?;
            *value = group.read(own.get(..group.value_width())?)?;
            rest = others;
        }
        let [places, shape, size, color] = read;
        let mask = places + 1;
        if mask >> kind.slot_count() != 0 {
            return None;
        }
        let mut part = Component::default();
        for slot in (0..kind.slot_count() as u8).filter(|slot| mask >> slot & 1 == 1) {
            part.entities.push(Entity {
                slot,
                shape: shape as u8 + 1,
                size: size as u8,
                color: color as u8,
                angle: UPRIGHT,
            });
        }
        panel.components.push(part);
    }
    Some(panel)
}
