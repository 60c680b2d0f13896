//! A module's tensors as one flat vector on the host, and back.
//!
//! The optimiser's state lives in such vectors: an update is then a few passes
//! over contiguous memory instead of a dozen operations on each of a hundred
//! small tensors, and a checkpoint is a copy.

use std::ops::Range;

use burn::module::{Module, ModuleMapper, ModuleVisitor, Param};
use burn::tensor::{Gradients, Tensor, TensorData};

use crate::error::TrainError;
use genvp_model::ModelError;

/// One tensor's place in the flat vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterSlot {
    /// Its name: the path of fields to it, `encoder.stem.weight`.
    pub name: String,
    /// Its shape.
    pub shape: Vec<usize>,
    /// Where its numbers stand.
    pub range: Range<usize>,
    /// Whether it is trained. Running statistics of norms are not.
    pub trained: bool,
    /// Whether it may change in this run, be it by training or by statistics.
    pub learns: bool,
}

impl ParameterSlot {
    /// Whether weight decay applies: not to biases and norms.
    pub fn decays(&self) -> bool {
        self.trained && self.shape.len() > 1
    }
}

/// The places of all tensors of a module, in its own order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParameterLayout(Vec<ParameterSlot>);

impl ParameterLayout {
    /// All places, in order.
    pub fn iter(&self) -> impl Iterator<Item = &ParameterSlot> {
        self.0.iter()
    }

    /// Lets only some tensors learn, by their names.
    pub fn teach(&mut self, learns: impl Fn(&str) -> bool) {
        self.0.iter_mut().for_each(|slot| slot.learns = learns(&slot.name));
    }

    /// How many numbers there are in all.
    pub fn len(&self) -> usize {
        self.0.last().map_or(0, |slot| slot.range.end)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The tensor that number `index` belongs to.
    pub fn of_index(&self, index: usize) -> Option<&ParameterSlot> {
        self.0.iter().find(|slot| slot.range.contains(&index))
    }
}

/// A module's tensors: where each stands, and their values.
///
/// # Errors
/// When the device fails to hand them over.
pub fn read(module: &impl Module) -> Result<(ParameterLayout, Vec<f32>), TrainError> {
    let mut reader = Reader::default();
    module.visit(&mut reader);
    match reader.failure {
        Some(failure) => Err(failure.into()),
        None => Ok((reader.slots, reader.values)),
    }
}

/// The module with these values.
pub fn with_values<M: Module>(module: M, values: &[f32]) -> M {
    module.map(&mut ParameterWriter { values, at: 0 })
}

/// Fills `gradients`, laid out as [`read`] lays out values, with 0 where there
/// are none; gives the running statistics, which the forward pass has changed,
/// one after the other.
///
/// # Errors
/// When the device fails to hand them over.
pub fn read_gradients(
    module: &impl Module,
    from: Option<Gradients>,
    gradients: &mut [f32],
) -> Result<Vec<f32>, TrainError> {
    let mut reader = GradientReader {
        from,
        gradients,
        add: false,
        statistics: Vec::new(),
        at: 0,
        failure: None,
    };
    module.visit(&mut reader);
    match reader.failure {
        Some(failure) => Err(failure.into()),
        None => Ok(reader.statistics),
    }
}

/// Adds gradients to what [`read_gradients`] gave of the same module; gives the running
/// statistics of this one.
///
/// # Errors
/// When the device fails to hand them over.
pub fn add_gradients(
    module: &impl Module,
    from: Option<Gradients>,
    gradients: &mut [f32],
) -> Result<Vec<f32>, TrainError> {
    let mut reader =
        GradientReader { from, gradients, add: true, statistics: Vec::new(), at: 0, failure: None };
    module.visit(&mut reader);
    match reader.failure {
        Some(failure) => Err(failure.into()),
        None => Ok(reader.statistics),
    }
}

/// The same module, with the same values, whose gradients are found apart from the other's.
pub fn twin<M: Module>(module: &M) -> M {
    module.clone().map(&mut Twin)
}

/// Statistics that two twins have moved, each from those among `values`: as far as both did.
pub fn join_statistics(
    slots: &ParameterLayout,
    mut one: Vec<f32>,
    other: &[f32],
    values: &[f32],
) -> Vec<f32> {
    let before = slots.iter().filter(|slot| !slot.trained);
    let before = before.flat_map(|slot| &values[slot.range.clone()]);
    for ((one, other), before) in one.iter_mut().zip(other).zip(before) {
        // What only one of them has moved is taken as it is, not as a rounded difference.
        *one = if one == before { *other } else { *one + (other - before) };
    }
    one
}

/// Puts statistics that [`read_gradients`] gave into their places.
pub fn put_statistics(slots: &ParameterLayout, statistics: &[f32], values: &mut [f32]) {
    let mut from = 0;
    for slot in slots.iter().filter(|slot| !slot.trained) {
        let next = from + slot.range.len();
        if slot.learns {
            values[slot.range.clone()].copy_from_slice(&statistics[from..next]);
        }
        from = next;
    }
}

#[derive(Default)]
struct Reader {
    path: Vec<String>,
    slots: ParameterLayout,
    values: Vec<f32>,
    failure: Option<ModelError>,
}

/// Enum variants are no part of a name.
fn is_named(container: &str) -> bool {
    !container.starts_with("Enum:")
}

impl ModuleVisitor for Reader {
    fn enter_module(&mut self, name: &str, container: &str) {
        if is_named(container) {
            self.path.push(name.to_owned());
        }
    }

