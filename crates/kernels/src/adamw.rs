//! AdamW in one pass over memory.

use burn::config::Config;
use burn::optim::{
    AdamW, AdamWConfig, AdamWState, AdaptiveMomentumState, ModuleOptimizer, Optimizer,
};
use burn::tensor::{Device, Tensor};

use crate::flex;

/// Configuration of [`FusedAdamW`], with PyTorch's defaults.
#[derive(Config, Debug)]
pub struct FusedAdamWConfig {
    /// Decay of the mean of the gradient.
    #[config(default = 0.9)]
    pub beta_1: f32,
    /// Decay of the mean of the squared gradient.
    #[config(default = 0.999)]
    pub beta_2: f32,
    /// Added to the root of the mean square.
    #[config(default = 1e-8)]
    pub epsilon: f32,
    /// Decoupled weight decay.
    #[config(default = 1e-2)]
    pub weight_decay: f32,
}

impl FusedAdamWConfig {
    /// The optimiser for one group of parameters.
    pub fn build(&self) -> FusedAdamW {
        let elsewhere = AdamWConfig::new()
            .with_beta_1(self.beta_1)
            .with_beta_2(self.beta_2)
            .with_epsilon(self.epsilon)
            .with_weight_decay(self.weight_decay)
            .build();
        FusedAdamW { config: self.clone(), elsewhere }
    }

    /// The optimiser for a whole module.
    pub fn init(&self) -> ModuleOptimizer {
        ModuleOptimizer::from(self.build())
    }
}

/// AdamW: on the Flex device one pass over parameter, gradient and moments
/// instead of a dozen; burn's own elsewhere. Its state is that of burn's
/// `AdamW`, so checkpoints of either can be continued with the other.
///
/// `m = b1 m + (1 - b1) g`, `v = b2 v + (1 - b2) g^2`,
/// `p = (1 - lr wd) p - lr m / (1 - b1^t) / (sqrt(v / (1 - b2^t)) + eps)`
#[derive(Clone)]
pub struct FusedAdamW {
    config: FusedAdamWConfig,
    elsewhere: AdamW,
}

impl Optimizer for FusedAdamW {
    type State<const D: usize> = AdamWState<D>;

    fn step<const D: usize>(
        &self,
        lr: f64,
        tensor: Tensor<D>,
        grad: Tensor<D>,
        state: Option<AdamWState<D>>,
    ) -> (Tensor<D>, Option<AdamWState<D>>) {
        if !flex::is_plain_f32(&tensor) || !flex::is_plain_f32(&grad) {
            return self.elsewhere.step(lr, tensor, grad, state);
        }
        let fresh = || {
            let zeros = || Tensor::zeros(grad.dims(), &grad.device());
            AdaptiveMomentumState::new(0, zeros(), zeros())
        };
        let state = state.map_or_else(fresh, |state| state.momentum);
        if state.max_moment_2.is_some() || !flex::is_plain_f32(&state.moment_1) {
            return self.elsewhere.step(lr, tensor, grad, Some(AdamWState::new(state)));
        }
        let time = state.time + 1;
        let rates = Rates::new(&self.config, lr, time);
        let updated =
            flex::update([tensor, state.moment_1, state.moment_2], grad, |[p, m, v], g| {
                rates.apply(p, m, v, g);
            });
        let [tensor, moment_1, moment_2] = updated;
        let momentum = AdaptiveMomentumState::new(time, moment_1, moment_2);
        (tensor, Some(AdamWState::new(momentum)))
    }

    fn to_device<const D: usize>(state: AdamWState<D>, device: &Device) -> AdamWState<D> {
        AdamW::to_device(state, device)
    }
}

/// The numbers of one step.
struct Rates {
    beta_1: f32,
    beta_2: f32,
    epsilon: f32,
    keep: f32,
    step: f32,
    root: f32,
}

impl Rates {
    fn new(config: &FusedAdamWConfig, lr: f64, time: usize) -> Self {
        let power = i32::try_from(time).unwrap_or(i32::MAX);
        let rest = |beta: f32| 1.0 - f64::from(beta).powi(power);
        Self {
            beta_1: config.beta_1,
            beta_2: config.beta_2,
            epsilon: config.epsilon,
            keep: (1.0 - lr * f64::from(config.weight_decay)) as f32,
            step: (lr / rest(config.beta_1)) as f32,
            root: (1.0 / rest(config.beta_2)) as f32,
        }
    }

    fn apply(&self, p: &mut [f32], m: &mut [f32], v: &mut [f32], g: &[f32]) {
        for (((p, m), v), g) in p.iter_mut().zip(m).zip(v).zip(g) {
            *m = self.beta_1 * *m + (1.0 - self.beta_1) * g;
            *v = self.beta_2 * *v + (1.0 - self.beta_2) * g * g;
            let update = *m / ((*v * self.root).sqrt() + self.epsilon);
            *p = self.keep * *p - self.step * update;
        }
    }
}
