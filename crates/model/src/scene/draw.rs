//! Values by their probabilities.

use burn::tensor::{Device, Tensor, TensorData};

use super::ValueKind;
use crate::noise::Noise;

/// What is this many times less likely than the likeliest is not drawn: a network
/// never quite rules out what the rules do, and nine panels give it many chances.
const UNLIKELY: f32 = 10.0;

/// A value by its log-probabilities, one-hot: first which [class](ValueKind::class), then
/// which of its values. There are 126 ways to place four objects and one to place nine:
/// compared one by one, each of the 126 would look unlikely. At temperature 0 or without
/// noise, the likeliest value of the likeliest class.
///
/// # Shapes
/// `said` `[n, values + 1]`, the last "not there" -> `[n, values + 1]`
pub(super) fn draw(
    said: Tensor<2>,
    kind: &ValueKind,
    temperature: f32,
    noise: &mut Noise,
) -> Tensor<2> {
    let [n, values] = said.dims();
    let device = said.device();
    let class_of = |value| if value + 1 < values { kind.class(value) } else { kind.classes() };
    let belongs = table_of(values, kind.classes() + 1, class_of, &device);
    let shares = said.clone().exp().matmul(belongs.clone());
    // Clamped to avoid log(0); such values are never drawn.
    let class = pick(shares.clamp_min(1e-30).log(), temperature, noise);
    let others = class.matmul(belongs.transpose()).lower_elem(0.5);
    debug_assert_eq!(others.dims(), [n, values]);
    pick(said.mask_fill(others, f32::NEG_INFINITY), temperature, noise)
}

/// Which class each value belongs to, one-hot.
///
/// # Shapes
/// `-> [values, classes]`
pub(super) fn table_of(
    values: usize,
    classes: usize,
    class_of: impl Fn(usize) -> usize,
    device: &Device,
) -> Tensor<2> {
    let mut table = vec![0.0f32; values * classes];
    (0..values).for_each(|value| table[value * classes + class_of(value)] = 1.0);
    Tensor::from_data(TensorData::new(table, [values, classes]), device)
}

/// One of some things by their log-probabilities, one-hot.
///
/// # Shapes
/// `[n, things] -> [n, things]`
fn pick(said: Tensor<2>, temperature: f32, noise: &mut Noise) -> Tensor<2> {
    let [n, things] = said.dims();
    let said = match noise.uniform(n * things) {
        Some(uniform) if temperature > 0.0 => {
            // The largest of log p + Gumbel noise is a draw from p.
            let gumbel: Vec<f32> = uniform
                .iter()
                .map(|&u| -(-u.min(1.0 - f32::EPSILON).ln()).ln() * temperature)
                .collect();
            let gumbel = Tensor::from_data(TensorData::new(gumbel, [n, things]), &said.device());
            let least = said.clone().max_dim(1).sub_scalar(UNLIKELY.ln());
            let unlikely = said.clone().lower(least.repeat_dim(1, things));
            (said + gumbel).mask_fill(unlikely, f32::NEG_INFINITY)
        }
        _ => said,
    };
    said.argmax(1).reshape([n]).one_hot::<2>(things).float()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_with_many_places_is_drawn_as_often_as_one_with_few() {
        // Four objects as likely as nine: 126 places share what one has.
        let kind = ValueKind::Occupancy { slots: 9 };
        let log = |value: usize| match kind.class(value) {
            3 => (0.5f32 / 126.0).ln(),
            8 => 0.5f32.ln(),
            _ => f32::NEG_INFINITY,
        };
        let mut said: Vec<f32> = (0..511).map(log).collect();
        said.push(f32::NEG_INFINITY);
        let n = 400;
        let said = Tensor::from_data(TensorData::new(said.repeat(n), [n, 512]), &Device::flex());
        let drawn = draw(said, &kind, 1.0, &mut Noise::seeded(3));
        let drawn = drawn.argmax(1).into_data().convert::<i64>().try_to_vec::<i64>().unwrap();
        let four: Vec<_> = drawn.iter().filter(|&&v| kind.class(v as usize) == 3).collect();
        assert!((140..260).contains(&four.len()), "{} of {n}", four.len());
        let different: std::collections::BTreeSet<_> = four.iter().collect();
        assert!(different.len() > 60, "{}", different.len());
        assert!(drawn.iter().all(|&v| [3, 8].contains(&kind.class(v as usize))));
    }
}
