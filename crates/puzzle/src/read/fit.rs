//! Which object fits best in every slot, and which layout explains most.
//!
//! With `s` the picture of an object and `x` what is seen, putting the object
//! there lowers the squared error by `2 x.s - s.s`: its *gain*. Objects do not
//! overlap, so gains of different slots add up, and every slot is judged alone.

use arrayvec::ArrayVec;

use super::bank::{GRID, Window, dot, racks};
use super::blur::{BLURS, blur};
use crate::render;
use crate::{Attribute, Divider, Domain, Entity, Layout, Panel, Part, PartKind};

/// How many of the best objects of a slot are remembered.
const KEPT: usize = 12;

/// An object that may stand in a slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guess {
    pub entity: Entity,
    /// How much it lowers the squared error.
    pub gain: f32,
    /// Size levels that look the same, as a bit mask.
    pub sizes: u16,
    /// Whether its color cannot be seen.
    pub colorless: bool,
    pub window: Window,
}

/// The best objects of one slot.
#[derive(Clone, Debug)]
pub(super) struct SlotFit {
    pub part: usize,
    /// Best first; never empty.
    pub guesses: ArrayVec<Guess, KEPT>,
    /// Which of them is taken; `None` when the slot is left empty.
    pub taken: Option<usize>,
}

impl SlotFit {
    fn gain(&self) -> f32 {
        self.taken.map_or(0.0, |i| self.guesses[i].gain)
    }

    /// The object that is taken.
    pub fn guess(&self) -> Option<&Guess> {
        self.taken.map(|i| &self.guesses[i])
    }
}

/// The best scene of one layout.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    pub layout: Layout,
    pub blur: usize,
    pub slots: Vec<SlotFit>,
    /// Squared error that is left, by the gains.
    pub residual: f32,
}

impl Fit {
    /// The scene: objects in slot order.
    pub fn panel(&self) -> Panel {
        let parts = (0..self.layout.parts().len()).map(|part| {
            let of_part = self.slots.iter().filter(|s| s.part == part);
            Part { entities: of_part.filter_map(|s| s.guess().map(|g| g.entity)).collect() }
        });
        Panel { parts: parts.collect() }
    }

    /// How many objects a component has.
    pub fn count(&self, part: usize) -> usize {
        self.slots.iter().filter(|s| s.part == part && s.taken.is_some()).count()
    }
}

/// What is seen: ink at 64 px.
pub(super) struct View<'a> {
    pub ink: &'a [f32],
    pub energy: f32,
    pub domain: Domain,
}

impl<'a> View<'a> {
    pub fn new(ink: &'a [f32], domain: Domain) -> Self {
        Self { ink, energy: dot(ink, ink), domain }
    }

    /// The best scene of one layout, compared with objects of one softness.
    pub fn fit(&self, layout: Layout, blur_at: usize) -> Fit {
        let mut slots: Vec<SlotFit> = Vec::new();
        let mut under = 0.0;
        for (part, &kind) in layout.parts().iter().enumerate() {
            let first = slots.len();
            for slot in 0..kind.slot_count() {
                let guesses = self.rank(kind, slot, under, blur_at);
                let taken = (guesses[0].gain > 0.0).then_some(0);
                slots.push(SlotFit { part, guesses, taken });
            }
            // A component has at least one object, however little it fits.
            let of_part = &mut slots[first..];
            if of_part.iter().all(|s| s.taken.is_none())
                && let Some(best) = of_part
                    .iter_mut()
                    .max_by(|a, b| a.guesses[0].gain.total_cmp(&b.guesses[0].gain))
            {
                best.taken = Some(0);
            }
            if kind == PartKind::Out {
                let color = domain_color(self.domain, slots[0].guesses[0].entity.color);
                under = color.unwrap_or(0.0);
            }
        }
        let line = layout.divider().map_or(0.0, |divider| self.divider_gain(divider, blur_at));
        let gains: f32 = slots.iter().map(SlotFit::gain).sum();
        let residual = (self.energy - line - gains).max(0.0);
        Fit { layout, blur: blur_at, slots, residual }
    }

    /// The objects that fit best in a slot which shows ink `under` all over.
    fn rank(
        &self,
        part: PartKind,
        slot: usize,
        under: f32,
        blur_at: usize,
    ) -> ArrayVec<Guess, KEPT> {
        let sizes = self.domain.range(part, Attribute::Size);
        let colors: ArrayVec<(u8, f32), 16> = self
            .domain
            .range(part, Attribute::Color)
            .iter()
            // The inside counts by what it adds to the ground it stands on;
            // an object that is not filled shows that ground.
            .map(|c| (c as u8, domain_color(self.domain, c as u8).map_or(0.0, |f| f - under)))
            .collect();
        let border = 1.0 - under;
        let mut guesses: ArrayVec<Guess, KEPT> = ArrayVec::new();
        let mut cut = Vec::new();
        for rack in racks(part, slot, self.domain, blur_at) {
            if !sizes.contains(i32::from(rack.size)) {
                continue;
            }
            rack.window.cut(self.ink, under, &mut cut);
            for t in &rack.templates {
                let [xo, xf] = t.products(&cut);
                for &(color, f) in &colors {
                    let seen = 2.0 * (border * xo + f * xf);
                    let own = border * border * t.oo + 2.0 * border * f * t.of + f * f * t.ff;
                    let gain = seen - own;
                    let full = guesses.is_full();
                    if full && guesses.last().is_some_and(|last| gain <= last.gain) {
                        continue;
                    }
                    let at = guesses.partition_point(|g| g.gain >= gain);
                    if full {
                        guesses.pop();
                    }
                    let entity = Entity {
                        slot: slot as u8,
                        shape: t.shape,
                        size: rack.size,
                        color,
                        angle: t.angle,
                    };
                    let (sizes, colorless, window) = (t.sizes, t.colorless, rack.window);
                    guesses.insert(at, Guess { entity, gain, sizes, colorless, window });
                }
            }
        }
        guesses
    }

    fn divider_gain(&self, divider: Divider, blur_at: usize) -> f32 {
        let mut line = vec![0.0; GRID * GRID];
        // Row or column 80 of 160 lies in the first two fifths of number 32.
        for i in 0..GRID {
            match divider {
                Divider::Vertical => line[i * GRID + GRID / 2] = 0.4,
                Divider::Horizontal => line[GRID / 2 * GRID + i] = 0.4,
            }
        }
        let line = blur(line, BLURS[blur_at]);
        2.0 * dot(self.ink, &line) - dot(&line, &line)
    }

    /// The squared error of a fit's scene, drawn in full.
    pub fn error(&self, fit: &Fit) -> f32 {
        self.differences(fit).iter().map(|d| d * d).sum()
    }

    /// What is seen less a fit's scene, drawn in full.
    pub fn differences(&self, fit: &Fit) -> Vec<f32> {
        let mut ink = vec![0.0; GRID * GRID];
        render::ink_into(&fit.panel(), fit.layout, self.domain, GRID, &mut ink);
        let drawn = blur(ink, BLURS[fit.blur]);
        self.ink.iter().zip(drawn).map(|(seen, drawn)| seen - drawn).collect()
    }
}

/// The ink of the inside; `None` when the object is not filled.
fn domain_color(domain: Domain, level: u8) -> Option<f32> {
    let grey = domain.colors()[usize::from(level)];
    (grey < 255).then(|| f32::from(255 - grey) / 255.0)
}
