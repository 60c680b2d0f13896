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
const KEPT: usize = 24;

/// An object that may stand in a slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guess {
    pub entity: Entity,
    /// How much it lowers the squared error, beside an empty slot.
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
    /// Best first as long as they are not drawn; never empty.
    pub guesses: ArrayVec<Guess, KEPT>,
    /// Which of them is taken; `None` when the slot is left empty.
    pub taken: Option<usize>,
    /// The gain of leaving it empty: nothing, unless drawing tells otherwise.
    pub empty: f32,
}

impl SlotFit {
    /// The gain of a choice, where `None` is to leave the slot empty.
    pub fn gain(&self, choice: Option<usize>) -> f32 {
        choice.map_or(self.empty, |i| self.guesses[i].gain)
    }

    /// Corrects the gain of a choice.
    pub fn set_gain(&mut self, choice: Option<usize>, gain: f32) {
        match choice {
            Some(i) => self.guesses[i].gain = gain,
            None => self.empty = gain,
        }
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
    /// How soft the picture is taken to be, in pixels at 64 px.
    pub sigma: f32,
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

    /// What a layout is chosen by: the error, and the plainer of two scenes
    /// that look alike.
    pub fn cost(&self) -> f32 {
        const PER_OBJECT: f32 = 0.01;
        let objects = self.slots.iter().filter(|s| s.taken.is_some()).count();
        self.residual + PER_OBJECT * objects as f32
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
            let shifted: Vec<f32>;
            let picture = if under == 0.0 {
                self.ink
            } else {
                shifted = self.ink.iter().map(|v| v - under).collect();
                &shifted
            };
            for slot in 0..kind.slot_count() {
                let guesses = self.rank(picture, kind, slot, under, blur_at);
                let taken = (guesses[0].gain > 0.0).then_some(0);
                slots.push(SlotFit { part, guesses, taken, empty: 0.0 });
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
                under = self.ground_of(&slots[0]);
            }
        }
        let line = layout.divider().map_or(0.0, |divider| self.divider_gain(divider, blur_at));
        let gains: f32 = slots.iter().map(|s| s.gain(s.taken)).sum();
        let residual = (self.energy - line - gains).max(0.0);
        Fit { layout, sigma: BLURS[blur_at], slots, residual }
    }

    /// The objects that fit best in a slot whose ground has ink `under`;
    /// `picture` is what is seen less that ground.
    fn rank(
        &self,
        picture: &[f32],
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
            rack.window.cut(picture, &mut cut);
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

    /// The ink of the ground inside the outer object.
    fn ground_of(&self, out: &SlotFit) -> f32 {
        let color = out.guess().map(|guess| guess.entity.color);
        color.and_then(|level| domain_color(self.domain, level)).unwrap_or(0.0)
    }

    /// Ranks the objects of one slot again, on what the other slots of the
    /// scene leave over: their soft edges reach into this one.
    pub fn rank_again(&self, fit: &mut Fit, slot: usize) {
        let Some(old) = fit.slots[slot].guess().copied() else { return };
        let kind = fit.layout.parts()[fit.slots[slot].part];
        let inside = matches!(kind, PartKind::InCenter | PartKind::InGrid);
        let under = if inside { self.ground_of(&fit.slots[0]) } else { 0.0 };
        let nearest = |a: &usize, b: &usize| {
            (BLURS[*a] - fit.sigma).abs().total_cmp(&(BLURS[*b] - fit.sigma).abs())
        };
        let blur_at = (0..BLURS.len()).min_by(nearest).unwrap_or_default();
        fit.slots[slot].taken = None;
        let left = self.differences(fit);
        let place = usize::from(old.entity.slot);
        let mut guesses = self.rank(&left, kind, place, under, blur_at);
        let taken = guesses.iter().position(|g| g.entity == old.entity).unwrap_or_else(|| {
            let gain = guesses.pop().map_or(old.gain, |worst| worst.gain);
            guesses.push(Guess { gain, ..old });
            guesses.len() - 1
        });
        fit.slots[slot] =
            SlotFit { part: fit.slots[slot].part, guesses, taken: Some(taken), empty: 0.0 };
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
        let drawn = blur(ink, fit.sigma);
        self.ink.iter().zip(drawn).map(|(seen, drawn)| seen - drawn).collect()
    }
}

/// The ink of the inside; `None` when the object is not filled.
fn domain_color(domain: Domain, level: u8) -> Option<f32> {
    let grey = domain.colors()[usize::from(level)];
    (grey < 255).then(|| f32::from(255 - grey) / 255.0)
}