    fn exit_module(&mut self, _: &str, container: &str) {
        if is_named(container) {
            self.path.pop();
        }
    }

    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        let tensor = param.val();
        let (shape, trained) = (tensor.dims().to_vec(), tensor.is_require_grad());
        match tensor.try_into_vec_as::<f32>() {
            Ok(values) => {
                let start = self.values.len();
                self.values.extend(values);
                let range = start..self.values.len();
                self.slots.0.push(ParameterSlot {
                    name: self.path.join("."),
                    shape,
                    range,
                    trained,
                    learns: true,
                });
            }
            Err(error) => self.failure = Some(ModelError::Device(error.to_string())),
        }
    }
}

struct ParameterWriter<'a> {
    values: &'a [f32],
    at: usize,
}

impl ModuleMapper for ParameterWriter<'_> {
    fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
        let tensor = param.val();
        let (shape, trained) = (tensor.dims(), tensor.is_require_grad());
        let range = self.at..self.at + shape.iter().product::<usize>();
        self.at = range.end;
        let data = TensorData::new(self.values[range].to_vec(), shape);
        param.map(|old| Tensor::from_data(data, &old.device()).set_require_grad(trained))
    }
}

struct Twin;

impl ModuleMapper for Twin {
    fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
        let trained = param.val().is_require_grad();
        param.map(|tensor| Tensor::from_inner(tensor.inner()).set_require_grad(trained))
    }
}

struct GradientReader<'a> {
    from: Option<Gradients>,
    gradients: &'a mut [f32],
    add: bool,
    statistics: Vec<f32>,
    at: usize,
    failure: Option<ModelError>,
}

impl GradientReader<'_> {
    fn take<const D: usize>(&mut self, tensor: Tensor<D>, gradient: Option<Range<usize>>) {
        let data = tensor.try_into_data().map_err(|e| e.to_string());
        let read = data.and_then(|data| {
            let values = data.as_slice::<f32>().map_err(|e| format!("{e:?}"))?;
            match gradient {
                Some(range) if self.add => {
                    let sums = self.gradients[range].iter_mut().zip(values);
                    sums.for_each(|(sum, value)| *sum += value);
                }
                Some(range) => self.gradients[range].copy_from_slice(values),
                None => self.statistics.extend_from_slice(values),
            }
            Ok(())
        });
        if let Err(error) = read {
            self.failure = Some(ModelError::Device(error));
        }
    }
}

impl ModuleVisitor for GradientReader<'_> {
    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        let tensor = param.val();
        let range = self.at..self.at + tensor.dims().iter().product::<usize>();
        self.at = range.end;
        if !tensor.is_require_grad() {
            if !self.add {
                self.gradients[range].fill(0.0);
            }
            return self.take(tensor, None);
        }
        match self.from.as_mut().and_then(|from| tensor.grad_remove(from)) {
            Some(gradient) => self.take(gradient, Some(range)),
            None if self.add => {}
            None => self.gradients[range].fill(0.0),
        }
    }
}
