//! Random scenes: any slots, any levels that the domain allows.

use genvp_puzzle::{Attribute, Domain, Entity, Layout, Panel, Part, Stream};

/// A panel of a layout with everything drawn at random.
pub fn random_panel(stream: &mut Stream, layout: Layout, domain: Domain) -> Panel {
    let parts = layout.parts().iter().map(|&kind| {
        let mut slots: Vec<u8> = (0..kind.slot_count() as u8).collect();
        stream.shuffle(&mut slots);
        let count = 1 + stream.below(slots.len() as u32) as usize;
        let mut level = |attribute| {
            let range = domain.range(kind, attribute);
            stream.between(range.lo, range.hi) as u8
        };
        let mut entities: Vec<Entity> = slots[..count]
            .iter()
            .map(|&slot| Entity {
                slot,
                shape: level(Attribute::Type),
                size: level(Attribute::Size),
                color: level(Attribute::Color),
                angle: 0,
            })
            .collect();
        for entity in &mut entities {
            entity.angle = stream.below(8) as u8;
        }
        Part { entities: entities.into_iter().collect() }
    });
    Panel { parts: parts.collect() }
}
