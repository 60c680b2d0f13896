//! Where the randomness of sampled latents comes from.

use burn::tensor::{Device, Shape, Tensor, TensorData};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A source of standard normal numbers: none at all (every sample is its mean)
/// or a stream that is a pure function of its seed, on any device.
#[derive(Clone, Debug)]
pub struct Noise(Option<ChaCha8Rng>);

impl Noise {
    /// No noise: a sample is its distribution's mean. For solving.
    pub fn mean() -> Self {
        Self(None)
    }

    /// The noise stream of this seed. For training and generating; a trainer
    /// derives the seed from (run seed, step).
    pub fn seeded(seed: u64) -> Self {
        Self(Some(ChaCha8Rng::seed_from_u64(seed)))
    }

    /// Standard normal numbers, or nothing when samples are means.
    ///
    /// # Shapes
    /// `shape`
    pub fn normal<const D: usize>(
        &mut self,
        shape: [usize; D],
        device: &Device,
    ) -> Option<Tensor<D>> {
        let rng = self.0.as_mut()?;
        let count = shape.iter().product::<usize>();
        let mut values = Vec::with_capacity(count + 1);
        while values.len() < count {
            let (a, b) = normal_pair(rng);
            values.push(a);
            values.push(b);
        }
        values.truncate(count);
        Some(Tensor::from_data(TensorData::new(values, Shape::from(shape)), device))
    }

    /// Numbers between 0 and 1, both left out, or nothing when samples are means.
    pub(crate) fn uniform(&mut self, count: usize) -> Option<Vec<f32>> {
        let rng = self.0.as_mut()?;
        Some((0..count).map(|_| unit(rng.next_u32())).collect())
    }
}

/// 24 bits as a number between 0 and 1; the half step keeps it away from both.
fn unit(bits: u32) -> f32 {
    ((bits >> 8) as f32 + 0.5) / 16_777_216.0
}

/// Two independent standard normal numbers (Box and Muller).
fn normal_pair(rng: &mut ChaCha8Rng) -> (f32, f32) {
    let radius = (-2.0 * unit(rng.next_u32()).ln()).sqrt();
    let (sin, cos) = (std::f32::consts::TAU * unit(rng.next_u32())).sin_cos();
    (radius * cos, radius * sin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers_and_means_give_none() {
        let device = Device::flex();
        let draw = |seed| Noise::seeded(seed).normal([3, 5], &device).unwrap().into_data();
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
        assert!(Noise::mean().normal([3, 5], &device).is_none());
    }

    #[test]
    fn noise_is_standard_normal() {
        let x = Noise::seeded(1).normal([40_000], &Device::flex()).unwrap();
        let mean: f32 = x.clone().mean().into_scalar();
        let variance: f32 = (x.clone() * x).mean().into_scalar();
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.03, "{mean} {variance}");
    }
}
