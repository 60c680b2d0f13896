//! The generative path of the block experts: p(Z_r|R) and p(Z_o|Z_r), block by block.

use burn::tensor::Tensor;

use super::BlockExperts;
use crate::latent::Gaussian;

impl BlockExperts {
    /// The blocks' rows of R, those a group does not have left 0.
    ///
    /// # Shapes
    /// `[b, K_R, N_R] -> [b, S, most rows · N_R]`
    fn rule_blocks(&self, rules: Tensor<3>) -> Tensor<3> {
        let [b, attributes, n_r] = rules.dims();
        let (components, most) = (self.blocks.components, self.blocks.most_rule_rows());
        let device = rules.device();
        let rules = rules.reshape([b, components, attributes / components, n_r]);
        let mut from = 0;
        let blocks = self.blocks.rule_rows.iter().map(|&rows| -> Tensor<4> {
            let own = rules.clone().narrow(2, from, rows).reshape([b, components, 1, rows * n_r]);
            from += rows;
            if rows == most {
                return own;
            }
            Tensor::cat(
                vec![own, Tensor::zeros([b, components, 1, (most - rows) * n_r], &device)],
                3,
            )
        });
        let blocks = Tensor::cat(blocks.collect(), 2);
        blocks.reshape([b, self.blocks.slots(), most * n_r])
    }

    /// See [`Experts::prior_z_r`](super::Experts::prior_z_r).
    pub fn prior_z_r(&self, rules: Tensor<3>, layout: Option<Tensor<2>>) -> Gaussian<2> {
        let b = rules.dims()[0];
        let x = self.conditioned(self.rule_blocks(rules), layout);
        let z_r = self.write_blocks(&self.z_r_prior, x.unsqueeze_dim(2), self.puzzle.rows);
        z_r.map(|t| {
            let width = t.dims().iter().product::<usize>() / b.max(1);
            t.reshape([b, width])
        })
    }

    /// See [`Experts::prior_z_o`](super::Experts::prior_z_o).
    ///
    /// # Panics
    /// When they were made for a model with a p(Z_o|Z_r) of its own.
    pub fn prior_z_o(&self, z_r: Tensor<2>, layout: Option<Tensor<2>>) -> Gaussian<3> {
        let prior = self.z_o_prior.as_ref().expect("asked of experts that have it");
        let [b, _] = z_r.dims();
        let (m, blocks) = (self.puzzle.rows, &self.blocks);
        let rows =
            z_r.reshape([b, m, blocks.components, blocks.panel_width()]).permute([0, 2, 1, 3]);
        let mut from = 0;
        let read = self.z_o_read.iter().zip(&blocks.widths).map(|(layer, &width)| -> Tensor<4> {
            let own =
                rows.clone().narrow(3, from, width).reshape([b, blocks.components, 1, m * width]);
            from += width;
            layer.forward(own)
        });
        let read = Tensor::cat(read.collect(), 2);
        let hidden = read.dims()[3];
        let x = self.conditioned(read.reshape([b, blocks.slots(), hidden]), layout);
        let panels = self.puzzle.panels();
        let z_o = self.write_blocks(prior, x.unsqueeze_dim(2), panels);
        z_o.map(|t| t.reshape([b, panels, blocks.components * blocks.panel_width()]))
    }

    /// Appends to every slot its group and, where the model is conditioned on it, the layout.
    ///
    /// # Shapes
    /// `[b, S, i] -> [b, S, i + G + L]`
    fn conditioned(&self, x: Tensor<3>, layout: Option<Tensor<2>>) -> Tensor<3> {
        let [b, slots, _] = x.dims();
        let x = self.with_group(x.unsqueeze_dim(2)).squeeze_dim::<3>(2);
        if self.puzzle.layouts == 0 {
            return x;
        }
        // An unknown layout is no layout: all zeros.
        let layout = layout.unwrap_or_else(|| Tensor::zeros([b, self.puzzle.layouts], &x.device()));
        Tensor::cat(vec![x, layout.unsqueeze_dim::<3>(1).repeat_dim(1, slots)], 2)
    }
}
