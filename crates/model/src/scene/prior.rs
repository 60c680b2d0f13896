//! p(Z_o|Z_r, layout), panel by panel and value by value.

use burn::module::Module;
use burn::tensor::{Device, Tensor, TensorData, activation};

use super::decoded_scene::DecodedScene;
use super::draw::draw;
use super::prior_outputs::{Outputs, choose, copies, position_ops};
use super::{ValueKind, ValuesConfig};
use crate::config::PuzzleConfig;
use crate::error::{ModelError, to_host};
use crate::mlp::Mlp;
use crate::noise::Noise;

/// What the values of a puzzle depend on.
#[derive(Clone, Copy, Debug)]
pub struct Condition<'a> {
    /// Z_r `[b, M K_Zo]`.
    pub z_r: &'a Tensor<2>,
    /// The layout, one-hot `[b, L]`.
    pub layout: &'a Tensor<2>,
    /// For each attribute group the parameters of its rules `[b, C, numbers]`, 0 where they are
    /// not told; none for a prior that is never told.
    pub parameters: &'a [Tensor<3>],
}

/// Predicts and samples the values of the panels of a puzzle, attribute by attribute.
///
/// Each attribute group has a network, the same for every row. It is told the row
/// latents of its block, the layout, the component, and the values of the panels
/// decoded so far (any subset; its own row first, then the others in turn), and says
/// for every panel of its row that is still open how likely each value is. Panels are
/// decoded one after another, so they agree with each other; a
/// panel anywhere can be left open, so the same network completes puzzles.
///
/// A value's score is that of its features plus, for every panel already decoded
/// that has the same value, what the network gives for copying that panel; for occupancy also
/// what it gives for taking as many slots as that panel, and for every
/// [position operation](super::position_ops) that leads to the value.
#[derive(Module, Debug)]
pub struct AutoregressivePrior {
    /// One for each attribute group.
    pub groups: Vec<Mlp>,
    #[module(skip)]
    pub(super) config: ValuesConfig,
    #[module(skip)]
    pub(super) puzzle: PuzzleConfig,
    #[module(skip)]
    pub(super) components: usize,
    /// Numbers of a row's latents for each group.
    #[module(skip)]
    row_widths: Vec<usize>,
}

impl AutoregressivePrior {
    pub(crate) fn new(
        config: &ValuesConfig,
        puzzle: &PuzzleConfig,
        components: usize,
        device: &Device,
    ) -> Self {
        let own = config.groups.iter().map(|kind| kind.width(puzzle.layouts)).collect();
        Self::with_row_latents(config, puzzle, components, own, device)
    }

    /// The same for a model whose row latents have blocks of their own widths.
    pub(crate) fn with_row_latents(
        config: &ValuesConfig,
        puzzle: &PuzzleConfig,
        components: usize,
        row_widths: Vec<usize>,
        device: &Device,
    ) -> Self {
        let panels = puzzle.panels();
        let network = |(group, kind): (usize, &ValueKind)| {
            let inputs = panels * (kind.value_width() + 1)
                + puzzle.rows * (row_widths[group] + position_ops(kind) + config.number_ops(group))
                + puzzle.layouts
                + components
                + config.parameter_width(group);
            let outputs = puzzle.columns
                * (kind.features()
                    + 1
                    + copies(kind) * panels
                    + position_ops(kind)
                    + config.number_ops(group));
            Mlp::new(&[inputs, config.hidden, config.hidden, outputs], true, device)
        };
        Self {
            groups: config.groups.iter().enumerate().map(network).collect(),
            config: config.clone(),
            puzzle: *puzzle,
            components,
            row_widths,
        }
    }

    /// Rows of a puzzle.
    pub(crate) fn rows(&self) -> usize {
        self.puzzle.rows
    }

