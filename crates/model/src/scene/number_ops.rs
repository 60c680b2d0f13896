//! How the number of objects changes from panel to panel of a row.
//!
//! What [position operations](super::position_ops) are to slots these are to their number: some
//! objects more or fewer than in the panel beside, or as many as the first two panels have together,
//! or one has more than the other. The [`AutoregressivePrior`](super::AutoregressivePrior) is told which
//! of them the other rows show, and offered the number that each would give in its own.

use burn::tensor::{Device, Tensor, TensorData};

use super::position_ops::Row;

/// So many objects more than in the panel before.
const STEPS: [f32; 4] = [-2.0, -1.0, 1.0, 2.0];

/// Ways to count: the steps, the sum of the first two panels, their difference.
pub(super) const NUMBER_OPS: usize = STEPS.len() + 2;

impl Row {
    /// How many objects each panel has.
    ///
    /// # Shapes
    /// `-> [n, 1]` for each column
    fn numbers(&self) -> Vec<Tensor<2>> {
        self.taken.iter().map(|taken| taken.clone().sum_dim(1)).collect()
    }

    /// The number that each operation gives for one column, 0 where there is nothing to count.
    ///
    /// # Shapes
    /// `-> [n, NUMBER_OPS]`
    fn counted(&self, column: usize) -> Tensor<2> {
        let numbers = self.numbers();
        let there = |i: usize| self.present[i].clone();
        let none = self.present[0].zeros_like();
        let last = self.taken.len() - 1;
        let before = if column > 0 { there(column - 1) } else { none.clone() };
        let after = if column < last { there(column + 1) } else { none.clone() };
        let after = after * before.clone().neg().add_scalar(1.0);
        let step = |by: f32| {
            let mut number = none.clone();
            if column > 0 {
                number = number + numbers[column - 1].clone().add_scalar(by) * before.clone();
            }
            if column < last {
                number = number + numbers[column + 1].clone().sub_scalar(by) * after.clone();
            }
            number
        };
        let mut all: Vec<Tensor<2>> = STEPS.into_iter().map(step).collect();
        if let [a, b, c] = &numbers[..] {
            let (a, b, c) = (a.clone(), b.clone(), c.clone());
            // c = a + b, c = a - b, solved for the column.
            let (sum, difference) = match column {
                0 => (c.clone() - b.clone(), c + b),
                1 => (c.clone() - a.clone(), a - c),
                _ => (a.clone() + b.clone(), a - b),
            };
            let others = (0..3).filter(|&i| i != column).map(there);
            let both = others.reduce(|a, b| a * b).expect("two others");
            all.extend([sum * both.clone(), difference * both]);
        } else {
            all.extend([none.clone(), none]);
        }
        Tensor::cat(all, 1)
    }

    /// 1 for every operation that explains the row as far as it is there; 0 for all of them where
    /// too little is there to tell.
    ///
    /// # Shapes
    /// `-> [n, NUMBER_OPS]`
    pub fn shown_numbers(&self) -> Tensor<2> {
        let numbers = self.numbers();
        let (mut fits, mut seen) = (self.present[0].ones_like(), self.present[0].zeros_like());
        for (column, number) in numbers.iter().enumerate().skip(1) {
            let both = self.present[column - 1].clone() * self.present[column].clone();
            let counted = self.counted(column).narrow(1, 0, STEPS.len());
            let step = equal(counted, number);
            fits = step * both.clone() * fits.clone() + both.clone().neg().add_scalar(1.0) * fits;
            seen = seen + both;
        }
        let steps = fits * seen.clamp_max(1.0);
        let last = self.taken.len() - 1;
        let whole = self.present.iter().cloned().reduce(|a, b| a * b).expect("a row has panels");
        let joins = self.counted(last).narrow(1, STEPS.len(), 2);
        Tensor::cat(vec![steps, equal(joins, &numbers[last]) * whole], 1)
    }

