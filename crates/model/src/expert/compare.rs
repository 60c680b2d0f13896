//! Whether two rows hold the same things in any order.

use burn::module::Module;
use burn::tensor::{Device, Tensor};
use genvp_kernels::{LinearBlock, LinearBlockConfig};

use crate::config::PuzzleConfig;
use crate::image::plain_linear;

/// Every panel's block is embedded, a row is the sum of its panels' embeddings, and two rows are
/// compared number by number: 0 where they agree, towards 1 where they do not.
///
/// A sum does not know the order of the panels, so rows agree where they hold the same values:
/// what "distribute three" is about, whatever the values are.
#[derive(Module, Debug)]
pub struct Compare {
    /// The layers of a panel's embedding.
    pub embed: Vec<LinearBlock>,
}

impl Compare {
    pub(super) fn new(inputs: usize, hidden: usize, outputs: usize, device: &Device) -> Self {
        let first = LinearBlockConfig::new([inputs, hidden]).with_norm(true).init(device);
        Self { embed: vec![first, plain_linear(hidden, outputs, device)] }
    }

    /// Every two context rows, then every context row with each version of the last row.
    ///
    /// # Shapes
    /// `[b, S, P, i] -> [b, S, pairs, o]`
    pub fn forward(&self, panels: Tensor<4>, puzzle: &PuzzleConfig) -> Tensor<4> {
        let embedded = self.embed.iter().fold(panels, |x, layer| layer.forward(x));
        let [b, s, _, o] = embedded.dims();
        let (m, n, c) = (puzzle.rows, puzzle.columns, puzzle.candidates);
        let context = embedded.clone().narrow(2, 0, (m - 1) * n).reshape([b, s, m - 1, n, o]);
        let context = context.sum_dim(3).squeeze_dim::<4>(3);
        let begun = embedded.clone().narrow(2, (m - 1) * n, n - 1).sum_dim(2);
        let last = begun + embedded.narrow(2, m * n - 1, c);
        let row = |i: usize| context.clone().narrow(2, i, 1);
        let mut apart: Vec<Tensor<4>> =
            context_pairs(m).into_iter().map(|(i, j)| row(i) - row(j)).collect();
        apart.extend((0..m - 1).map(|i| last.clone() - row(i)));
        let square = Tensor::cat(apart, 2).square();
        square.clone() / square.add_scalar(1.0)
    }
}

/// Every two context rows.
pub(super) fn context_pairs(rows: usize) -> Vec<(usize, usize)> {
    (0..rows - 1).flat_map(|j| (0..j).map(move |i| (i, j))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn puzzle() -> PuzzleConfig {
        PuzzleConfig::unnamed([3, 3], 2, [2, 3])
    }

    #[test]
    fn rows_agree_where_they_hold_the_same_in_any_order() {
        let device = Device::flex();
        let compare = Compare::new(1, 16, 8, &device);
        // Two context rows, the begun last row and its two candidates.
        let panels = [1.0, 2.0, 5.0, 5.0, 1.0, 2.0, 2.0, 5.0, 1.0, 3.0];
        let panels = Tensor::<1>::from_floats(panels, &device).reshape([1, 1, 10, 1]);
        let apart = compare.forward(panels, &puzzle());
        let apart: Vec<f32> = apart.mean_dim(3).into_data().try_to_vec::<f32>().expect("numbers");
        // The context rows; then the first and the second with each candidate.
        let [context, right, wrong, also_right, also_wrong] = apart[..] else {
            panic!("{apart:?}");
        };
        assert!(context < 1e-6 && right < 1e-6 && also_right < 1e-6, "{apart:?}");
        assert!(wrong > 1e-3 && also_wrong > 1e-3, "{apart:?}");
    }
}
