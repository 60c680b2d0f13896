//! Where a product reads an image from: memory, or a gradient worked out on the way.

use super::channels::{Slope, for_best_isa, pass_tasks};
use super::parallel;

/// Rows of channels, given or computed when read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RowSource<'a> {
    /// As they are.
    Plain(&'a [f32]),
    /// The gradient before an activation: `dy * act'(y)`.
    Activated { dy: &'a [f32], y: &'a [f32], slope: Slope },
    /// The gradient before a batch norm and an activation.
    Normed { dy: &'a [f32], u: &'a [f32], norm: &'a NormBackward<'a> },
}

impl<'a> RowSource<'a> {
    /// The rows themselves, where they need no computing.
    pub(super) fn plain(&self) -> Option<&'a [f32]> {
        match self {
            Self::Plain(x) => Some(x),
            _ => None,
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Plain(x) => x.len(),
            Self::Activated { dy, .. } | Self::Normed { dy, .. } => dy.len(),
        }
    }

    /// Writes the floats from `start` on to `to`; both begin at channel 0.
    pub(super) fn read(&self, start: usize, to: &mut [f32]) {
        let part = start..start + to.len();
        match self {
            Self::Plain(x) => to.copy_from_slice(&x[part]),
            Self::Activated { dy, y, slope } => activated(to, &dy[part.clone()], &y[part], *slope),
            Self::Normed { dy, u, norm } => norm.read(to, start, &dy[part.clone()], &u[part]),
        }
    }
}

for_best_isa! {
    fn activated(to: &mut [f32], dy: &[f32], y: &[f32], slope: Slope) {
        for ((to, dy), y) in to.iter_mut().zip(dy).zip(y) {
            *to = slope.backward(*y, *dy);
        }
    }
}

/// Coefficients of the gradient of `y = act(z)`, `z = scale * u + shift`,
/// `scale = gamma * rstd`, where mean and variance are those of the batch `u`:
///
/// `g = dy * act'(z)`, `dbeta = sum g`, `dgamma = sum g * (u - mean) * rstd`,
/// `du = scale * (g - dbeta / rows - (u - mean) * rstd * dgamma / rows)`
///
/// A row that stands for several equal ones comes with the sum of their `dy`, and gets the
/// sum of their `du`: what does not depend on `dy` then counts as often as the row does.
#[derive(Clone, Debug)]
pub(crate) struct NormBackward<'a> {
    scale: Vec<f32>,
    shift: Vec<f32>,
    slope: Slope,
    /// `du = scale * g - constant - linear * u`
    constant: Vec<f32>,
    linear: Vec<f32>,
    pub(crate) dgamma: Vec<f32>,
    pub(crate) dbeta: Vec<f32>,
    /// How often each row counts; once each where nothing is said.
    counts: Option<&'a [f32]>,
}

