//! What the networks of the autoregressive prior say, as scores of values.

use burn::tensor::{Device, Tensor, TensorData};

use super::ValueKind;
use super::decoded_scene::DecodedScene;
use super::draw::table_of;
use super::position_ops::POSITION_OPS;

/// What the network of a group says about one panel of each block, `[b C, 1, outputs]`: a score
/// for each feature and for "absent", then for copying each panel (and, for occupancy, its number
/// of objects), then for each position operation and each operation on numbers.
pub(super) struct Outputs {
    said: Tensor<3>,
    features: usize,
    panels: usize,
    copied: usize,
}

impl Outputs {
    /// Takes the column of each block out of what is said about all columns of its row.
    ///
    /// # Shapes
    /// `said` `[b, C, columns · outputs]`
    pub(super) fn new(
        said: Tensor<3>,
        kind: &ValueKind,
        panels: usize,
        number_ops: usize,
        column: &[usize],
    ) -> Self {
        let ([b, c, all], device) = (said.dims(), said.device());
        let (features, copied) = (kind.features(), copies(kind) * panels);
        let outputs = features + 1 + copied + position_ops(kind) + number_ops;
        let columns = all / outputs;
        let said = said.reshape([b * c, columns, outputs]);
        let said = choose(column.iter().copied(), columns, &device).matmul(said);
        Self { said, features, panels, copied }
    }

    fn blocks(&self) -> usize {
        self.said.dims()[0]
    }

    /// Every value's score by its features.
    ///
    /// # Shapes
    /// `[b C, values]`
    pub(super) fn feature_scores(&self, kind: &ValueKind) -> Tensor<2> {
        let (features, values) = (self.features, kind.count());
        let has: Vec<f32> = (0..features * values)
            .map(|i| f32::from(u8::from(kind.has(i % values, i / values))))
            .collect();
        let has = TensorData::new(has, [features, values]);
        let has = Tensor::<2>::from_data(has, &self.said.device());
        let own = self.said.clone().narrow(2, 0, features);
        own.reshape([self.blocks(), features]).matmul(has)
    }

    /// Every value's score by the position operations that lead to it.
    ///
    /// # Shapes
    /// `offered` `[b C, operations, values] -> [b C, values]`
    pub(super) fn position_op_scores(&self, offered: Tensor<3>) -> Tensor<2> {
        let [blocks, operations, values] = offered.dims();
        let worth = self.said.clone().narrow(2, self.features + 1 + self.copied, operations);
        worth.matmul(offered).reshape([blocks, values])
    }

    /// Every value's score by the operations that lead to as many objects.
    ///
    /// # Shapes
    /// `offered` `[b C, operations, numbers] -> [b C, values]`
    pub(super) fn number_op_scores(&self, kind: &ValueKind, offered: Tensor<3>) -> Tensor<2> {
        let [blocks, operations, numbers] = offered.dims();
        let from = self.features + 1 + self.copied + position_ops(kind);
        let worth = self.said.clone().narrow(2, from, operations).matmul(offered);
        let device = self.said.device();
        let classes = table_of(kind.count(), numbers, |value| kind.class(value), &device);
        worth.reshape([blocks, numbers]).matmul(classes.transpose())
    }

    /// Every value's score by the decoded panels that have it; for occupancy also by those that
    /// have as many objects.
    ///
    /// # Shapes
    /// `row` one-hot `[b C, 1, M] -> [b C, values]`
    pub(super) fn copy_scores(
        &self,
        kind: &ValueKind,
        decoded: &DecodedScene,
        row: &Tensor<3>,
        columns: usize,
    ) -> Tensor<2> {
        let (blocks, n, values) = (self.blocks(), self.panels, kind.count());
        let known = decoded.values.clone().narrow(3, 0, values).reshape([blocks, n, values]);
        let present = decoded.present.clone().reshape([blocks, 1, n]);
        let worth = |from: usize| self.in_grid_order(from, row, columns) * present.clone();
        let first = self.features + 1;
        let copied = worth(first).matmul(known.clone()).reshape([blocks, values]);
        if copies(kind) == 1 {
            return copied;
        }
        let device = self.said.device();
        let classes = table_of(values, kind.classes(), |value| kind.class(value), &device);
        let alike = known.reshape([blocks * n, values]).matmul(classes.clone());
        let alike = alike.reshape([blocks, n, kind.classes()]);
        let worth = worth(first + n).matmul(alike).reshape([blocks, kind.classes()]);
        copied + worth.matmul(classes.transpose())
    }

    /// One output for each panel, from `from` on, in the order of the grid: the network's order
    /// begins with the row of the panel that it is asked for.
    ///
    /// # Shapes
    /// `row` one-hot `[b C, 1, M] -> [b C, 1, MN]`
    fn in_grid_order(&self, from: usize, row: &Tensor<3>, columns: usize) -> Tensor<3> {
        let (n, m) = (self.panels, row.dims()[2]);
        let turned = self.said.clone().narrow(2, from, n);
        let turned = Tensor::cat(vec![turned.clone(), turned], 2);
        let in_order = (0..m).map(|r| {
            turned.clone().narrow(2, (m - r) % m * columns, n) * row.clone().narrow(2, r, 1)
        });
        in_order.reduce(|a, b| a + b).expect("a puzzle has rows")
    }

    /// The score of "absent".
    ///
    /// # Shapes
    /// `[b C, 1]`
    pub(super) fn absent_score(&self) -> Tensor<2> {
        self.said.clone().narrow(2, self.features, 1).reshape([self.blocks(), 1])
    }
}

/// What can be copied from another panel: its value, and for occupancy just how many there are.
pub(super) fn copies(kind: &ValueKind) -> usize {
    if matches!(kind, ValueKind::Occupancy { .. }) { 2 } else { 1 }
}

/// Position operations that a kind of value knows.
pub(super) fn position_ops(kind: &ValueKind) -> usize {
    if matches!(kind, ValueKind::Occupancy { .. }) { POSITION_OPS } else { 0 }
}

/// One-hot rows that pick one of `count` things each.
///
/// # Shapes
/// `[n, 1, count]`
pub(super) fn choose(
    which: impl ExactSizeIterator<Item = usize>,
    count: usize,
    device: &Device,
) -> Tensor<3> {
    let n = which.len();
    let mut rows = vec![0.0f32; n * count];
    which.enumerate().for_each(|(i, which)| rows[i * count + which] = 1.0);
    Tensor::from_data(TensorData::new(rows, [n, 1, count]), device)
}