    /// The parameters of rules by attribute group, see [`Condition`].
    ///
    /// # Shapes
    /// `[b, C · numbers] -> [b, C, numbers of the group]` for each group
    pub fn told(
        &self,
        parameters: Option<&Tensor<2>>,
        puzzles: usize,
        device: &Device,
    ) -> Vec<Tensor<3>> {
        if !self.config.parameters {
            return Vec::new();
        }
        let all = self.config.parameters_per_component();
        let shape = [puzzles, self.components, all];
        let numbers = match parameters {
            Some(numbers) => numbers.clone().reshape(shape),
            None => Tensor::zeros(shape, device),
        };
        let mut from = 0;
        let group = |group| {
            let width = self.config.parameter_width(group);
            from += width;
            numbers.clone().narrow(2, from - width, width)
        };
        (0..self.config.groups.len()).map(group).collect()
    }

    /// Where a group's block begins in a component's numbers of Z_o, and its width.
    fn block_range(&self, group: usize) -> (usize, usize) {
        let width = |kind: &ValueKind| kind.width(self.puzzle.layouts);
        let from = self.config.groups[..group].iter().map(width).sum();
        (from, width(&self.config.groups[group]))
    }

    /// A group's block of every component.
    ///
    /// # Shapes
    /// `[b, n, K_Zo] -> [b, C, n, width]`
    pub(super) fn block(&self, z: &Tensor<3>, group: usize) -> Tensor<4> {
        self.columns(z, self.block_range(group))
    }

    /// A group's block of every component in the latents of rows.
    ///
    /// # Shapes
    /// `[b, M, K_Zo] -> [b, C, M, width]`
    fn row_block(&self, z_r: &Tensor<3>, group: usize) -> Tensor<4> {
        let from = self.row_widths[..group].iter().sum();
        self.columns(z_r, (from, self.row_widths[group]))
    }

    fn columns(&self, z: &Tensor<3>, (from, width): (usize, usize)) -> Tensor<4> {
        let [b, n, all] = z.dims();
        let z = z.clone().reshape([b, n, self.components, all / self.components]);
        z.narrow(3, from, width).swap_dims(1, 2)
    }

    /// The codes of all values of a group, and last that of "absent".
    ///
    /// # Shapes
    /// `[values + 1, value width]`
    fn codes_or_absent(&self, group: usize, device: &Device) -> Tensor<2> {
        let absent = Tensor::full([1, self.config.groups[group].value_width()], -1.0, device);
        Tensor::cat(vec![self.config.table(group, device), absent], 0)
    }

    /// The values that codes stand for; where a code is none of the known ones
    /// (objects that are not all alike), nothing.
    ///
    /// # Shapes
    /// `[b, C, n, value width] (±1) -> [b, C, n, values + 1]`
    fn values_of(&self, codes: &Tensor<4>, group: usize) -> Tensor<4> {
        let [b, c, n, width] = codes.dims();
        let table = self.codes_or_absent(group, &codes.device());
        let likeness = codes.clone().reshape([b * c * n, width]).matmul(table.transpose());
        // The likeness of equal codes is their width, of the nearest others 2 less.
        let same = likeness.greater_elem(width as f32 - 0.5).float();
        let values = same.dims()[1];
        same.reshape([b, c, n, values])
    }

    /// The log-probabilities of the values of one panel of each block, given those
    /// already decoded: panel `at[i]` of block i of the b · C.
    ///
    /// # Shapes
    /// `-> [b, C, values + 1]`
    fn predict(
        &self,
        group: usize,
        decoded: &DecodedScene,
        condition: &Condition<'_>,
        at: &[usize],
    ) -> Tensor<3> {
        let kind = &self.config.groups[group];
        let [b, c, n, _] = decoded.codes.dims();
        let (m, columns, device) = (self.puzzle.rows, self.puzzle.columns, condition.z_r.device());
        let row = choose(at.iter().map(|at| at / columns), m, &device);
        let column: Vec<usize> = at.iter().map(|at| at % columns).collect();
        let inputs = self.network_inputs(group, decoded, condition, &row);
        let number_ops = self.config.number_ops(group);
        let said = self.groups[group].forward(inputs);
        let outputs = Outputs::new(said, kind, n, number_ops, &column);
        let mut own = outputs.feature_scores(kind);
        if let ValueKind::Occupancy { slots } = *kind {
            let shown = decoded.row_at(slots, columns, &row);
            own = own + outputs.position_op_scores(shown.values(&column));
            if number_ops > 0 {
                own = own + outputs.number_op_scores(kind, shown.offered_numbers(&column));
            }
        }
        let copied = outputs.copy_scores(kind, decoded, &row, columns);
        let absent = outputs.absent_score();
        let all = Tensor::cat(vec![own + copied, absent], 1);
        activation::log_softmax(all, 1).reshape([b, c, kind.count() + 1])
    }

