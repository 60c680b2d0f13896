//! What a model keeps of each panel, and what it draws from that.

use burn::tensor::{Tensor, TensorData};
use genvp_model::{ModelError, PuzzleBatch, PuzzleData, to_host};
use genvp_puzzle::family::Sheet;
use genvp_puzzle::raven::Raven;

use crate::{InferError, Model, Solver};

/// q(Z|X) of the panels of one puzzle.
#[derive(Clone, Debug, PartialEq)]
pub struct Latents {
    /// The mean of every panel, context first.
    pub means: Vec<Vec<f32>>,
    /// The standard deviation of every panel.
    pub deviations: Vec<Vec<f32>>,
    /// How many of the numbers rules speak about (Z_o); the rest is Z_o-bar.
    pub relevant: usize,
}

impl Latents {
    /// Encodes the panels of a puzzle.
    ///
    /// # Errors
    /// When the model has no latents or is for other puzzles, or the device fails.
    pub fn of(model: &Model, puzzle: &Sheet) -> Result<Self, InferError> {
        let pixels = Solver::of_family(model, &Raven)?.ink(&[puzzle]);
        let data = PuzzleData { pixels, ..PuzzleData::default() };
        let batch = PuzzleBatch::new(&model.config().batch_shape(), data, model.device())?;
        let missing = || ModelError::Cannot { what: "show latents" };
        let z = model.genvp().solve(&batch)?.z.ok_or_else(missing)?;
        let relevant = model.config().latent().ok_or_else(missing)?.relevant;
        let deviations = z.log_var.mul_scalar(0.5).exp();
        Ok(Self { means: rows(z.mean)?, deviations: rows(deviations)?, relevant })
    }
}

/// Draws panels from latents; each is `side * side` values, ink = 1, with its side.
///
/// # Errors
/// When the model does not draw, the latents are not its own in number, or the device fails.
pub fn redraw(model: &Model, latents: &[Vec<f32>]) -> Result<(usize, Vec<Vec<f32>>), InferError> {
    let cannot = |what| ModelError::Cannot { what };
    let side = model.config().batch_shape().size.ok_or(cannot("draw panels"))?;
    let Some(width) = latents.first().map(Vec::len) else { return Ok((side, Vec::new())) };
    if latents.iter().any(|row| row.len() != width) {
        return Err(cannot("draw from latents of different lengths").into());
    }
    let data = TensorData::new(latents.concat(), [latents.len(), width]);
    let z: Tensor<2> = Tensor::from_data(data, model.device());
    let drawn = model.genvp().redraw(z)?;
    let pixels = drawn.reshape([latents.len(), side * side]);
    Ok((side, rows(pixels)?))
}

fn rows(tensor: Tensor<2>) -> Result<Vec<Vec<f32>>, InferError> {
    let width = tensor.dims()[1];
    let all = to_host(tensor)?;
    Ok(all.chunks_exact(width).map(<[f32]>::to_vec).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fresh_puzzles;
    use genvp_puzzle::{Set, render};

    #[cfg(feature = "weights")]
    #[test]
    fn panels_are_drawn_again_from_what_was_kept_of_them() {
        let model = Model::shipped().unwrap();
        let sheet = fresh_puzzles(Set::IRaven, 1, 5).unwrap().swap_remove(0);
        let latents = Latents::of(&model, &sheet).unwrap();
        assert_eq!(latents.means.len(), sheet.panels().count());
        assert!(latents.deviations.iter().flatten().all(|d| *d > 0.0 && d.is_finite()));
        let (side, drawn) = redraw(&model, &latents.means).unwrap();
        for (panel, drawn) in drawn.iter().enumerate() {
            let mut ink = vec![0.0; side * side];
            render::resize_area(sheet.panel(panel), sheet.side, side, &mut ink);
            let error: f32 = ink.iter().zip(drawn).map(|(a, b)| (a - b).powi(2)).sum();
            let all: f32 = ink.iter().map(|a| a * a).sum();
            assert!(error < 0.3 * all, "panel {panel}: {error} of {all}");
        }
        assert!(redraw(&model, &[vec![0.0; 3], vec![0.0; 4]]).is_err());
    }
}
