//! What a person can tell apart.

use crate::{Domain, Entity, Layout, Panel, PartKind};

/// Whether two panels show the same objects in the same places, angle aside.
///
/// The angle is noise, so panels that differ in nothing else are both right or
/// both wrong. Objects are compared slot by slot: their order cannot be seen.
pub fn visibly_equal(a: &Panel, b: &Panel, layout: Layout, domain: Domain) -> bool {
    layout.parts().iter().zip(&a.parts).zip(&b.parts).all(|((&kind, a), b)| {
        let look = |e: &Entity| (e.slot, e.shape, visible_size(kind, domain, e), e.color);
        a.mask() == b.mask()
            && a.entities.iter().all(|x| b.entities.iter().any(|y| look(x) == look(y)))
    })
}

/// The size level that can be seen: in the inner grid of O-IG the squares of
/// levels 2 and 3 have the same five-pixel half side and are the same picture.
pub fn visible_size(kind: PartKind, domain: Domain, entity: &Entity) -> u8 {
    const SQUARE: u8 = 2;
    let standard_sizes = !matches!(domain, Domain::SizeI | Domain::SizeE);
    if kind == PartKind::InGrid && standard_sizes && entity.shape == SQUARE && entity.size == 3 {
        2
    } else {
        entity.size
    }
}