    /// What the network of a group is told: for each row of the grid, the panel's own row
    /// first and then the others in turn, the codes decoded so far, which panels are decoded,
    /// the row's latents and the position operations that it shows; then the layout, the
    /// component, and the parameter of its rule if that is told.
    ///
    /// # Shapes
    /// `row` one-hot `[b C, 1, M]` -> `[b, C, inputs]`
    fn network_inputs(
        &self,
        group: usize,
        decoded: &DecodedScene,
        condition: &Condition<'_>,
        row: &Tensor<3>,
    ) -> Tensor<3> {
        let Condition { z_r, layout, parameters } = condition;
        let [b, c, _, width] = decoded.codes.dims();
        let (m, columns, device) = (self.puzzle.rows, self.puzzle.columns, z_r.device());
        let kind = &self.config.groups[group];
        let z_r = self.row_block(&(*z_r).clone().reshape([b, m, z_r.dims()[1] / m]), group);
        let codes = decoded.codes.clone().reshape([b, c, m, columns * width]);
        let present = decoded.present.clone().reshape([b, c, m, columns]);
        let mut rows = vec![codes, present, z_r];
        if let ValueKind::Occupancy { slots } = *kind {
            let all = decoded.row(slots, columns);
            rows.push(all.shown().reshape([b, c, m, position_ops(kind)]));
            let number_ops = self.config.number_ops(group);
            if number_ops > 0 {
                rows.push(all.shown_numbers().reshape([b, c, m, number_ops]));
            }
        }
        let rows = Tensor::cat(rows, 3);
        let one = rows.dims()[3];
        let twice = Tensor::cat(vec![rows.clone(), rows], 2).reshape([b * c, 2 * m, one]);
        let in_turn = |row| twice.clone().narrow(1, row, m).reshape([b * c, 1, m * one]);
        let all = Tensor::cat((0..m).map(in_turn).collect(), 1);
        let rows = row.clone().matmul(all).reshape([b, c, m * one]);
        let [_, layouts] = layout.dims();
        let layout = (*layout).clone().reshape([b, 1, layouts]).repeat_dim(1, c);
        let component = Tensor::<2>::eye(c, &device).unsqueeze::<3>().repeat_dim(0, b);
        let mut inputs = vec![rows, layout, component];
        inputs.extend(parameters.get(group).cloned());
        Tensor::cat(inputs, 2)
    }

    /// −log p(values of all panels|Z_r, layout), summed over panels, components
    /// and groups, a mean over puzzles: estimated by [`MOMENTS`] moments at which some
    /// panels are decoded, each with what is said of the first panel that is still open. A
    /// block with objects that are not all alike in some panel is left out.
    ///
    /// # Shapes
    /// `shares` `[b, MN, K_Zo] -> [1]`
    pub fn cost(
        &self,
        shares: Tensor<3>,
        condition: &Condition<'_>,
        noise: &mut Noise,
    ) -> Tensor<1> {
        let [b, n, _] = shares.dims();
        let (c, device) = (self.components, shares.device());
        let mut total = Tensor::zeros([1], &device);
        for (group, kind) in self.config.groups.iter().enumerate() {
            let codes = self.block(&shares, group).narrow(3, 0, kind.value_width());
            let codes = codes.mul_scalar(2.0).sub_scalar(1.0);
            let truth = self.values_of(&codes, group);
            let values = truth.dims()[3];
            // A block counts when every panel has one of the known values.
            let known = truth.clone().sum_dim(3).sum_dim(2).greater_elem(n as f32 - 0.5).float();
            let known = known.reshape([b, c, 1]);
            for _ in 0..MOMENTS {
                let (present, at) = reveal(b * c, n, noise);
                let present =
                    Tensor::<4>::from_data(TensorData::new(present, [b, c, n, 1]), &device);
                let decoded = DecodedScene {
                    codes: codes.clone() * present.clone(),
                    values: truth.clone(),
                    present,
                };
                let said = self.predict(group, &decoded, condition, &at);
                let here = choose(at.into_iter(), n, &device);
                let right = here.matmul(truth.clone().reshape([b * c, n, values]));
                total = total - (said * right.reshape([b, c, values]) * known.clone()).sum();
            }
        }
        total.mul_scalar(n as f32 / (MOMENTS * b) as f32)
    }

