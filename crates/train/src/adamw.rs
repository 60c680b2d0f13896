//! AdamW over flat vectors, with a running average of the weights in the same pass.

use rayon::prelude::*;

use crate::parameters::ParameterLayout;

/// Numbers handled by one task: the same at any thread count, though no result
/// depends on it, as every number is updated on its own.
const CHUNK: usize = 1 << 15;

/// What an update needs besides the gradients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Update {
    /// The learning rate.
    pub rate: f64,
    /// How slowly the two moments forget.
    pub betas: [f64; 2],
    /// Keeps the divisor away from 0.
    pub epsilon: f64,
    /// How fast weights decay, times the learning rate.
    pub decay: f64,
    /// Gradients are multiplied by this: 1, or less where they are clipped.
    pub scale: f64,
    /// How slowly the running average forgets.
    pub average_decay: f64,
    /// How many updates there have been, this one included.
    pub count: u64,
}

/// Everything that an update changes, laid out alike.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The values of all tensors: what is trained, and running statistics.
    pub values: Vec<f32>,
    /// The running mean of the gradients.
    pub first: Vec<f32>,
    /// The running mean of their squares.
    pub second: Vec<f32>,
    /// The running average of the values.
    pub average: Vec<f32>,
}

impl State {
    /// The state before the first update.
    pub fn new(values: Vec<f32>) -> Self {
        let zeros = vec![0.0; values.len()];
        Self { average: values.clone(), first: zeros.clone(), second: zeros, values }
    }

    /// One update of everything that is trained, and of the averages of all.
    pub fn update(&mut self, slots: &ParameterLayout, gradients: &[f32], update: &Update) {
        for slot in slots.iter().filter(|slot| slot.learns) {
            let range = slot.range.clone();
            let average = &mut self.average[range.clone()];
            if slot.trained {
                let decay = if slot.decays() { update.decay } else { 0.0 };
                let rest = (
                    &mut self.values[range.clone()],
                    &mut self.first[range.clone()],
                    &mut self.second[range.clone()],
                    average,
                    &gradients[range],
                );
                tensor(rest, decay, update);
            } else {
                let kept = update.average_decay as f32;
                for (average, value) in average.iter_mut().zip(&self.values[range]) {
                    *average = kept * *average + (1.0 - kept) * value;
                }
            }
        }
    }
}

type Slices<'a> = (&'a mut [f32], &'a mut [f32], &'a mut [f32], &'a mut [f32], &'a [f32]);

fn tensor((values, first, second, average, gradients): Slices<'_>, decay: f64, update: &Update) {
    let [b1, b2] = update.betas.map(|b| b as f32);
    let corrected = |beta: f64| 1.0 - beta.powi(update.count.min(i32::MAX as u64) as i32);
    let [c1, c2] = update.betas.map(corrected);
    let rate = (update.rate / c1) as f32;
    let root = (1.0 / c2.sqrt()) as f32;
    let (epsilon, scale) = (update.epsilon as f32, update.scale as f32);
    let shrink = (1.0 - update.rate * decay) as f32;
    let kept = update.average_decay as f32;
    values
        .par_chunks_mut(CHUNK)
        .zip(first.par_chunks_mut(CHUNK))
        .zip(second.par_chunks_mut(CHUNK))
        .zip(average.par_chunks_mut(CHUNK))
        .zip(gradients.par_chunks(CHUNK))
        .for_each(|((((values, first), second), average), gradients)| {
            for i in 0..values.len() {
                let gradient = gradients[i] * scale;
                first[i] = b1 * first[i] + (1.0 - b1) * gradient;
                second[i] = b2 * second[i] + (1.0 - b2) * gradient * gradient;
                let step = rate * first[i] / (second[i].sqrt() * root + epsilon);
                values[i] = values[i] * shrink - step;
                average[i] = kept * average[i] + (1.0 - kept) * values[i];
            }
        });
}

