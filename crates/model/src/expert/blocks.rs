//! Experts over blocks of Z_o: what the `rows` and `slots` families share.

use std::sync::Arc;

use burn::module::{Module, Param};
use burn::nn::Initializer;
use burn::tensor::{Device, Tensor};
use genvp_kernels::{GatherPlan, LinearBlock};

use super::block_layout::Blocks;
use super::gather_plans::ExpertGatherPlans;
use super::{Compare, Differences, Inference, Join, zero_one};
use crate::config::{NetworkConfig, PuzzleConfig};
use crate::image::plain_linear;
use crate::latent::Gaussian;
use crate::mlp::{Mlp, hidden_layers};
use crate::noise::Noise;

/// See [`RowsConfig`](super::RowsConfig) and [`SlotsConfig`](super::SlotsConfig).
#[derive(Module, Debug)]
pub struct BlockExperts {
    /// A block of each group to the common width.
    pub read: Vec<LinearBlock>,
    /// The relation network's first layer, over the columns of a row.
    pub columns: Join,
    /// What the first layer adds for "no panel missing", "panel 1 missing", … `[1 + N, o]`.
    pub missing: Param<Tensor<2>>,
    /// The relation network's other layers, to the row's embedding.
    pub relation: Vec<LinearBlock>,
    /// Which rows hold the same, for experts that compare them.
    pub compare: Option<Compare>,
    /// How panels differ, for groups whose rules are found by that alone.
    pub differences: Option<Differences>,
    /// From all rows (eq. 1).
    pub full: Head,
    /// With a panel missing (eq. 2).
    pub context: Head,
    /// With a row missing (eq. 3).
    pub partial_rows: Head,
    /// A row latent's block of each group to the common width.
    pub row_read: Vec<LinearBlock>,
    /// From the row latents (eq. 4).
    pub row_latents: Head,
    /// q(Z_r|Z_o): a row's embedding to its latent.
    pub z_r_posterior: Grouped,
    /// p(Z_r|R).
    pub z_r_prior: Grouped,
    /// The first layer of p(Z_o|Z_r): the rows' latents of each group's block to the hidden width.
    pub z_o_read: Vec<LinearBlock>,
    /// p(Z_o|Z_r), unless the model has one of its own.
    pub z_o_prior: Option<Grouped>,
    #[module(skip)]
    pub(super) blocks: Blocks,
    #[module(skip)]
    pub(super) puzzle: PuzzleConfig,
    #[module(skip)]
    plans: ExpertGatherPlans,
    #[module(skip)]
    log_var: [f32; 2],
}

/// Joins rows and predicts the rules of a block's attributes.
#[derive(Module, Debug)]
pub struct Head {
    /// The first layer, over the rows of the grid.
    pub rows: Join,
    /// The other layers.
    pub rest: Mlp,
}

/// Hidden layers shared by all groups (told the group), then a last layer per group.
#[derive(Module, Debug)]
pub struct Grouped {
    /// The shared layers.
    pub hidden: Vec<LinearBlock>,
    /// A last layer for each group.
    pub out: Vec<LinearBlock>,
}

impl BlockExperts {
    pub(crate) fn new(blocks: Blocks, config: &NetworkConfig<'_>, device: &Device) -> Self {
        let Blocks { code, relation, hidden, compare, .. } = blocks;
        let (groups, puzzle) = (blocks.groups(), *config.puzzle);
        let (m, n) = (puzzle.rows, puzzle.columns);
        let rules = blocks.most_rule_rows() * puzzle.rules;
        let condition = groups + puzzle.layouts;
        let read = |times: usize, to: usize| {
            blocks.widths.iter().map(|&w| plain_linear(times * w, to, device)).collect::<Vec<_>>()
        };
        let plans = ExpertGatherPlans::new(&puzzle, compare > 0);
        let head = |plan: &GatherPlan, inputs: usize, rest: &[usize]| Head {
            rows: Join::new(plan.positions(), inputs, hidden, groups, device)
                .with_told_groups(blocks.told_groups()),
            rest: Mlp::new(&[&[hidden], rest, &[rules]].concat(), true, device),
        };
        let grouped = |widths: &[usize], times: usize| Grouped {
            hidden: hidden_layers(widths, true, device),
            out: blocks
                .widths
                .iter()
                .map(|&w| plain_linear(hidden, times * 2 * w, device))
                .collect(),
        };
        Self {
            read: read(1, code),
            columns: Join::new(n, code, hidden, groups, device),
            missing: Initializer::Uniform { min: -0.1, max: 0.1 }.init([1 + n, hidden], device),
            relation: vec![
                hidden_layers(&[hidden, hidden], true, device).remove(0),
                hidden_layers(&[hidden, relation], false, device).remove(0),
            ],
            compare: (compare > 0).then(|| Compare::new(code + groups, compare, relation, device)),
            differences: blocks
                .any_by_differences()
                .then(|| Differences::new(code, hidden, relation, device)),
            full: head(&plans.full, relation, &[]),
            context: head(&plans.context, relation, &[]),
            partial_rows: head(&plans.partial_rows, relation, &[]),
            row_read: read(1, code),
            row_latents: head(&plans.row_latents, code, &[hidden]),
            z_r_posterior: grouped(&[relation + groups, hidden], 1),
            z_r_prior: grouped(&[rules + condition, hidden, hidden], m),
            z_o_read: read(m, hidden),
            z_o_prior: Some(grouped(&[hidden + condition, hidden, hidden], m * n)),
            blocks,
            plans,
            puzzle,
            log_var: config.latent.log_var,
        }
    }

