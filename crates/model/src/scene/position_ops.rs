//! How objects move about from panel to panel of a row.
//!
//! Which slots are taken in the next panel often follows from those before: all objects
//! move on by some slots, or stand wherever they stood in either panel, or where they
//! stood in the first and not in the second. A network can pick one of these by number, but
//! would need many examples to learn what each of them does to every slot. So the
//! [`AutoregressivePrior`](super::AutoregressivePrior) is told which of them the other rows show, and offered
//! what each would give in its own.

use burn::tensor::{Device, Tensor, TensorData};

use crate::tensor_index::indices;

/// Objects move on by so many slots, among the first four slots (a 2x2 grid) or all.
const STEPS: [(Grid, isize); 7] = [
    (Grid::Four, 1),
    (Grid::Four, 2),
    (Grid::Four, -1),
    (Grid::All, 1),
    (Grid::All, 2),
    (Grid::All, -2),
    (Grid::All, -1),
];

/// Ways to move: the steps, "in either", "in the first, not in the second".
pub(super) const POSITION_OPS: usize = STEPS.len() + 2;

#[derive(Clone, Copy, PartialEq)]
enum Grid {
    Four,
    All,
}

/// The slot from which an object comes to each slot, or goes to where `back`.
fn taken_from((grid, by): (Grid, isize), slots: usize, back: bool) -> Vec<usize> {
    let count = if grid == Grid::Four { slots.min(4) } else { slots } as isize;
    let by = if back { by } else { -by };
    let from = |slot: isize| if slot < count { (slot + by).rem_euclid(count) } else { slot };
    (0..slots as isize).map(|slot| from(slot) as usize).collect()
}

/// Objects where each step takes them.
///
/// # Shapes
/// `[n, slots] -> [n, steps, slots]`
fn stepped(taken: &Tensor<2>, back: bool) -> Tensor<3> {
    let slots = taken.dims()[1];
    let one =
        |step| taken.clone().select(1, indices(&taken_from(step, slots, back), &taken.device()));
    Tensor::stack(STEPS.into_iter().map(one).collect(), 1)
}

/// Objects that stood in either panel, and those in the first that the second has not.
///
/// # Shapes
/// `[n, slots] -> [n, 2, slots]`
fn joined(first: &Tensor<2>, second: &Tensor<2>) -> Tensor<3> {
    let free = second.clone().neg().add_scalar(1.0);
    let either = first.clone() + second.clone() - first.clone() * second.clone();
    Tensor::stack(vec![either, first.clone() * free], 1)
}

/// 1 where two panels have the same slots taken.
///
/// # Shapes
/// `[n, moves, slots]`, `[n, slots] -> [n, moves]`
fn same(offered: Tensor<3>, taken: &Tensor<2>) -> Tensor<2> {
    let differ = (offered - taken.clone().unsqueeze_dim::<3>(1)).abs().sum_dim(2);
    differ.lower_elem(0.5).float().squeeze_dim::<2>(2)
}

/// A row of panels: which slots are taken (1 or 0), and which panels are there.
pub(super) struct Row {
    /// One for each column `[n, slots]`.
    pub taken: Vec<Tensor<2>>,
    /// One for each column `[n, 1]`.
    pub present: Vec<Tensor<2>>,
}

impl Row {
    /// 1 for every move that explains the row as far as it is there; 0 for all of them where
    /// too little is there to tell.
    ///
    /// # Shapes
    /// `-> [n, POSITION_OPS]`
    pub fn shown(&self) -> Tensor<2> {
        let columns = self.taken.len();
        let like = &self.present[0];
        // A pair that is not there speaks against nothing, and for nothing.
        let (mut fits, mut seen) = (like.ones_like(), like.zeros_like());
        for i in 0..columns - 1 {
            let both = self.present[i].clone() * self.present[i + 1].clone();
            let step = same(stepped(&self.taken[i], false), &self.taken[i + 1]);
            fits = step * both.clone() * fits.clone() + both.clone().neg().add_scalar(1.0) * fits;
            seen = seen + both;
        }
        let steps = fits * seen.clamp_max(1.0);
        let joins = if columns < 3 {
            Tensor::zeros([like.dims()[0], 2], &like.device())
        } else {
            let (first, second, last) = (columns - 3, columns - 2, columns - 1);
            let all = [first, second, last].map(|i| self.present[i].clone());
            let all = all.into_iter().reduce(|a, b| a * b).expect("three panels");
            same(joined(&self.taken[first], &self.taken[second]), &self.taken[last]) * all
        };
        Tensor::cat(vec![steps, joins], 1)
    }

