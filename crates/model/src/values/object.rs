//! Where the numbers that speak about one object stand in Z.

use super::{ValueKind, ValuesConfig};
use crate::config::LatentConfig;

/// Numbers of Z_o-bar for one object.
pub const OWN: usize = 4;

/// Where an object's own numbers begin in Z_o-bar: objects of the first component are
/// counted from the front, those of another from the back. No layout has so many that
/// they meet.
pub fn own_place(component: usize, slot: usize, irrelevant: usize) -> usize {
    OWN * if component == 0 { slot } else { irrelevant / OWN - 1 - slot }
}

/// The numbers of Z that speak about each object that there can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Objects {
    /// For each object the number that says whether it is there.
    pub there: Vec<usize>,
    /// The numbers of the first component that say which layout it is.
    pub layout: Vec<usize>,
    /// For each object, one after the other: layout, values of its component, its own.
    pub about: Vec<usize>,
}

impl Objects {
    /// The objects of `slots[c]` slots of each component; `None` where Z has no room
    /// for them.
    pub fn new(
        values: &ValuesConfig,
        layouts: usize,
        latent: &LatentConfig,
        slots: &[usize],
    ) -> Option<Self> {
        let [ValueKind::Places { slots: most }, _, ..] = values.groups[..] else { return None };
        let own = latent.irrelevant / OWN;
        if slots.is_empty() || slots.iter().any(|&s| s == 0 || s > most.min(own)) {
            return None;
        }
        let width = latent.relevant / slots.len();
        let place = &values.groups[0];
        let (mut there, mut about) = (Vec::new(), Vec::new());
        for (component, &count) in slots.iter().enumerate() {
            for slot in 0..count {
                let start = component * width;
                there.push(start + slot);
                about.extend(start + place.value_width()..start + width);
                let own = latent.relevant + own_place(component, slot, latent.irrelevant);
                about.extend(own..own + OWN);
            }
        }
        debug_assert!(width >= place.width(layouts));
        let layout = (place.value_width()..place.width(layouts)).collect();
        Some(Self { there, layout, about })
    }

    /// How many objects there can be.
    pub fn len(&self) -> usize {
        self.there.len()
    }

    /// How many numbers speak about each.
    pub fn width(&self) -> usize {
        self.about.len() / self.len()
    }
}
