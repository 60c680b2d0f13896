//! R -> Z_r -> Z_o -> Z -> X: imagined and completed puzzles.

use burn::tensor::{Device, Tensor, TensorData, activation};
use genvp_puzzle::relations::Attribute;
use genvp_puzzle::relations::codes::CODES;

use super::RelationModel;
use super::arrange::arrange;
use super::chance::Chance;
use super::courses::{Form, PuzzleValues, Relations, relations_of};
use super::decoder::PanelDecoder;
use super::sets::{ATTRIBUTES, VALUES, sets_of, value_sets};
use super::value_grid::{MOST_PANELS, ValueGrid};
use super::writer::ValueWriter;
use crate::error::{ModelError, to_host};
use crate::expert::{ExpertKind, Predictions};
use crate::noise::Noise;
use crate::sampling::{Completed, Conditioning, Imagined, SamplingConfig};
use crate::solve::as_inputs;

/// The values of a puzzle from the codes of its panels; of those that are not there nothing is known.
///
/// # Shapes
/// `codes` `[MN · codes]`
pub(super) fn values_of(codes: &[f32], is_there: impl Fn(usize) -> bool) -> PuzzleValues {
    let mut values = [[None; MOST_PANELS]; ATTRIBUTES];
    for (panel, codes) in codes.chunks_exact(CODES).enumerate().filter(|(at, _)| is_there(*at)) {
        for (own, set) in values.iter_mut().zip(sets_of(codes)) {
            own[panel] = Some(set);
        }
    }
    values
}

/// The grids of a whole puzzle, to learn from.
///
/// # Shapes
/// `codes` `[MN · codes]`, `rules` `[K_R]`
pub(super) fn grids_of_truth(form: Form, codes: &[f32], rules: &[u8]) -> Vec<ValueGrid> {
    let (relations, values) = (relations_of(rules), values_of(codes, |_| true));
    form.grids_of(&relations, &form.find(&relations, &values), &values)
}

/// The rule of each attribute from rule matrices.
///
/// # Shapes
/// `[b, K_R, N_R] -> [b · K_R]`
pub(super) fn rules_to_host(rules: Tensor<3>) -> Result<Vec<u8>, ModelError> {
    let [b, attributes, _] = rules.dims();
    let best = rules.argmax(2).reshape([b * attributes]).float();
    Ok(to_host(best)?.into_iter().map(|rule| rule as u8).collect())
}

/// The generative half of a model.
pub(super) struct Generator<'a> {
    form: Form,
    writer: &'a ValueWriter,
    decoder: &'a PanelDecoder,
    sampling: SamplingConfig,
    device: Device,
}

/// A puzzle with panels missing.
struct Gap<'a> {
    /// The rule of each attribute `[K_R]`.
    rules: &'a [u8],
    /// The codes of its panels as they are read `[MN · codes]`.
    codes: &'a [f32],
    /// Which panels are there `[MN]`.
    present: &'a [bool],
}

/// A puzzle that was written.
struct Written {
    sides: [f32; ATTRIBUTES],
    /// `[MN · codes]`
    codes: Vec<f32>,
}

impl RelationModel {
    /// The generative half, for models that have one.
    pub(super) fn generator(
        &self,
        what: &'static str,
        sampling: SamplingConfig,
        device: Device,
    ) -> Result<Generator<'_>, ModelError> {
        match (&self.writer, &self.decoder) {
            (Some(writer), Some(decoder)) => {
                let form = Form::of(&self.config.puzzle);
                Ok(Generator { form, writer, decoder, sampling, device })
            }
            _ => Err(ModelError::Cannot { what }),
        }
    }
}

impl RelationModel {
    /// Puzzles whose missing panels are filled by rules that are given or found.
    pub(super) fn fill(
        &self,
        images: Tensor<4>,
        present: &[bool],
        rules: Option<&[u8]>,
        sampling: SamplingConfig,
        noise: &mut Noise,
    ) -> Result<Completed, ModelError> {
        let (p, device) = (&self.config.puzzle, images.device());
        let generator = self.generator("complete puzzles", sampling, device.clone())?;
        let puzzles = images.dims()[0] / p.panels();
        if present.len() != puzzles * p.panels() {
            let (found, wanted) = (vec![present.len()], format!("{puzzles} x {}", p.panels()));
            return Err(ModelError::Shape { what: "the flags of panels", found, wanted });
        }
        let shares = activation::sigmoid(self.reader.forward(images));
        let found = match rules {
            Some(rules) => rules.to_vec(),
            None => self.rules_from(shares.clone(), present)?,
        };
        let codes = to_host(shares)?;
        let mut chance = Chance(noise);
        let gaps = found.chunks_exact(p.attributes).zip(codes.chunks_exact(p.panels() * CODES));
        let gaps = gaps.zip(present.chunks_exact(p.panels()));
        let filled = gaps.map(|((rules, codes), present)| {
            generator.fill(&Gap { rules, codes, present }, &mut chance)
        });
        let drawn = generator.draw(filled.collect::<Result<_, _>>()?, p.attributes)?;
        Ok(Completed {
            rules: Conditioning::one_hot(p, &found, &device)?,
            layout: Tensor::zeros([puzzles, p.layouts.max(1)], &device),
            z: drawn.z,
            images: drawn.images,
        })
    }