    /// The numbers of objects that the operations give for the columns `at`, one-hot from 1 on;
    /// nothing where there is nothing to count, or no such number.
    ///
    /// # Shapes
    /// `at` n columns -> `[n, NUMBER_OPS, slots]`
    pub fn offered_numbers(&self, at: &[usize]) -> Tensor<3> {
        let [n, slots] = self.taken[0].dims();
        let device = self.taken[0].device();
        let mut number = Tensor::<2>::zeros([n, NUMBER_OPS], &device);
        for column in 0..self.taken.len() {
            let mine = at.iter().map(|&a| f32::from(u8::from(a == column))).collect::<Vec<_>>();
            let mine = Tensor::<2>::from_data(TensorData::new(mine, [n, 1]), &device);
            number = number + self.counted(column) * mine;
        }
        let number = number.unsqueeze_dim::<3>(2).repeat_dim(2, slots);
        let far = number - counts(slots, &device).reshape([1, 1, slots]);
        far.abs().lower_elem(0.5).float()
    }
}

/// 1 where numbers are equal.
///
/// # Shapes
/// `[n, m]`, `[n, 1] -> [n, m]`
fn equal(numbers: Tensor<2>, one: &Tensor<2>) -> Tensor<2> {
    (numbers - one.clone()).abs().lower_elem(0.5).float()
}

fn counts(slots: usize, device: &Device) -> Tensor<1> {
    let counts: Vec<f32> = (1..=slots).map(|count| count as f32).collect();
    Tensor::from_data(TensorData::new(counts, [slots]), device)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Panels with so many objects in nine slots; `None`: open.
    fn row(numbers: [Option<usize>; 3]) -> Row {
        let device = Device::flex();
        let panel = |number: &Option<usize>| {
            let taken = (0..9).map(|slot| f32::from(u8::from(slot < number.unwrap_or(0))));
            Tensor::from_data(TensorData::new(taken.collect(), [1, 9]), &device)
        };
        let there = |number: &Option<usize>| f32::from(u8::from(number.is_some()));
        Row {
            taken: numbers.iter().map(panel).collect(),
            present: numbers.iter().map(|n| Tensor::full([1, 1], there(n), &device)).collect(),
        }
    }

    fn shown(numbers: [Option<usize>; 3]) -> Vec<usize> {
        let shown = row(numbers).shown_numbers().into_data().try_to_vec::<f32>().unwrap();
        (0..NUMBER_OPS).filter(|&i| shown[i] == 1.0).collect()
    }

    fn offered(numbers: [Option<usize>; 3], at: usize) -> Vec<Option<usize>> {
        let offers = row(numbers).offered_numbers(&[at]).into_data().try_to_vec::<f32>().unwrap();
        offers.chunks_exact(9).map(|o| o.iter().position(|&v| v == 1.0).map(|i| i + 1)).collect()
    }

    #[test]
    fn a_row_shows_what_explains_its_numbers() {
        assert_eq!(shown([Some(5), Some(3), Some(1)]), [0], "two fewer");
        assert_eq!(shown([Some(1), Some(2), Some(3)]), [2, 4], "one more, and the sum");
        assert_eq!(shown([Some(7), Some(3), Some(4)]), [5], "the difference");
        assert_eq!(shown([Some(7), None, Some(4)]), [0; 0]);
    }

    #[test]
    fn what_an_operation_gives_is_what_the_row_would_show() {
        for numbers in [[5, 3, 1], [1, 2, 3], [7, 3, 4], [2, 6, 8], [9, 8, 7]] {
            let all = numbers.map(Some);
            for column in 0..3 {
                let mut open = all;
                open[column] = None;
                let offers = offered(open, column);
                for operation in shown(all) {
                    assert_eq!(offers[operation], Some(numbers[column]), "{numbers:?} {column}");
                }
            }
        }
        assert_eq!(offered([None; 3], 1), [None; NUMBER_OPS]);
        assert_eq!(offered([Some(8), Some(9), None], 2)[3], None, "eleven do not fit");
    }
}