    /// What each move gives for one column, from its neighbour (the one before it, or the
    /// one after it where that is missing) or from the two before; and 1 where there is
    /// something to move.
    ///
    /// # Shapes
    /// `-> [n, POSITION_OPS, slots]`, `[n, POSITION_OPS]`
    fn offered(&self, column: usize) -> (Tensor<3>, Tensor<2>) {
        let [n, slots] = self.taken[0].dims();
        let device = self.taken[0].device();
        let none = || Tensor::<2>::zeros([n, 1], &device);
        let before = column.checked_sub(1).map_or_else(none, |i| self.present[i].clone());
        let after = if column + 1 < self.taken.len() {
            self.present[column + 1].clone() * before.clone().neg().add_scalar(1.0)
        } else {
            none()
        };
        let mut steps = Tensor::<3>::zeros([n, STEPS.len(), slots], &device);
        if column > 0 {
            let moved = stepped(&self.taken[column - 1], false);
            steps = steps + moved * before.clone().unsqueeze_dim::<3>(2);
        }
        if column + 1 < self.taken.len() {
            let moved = stepped(&self.taken[column + 1], true);
            steps = steps + moved * after.clone().unsqueeze_dim::<3>(2);
        }
        let beside = (before + after).repeat_dim(1, STEPS.len());
        let (joins, both) = if column >= 2 && column + 1 == self.taken.len() {
            let (first, second) = (column - 2, column - 1);
            let both = self.present[first].clone() * self.present[second].clone();
            (joined(&self.taken[first], &self.taken[second]), both)
        } else {
            (Tensor::zeros([n, 2, slots], &device), none())
        };
        let usable = Tensor::cat(vec![beside, both.repeat_dim(1, 2)], 1);
        (Tensor::cat(vec![steps, joins], 1), usable)
    }

    /// The values that the moves give for the columns `at`, one-hot; nothing where there is
    /// nothing to move, or nothing would be left. Values are counted as
    /// [`ValueKind::Occupancy`](super::ValueKind::Occupancy) says.
    ///
    /// # Shapes
    /// `at` n columns -> `[n, POSITION_OPS, values]`
    pub fn values(&self, at: &[usize]) -> Tensor<3> {
        let [n, slots] = self.taken[0].dims();
        let device = self.taken[0].device();
        let mut all = Tensor::<3>::zeros([n, POSITION_OPS, slots], &device);
        let mut usable = Tensor::<2>::zeros([n, POSITION_OPS], &device);
        for column in 0..self.taken.len() {
            let mine = at.iter().map(|&a| f32::from(u8::from(a == column))).collect::<Vec<_>>();
            let mine = Tensor::<2>::from_data(TensorData::new(mine, [n, 1]), &device);
            let (taken, can) = self.offered(column);
            all = all + taken * mine.clone().unsqueeze_dim::<3>(2);
            usable = usable + can * mine;
        }
        // Slot i is bit i; "nothing taken" would be one less than the first value.
        let bits = powers(slots, &device).reshape([1, 1, slots]);
        let value = (all * bits).sum_dim(2).squeeze_dim::<2>(2).sub_scalar(1.0);
        let usable = usable * value.clone().greater_elem(-0.5).float();
        let values = (1 << slots) - 1;
        let value =
            value.clamp_min(0.0).reshape([n * POSITION_OPS]).int().one_hot::<2>(values).float();
        value.reshape([n, POSITION_OPS, values]) * usable.unsqueeze_dim::<3>(2)
    }
}

