//! L_values: how far what is read is from the values that panels are told to show.

use burn::tensor::Tensor;

/// Binary cross-entropy of shares, summed over all panels of a puzzle, a mean
/// over puzzles: `log(1 + e^x) - t x`.
///
/// # Shapes
/// `[panels, shares]` twice -> `[1]`
pub fn value_error(logits: Tensor<2>, shares: Tensor<2>, puzzles: usize) -> Tensor<1> {
    // log(1 + e^x) = max(x, 0) + log(1 + e^-|x|), which never overflows.
    let soft = logits.clone().abs().neg().exp().log1p() + logits.clone().clamp_min(0.0);
    (soft - shares * logits).sum().div_scalar(puzzles as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use burn::tensor::Device;

    #[test]
    fn the_error_is_the_cross_entropy_and_never_overflows() {
        let device = Device::flex();
        let logits = Tensor::from_data([[0.0f32, 2.0, -200.0, 300.0]], &device);
        let shares = Tensor::from_data([[0.25f32, 1.0, 0.0, 1.0]], &device);
        let found: f32 = value_error(logits, shares, 1).into_scalar();
        let wanted = std::f32::consts::LN_2 + (1.0 + (-2.0f32).exp()).ln();
        assert!((found - wanted).abs() < 1e-6, "{found}");
    }
}
