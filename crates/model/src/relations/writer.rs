//! p(Z_o|Z_r, R): which values every attribute has in every panel.

use burn::module::Module;
use burn::tensor::{Device, Tensor, TensorData};
use genvp_puzzle::relations::{Attribute, ValueSet};
use serde::{Deserialize, Serialize};

use super::chance::Chance;
use super::value_grid::{MOST_PANELS, Place, ValueGrid};
use crate::error::{ModelError, to_host};
use crate::loss::value_error;
use crate::mlp::Mlp;

/// How values are written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WriterConfig {
    /// Hidden widths of the network.
    pub hidden: Vec<usize>,
}

/// What is less likely than this is not drawn, and what is likelier than its opposite always is: a
/// network never quite rules out what the rules do, and a puzzle gives it hundreds of chances.
const UNLIKELY: f32 = 0.03;

/// How often a moment is one of imagining, when no panel is there. Else some are.
const IMAGINED: f32 = 0.6;
/// How often all panels but one are there.
const ONE_MISSING: f32 = 0.3;
/// Moments of an attribute that follows a relation, in a step of training.
const GOVERNED_MOMENTS: usize = 4;

/// Writes the values of a puzzle, attribute by attribute, panel by panel and value by value.
///
/// One network for all attributes, values, panels and lines is told which panels have the value in
/// question and those beside it, its own line first and then the others in turn; which lower values
/// the panel has already; which relations the puzzle follows; and how many objects there are to show
/// the values on. It says how likely the panel is to have the value too. That is enough to learn what
/// a relation does to a value, and any panels may be there already: the same network imagines and
/// completes.
#[derive(Module, Debug)]
pub struct ValueWriter {
    /// What is known to the log-odds that a value is there.
    pub network: Mlp,
}

/// What the network was asked, and what would have been right.
#[derive(Default)]
struct Questions {
    inputs: Vec<f32>,
    answers: Vec<f32>,
}

impl ValueWriter {
    /// A writer of grids of so many lines.
    pub(super) fn new(lines: usize, config: &WriterConfig, device: &Device) -> Self {
        let widths = [&[ValueGrid::width(lines)], config.hidden.as_slice(), &[1]].concat();
        Self { network: Mlp::new(&widths, false, device) }
    }

    /// -ln p(values of a panel|what is known at some moment), a mean over moments, those of attributes
    /// with a relation more often than others.
    ///
    /// # Shapes
    /// `-> [1]`
    pub(super) fn cost(
        &self,
        grids: &[ValueGrid],
        chance: &mut Chance<'_>,
        device: &Device,
    ) -> Tensor<1> {
        let mut asked = Questions::default();
        let mut moments = 0;
        for truth in grids {
            for attribute in truth.order() {
                let governed = truth.course(attribute).is_some();
                let own = if governed { GOVERNED_MOMENTS } else { 1 };
                for _ in 0..own {
                    asked.add(truth, attribute, chance);
                    moments += 1;
                }
            }
        }
        let Questions { inputs, answers } = asked;
        let n = answers.len();
        if n == 0 {
            return Tensor::zeros([1], device);
        }
        let width = inputs.len() / n;
        let inputs = Tensor::<2>::from_data(TensorData::new(inputs, [n, width]), device);
        let answers = Tensor::from_data(TensorData::new(answers, [n, 1]), device);
        value_error(self.network.forward(inputs), answers, moments)
    }

    /// Writes the values that are not known.
    ///
    /// # Errors
    /// When the device fails.
    pub(super) fn write(
        &self,
        grid: &mut ValueGrid,
        temperature: f32,
        chance: &mut Chance<'_>,
        device: &Device,
    ) -> Result<(), ModelError> {
        for attribute in grid.order() {
            for place in grid.places(attribute) {
                let panel = grid.panel(place);
                if grid.get(attribute, panel).is_none() {
                    let set = self.draw(grid, place, temperature, chance, device)?;
                    grid.put(attribute, panel, set);
                }
            }
        }
        Ok(())
    }

