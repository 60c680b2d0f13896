//! The scenes that Z says: what a model meant to draw.

use genvp_model::{
    IRRELEVANT_PER_OBJECT, LatentConfig, ValuesConfig, irrelevant_offset, object_value,
};
use genvp_puzzle::{Component, Entity, Layout, Panel};

/// Angles are no part of Z_o; every object stands upright.
const UPRIGHT: u8 = 3;

/// The scene of one panel; `None` where the model's blocks are no codes of RAVEN's
/// attributes, or what they say is no scene of the layout.
///
/// # Shapes
/// `z` `[K]`
pub fn scene(
    values: &ValuesConfig,
    latent: &LatentConfig,
    layouts: usize,
    layout: Layout,
    z: &[f32],
) -> Option<Panel> {
    let mut panel = Panel::default();
    let (z_o, irrelevant) = z.split_at_checked(latent.relevant)?;
    let blocks = z_o.chunks_exact(z_o.len() / 2).enumerate();
    for (kind, (number, block)) in layout.components().iter().zip(blocks) {
        let (mut read, mut unlike) = ([0; 4], [false; 4]);
        let mut rest = block;
        for ((value, differs), group) in read.iter_mut().zip(&mut unlike).zip(&values.groups) {
            let (own, others) = rest.split_at_checked(group.width(layouts))?;
            let (code, after) = own.split_at_checked(group.value_width())?;
            *differs = matches!(after, [flag] if *flag > 0.0);
            // No one value stands for objects that differ.
            *value = if *differs { 0 } else { group.read(code)? };
            rest = others;
        }
        let [occupancy, shape, size, color] = read;
        let mask = occupancy + 1;
        if mask >> kind.slot_count() != 0 {
            return None;
        }
        let mut component = Component::default();
        for slot in (0..kind.slot_count() as u8).filter(|slot| mask >> slot & 1 == 1) {
            let start = irrelevant_offset(number, usize::from(slot), irrelevant.len());
            let own = irrelevant.get(start..start + IRRELEVANT_PER_OBJECT)?;
            // Where objects differ, their own numbers say how.
            let value = |group: usize, shared: usize| match unlike[group] {
                true => object_value(own, group - 1, values.groups[group].count()) as u8,
                false => shared as u8,
            };
            component.entities.push(Entity {
                slot,
                shape: value(1, shape) + 1,
                size: value(2, size),
                color: value(3, color),
                angle: UPRIGHT,
            });
        }
        panel.components.push(component);
    }
    Some(panel)
}
