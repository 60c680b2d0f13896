//! Names and sizes of a model's tensors.
//!
//! A tensor's name is the path of fields to it, `encoder.stem.weight`, with list
//! places as numbers and without the names of enum variants. Running statistics
//! of batch norms (`…norm.running_mean`, `…norm.running_var`) are stored but
//! are not parameters.
//!
//! # The paper's counts
//!
//! The main model and all five rows of the latent-size table are met exactly.
//!
//! The scalability table. Its text names the kind of encoder and nothing else, so
//! these are our networks of that kind, sized to come near:
//!
//! | column          | printed    | ours       | difference |
//! |-----------------|------------|------------|------------|
//! | 64 px, CNN-S    | 2,125,253  | 2,125,253  | 0          |
//! | 64 px, CNN-L    | 6,323,973  | (none)     | the text calls it the main model, which has 8,879,877 |
//! | 64 px, ResNet   | 8,879,877  | 8,882,053  | +2,176 (the printed count is the plain CNN's, `paper-64`) |
//! | 64 px, ViT      | 6,070,469  | 6,070,533  | +64        |
//! | 128 px, ResNet  | 9,945,028  | 9,941,285  | -3,743     |
//! | 224 px, ResNet  | 25,918,758 | 25,921,829 | +3,071     |

use std::collections::BTreeMap;

use burn::module::{Module, ModuleVisitor, Param};
use burn::tensor::Tensor;
use serde::Serialize;

use crate::architecture::AnyModel;

/// How many parameters a model has, in all and by part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ParameterCount {
    /// All parameters.
    pub parameters: usize,
    /// Those of the encoder, the decoder, and of every network among the experts.
    pub parts: BTreeMap<String, usize>,
}

impl AnyModel {
    /// Counts the parameters in the tensors themselves.
    pub fn count_parameters(&self) -> ParameterCount {
        let mut parts = BTreeMap::new();
        for (name, shape) in tensor_shapes(self) {
            if is_statistic(&name) {
                continue;
            }
            let depth = if name.starts_with("experts.") { 2 } else { 1 };
            let part = name.split('.').take(depth).collect::<Vec<_>>().join(".");
            *parts.entry(part).or_default() += shape.iter().product::<usize>();
        }
        ParameterCount { parameters: parts.values().sum(), parts }
    }
}

/// Whether a tensor is a running statistic.
pub(crate) fn is_statistic(name: &str) -> bool {
    name.ends_with(".running_mean") || name.ends_with(".running_var")
}

/// The names of all parameters of a module: its tensors without running statistics.
pub fn parameter_names(module: &impl Module) -> Vec<String> {
    let names = tensor_shapes(module).into_iter().map(|(name, _)| name);
    names.filter(|name| !is_statistic(name)).collect()
}

/// Every tensor's name and shape, in the module's order.
pub(crate) fn tensor_shapes(module: &impl Module) -> Vec<(String, Vec<usize>)> {
    let mut shapes = Shapes::default();
    module.visit(&mut shapes);
    shapes.found
}

#[derive(Default)]
struct Shapes {
    path: NamePath,
    found: Vec<(String, Vec<usize>)>,
}

impl ModuleVisitor for Shapes {
    fn enter_module(&mut self, name: &str, container: &str) {
        self.path.enter(name, container);
    }

    fn exit_module(&mut self, _: &str, container: &str) {
        self.path.exit(container);
    }

    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        self.found.push((self.path.name(), param.lazy_shape().to_vec()));
    }
}

/// The path to the tensor being visited.
#[derive(Default)]
pub(crate) struct NamePath(Vec<String>);

impl NamePath {
    /// Enum variants are no part of a name.
    fn counts(container: &str) -> bool {
        !container.starts_with("Enum:")
    }

    pub(crate) fn enter(&mut self, name: &str, container: &str) {
        if Self::counts(container) {
            self.0.push(name.into());
        }
    }

    pub(crate) fn exit(&mut self, container: &str) {
        if Self::counts(container) {
            self.0.pop();
        }
    }

    pub(crate) fn name(&self) -> String {
        self.0.join(".")
    }
}
