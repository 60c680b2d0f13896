//! Counting what is learnt.

use burn::module::{Module, ModuleVisitor, Param};
use burn::tensor::Tensor;

/// Number of parameters of a module: weights, biases, gammas and betas, not
/// the running statistics of batch norms (fields called `running_*`).
///
/// burn's `Module::num_params` cannot be used for this: it counts running
/// statistics wherever a module sits in an `Option`.
pub fn parameter_count<M: Module>(module: &M) -> usize {
    let mut count = Count { path: Vec::new(), total: 0 };
    module.visit(&mut count);
    count.total
}

struct Count {
    path: Vec<String>,
    total: usize,
}

impl ModuleVisitor for Count {
    fn enter_module(&mut self, name: &str, _container_type: &str) {
        self.path.push(name.to_owned());
    }

    fn exit_module(&mut self, _name: &str, _container_type: &str) {
        self.path.pop();
    }

    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        let running = self.path.last().is_some_and(|name| name.starts_with("running_"));
        if !running {
            self.total += param.lazy_shape().num_elements();
        }
    }
}
