//! What an eye can tell apart.

use crate::raven::{Component, ComponentKind, Domain, Entity, Layout, Panel};

const SQUARE: u8 = 2;

/// What the renderer makes of a size: the whole number of pixels from the middle
/// of an object to its corners, or to the sides of a square. Sizes that come to
/// the same number give the same picture.
fn reach(kind: ComponentKind, domain: Domain, shape: u8, size: u8) -> Option<i32> {
    let size = *domain.sizes().get(usize::from(size))?;
    let unit = 80.0 * kind.slots()[0].side;
    let exact = if shape == SQUARE { unit / 2.0 * 2f64.sqrt() * size } else { unit * size };
    Some(exact as i32)
}

/// Whether two size levels give the same picture of a shape in a component:
/// small squares of O-IG's inner grid do (levels 2 and 3 of the standard sizes).
pub fn sizes_look_alike(kind: ComponentKind, domain: Domain, shape: u8, a: u8, b: u8) -> bool {
    a == b
        || match (reach(kind, domain, shape, a), reach(kind, domain, shape, b)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        }
}

/// Whether two panels look alike to one who takes no notice of angles.
pub fn visibly_equal(a: &Panel, b: &Panel, layout: Layout, domain: Domain) -> bool {
    a.components.len() == b.components.len()
        && layout
            .components()
            .iter()
            .zip(a.components.iter().zip(&b.components))
            .all(|(&kind, (a, b))| components_look_alike(a, b, kind, domain))
}

/// Whether one component looks alike in two panels.
pub(super) fn components_look_alike(
    a: &Component,
    b: &Component,
    kind: ComponentKind,
    domain: Domain,
) -> bool {
    let alike = |a: &Entity, b: &Entity| {
        a.slot == b.slot
            && a.shape == b.shape
            && a.color == b.color
            && sizes_look_alike(kind, domain, a.shape, a.size, b.size)
    };
    a.entities.len() == b.entities.len()
        && a.entities.iter().all(|a| b.entities.iter().any(|b| alike(a, b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raven::Attribute;

    #[test]
    fn only_small_squares_hide_their_size_in_the_standard_domain() {
        let mut found = Vec::new();
        for kind in ComponentKind::ALL {
            let range = Domain::Standard.range(kind, Attribute::Size);
            for shape in 1..=5 {
                for a in range.iter().map(|l| l as u8) {
                    for b in range.iter().map(|l| l as u8).filter(|&b| b > a) {
                        if sizes_look_alike(kind, Domain::Standard, shape, a, b) {
                            found.push((kind, shape, a, b));
                        }
                    }
                }
            }
        }
        assert_eq!(found, [(ComponentKind::InGrid, SQUARE, 2, 3)]);
    }
}
