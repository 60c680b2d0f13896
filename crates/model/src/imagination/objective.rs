//! What the generative path learns from labels that the model gives itself.

use burn::module::Module;
use burn::tensor::{Tensor, TensorData};

use super::fit::{CodeSamples, fit};
use super::labels::Labels;
use super::{Codebook, CodebookFit, Imagination};
use crate::batch::PuzzleBatch;
use crate::error::{ModelError, to_host};
use crate::expert::Experts;
use crate::image::{ImageEncoder, Readings};
use crate::loss::{LossConfig, LossTerms, Term, squared_error};
use crate::noise::Noise;
use crate::scene::Condition;

const UNKNOWN: ModelError = ModelError::Cannot { what: "find values without rules and layouts" };

/// The terms that are learned from labels.
pub(crate) const TERMS: [Term; 2] = [Term::Reconstruction, Term::ZO];

impl Imagination {
    /// L_rec and L_Zo of the right puzzles, with the labels that the encoder's codes are given;
    /// nothing is learned through these. Z_r is as it is when imagining: drawn from the rules.
    pub(crate) fn set_terms(
        &self,
        terms: &mut LossTerms,
        encoder: &ImageEncoder,
        experts: &Experts,
        batch: &PuzzleBatch,
        config: &LossConfig,
        noise: &mut Noise,
    ) {
        let (Some(layout), Some(rules)) = (batch.layout(), batch.rules()) else { return };
        let (b, device) = (batch.len(), layout.device());
        // A device that fails here fails in what follows, too, where it can be said.
        let Ok(shares) = self.learn_to_draw(terms, encoder, batch, config, noise) else { return };
        if config.wants(Term::ZO) {
            let z_r = experts.prior_z_r(rules.right(), Some(layout.clone())).sample(noise);
            let condition = Condition { z_r: &z_r, layout: &layout, parameters: &[] };
            let panels = shares.len() / (b * self.shape.latent.relevant);
            let shares = TensorData::new(shares, [b, panels, self.shape.latent.relevant]);
            let shares = Tensor::from_data(shares, &device);
            terms.set(Term::ZO, self.writer.cost(shares, &condition, noise));
        }
    }

    /// L_rec where it counts; gives the shares of values of the right puzzles, which may have come
    /// with the batch instead of its pixels.
    fn learn_to_draw(
        &self,
        terms: &mut LossTerms,
        encoder: &ImageEncoder,
        batch: &PuzzleBatch,
        config: &LossConfig,
        noise: &mut Noise,
    ) -> Result<Vec<f32>, ModelError> {
        if let Some(values) = batch.values.clone().filter(|_| !batch.has_pixels()) {
            return to_host(batch.right(values));
        }
        let (labels, layouts) = self.label(encoder, batch, noise)?;
        if config.wants(Term::Reconstruction) {
            let drawn = self.draw_labels(&labels, &layouts, &batch.images().device());
            let cost = squared_error(drawn, batch.right_images(), batch.len());
            terms.set(Term::Reconstruction, cost);
        }
        Ok(labels.shares(&self.shape, &layouts))
    }

    /// The labels of the right puzzles, and the layout of each panel.
    fn label(
        &self,
        encoder: &ImageEncoder,
        batch: &PuzzleBatch,
        noise: &mut Noise,
    ) -> Result<(Labels, Vec<usize>), ModelError> {
        let layout = batch.layout().ok_or(UNKNOWN)?;
        let images = batch.right_images();
        let layouts = super::layouts_of(&layout, images.dims()[0] / batch.len())?;
        let seen = readings(encoder, images, &layouts)?;
        let entries = self.codebook.entries(&self.shape)?;
        Ok((Labels::of_readings(&self.shape, &entries, &seen, &layouts, noise), layouts))
    }

    /// The shares of the values that are found in the right puzzles.
    pub(crate) fn labels(
        &self,
        encoder: &ImageEncoder,
        batch: &PuzzleBatch,
    ) -> Result<Vec<f32>, ModelError> {
        let (labels, layouts) = self.label(encoder, batch, &mut Noise::mean())?;
        Ok(labels.shares(&self.shape, &layouts))
    }

    /// Whether its codebook is still empty.
    pub(crate) fn lacks_codebook(&self) -> Result<bool, ModelError> {
        self.codebook.is_empty(&self.shape)
    }

    /// With a codebook of the codes that an encoder gives to the objects of some puzzles, in the
    /// order that their rules say.
    pub(crate) fn with_codebook(
        self,
        encoder: &ImageEncoder,
        rule_rows: &[Vec<Vec<usize>>],
        batches: &[PuzzleBatch],
        noise: &mut Noise,
    ) -> Result<(Self, CodebookFit), ModelError> {
        let mut samples = CodeSamples::default();
        for batch in batches {
            let (Some(layout), Some(rules)) = (batch.layout(), batch.rules()) else {
                return Err(UNKNOWN);
            };
            let images = batch.right_images();
            let panels = images.dims()[0] / batch.len();
            samples.panels = [panels, panels / self.writer.rows()];
            let layouts = super::layouts_of(&layout, panels)?;
            samples.seen.push((readings(encoder, images, &layouts)?, layouts));
            let [b, attributes, _] = rules.right().dims();
            let named = rules.right().argmax(2).reshape([b * attributes]);
            let named = named.into_data().convert::<i64>();
            let named: Vec<usize> = named.iter::<i64>().map(|rule| rule as usize).collect();
            for own in named.chunks_exact(attributes) {
                let component =
                    |c: usize| rule_rows[1..].iter().map(|rows| own[rows[c][0]]).collect();
                samples.rules.push((0..self.shape.components).map(component).collect());
            }
        }
        let (entries, found) = fit(&self.shape, &samples, noise);
        let device = self.codebook.turns.val().device();
        Ok((Self { codebook: Codebook::of(&entries, &device), ..self }, found))
    }
}

/// What an encoder sees in panels of known layouts, as when solving: nothing is learned here.
fn readings(
    encoder: &ImageEncoder,
    images: Tensor<4>,
    layouts: &[usize],
) -> Result<Readings, ModelError> {
    if images.device().is_autodiff() {
        return encoder.valid().readings(images.inner(), layouts);
    }
    encoder.readings(images, layouts)
}
