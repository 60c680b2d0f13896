//! What can go wrong in the model.

use burn::tensor::Tensor;

/// What can go wrong in the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// A tensor does not have the shape the model wants.
    #[error("{what} is {found:?} but this model wants {wanted}")]
    Shape {
        /// Which tensor.
        what: &'static str,
        /// Its shape.
        found: Vec<usize>,
        /// The shape it should have.
        wanted: String,
    },
    /// Pixels, labels or weights that are not finite numbers.
    #[error("{what} holds {count} values that are not finite numbers")]
    NotFinite {
        /// Which tensor.
        what: &'static str,
        /// How many of its values.
        count: usize,
    },
    /// A label outside the rule matrix, or a layout the model does not know.
    #[error("{what} holds {found}, but there are only {limit}")]
    OutOfRange {
        /// Which tensor.
        what: &'static str,
        /// The first offending value.
        found: i64,
        /// How many values are allowed.
        limit: usize,
    },
    /// This model cannot do what is asked.
    #[error("this model cannot {what}")]
    Cannot {
        /// What, and why not.
        what: &'static str,
    },
    /// The device failed.
    #[error("the device failed: {0}")]
    Device(String),
}

/// The numbers of a tensor, read from its device.
///
/// # Errors
/// When the device fails.
pub fn to_host<const D: usize>(tensor: Tensor<D>) -> Result<Vec<f32>, ModelError> {
    tensor.try_into_vec_as::<f32>().map_err(|error| ModelError::Device(error.to_string()))
}
