//! The grey of an outer object.
//!
//! The engine draws outer objects white, so its reader offers them no other color: one that is
//! drawn grey is read as white, and the grey stays over as an error. Here it is looked at.

use crate::raven::read::blur;
use crate::raven::{Attribute, ComponentKind, Domain, Layout, Panel, render};

use super::SIDE;

/// How soft a drawing may be: standard deviations in pixels.
const BLURS: [f32; 4] = [0.0, 0.6, 1.0, 1.5];
/// Fewer pixels of the inside tell nothing.
const LEAST_PIXELS: usize = 8;
/// A pixel tells of the inside when at least so much of what it shows is that.
const MOSTLY: f32 = 0.5;

/// Gives the outer object of a scene, if there is one, the color that the picture shows.
pub(super) fn recolor(ink: &[f32], layout: Layout, domain: Domain, panel: &mut Panel) {
    if layout.components()[0] != ComponentKind::Out {
        return;
    }
    let Some(inside) = inside(ink, layout, domain, panel) else { return };
    let distance = |level: &u8| {
        let grey = f32::from(domain.colors()[usize::from(*level)]);
        (inside - (1.0 - grey / 255.0)).abs()
    };
    let levels = 0..domain.colors().len() as u8;
    let nearest = levels.min_by(|a, b| distance(a).total_cmp(&distance(b)));
    for entity in &mut panel.components[0].entities {
        entity.color = nearest.unwrap_or(entity.color);
    }
}

/// The ink inside the outer object, where no inner one hides it, if the scene is drawn as soft
/// as explains the picture best.
fn inside(ink: &[f32], layout: Layout, domain: Domain, panel: &Panel) -> Option<f32> {
    let drawn = |color: i32| {
        let mut scene = panel.clone();
        scene.components[0].entities.iter_mut().for_each(|entity| entity.color = color as u8);
        let mut drawn = vec![0.0; SIDE * SIDE];
        render::ink_into(&scene, layout, domain, SIDE, &mut drawn);
        drawn
    };
    let levels = domain.range(ComponentKind::Center, Attribute::Color);
    let (light, dark) = (drawn(levels.lo), drawn(levels.hi));
    let found = BLURS.into_iter().filter_map(|sigma| {
        let (light, dark) = (blur(light.clone(), sigma), blur(dark.clone(), sigma));
        let inside = median_inside(ink, &light, &dark)?;
        let error = |((seen, light), dark): ((&f32, &f32), &f32)| {
            (seen - light - inside * (dark - light)).powi(2)
        };
        Some((ink.iter().zip(&light).zip(&dark).map(error).sum::<f32>(), inside))
    });
    found.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, inside)| inside)
}

/// The share of black in what two drawings, white and black inside, differ in. The median,
/// because an inner object that is not quite as it was read reaches into some pixels.
fn median_inside(ink: &[f32], light: &[f32], dark: &[f32]) -> Option<f32> {
    let pixels = ink.iter().zip(light.iter().zip(dark));
    let pixels = pixels.filter(|(_, (light, dark))| *dark - *light > MOSTLY);
    let mut found: Vec<f32> =
        pixels.map(|(seen, (light, dark))| (seen - light) / (dark - light)).collect();
    if found.len() < LEAST_PIXELS {
        return None;
    }
    found.sort_unstable_by(f32::total_cmp);
    Some(found[found.len() / 2])
}
