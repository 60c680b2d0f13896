//! A scene in the making: for every slot of a layout the objects that may stand
//! there.

use arrayvec::ArrayVec;

use super::bank::Window;
use crate::raven::{Component, Entity, Layout, Panel};

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

/// The best objects of a slot, best first.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranking(ArrayVec<Guess, KEPT>);

impl Ranking {
    /// Takes a guess into the list if it is among the best.
    pub fn offer(&mut self, guess: Guess) {
        let full = self.0.is_full();
        if full && self.0.last().is_some_and(|last| guess.gain <= last.gain) {
            return;
        }
        let at = self.0.partition_point(|g| g.gain >= guess.gain);
        if full {
            self.0.pop();
        }
        self.0.insert(at, guess);
    }

    /// The list, and the place in it of an object that must not be lost.
    pub fn keeping(mut self, old: &Guess) -> (ArrayVec<Guess, KEPT>, usize) {
        let known = self.0.iter().position(|g| g.entity == old.entity);
        let at = known.unwrap_or_else(|| {
            let gain = self.0.pop().map_or(old.gain, |worst| worst.gain);
            self.0.push(Guess { gain, ..*old });
            self.0.len() - 1
        });
        (self.0, at)
    }

    /// The list.
    pub fn best_first(self) -> ArrayVec<Guess, KEPT> {
        self.0
    }
}

/// The best objects of one slot.
#[derive(Clone, Debug)]
pub(super) struct SlotFit {
    pub component: usize,
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
    /// Squared error that its drawn scene leaves.
    pub residual: f32,
}

impl Fit {
    /// The scene: objects in slot order.
    pub fn panel(&self) -> Panel {
        let components = (0..self.layout.components().len()).map(|component| {
            let of_component = self.slots.iter().filter(|s| s.component == component);
            Component {
                entities: of_component.filter_map(|s| s.guess().map(|g| g.entity)).collect(),
            }
        });
        Panel { components: components.collect() }
    }

    /// What a layout is chosen by: the error, and the plainer of two scenes
    /// that look alike.
    pub fn cost(&self) -> f32 {
        const PER_OBJECT: f32 = 0.01;
        let objects = self.slots.iter().filter(|s| s.taken.is_some()).count();
        self.residual + PER_OBJECT * objects as f32
    }

    /// How many objects a component has.
    pub fn count(&self, component: usize) -> usize {
        self.slots.iter().filter(|s| s.component == component && s.taken.is_some()).count()
    }
}