/// The Euclidean length of a gradient; not finite when a number of it is not.
pub fn norm(gradients: &[f32]) -> f64 {
    // Chunks of a fixed size, summed in order: the same at any thread count.
    let sums: Vec<f64> = gradients
        .par_chunks(CHUNK)
        .map(|chunk| chunk.iter().map(|&x| f64::from(x) * f64::from(x)).sum())
        .collect();
    sums.iter().sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters;
    use burn::tensor::Device;
    use genvp_kernels::{LinearBlock, LinearBlockConfig};

    const UPDATE: Update = Update {
        rate: 0.1,
        betas: [0.9, 0.999],
        epsilon: 1e-8,
        decay: 0.0,
        scale: 1.0,
        average_decay: 0.5,
        count: 1,
    };

    fn module() -> LinearBlock {
        LinearBlockConfig::new([2, 3]).with_norm(true).init(&Device::flex().autodiff())
    }

    #[test]
    fn the_first_update_moves_every_number_by_the_rate_against_its_gradient() {
        let (slots, values) = parameters::read(&module()).unwrap();
        let gradients: Vec<f32> =
            (0..slots.len()).map(|i| if i % 2 == 0 { 3.0 } else { -0.01 }).collect();
        let mut state = State::new(values.clone());
        state.update(&slots, &gradients, &UPDATE);
        for slot in slots.iter() {
            for i in slot.range.clone() {
                let moved = state.values[i] - values[i];
                let expected = if !slot.trained {
                    0.0
                } else if i % 2 == 0 {
                    -0.1
                } else {
                    0.1
                };
                assert!((moved - expected).abs() < 1e-5, "{} {moved}", slot.name);
                assert!((state.average[i] - (values[i] + moved / 2.0)).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn decay_shrinks_weights_but_not_biases_norms_or_statistics() {
        let (slots, values) = parameters::read(&module()).unwrap();
        let mut state = State::new(values.clone());
        state.update(&slots, &vec![0.0; values.len()], &Update { decay: 0.1, ..UPDATE });
        for slot in slots.iter() {
            let shrink = if slot.name.ends_with("weight") { 0.99 } else { 1.0 };
            for i in slot.range.clone() {
                assert!((state.values[i] - values[i] * shrink).abs() < 1e-7, "{}", slot.name);
            }
        }
    }

    #[test]
    fn adamw_agrees_with_pytorch() {
        // p = torch.tensor([[1., -2.]], requires_grad=True)
        // o = torch.optim.AdamW([p], lr=0.1, weight_decay=0.01)
        // for g in ([[.5, -1.]], [[.1, 2.]], [[-3., 0.]]): p.grad = torch.tensor(g); o.step()
        let slots = parameters::read(
            &LinearBlockConfig::new([1, 2]).with_bias(false).init(&Device::flex().autodiff()),
        )
        .unwrap()
        .0;
        let mut state = State::new(vec![1.0, -2.0]);
        for (count, gradient) in [[0.5, -1.0], [0.1, 2.0], [-3.0, 0.0]].iter().enumerate() {
            state.update(
                &slots,
                gradient,
                &Update { decay: 0.01, count: count as u64 + 1, ..UPDATE },
            );
        }
        let expected = reference(&[[0.5, -1.0], [0.1, 2.0], [-3.0, 0.0]]);
        for (found, expected) in state.values.iter().zip(expected) {
            assert!((f64::from(*found) - expected).abs() < 1e-6, "{found} {expected}");
        }
    }

    /// Loshchilov and Hutter's algorithm 2, written down once more in f64.
    fn reference(gradients: &[[f64; 2]]) -> [f64; 2] {
        let (mut p, mut m, mut v) = ([1.0, -2.0], [0.0; 2], [0.0; 2]);
        for (t, g) in gradients.iter().enumerate() {
            for i in 0..2 {
                p[i] -= 0.1 * 0.01 * p[i];
                m[i] = 0.9 * m[i] + 0.1 * g[i];
                v[i] = 0.999 * v[i] + 0.001 * g[i] * g[i];
                let (mh, vh) = (
                    m[i] / (1.0 - 0.9f64.powi(t as i32 + 1)),
                    v[i] / (1.0 - 0.999f64.powi(t as i32 + 1)),
                );
                p[i] -= 0.1 * mh / (f64::sqrt(vh) + 1e-8);
            }
        }
        p
    }

    #[test]
    fn a_number_that_is_none_shows_in_the_norm() {
        assert_eq!(norm(&[3.0, 4.0]), 5.0);
        assert!(norm(&[3.0, f32::NAN]).is_nan());
        assert!(norm(&[3.0, f32::INFINITY]).is_infinite());
    }
}