    /// Writes the open panels of puzzles in order, and gives Z_o of all panels:
    /// the codes, exactly.
    ///
    /// # Shapes
    /// `known` `[b, MN, K_Zo]` (whatever stands in open panels is ignored),
    /// `present` one flag for each of the b · MN panels -> `[b, MN, K_Zo]`
    pub(crate) fn write(
        &self,
        known: &Tensor<3>,
        present: &[bool],
        condition: &Condition<'_>,
        temperature: f32,
        noise: &mut Noise,
    ) -> Tensor<3> {
        let [b, n, all] = known.dims();
        let (c, device) = (self.components, known.device());
        let layouts = self.puzzle.layouts;
        let mut blocks = Vec::new();
        for (group, kind) in self.config.groups.iter().enumerate() {
            let mut decoded = self.read(known, present, group);
            let block = self.block(known, group);
            let uneven = self.uneven(&block, &decoded, &self.several(known, present));
            for panel in 0..n {
                let open: Vec<f32> = (0..b)
                    .map(|puzzle| f32::from(u8::from(!present[puzzle * n + panel])))
                    .collect();
                if open.iter().all(|&o| o == 0.0) {
                    continue;
                }
                let said = self.predict(group, &decoded, condition, &vec![panel; b * c]);
                let values = said.dims()[2];
                let value = draw(said.reshape([b * c, values]), kind, temperature, noise);
                let code = value.clone().matmul(self.codes_or_absent(group, &device));
                let code = code.reshape([b, c, 1, kind.value_width()]);
                let value = value.reshape([b, c, 1, values]);
                let here = Tensor::<1>::from_data(TensorData::new(open, [b]), &device)
                    .reshape([b, 1, 1, 1])
                    .repeat_dim(1, c);
                decoded.put(panel, &code, &value, &here);
            }
            let codes = uneven.fill(decoded.codes);
            let after = if matches!(kind, ValueKind::Occupancy { .. }) {
                let there = codes.clone().greater_elem(0.0).float().max_dim(3);
                let layout = condition.layout.clone().reshape([b, 1, 1, layouts]);
                (there * layout.repeat(&[1, c, n, 1])).mul_scalar(2.0).sub_scalar(1.0)
            } else {
                uneven.flag
            };
            blocks.push(Tensor::cat(vec![codes, after], 3));
        }
        Tensor::cat(blocks, 3).swap_dims(1, 2).reshape([b, n, all])
    }

    /// log p(the panels that are there|Z_r, layout) of a group, each panel given
    /// those before it, component by component.
    ///
    /// # Shapes
    /// `known` `[b, MN, K_Zo]` -> b · C numbers
    ///
    /// # Errors
    /// When the device fails.
    pub(crate) fn likelihood(
        &self,
        group: usize,
        known: &Tensor<3>,
        present: &[bool],
        condition: &Condition<'_>,
    ) -> Result<Vec<f32>, ModelError> {
        let [b, n, _] = known.dims();
        let truth = self.read(known, present, group);
        let mut total = truth.present.zeros_like().narrow(2, 0, 1);
        for panel in 0..n {
            let before: Vec<f32> = (0..n).map(|p| f32::from(u8::from(p < panel))).collect();
            let before =
                Tensor::<4>::from_data(TensorData::new(before, [1, 1, n, 1]), &known.device());
            let at = vec![panel; b * self.components];
            let said = self.predict(group, &truth.only(&before), condition, &at);
            let said = said.unsqueeze_dim::<4>(2);
            total = total + (said * truth.values.clone().narrow(2, panel, 1)).sum_dim(3);
        }
        let total = total.reshape([b * self.components]);
        to_host(total)
    }

