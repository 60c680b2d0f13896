//! One component of one panel, as far as an eye can tell.

use crate::raven::check::sizes_look_alike;
use crate::raven::{Component, ComponentKind, Domain, Group, Levels};

use super::Sight;

/// A set of levels, as bits.
pub(super) type LevelSet = u16;

/// The things that objects are made of: type, size, color, and the angle, which
/// is looked at only to break a tie.
pub(super) const LOOKS: usize = 4;
pub(super) const ANGLE: usize = 3;

/// For every slot the levels that its object may have.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) mask: u16,
    /// `levels[look][slot]`: empty where no object stands.
    pub(super) levels: [[LevelSet; 9]; LOOKS],
    /// The levels that all objects may share.
    pub(super) common: [LevelSet; LOOKS],
    /// How likely an iid draw of every object is, by look.
    pub(super) iid: [f64; LOOKS],
}

/// The range of a look, from which iid objects are drawn.
pub(super) fn range(kind: ComponentKind, domain: Domain, look: usize) -> Levels {
    match look {
        ANGLE => Levels::new(0, domain.angles().len() as i32 - 1),
        _ => domain.range(kind, Group::ALL[look + 1].attributes()[0]),
    }
}

fn inside(kind: ComponentKind, domain: Domain, look: usize) -> LevelSet {
    range(kind, domain, look).iter().fold(0, |set, level| set | bit(level as u8))
}

impl Seen {
    pub(super) fn new(
        component: &Component,
        kind: ComponentKind,
        domain: Domain,
        sight: Sight,
    ) -> Self {
        let mut levels = [[0; 9]; LOOKS];
        let mut mask = 0;
        for e in component.entities.iter().filter(|e| usize::from(e.slot) < kind.slot_count()) {
            let slot = usize::from(e.slot);
            mask |= 1 << slot;
            levels[0][slot] = bit(e.shape);
            levels[1][slot] = match sight {
                Sight::Levels => bit(e.size),
                Sight::Pixels => (0..domain.sizes().len() as u8)
                    .filter(|&other| sizes_look_alike(kind, domain, e.shape, e.size, other))
                    .fold(0, |set, other| set | bit(other)),
            };
            levels[2][slot] = bit(e.color);
            levels[ANGLE][slot] = angles(e.shape, e.angle);
        }
        let mut seen = Self { mask, levels, common: [0; LOOKS], iid: [1.0; LOOKS] };
        for look in 0..LOOKS {
            let inside = inside(kind, domain, look);
            let mut common = inside;
            for slot in seen.slots() {
                let set = &mut seen.levels[look][slot];
                // An impossible level is a misreading: it could have been any.
                if *set & inside == 0 {
                    *set = inside;
                }
                *set &= inside;
                common &= *set;
                seen.iid[look] *= f64::from(set.count_ones()) / f64::from(inside.count_ones());
            }
            seen.common[look] = common;
        }
        seen
    }

    /// The same objects, if nothing were known about their looks.
    pub(super) fn blurred(&self, kind: ComponentKind, domain: Domain) -> Self {
        let mut seen = Self { iid: [1.0; LOOKS], ..self.clone() };
        for look in 0..LOOKS {
            let anything = inside(kind, domain, look);
            seen.common[look] = anything;
            for slot in self.slots() {
                seen.levels[look][slot] = anything;
            }
        }
        seen
    }

    pub(super) fn slots(&self) -> impl Iterator<Item = usize> + use<> {
        let mask = self.mask;
        (0..9).filter(move |slot| mask & (1 << slot) != 0)
    }

    pub(super) fn number(&self) -> usize {
        self.mask.count_ones() as usize
    }
}

fn bit(level: u8) -> LevelSet {
    1 << level.min(15)
}

/// The angles at which a shape looks the same: eight steps of 45 degrees make a
/// full turn.
fn angles(shape: u8, angle: u8) -> LevelSet {
    let turn = match shape {
        2 => 2,
        4 => 4,
        5 => 1,
        _ => 8,
    };
    (0..8).filter(|other| other % turn == angle % turn).fold(0, |set, other| set | bit(other))
}

/// The levels of a set, ascending.
pub(super) fn each(mut set: LevelSet) -> impl Iterator<Item = i32> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as i32)?;
        set &= set - 1;
        Some(lowest)
    })
}
