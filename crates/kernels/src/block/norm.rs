//! Batch norm over the last axis, fused with an activation.

use burn::config::Config;
use burn::module::{Flag, Module, Param};
use burn::nn::Initializer;
use burn::tensor::{Device, Tensor};

use crate::flex::NormTerms;
use crate::{Activation, RunningStat, batch_norm_eval, batch_norm_train};

/// Configuration of a [`Norm`].
#[derive(Config, Debug)]
pub struct NormConfig {
    /// Size of the last axis.
    pub channels: usize,
    /// Added to the variance before its root is taken.
    #[config(default = 1e-5)]
    pub epsilon: f64,
    /// How far the running statistics move towards those of a batch.
    #[config(default = 0.1)]
    pub momentum: f64,
}

impl NormConfig {
    /// Makes the module on `device`: gamma 1, beta 0, running mean 0, running variance 1.
    pub fn init(&self, device: &Device) -> Norm {
        let c = self.channels;
        Norm {
            gamma: Initializer::Ones.init([c], device),
            beta: Initializer::Zeros.init([c], device),
            training: Param::from_bool(true),
            running_mean: RunningStat::new(Tensor::zeros([c], device)),
            running_var: RunningStat::new(Tensor::ones([c], device)),
            momentum: self.momentum,
            epsilon: self.epsilon,
        }
    }
}

/// Batch norm over the last axis (channels-last), with PyTorch's meaning: the
/// batch is normalised by its biased variance, the running variance keeps the
/// unbiased one. On an autodiff device (and unless frozen) it uses and records
/// the batch's statistics, otherwise it uses the running ones.
#[derive(Module, Debug)]
pub struct Norm {
    /// Scale `[c]`.
    pub gamma: Param<Tensor<1>>,
    /// Shift `[c]`.
    pub beta: Param<Tensor<1>>,
    /// Off when the module is frozen: the running statistics are then used, and kept.
    pub training: Param<Flag>,
    /// Running mean `[c]`.
    pub running_mean: RunningStat,
    /// Running unbiased variance `[c]`.
    pub running_var: RunningStat,
    /// How far the running statistics move towards those of a batch.
    pub momentum: f64,
    /// Added to the variance before its root is taken.
    pub epsilon: f64,
}

impl Norm {
    /// Normalises, then applies `activation`.
    ///
    /// # Shapes
    /// `[..., c] -> [..., c]`
    pub fn forward<const D: usize>(&self, x: Tensor<D>, activation: Activation) -> Tensor<D> {
        if !self.in_training(&x.device()) {
            return batch_norm_eval(
                x,
                self.gamma.val(),
                self.beta.val(),
                self.running_mean.value(),
                self.running_var.value(),
                self.epsilon,
                activation,
            );
        }
        let rows = x.dims()[..D - 1].iter().product::<usize>();
        let normed =
            batch_norm_train(x, self.gamma.val(), self.beta.val(), self.epsilon, activation);
        self.record(normed.mean, normed.variance, rows);
        normed.output
    }

    /// Whether statistics of the batch (true) or running ones are to be used on `device`.
    pub(crate) fn in_training(&self, device: &Device) -> bool {
        device.is_autodiff() && self.training.is_enabled()
    }

    /// Runs an operation that ends in this norm: with the running statistics (`eval`), or with those
    /// of a batch of `rows` rows (`train`, which gives result, mean and variance), which it records.
    pub(crate) fn run<const D: usize>(
        &self,
        device: &Device,
        rows: usize,
        eval: impl FnOnce(&NormTerms<'_>, &Tensor<1>, &Tensor<1>) -> Option<Tensor<D>>,
        train: impl FnOnce(&NormTerms<'_>) -> Option<(Tensor<D>, Tensor<1>, Tensor<1>)>,
    ) -> Option<Tensor<D>> {
        let (gamma, beta) = (self.gamma.val(), self.beta.val());
        let terms = NormTerms { gamma: &gamma, beta: &beta, epsilon: self.epsilon };
        if !self.in_training(device) {
            return eval(&terms, &self.running_mean.value(), &self.running_var.value());
        }
        let (y, mean, variance) = train(&terms)?;
        self.record(mean, variance, rows);
        Some(y)
    }

    /// Moves the running statistics towards those of a batch of `rows` rows.
    ///
    /// A single row has no unbiased variance: the running variance then stays
    /// as it is. An empty batch says nothing at all.
    pub(crate) fn record(&self, mean: Tensor<1>, variance: Tensor<1>, rows: usize) {
        if rows == 0 {
            return;
        }
        self.running_mean.update(mean, self.momentum);
        if rows > 1 {
            let unbiased = variance.mul_scalar(rows as f64 / (rows - 1) as f64);
            self.running_var.update(unbiased, self.momentum);
        }
    }
}