    /// The rules of puzzles by the expert that does not see the missing panel.
    ///
    /// # Shapes
    /// `[b · MN, codes] -> [b · K_R]`
    fn rules_from(&self, shares: Tensor<2>, present: &[bool]) -> Result<Vec<u8>, ModelError> {
        let p = &self.config.puzzle;
        let puzzles = present.len() / p.panels();
        let sets = value_sets(shares).reshape([puzzles, p.panels(), ATTRIBUTES, VALUES]);
        let logits = self.experts.logits(as_inputs(sets, p)).narrow(2, 0, 1);
        let mut rules = Vec::new();
        for (puzzle, present) in present.chunks_exact(p.panels()).enumerate() {
            let missing: Vec<usize> = (0..p.panels()).filter(|&panel| !present[panel]).collect();
            let [missing] = missing[..] else { return Err(ONE_MISSING) };
            let kinds = Predictions::new(p).kinds();
            let sees = kinds.iter().position(|kind| *kind == ExpertKind::Context(missing));
            let said = logits.clone().narrow(0, sees.unwrap_or_default(), 1);
            let said = said.narrow(1, puzzle, 1).reshape([1, p.attributes, p.rules]);
            rules.extend(rules_to_host(said)?);
        }
        Ok(rules)
    }
}

const ONE_MISSING: ModelError =
    ModelError::Cannot { what: "find the rules of a puzzle unless exactly one panel is missing" };

impl Generator<'_> {
    /// Puzzles with the rules that are asked for.
    pub fn imagine(&self, spec: &Conditioning, noise: &mut Noise) -> Result<Imagined, ModelError> {
        let [b, attributes, _] = spec.rules.dims();
        let rules = rules_to_host(spec.rules.clone())?;
        let stated = match &spec.parameters {
            Some(stated) => to_host(stated.clone())?,
            None => vec![0.0; b * attributes],
        };
        let mut chance = Chance(noise);
        let nothing = [[None; MOST_PANELS]; ATTRIBUTES];
        let written = rules.chunks_exact(attributes).zip(stated.chunks_exact(attributes));
        let written = written.map(|(rules, stated)| {
            let relations = relations_of(rules);
            let sides = self.form.draw(&relations, stated, &mut chance)?;
            self.write(&relations, sides, &nothing, &mut chance)
        });
        self.draw(written.collect::<Result<_, _>>()?, attributes)
    }

    /// The values of a puzzle that are not known, and the objects that show all of them.
    fn write(
        &self,
        relations: &Relations,
        sides: [f32; ATTRIBUTES],
        values: &PuzzleValues,
        chance: &mut Chance<'_>,
    ) -> Result<Written, ModelError> {
        let mut codes = vec![0.0; self.form.panels() * CODES];
        let mut panels = codes.chunks_exact_mut(CODES);
        for mut grid in self.form.grids_of(relations, &sides, values) {
            self.writer.write(&mut grid, self.sampling.temperature, chance, &self.device)?;
            for (panel, codes) in (0..grid.panels()).zip(&mut panels) {
                arrange(&grid, panel, chance, codes);
            }
        }
        Ok(Written { sides, codes })
    }

    /// Fills the missing panels of a puzzle; the others stay as they are read.
    fn fill(&self, gap: &Gap<'_>, chance: &mut Chance<'_>) -> Result<Written, ModelError> {
        let relations = relations_of(gap.rules);
        let values = values_of(gap.codes, |panel| gap.present[panel]);
        let sides = self.form.find(&relations, &values);
        let mut written = self.write(&relations, sides, &values, chance)?;
        let panels = written.codes.chunks_exact_mut(CODES).zip(gap.codes.chunks_exact(CODES));
        for ((own, read), _) in panels.zip(gap.present).filter(|(_, present)| **present) {
            own.copy_from_slice(read);
        }
        Ok(written)
    }

    /// Z_r, Z and X of puzzles.
    fn draw(&self, written: Vec<Written>, attributes: usize) -> Result<Imagined, ModelError> {
        let (b, panels) = (written.len(), self.form.panels());
        let mut z_r = vec![0.0; b * attributes];
        for (own, written) in z_r.chunks_exact_mut(attributes).zip(&written) {
            for attribute in Attribute::ALL {
                own[attribute.row()] = written.sides[attribute.index()];
            }
        }
        let codes: Vec<f32> = written.into_iter().flat_map(|written| written.codes).collect();
        let tensor = |data| Tensor::<2>::from_data(data, &self.device);
        let z = tensor(TensorData::new(codes, [b * panels, CODES]));
        Ok(Imagined {
            z_r: tensor(TensorData::new(z_r, [b, attributes])),
            images: self.decoder.forward(z.clone()),
            z: z.reshape([b, panels, CODES]),
        })
    }
}
