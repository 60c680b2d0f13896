//! Random scenes: any slots, any levels that the domain allows.

use genvp_puzzle::read::{Reading, Sighting};
use genvp_puzzle::{Attribute, Component, Domain, Entity, Layout, Panel, Stream};

/// A panel of a layout with everything drawn at random.
pub fn random_panel(stream: &mut Stream, layout: Layout, domain: Domain) -> Panel {
    let components = layout.components().iter().map(|&kind| {
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
        Component { entities: entities.into_iter().collect() }
    });
    Panel { components: components.collect() }
}

/// What a reading gets wrong.
#[derive(Clone, Copy, Default, Debug)]
pub struct Mistakes {
    pub layout: u32,
    /// Components whose set of occupied slots is wrong.
    pub slots: u32,
    pub shape: u32,
    pub size: u32,
    pub color: u32,
    /// Objects that were compared: those in slots that truth and reading share.
    pub objects: u32,
    /// Components that were compared.
    pub components: u32,
}

#[allow(dead_code, reason = "not every test binary counts mistakes")]
impl Mistakes {
    pub fn total(&self) -> u32 {
        self.layout + self.slots + self.shape + self.size + self.color
    }

    pub fn add(&mut self, other: &Self) {
        self.layout += other.layout;
        self.slots += other.slots;
        self.shape += other.shape;
        self.size += other.size;
        self.color += other.color;
        self.objects += other.objects;
        self.components += other.components;
    }
}

/// Compares a reading with the truth. A size counts as right when it is among
/// those that look the same.
#[allow(dead_code, reason = "not every test binary reads")]
pub fn mistakes(reading: &Reading, truth: &Panel, layout: Layout) -> Mistakes {
    let mut wrong = Mistakes::default();
    if reading.layout != layout {
        wrong.layout = 1;
        return wrong;
    }
    for (component, (seen, truth)) in
        reading.panel.components.iter().zip(&truth.components).enumerate()
    {
        wrong.components += 1;
        wrong.slots += u32::from(seen.mask() != truth.mask());
        for entity in &truth.entities {
            let same_place = |s: &&Sighting| {
                usize::from(s.component) == component && s.entity.slot == entity.slot
            };
            let Some(sighting) = reading.sightings.iter().find(same_place) else { continue };
            wrong.objects += 1;
            wrong.shape += u32::from(sighting.entity.shape != entity.shape);
            wrong.size += u32::from(sighting.possible_sizes >> entity.size & 1 == 0);
            let color_right = sighting.entity.color == entity.color || sighting.ambiguous_color;
            wrong.color += u32::from(!color_right);
        }
    }
    wrong
}