fn powers(slots: usize, device: &Device) -> Tensor<1> {
    let bits: Vec<f32> = (0..slots).map(|slot| (1u32 << slot) as f32).collect();
    Tensor::from_data(TensorData::new(bits, [slots]), device)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(taken: &[usize]) -> Tensor<2> {
        let bits = (0..9).map(|slot| f32::from(u8::from(taken.contains(&slot)))).collect();
        Tensor::from_data(TensorData::new(bits, [1, 9]), &Device::flex())
    }

    fn row(panels: [Option<&[usize]>; 3]) -> Row {
        let there = |p: &Option<&[usize]>| f32::from(u8::from(p.is_some()));
        let present = |p| Tensor::full([1, 1], there(p), &Device::flex());
        Row {
            taken: panels.iter().map(|p| panel(p.unwrap_or_default())).collect(),
            present: panels.iter().map(present).collect(),
        }
    }

    fn shown(panels: [Option<&[usize]>; 3]) -> Vec<usize> {
        let shown = row(panels).shown().into_data().try_to_vec::<f32>().unwrap();
        (0..POSITION_OPS).filter(|&i| shown[i] == 1.0).collect()
    }

    fn offered(panels: [Option<&[usize]>; 3], at: usize) -> Vec<Option<usize>> {
        let values = row(panels).values(&[at]).into_data().try_to_vec::<f32>().unwrap();
        values.chunks_exact(511).map(|v| v.iter().position(|&v| v == 1.0)).collect()
    }

    #[test]
    fn steps_lead_there_and_back_for_any_number_of_slots() {
        for slots in 2..=9 {
            for step in STEPS {
                let (there, back) = (taken_from(step, slots, false), taken_from(step, slots, true));
                for slot in 0..slots {
                    assert_eq!(there[back[slot]], slot, "{slots} slots");
                }
            }
        }
    }

    #[test]
    fn a_row_shows_the_moves_that_explain_it() {
        // One on in nine slots; the last comes round to the first.
        assert_eq!(shown([Some(&[0, 8]), Some(&[1, 0]), Some(&[2, 1])]), [3]);
        // Two back; among four slots two on and two back are the same.
        assert_eq!(shown([Some(&[5, 0]), Some(&[3, 7]), None]), [5]);
        // "In the first, not in the second" fits here too.
        assert_eq!(shown([Some(&[0]), Some(&[2]), Some(&[0])]), [1, 8]);
        assert_eq!(shown([Some(&[0, 5]), Some(&[5, 7]), Some(&[0, 5, 7])]), [7]);
        assert_eq!(shown([Some(&[0, 5]), Some(&[5, 7]), Some(&[0])]), [8]);
        assert_eq!(shown([Some(&[0, 5]), None, Some(&[0])]), [0; 0]);
    }

    #[test]
    fn what_a_move_gives_is_what_the_row_would_show() {
        let rows: [[&[usize]; 3]; 4] = [
            [&[0, 8], &[1, 0], &[2, 1]],
            [&[5], &[3], &[1]],
            [&[1], &[3], &[1]],
            [&[0, 5], &[5, 7], &[0, 5, 7]],
        ];
        for panels in rows {
            let masks = panels.map(|p| p.iter().map(|s| 1 << s).sum::<usize>() - 1);
            let all = panels.map(Some);
            for column in 0..3 {
                let mut open = all;
                open[column] = None;
                let offers = offered(open, column);
                for shown in shown(all) {
                    // Where objects stood in either cannot be told backwards.
                    if shown < STEPS.len() || column == 2 {
                        assert_eq!(offers[shown], Some(masks[column]), "{panels:?} {column}");
                    }
                }
            }
        }
        assert_eq!(offered([None, None, None], 0), [None; POSITION_OPS]);
        assert_eq!(offered([Some(&[3]), Some(&[3]), None], 2)[8], None, "nothing would be left");
    }
}