impl<'a> NormBackward<'a> {
    /// Works out the sums over the batch.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn new(
        dy: &[f32],
        u: &[f32],
        gamma: &[f32],
        beta: &[f32],
        mean: &[f32],
        rstd: &[f32],
        slope: Slope,
        counts: Option<&'a [f32]>,
    ) -> Self {
        let c = gamma.len();
        let scale: Vec<f32> = gamma.iter().zip(rstd).map(|(g, r)| g * r).collect();
        let shift: Vec<f32> = (0..c).map(|j| beta[j] - mean[j] * scale[j]).collect();
        let (step, tasks) = pass_tasks(dy.len(), c);
        let parts = parallel::map(tasks, tasks > 1, |task| {
            let part = task * step * c..dy.len().min((task + 1) * step * c);
            let mut sums = Sums { g: vec![0.0; c], gu: vec![0.0; c] };
            sums.add(&dy[part.clone()], &u[part], &scale, &shift, mean, slope);
            sums
        });
        let (mut dbeta, mut dgamma) = (vec![0f64; c], vec![0f64; c]);
        for part in &parts {
            for j in 0..c {
                dbeta[j] += f64::from(part.g[j]);
                dgamma[j] += f64::from(part.gu[j]);
            }
        }
        (0..c).for_each(|j| dgamma[j] *= f64::from(rstd[j]));
        let rows = match counts {
            Some(counts) => counts.iter().map(|&count| f64::from(count)).sum::<f64>(),
            None => (dy.len() / c.max(1)) as f64,
        };
        let rows = rows.max(1.0);
        let linear = |j: usize| f64::from(scale[j] * rstd[j]) * dgamma[j] / rows;
        let constant =
            |j: usize| f64::from(scale[j]) * dbeta[j] / rows - linear(j) * f64::from(mean[j]);
        Self {
            constant: (0..c).map(|j| constant(j) as f32).collect(),
            linear: (0..c).map(|j| linear(j) as f32).collect(),
            scale,
            shift,
            slope,
            dgamma: dgamma.into_iter().map(|v| v as f32).collect(),
            dbeta: dbeta.into_iter().map(|v| v as f32).collect(),
            counts,
        }
    }

    fn read(&self, to: &mut [f32], start: usize, dy: &[f32], u: &[f32]) {
        match self.counts {
            None => norm_gradient(to, dy, u, self),
            Some(counts) => {
                let first = start / self.scale.len();
                counted_norm_gradient(to, dy, u, self, &counts[first..]);
            }
        }
    }
}

struct Sums {
    g: Vec<f32>,
    gu: Vec<f32>,
}

impl Sums {
    fn add(
        &mut self,
        dy: &[f32],
        u: &[f32],
        scale: &[f32],
        shift: &[f32],
        mean: &[f32],
        slope: Slope,
    ) {
        norm_sums(dy, u, scale, shift, mean, slope, &mut self.g, &mut self.gu);
    }
}

for_best_isa! {
    #[allow(clippy::too_many_arguments)]
    fn norm_sums(dy: &[f32], u: &[f32], scale: &[f32], shift: &[f32], mean: &[f32], slope: Slope, sum: &mut [f32], sum_u: &mut [f32]) {
        let c = scale.len();
        let (shift, mean) = (&shift[..c], &mean[..c]);
        let (sum, sum_u) = (&mut sum[..c], &mut sum_u[..c]);
        for (dy, u) in dy.chunks_exact(c).zip(u.chunks_exact(c)) {
            for j in 0..c {
                let g = slope.backward(scale[j] * u[j] + shift[j], dy[j]);
                sum[j] += g;
                sum_u[j] += g * (u[j] - mean[j]);
            }
        }
    }
}

for_best_isa! {
    fn norm_gradient(to: &mut [f32], dy: &[f32], u: &[f32], norm: &NormBackward<'_>) {
        let c = norm.scale.len();
        let (scale, shift) = (&norm.scale[..c], &norm.shift[..c]);
        let (constant, linear) = (&norm.constant[..c], &norm.linear[..c]);
        let rows = to.chunks_exact_mut(c).zip(dy.chunks_exact(c)).zip(u.chunks_exact(c));
        for ((to, dy), u) in rows {
            for j in 0..c {
                let g = norm.slope.backward(scale[j] * u[j] + shift[j], dy[j]);
                to[j] = scale[j] * g - constant[j] - linear[j] * u[j];
            }
        }
    }
}

for_best_isa! {
    fn counted_norm_gradient(to: &mut [f32], dy: &[f32], u: &[f32], norm: &NormBackward<'_>, counts: &[f32]) {
        let c = norm.scale.len();
        let (scale, shift) = (&norm.scale[..c], &norm.shift[..c]);
        let (constant, linear) = (&norm.constant[..c], &norm.linear[..c]);
        let rows = to.chunks_exact_mut(c).zip(dy.chunks_exact(c)).zip(u.chunks_exact(c));
        for (((to, dy), u), &count) in rows.zip(counts) {
            for j in 0..c {
                let g = norm.slope.backward(scale[j] * u[j] + shift[j], dy[j]);
                to[j] = scale[j] * g - count * (constant[j] + linear[j] * u[j]);
            }
        }
    }
}