    /// A draw of the values of one panel.
    fn draw(
        &self,
        grid: &ValueGrid,
        place: Place,
        temperature: f32,
        chance: &mut Chance<'_>,
        device: &Device,
    ) -> Result<ValueSet, ModelError> {
        let mut chosen = ValueSet::EMPTY;
        for value in 0..grid.values(place.attribute) {
            let is_there = match grid.forced(place, chosen, value) {
                Some(is_there) => is_there,
                None => {
                    let mut inputs = Vec::new();
                    grid.describe(place, chosen, value, &mut inputs);
                    let width = inputs.len();
                    let inputs = TensorData::new(inputs, [1, width]);
                    let said = self.network.forward(Tensor::<2>::from_data(inputs, device));
                    let odds = to_host(said)?[0];
                    decide(odds, temperature, chance)
                }
            };
            if is_there {
                chosen = chosen | ValueSet::of(value);
            }
        }
        Ok(chosen)
    }
}

/// A yes or no by its log-odds; at temperature 0 the likelier one.
fn decide(odds: f32, temperature: f32, chance: &mut Chance<'_>) -> bool {
    let drawn = chance.unit();
    if temperature == 0.0 {
        return odds > 0.0;
    }
    let likely = 1.0 / (1.0 + (-odds / temperature).exp());
    match likely {
        p if p < UNLIKELY => false,
        p if p > 1.0 - UNLIKELY => true,
        p => drawn < p,
    }
}

impl Questions {
    /// Adds what is asked at some moment about one panel of an attribute: some panels are there, so
    /// all is known of them, and of the others what is written before.
    fn add(&mut self, truth: &ValueGrid, attribute: Attribute, chance: &mut Chance<'_>) {
        let panels = truth.panels();
        let there = presence(panels, chance);
        let places: Vec<Place> = truth.places(attribute).collect();
        let open: Vec<Place> =
            places.iter().copied().filter(|&place| !there[truth.panel(place)]).collect();
        let place = open[chance.below(open.len())];
        let known = known_at(truth, &there, place);
        let panel = truth.panel(place);
        let Some(wanted) = truth.get(attribute, panel) else { return };
        let mut chosen = ValueSet::EMPTY;
        for value in 0..truth.values(attribute) {
            let is_there = wanted.contains(value);
            if known.forced(place, chosen, value).is_none() {
                known.describe(place, chosen, value, &mut self.inputs);
                self.answers.push(f32::from(u8::from(is_there)));
            }
            if is_there {
                chosen = chosen | ValueSet::of(value);
            }
        }
    }
}

/// Which panels are there at some moment; one at least is not.
fn presence(panels: usize, chance: &mut Chance<'_>) -> [bool; MOST_PANELS] {
    let mut there = [false; MOST_PANELS];
    let kind = chance.unit();
    if kind < IMAGINED {
        return there;
    }
    if kind < IMAGINED + ONE_MISSING {
        there = [true; MOST_PANELS];
    } else {
        there[..panels].iter_mut().for_each(|own| *own = chance.unit() < 0.5);
    }
    there[chance.below(panels)] = false;
    there
}

/// What is known when the values at a place are to be written.
fn known_at(truth: &ValueGrid, there: &[bool; MOST_PANELS], place: Place) -> ValueGrid {
    let order = truth.order();
    let written = order.iter().position(|&attribute| attribute == place.attribute);
    let written = &order[..written.unwrap_or_default()];
    let mut known = truth.clone();
    known.forget(|attribute, panel| {
        // Positions say how many shapes there are.
        let implied = attribute == Attribute::ShapeNumber && !order.contains(&attribute);
        let by = if implied { Attribute::ShapePosition } else { attribute };
        !there[panel] && !written.contains(&by)
    });
    for before in truth.places(place.attribute).take_while(|before| *before != place) {
        let panel = truth.panel(before);
        truth.get(place.attribute, panel).into_iter().for_each(|set| {
            known.put(place.attribute, panel, set);
        });
    }
    known
}