    /// See [`Experts::without_z_o_prior`](super::Experts::without_z_o_prior).
    pub(super) fn without_z_o_prior(self) -> Self {
        Self { z_o_read: Vec::new(), z_o_prior: None, ..self }
    }

    /// See [`Experts::infer`](super::Experts::infer).
    pub fn infer(&self, z_o: Tensor<3>, noise: &mut Noise) -> Inference {
        let codes = self.read_blocks(&self.read, z_o);
        let rows = self.row_embeddings(codes.clone());
        let [b, slots, outputs, width] = rows.dims();
        let masks = 1 + self.puzzle.columns;
        let whole = rows.clone().reshape([b, slots, outputs / masks, masks * width]);
        let (z_r, sample) = self.row_latents(whole.narrow(3, 0, width), noise);
        let rows = match &self.compare {
            Some(compare) => {
                let pairs = compare.forward(self.with_group(codes.clone()), &self.puzzle);
                Tensor::cat(vec![rows, pairs], 2)
            }
            None => rows,
        };
        let rows = match &self.differences {
            Some(differences) => {
                let (by_differences, pairs) = differences.forward(codes, &self.puzzle);
                self.choose_by_group(rows, Tensor::cat(vec![by_differences, pairs], 2))
            }
            None => rows,
        };
        let logits = self.logits(rows, sample.clone());
        let completed = |z: Tensor<3>| self.complete(z);
        Inference { logits, z_r: z_r.map(completed), z_r_sample: completed(sample) }
    }

    /// The embedding of every row with no panel missing and with each one missing.
    ///
    /// # Shapes
    /// `[b, S, P, code] -> [b, S, (M - 1 + C) (1 + N), H]`: context rows, then the last
    /// row with each candidate; within a row: nothing missing, panel 1 missing, …
    fn row_embeddings(&self, codes: Tensor<4>) -> Tensor<4> {
        let rows = self.puzzle.rows - 1 + self.puzzle.candidates;
        let missing = self.missing.val().repeat_dim(0, rows);
        let joined = self.columns.forward(codes, &self.plans.columns, Some(missing));
        self.relation.iter().fold(joined, |x, layer| layer.forward(x))
    }

    /// q(Z_r|Z_o) of every row, from its embedding with nothing missing, and a sample.
    ///
    /// # Shapes
    /// `[b, S, M - 1 + C, H] -> [b, M - 1 + C, K_Zo]`
    fn row_latents(&self, whole: Tensor<4>, noise: &mut Noise) -> (Gaussian<3>, Tensor<3>) {
        let [b, _, count, _] = whole.dims();
        let x = self.with_group(whole);
        let z_r = self.write_blocks(&self.z_r_posterior, x, 1);
        let z_r =
            z_r.map(|t| t.reshape([b, count, self.blocks.components * self.blocks.panel_width()]));
        let sample = z_r.sample(noise);
        (z_r, sample)
    }

    /// What is seen by differences for the groups that have it so, the other for the rest.
    ///
    /// # Shapes
    /// two of `[b, S, n, H]` -> the same
    fn choose_by_group(&self, plain: Tensor<4>, by_differences: Tensor<4>) -> Tensor<4> {
        let (slots, groups) = (self.blocks.slots(), self.blocks.groups());
        let takes = zero_one(slots, 1, &plain.device(), |slot, _| {
            self.blocks.by_differences(slot % groups)
        });
        let takes = takes.reshape([1, slots, 1, 1]);
        plain * takes.clone().neg().add_scalar(1.0) + by_differences * takes
    }

    /// The logits of all predictions.
    ///
    /// # Shapes
    /// `rows` as [`row_embeddings`](Self::row_embeddings) gives them, compared pairs behind, `z_r`
    /// `[b, M - 1 + C, K_Zo]` -> `[E, b, C, K_R, N_R]`
    fn logits(&self, rows: Tensor<4>, z_r: Tensor<3>) -> Tensor<5> {
        let full = self.full.forward(rows.clone(), &self.plans.full);
        let context = self.context.forward(rows.clone(), &self.plans.context);
        let partial = self.partial_rows.forward(rows, &self.plans.partial_rows);
        let codes = self.read_blocks(&self.row_read, z_r);
        let latents = self.row_latents.forward(codes, &self.plans.row_latents);
        self.to_rules(Tensor::cat(vec![full, context, partial, latents], 2))
    }

