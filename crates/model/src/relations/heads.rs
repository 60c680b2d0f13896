//! From what attributes are said to follow to rule matrices.

use burn::tensor::Tensor;
use genvp_puzzle::relations::Attribute;

/// The logit of rules that attributes never follow, beside 0 for none.
const NEVER: f32 = -20.0;

/// Puts the rules of the attributes into their rows of R; rows that no attribute has say none.
///
/// # Shapes
/// `[E, b, C, A, N_R] -> [E, b, C, K_R, N_R]`
pub(super) fn to_rule_matrix(said: Tensor<5>, rows: usize) -> Tensor<5> {
    let [e, b, c, _, rules] = said.dims();
    let none = Tensor::zeros([e, b, c, 1, 1], &said.device());
    let never = Tensor::full([e, b, c, 1, rules - 1], NEVER, &said.device());
    let empty = Tensor::cat(vec![none, never], 4);
    let row = |row: usize| match Attribute::ALL.iter().position(|a| a.row() == row) {
        Some(attribute) => said.clone().narrow(3, attribute, 1),
        None => empty.clone(),
    };
    Tensor::cat((0..rows).map(row).collect(), 3)
}
