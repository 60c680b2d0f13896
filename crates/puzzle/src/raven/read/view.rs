//! Which object fits best in every slot, and which layout explains most.
//!
//! With `s` the picture of an object and `x` what is seen, putting the object
//! there lowers the squared error by `2 x.s - s.s`: its *gain*. Objects hardly
//! overlap, so gains of different slots add up, and every slot is judged alone.

use arrayvec::ArrayVec;

use super::bank::{GRID, Rack, dot, racks};
use super::blur::{BLURS, blur};
use super::fit::{Fit, Ranking, SlotFit};
use crate::raven::render;
use crate::raven::{Attribute, ComponentKind, Domain, Layout};

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
        for (component, &kind) in layout.components().iter().enumerate() {
            let first = slots.len();
            let shifted: Vec<f32>;
            let picture = if under == 0.0 {
                self.ink
            } else {
                shifted = self.ink.iter().map(|v| v - under).collect();
                &shifted
            };
            for slot in 0..kind.slot_count() {
                let guesses = self.rank(picture, kind, slot, under, blur_at).best_first();
                let taken = (guesses[0].gain > 0.0).then_some(0);
                slots.push(SlotFit { component, guesses, taken, empty: 0.0 });
            }
            // A component has at least one object, however little it fits.
            let of_component = &mut slots[first..];
            if of_component.iter().all(|s| s.taken.is_none())
                && let Some(best) = of_component
                    .iter_mut()
                    .max_by(|a, b| a.guesses[0].gain.total_cmp(&b.guesses[0].gain))
            {
                best.taken = Some(0);
            }
            if kind == ComponentKind::Out {
                under = self.ground_of(&slots[0]);
            }
        }
        let mut fit = Fit { layout, sigma: BLURS[blur_at], slots, residual: 0.0 };
        // Not from the gains: they count twice what two soft objects share.
        fit.residual = self.error(&fit);
        fit
    }

    /// The objects that fit best in a slot whose ground has ink `under`;
    /// `picture` is what is seen less that ground.
    fn rank(
        &self,
        picture: &[f32],
        component: ComponentKind,
        slot: usize,
        under: f32,
        blur_at: usize,
    ) -> Ranking {
        let colors = self.colors(component);
        let border = 1.0 - under;
        let mut ranking = Ranking::default();
        let mut cut = Vec::new();
        for rack in self.racks(component, slot, blur_at) {
            rack.window.cut(picture, &mut cut);
            for t in &rack.templates {
                let [xo, xf] = t.products(&cut);
                for &(color, ink) in &colors {
                    // The inside counts by what it adds to the ground; an
                    // object that is not filled shows that ground.
                    let f = ink.map_or(0.0, |ink| ink - under);
                    let seen = 2.0 * (border * xo + f * xf);
                    let own = border * border * t.oo + 2.0 * border * f * t.of + f * f * t.ff;
                    ranking.offer(rack.guess(t, slot, color, seen - own));
                }
            }
        }
        ranking
    }

    /// As [`View::rank`] for an object that hides part of a sharp picture:
    /// `ground` is what lies under it, `left` what is seen less that ground.
    fn rank_over(
        &self,
        left: &[f32],
        ground: &[f32],
        component: ComponentKind,
        slot: usize,
    ) -> Ranking {
        let colors = self.colors(component);
        let mut ranking = Ranking::default();
        let (mut seen, mut under) = (Vec::new(), Vec::new());
        for rack in self.racks(component, slot, 0) {
            rack.window.cut(left, &mut seen);
            rack.window.cut(ground, &mut under);
            for t in &rack.templates {
                let [open, filled] = t.over(&under);
                let own = |border: &[f32]| {
                    (dot(&seen, border), dot(border, border), dot(border, &t.fill))
                };
                let (open, filled) = (own(&open), own(&filled));
                let xf = dot(&seen, &t.fill);
                for &(color, ink) in &colors {
                    let ((xo, oo, of), f) = ink.map_or((open, 0.0), |ink| (filled, ink));
                    let gain = 2.0 * (xo + f * xf) - (oo + 2.0 * f * of + f * f * t.ff);
                    ranking.offer(rack.guess(t, slot, color, gain));
                }
            }
        }
        ranking
    }

    fn racks(
        &self,
        component: ComponentKind,
        slot: usize,
        blur_at: usize,
    ) -> impl Iterator<Item = &Rack> {
        let sizes = self.domain.range(component, Attribute::Size);
        racks(component, slot, self.domain, blur_at)
            .iter()
            .filter(move |rack| sizes.contains(i32::from(rack.size)))
    }

    /// The color levels of a component with the ink of the inside; `None` when
    /// an object is not filled.
    fn colors(&self, component: ComponentKind) -> ArrayVec<(u8, Option<f32>), 16> {
        let levels = self.domain.range(component, Attribute::Color);
        levels.iter().map(|c| (c as u8, inside_ink(self.domain, c as u8))).collect()
    }

    /// The ink of the ground inside the outer object.
    fn ground_of(&self, out: &SlotFit) -> f32 {
        let color = out.guess().map(|guess| guess.entity.color);
        color.and_then(|level| inside_ink(self.domain, level)).unwrap_or(0.0)
    }

    /// Ranks the objects of one slot again, on what the other slots of the
    /// scene leave over: soft edges reach into this one, and an outer object
    /// may lie under an inner one.
    pub fn rank_again(&self, fit: &mut Fit, slot: usize) {
        let Some(old) = fit.slots[slot].guess().copied() else { return };
        let kind = fit.layout.components()[fit.slots[slot].component];
        let inside = matches!(kind, ComponentKind::InCenter | ComponentKind::InGrid);
        let place = usize::from(old.entity.slot);
        fit.slots[slot].taken = None;
        let left = self.differences(fit);
        let ranking = if inside && fit.sigma == 0.0 {
            let ground: Vec<f32> = self.ink.iter().zip(&left).map(|(x, left)| x - left).collect();
            self.rank_over(&left, &ground, kind, place)
        } else {
            let under = if inside { self.ground_of(&fit.slots[0]) } else { 0.0 };
            let far = |blur: &usize| (BLURS[*blur] - fit.sigma).abs();
            let nearest = (0..BLURS.len()).min_by(|a, b| far(a).total_cmp(&far(b)));
            self.rank(&left, kind, place, under, nearest.unwrap_or_default())
        };
        let (guesses, taken) = ranking.keeping(&old);
        let component = fit.slots[slot].component;
        fit.slots[slot] = SlotFit { component, guesses, taken: Some(taken), empty: 0.0 };
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
fn inside_ink(domain: Domain, level: u8) -> Option<f32> {
    let grey = domain.colors()[usize::from(level)];
    (grey < 255).then(|| f32::from(255 - grey) / 255.0)
}