    /// The layouts that known panels show, one-hot.
    ///
    /// # Shapes
    /// `[b, MN, K_Zo] -> [b, L]`
    pub(crate) fn layout(&self, known: &Tensor<3>, present: &[bool]) -> Tensor<2> {
        let [b, n, _] = known.dims();
        let layouts = self.puzzle.layouts;
        let occupancy =
            self.config.groups.iter().position(|k| matches!(k, ValueKind::Occupancy { .. }));
        let Some(group) = occupancy else { return Tensor::zeros([b, layouts], &known.device()) };
        let flags: Vec<f32> = present.iter().map(|&p| f32::from(u8::from(p))).collect();
        let there = Tensor::<3>::from_data(TensorData::new(flags, [b, n, 1]), &known.device());
        // The first component is in every layout.
        let first = self.block(known, group).narrow(1, 0, 1).squeeze_dim::<3>(1);
        let seen = first.narrow(2, self.config.groups[group].value_width(), layouts) * there;
        let seen = seen.sum_dim(1).reshape([b, layouts]);
        seen.argmax(1).reshape([b]).one_hot::<2>(layouts).float()
    }

    /// The values of the panels that are there, each code put to the nearest known one.
    fn read(&self, known: &Tensor<3>, present: &[bool], group: usize) -> DecodedScene {
        let [b, n, _] = known.dims();
        let (c, kind, device) = (self.components, &self.config.groups[group], known.device());
        let width = kind.value_width();
        let flags: Vec<f32> = present.iter().map(|&p| f32::from(u8::from(p))).collect();
        let present =
            Tensor::<4>::from_data(TensorData::new(flags, [b, 1, n, 1]), &device).repeat_dim(1, c);
        let codes = self.block(known, group).narrow(3, 0, width);
        let table = self.codes_or_absent(group, &device);
        let likeness = codes.reshape([b * c * n, width]).matmul(table.clone().transpose());
        let count = likeness.dims()[1];
        let values = likeness.argmax(1).squeeze_dim::<1>(1).one_hot::<2>(count).float();
        let codes = values.clone().matmul(table).reshape([b, c, n, width]);
        DecodedScene {
            codes: codes * present.clone(),
            values: values.reshape([b, c, n, count]) * present.clone(),
            present,
        }
    }
}

/// Moments of writing that the cost of a block is estimated from.
const MOMENTS: usize = 3;

/// Which panels are already decoded, for some moment of some writing, and the first
/// panel that is not: the next to be decoded. As often nothing but the first few are
/// there (imagining) as any others (completing).
fn reveal(rows: usize, n: usize, noise: &mut Noise) -> (Vec<f32>, Vec<usize>) {
    let draws = noise.uniform(rows * (n + 2)).unwrap_or_else(|| vec![0.0; rows * (n + 2)]);
    let mut present = vec![0.0; rows * n];
    let mut next = Vec::with_capacity(rows);
    for (row, draws) in present.chunks_exact_mut(n).zip(draws.chunks_exact(n + 2)) {
        let count = ((draws[n] * n as f32) as usize).min(n - 1);
        let mut order: Vec<usize> = (0..n).collect();
        if draws[n + 1] < 0.5 {
            order.sort_by(|&a, &b| draws[a].total_cmp(&draws[b]));
        }
        order[..count].iter().for_each(|&panel| row[panel] = 1.0);
        next.push(row.iter().position(|&p| p == 0.0).unwrap_or_default());
    }
    (present, next)
}
