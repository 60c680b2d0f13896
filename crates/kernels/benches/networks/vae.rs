//! The two networks of the benchmark: variational autoencoders of 64x64
//! panels, "S" small and "L" of RAISE's size.

use burn::module::Module;
use burn::optim::{AdamWConfig, GradientsParams, ModuleOptimizer};
use burn::tensor::{Device, Distribution, Tensor};
use genvp_kernels::{Activation, ConvBlock, ConvBlockConfig, LinearBlock, LinearBlockConfig};

/// Which network.
#[derive(Clone, Copy, PartialEq)]
pub enum Net {
    Small,
    Large,
}

impl Net {
    pub fn name(self) -> &'static str {
        match self {
            Self::Small => "S",
            Self::Large => "L",
        }
    }

    fn channels(self) -> [usize; 5] {
        match self {
            Self::Small => [1, 32, 32, 64, 64],
            Self::Large => [1, 64, 128, 256, 512],
        }
    }

    /// Panels encoded and decoded in a training step.
    pub fn batch(self) -> (usize, usize) {
        match self {
            Self::Small => (800, 450),
            Self::Large => (160, 90),
        }
    }

    /// Million floating-point operations of encoding a panel, of its first
    /// layer (whose input needs no gradient), and of decoding a panel.
    fn mflop(self) -> (f64, f64, f64) {
        match self {
            Self::Small => (15.99, 1.05, 15.86),
            Self::Large => (211.9, 2.1, 211.9),
        }
    }

    /// Billion floating-point operations of a training step.
    pub fn step_gflop(self) -> f64 {
        let ((encoded, decoded), (enc, first, dec)) = (self.batch(), self.mflop());
        (encoded as f64 * (3.0 * enc - first) + decoded as f64 * 3.0 * dec) / 1e3
    }

    /// Billion floating-point operations of encoding so many panels.
    pub fn encode_gflop(self, panels: usize) -> f64 {
        panels as f64 * self.mflop().0 / 1e3
    }
}

#[derive(Module, Debug)]
pub struct Vae {
    down: Vec<ConvBlock>,
    to_latent: LinearBlock,
    from_latent: LinearBlock,
    up: Vec<ConvBlock>,
}

impl Vae {
    pub fn new(net: Net, device: &Device) -> Self {
        let ch = net.channels();
        let block = |from: usize, to: usize| ConvBlockConfig::new([from, to], 4);
        let halving = |from, to| block(from, to).with_stride(2).with_padding(1);
        let mut down: Vec<_> = ch.windows(2).map(|c| halving(c[0], c[1]).init(device)).collect();
        let mut up: Vec<_> = ch
            .windows(2)
            .rev()
            .map(|c| {
                let last = c[0] == 1;
                let activation = if last { Activation::Sigmoid } else { Activation::Relu };
                let doubling = halving(c[1], c[0]).with_transposed(true);
                doubling.with_norm(!last).with_activation(activation).init(device)
            })
            .collect();
        if net == Net::Large {
            down.push(block(512, 512).init(device));
            up.insert(0, block(512, 512).with_transposed(true).init(device));
        }
        let flat = if net == Net::Large { 512 } else { 1024 };
        let linear =
            |from, to| LinearBlockConfig::new([from, to]).with_activation(Activation::None);
        Self {
            down,
            to_latent: linear(flat, 128).init(device),
            from_latent: linear(64, flat).init(device),
            up,
        }
    }

    /// `[n, 64, 64, 1] -> [n, 128]`
    pub fn encode(&self, x: Tensor<4>) -> Tensor<2> {
        let h = self.down.iter().fold(x, |h, block| block.forward(h));
        self.to_latent.forward(h.flatten::<2>(1, 3))
    }

    /// `[n, 64] -> [n, 64, 64, 1]`
    fn decode(&self, z: Tensor<2>) -> Tensor<4> {
        let h = self.from_latent.forward(z);
        let [n, flat] = h.dims();
        let side = if flat == 512 { 1 } else { 4 };
        let h = h.reshape([n, side, side, flat / (side * side)]);
        self.up.iter().fold(h, |h, block| block.forward(h))
    }

    fn loss(&self, x: Tensor<4>, decoded: usize) -> Tensor<1> {
        let code = self.encode(x.clone());
        let n = code.dims()[0];
        let mean = code.clone().slice([0..n, 0..64]);
        let log_var = code.slice([0..n, 64..128]);
        let noise = Tensor::random([n, 64], Distribution::Normal(0.0, 1.0), &mean.device());
        let z = mean.clone() + log_var.clone().mul_scalar(0.5).exp() * noise;
        let y = self.decode(z.slice([0..decoded, 0..64]));
        let miss = y - x.slice([0..decoded, 0..64, 0..64, 0..1]);
        let distance = (miss.clone() * miss).mean();
        let divergence = log_var.clone().add_scalar(1.0) - mean.clone() * mean - log_var.exp();
        distance + divergence.mean().mul_scalar(-0.5)
    }
}

/// A training run of one network on one batch.
pub struct Training {
    vae: Option<Vae>,
    optimizer: ModuleOptimizer,
    batch: Tensor<4>,
    decoded: usize,
}

/// A fresh training run.
pub fn training(net: Net, device: &Device) -> Training {
    let (encoded, decoded) = net.batch();
    Training {
        vae: Some(Vae::new(net, device)),
        optimizer: AdamWConfig::new().init(),
        batch: Tensor::random([encoded, 64, 64, 1], Distribution::Uniform(0.0, 1.0), device),
        decoded,
    }
}

impl Training {
    /// One step: forward, backward, AdamW.
    pub fn step(&mut self) -> f32 {
        let vae = self.vae.take().expect("put back after every step");
        let loss = vae.loss(self.batch.clone(), self.decoded);
        let grads = GradientsParams::from_grads(loss.backward(), &vae);
        self.vae = Some(self.optimizer.step(1e-4, vae, grads));
        loss.into_scalar::<f32>()
    }

    /// The network for inference.
    pub fn network(&self) -> Vae {
        self.vae.as_ref().expect("put back after every step").valid()
    }
}
