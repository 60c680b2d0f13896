//! The values that are decoded of a puzzle so far.

use burn::tensor::Tensor;

use super::position_ops::Row;

/// The values of one attribute group in all panels of puzzles.
#[derive(Clone, Debug)]
pub(crate) struct DecodedScene {
    /// Codes as ±1, 0 where a panel is open `[b, C, MN, value width]`.
    pub codes: Tensor<4>,
    /// Values one-hot, "not there" last, whatever where a panel is open `[b, C, MN, values + 1]`.
    pub values: Tensor<4>,
    /// 1 where a panel is decoded, 0 where it is open `[b, C, MN, 1]`.
    pub present: Tensor<4>,
}

impl DecodedScene {
    /// The slots taken in every row of every block, the rows one after the other.
    ///
    /// # Shapes
    /// panels `[b C M, slots]`
    pub fn row(&self, slots: usize, columns: usize) -> Row {
        let [b, c, n, _] = self.codes.dims();
        let rows = b * c * n / columns;
        let taken = self.codes.clone().narrow(3, 0, slots).greater_elem(0.0).float();
        let taken = taken.reshape([rows, columns, slots]);
        let present = self.present.clone().reshape([rows, columns, 1]);
        let column = |all: &Tensor<3>, i| all.clone().narrow(1, i, 1).squeeze_dim::<2>(1);
        Row {
            taken: (0..columns).map(|i| column(&taken, i)).collect(),
            present: (0..columns).map(|i| column(&present, i)).collect(),
        }
    }

    /// The slots taken in one row of every block, `which` one-hot.
    ///
    /// # Shapes
    /// `which` `[b C, 1, M]` -> panels `[b C, slots]`
    pub fn row_at(&self, slots: usize, columns: usize, which: &Tensor<3>) -> Row {
        let all = self.row(slots, columns);
        let [blocks, _, m] = which.dims();
        let one = |panels: Tensor<2>| {
            let width = panels.dims()[1];
            which.clone().matmul(panels.reshape([blocks, m, width])).reshape([blocks, width])
        };
        Row {
            taken: all.taken.into_iter().map(one).collect(),
            present: all.present.into_iter().map(one).collect(),
        }
    }

    /// Only these panels, the others open.
    ///
    /// # Shapes
    /// `[1, 1, MN, 1]`
    pub fn only(&self, panels: &Tensor<4>) -> Self {
        Self {
            codes: self.codes.clone() * panels.clone(),
            values: self.values.clone() * panels.clone(),
            present: self.present.clone() * panels.clone(),
        }
    }

    /// Writes one panel where `here` is 1.
    pub fn put(&mut self, panel: usize, code: &Tensor<4>, value: &Tensor<4>, here: &Tensor<4>) {
        let into = |all: &Tensor<4>, new: Tensor<4>| {
            let n = all.dims()[2];
            let old = all.clone().narrow(2, panel, 1);
            let both = old * here.clone().neg().add_scalar(1.0) + new * here.clone();
            let mut parts = Vec::new();
            if panel > 0 {
                parts.push(all.clone().narrow(2, 0, panel));
            }
            parts.push(both);
            if panel + 1 < n {
                parts.push(all.clone().narrow(2, panel + 1, n - panel - 1));
            }
            Tensor::cat(parts, 2)
        };
        self.codes = into(&self.codes, code.clone());
        self.values = into(&self.values, value.clone());
        self.present = into(&self.present, here.clone());
    }
}