    /// Cuts the rows of R out of what the heads say of each block.
    ///
    /// # Shapes
    /// `[b, S, E C, most rows · N_R] -> [E, b, C, K_R, N_R]`
    fn to_rules(&self, said: Tensor<4>) -> Tensor<5> {
        let [b, _, outputs, _] = said.dims();
        let (c, rules, attributes) =
            (self.puzzle.candidates, self.puzzle.rules, self.puzzle.attributes);
        let (components, groups) = (self.blocks.components, self.blocks.groups());
        let e = outputs / c;
        let most = self.blocks.most_rule_rows();
        let said =
            said.reshape([b, components, groups, e, c, most * rules]).permute([3, 0, 4, 1, 2, 5]);
        let group = |(g, &rows): (usize, &usize)| -> Tensor<5> {
            let said = said.clone().narrow(4, g, 1).narrow(5, 0, rows * rules);
            said.reshape([e, b, c, components, rows * rules])
        };
        let rows = self.blocks.rule_rows.iter().enumerate().map(group).collect();
        Tensor::cat(rows, 4).reshape([e, b, c, attributes, rules])
    }

    /// Every block at the common width.
    ///
    /// # Shapes
    /// `[b, n, K_Zo] -> [b, S, n, code]`
    fn read_blocks(&self, layers: &[LinearBlock], z: Tensor<3>) -> Tensor<4> {
        let [b, n, _] = z.dims();
        let blocks = &self.blocks;
        let z = z.reshape([b, n, blocks.components, blocks.panel_width()]).permute([0, 2, 1, 3]);
        let mut from = 0;
        let read = layers.iter().zip(&blocks.widths).map(|(layer, &width)| -> Tensor<5> {
            let own = z.clone().narrow(3, from, width);
            from += width;
            layer.forward(own).unsqueeze_dim(2)
        });
        Tensor::cat(read.collect(), 2).reshape([b, blocks.slots(), n, blocks.code])
    }

    /// Runs a grouped network and puts the blocks it writes in their places.
    ///
    /// # Shapes
    /// `[b, S, n, i]` -> `[b, n · times, components, numbers per component]`; each
    /// group's last layer gives `times` means of its width, then as many log-variances
    pub(super) fn write_blocks(
        &self,
        network: &Grouped,
        x: Tensor<4>,
        times: usize,
    ) -> Gaussian<4> {
        let blocks = &self.blocks;
        let hidden = network.hidden.iter().fold(x, |x, layer| layer.forward(x));
        let [b, _, n, width] = hidden.dims();
        let hidden = hidden.reshape([b, blocks.components, blocks.groups(), n, width]);
        let blocks_of_group =
            network.out.iter().zip(&blocks.widths).enumerate().map(|(g, (layer, &width))| {
                let own = hidden.clone().narrow(2, g, 1).squeeze_dim::<4>(2);
                let own = Gaussian::from_output(layer.forward(own), self.log_var);
                own.map(|t| {
                    t.reshape([b, blocks.components, n * times, width]).permute([0, 2, 1, 3])
                })
            });
        let (means, log_vars) = blocks_of_group.map(|g| (g.mean, g.log_var)).unzip();
        Gaussian { mean: Tensor::cat(means, 3), log_var: Tensor::cat(log_vars, 3) }
    }

    /// The rows of every completed puzzle, side by side.
    ///
    /// # Shapes
    /// `[b, M - 1 + C, K_Zo] -> [b, C, M K_Zo]`
    fn complete(&self, rows: Tensor<3>) -> Tensor<3> {
        let [b, _, width] = rows.dims();
        let (m, c) = (self.puzzle.rows, self.puzzle.candidates);
        let context = rows.clone().narrow(1, 0, m - 1).reshape([b, 1, (m - 1) * width]);
        Tensor::cat(vec![context.repeat_dim(1, c), rows.narrow(1, m - 1, c)], 2)
    }

    /// Appends to every slot its group.
    ///
    /// # Shapes
    /// `[b, S, n, i] -> [b, S, n, i + G]`
    pub(super) fn with_group(&self, x: Tensor<4>) -> Tensor<4> {
        let [b, slots, n, _] = x.dims();
        let groups = self.blocks.groups();
        let which = zero_one(slots, groups, &x.device(), |slot, group| slot % groups == group);
        let which = which.reshape([1, slots, 1, groups]).repeat(&[b, 1, n, 1]);
        Tensor::cat(vec![x, which], 3)
    }
}

impl Head {
    /// # Shapes
    /// see [`Join::forward`]; output `[b, S, outputs, most rows · N_R]`
    fn forward(&self, rows: Tensor<4>, plan: &Arc<GatherPlan>) -> Tensor<4> {
        self.rest.forward(self.rows.forward(rows, plan, None))
    }
}
