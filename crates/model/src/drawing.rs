//! Fresh weights.

use std::sync::{Mutex, PoisonError};

use burn::module::{Module, ModuleVisitor, Param};
use burn::tensor::{Device, Tensor};

/// A device has one generator for all threads: only one module draws its weights at a time.
static DRAWING: Mutex<()> = Mutex::new(());

/// A module with all its weights drawn, after seeding the device's generator where a seed is given.
pub(crate) fn drawn<M: Module, E>(
    seed: Option<u64>,
    device: &Device,
    build: impl FnOnce() -> Result<M, E>,
) -> Result<M, E> {
    let _drawing = DRAWING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(seed) = seed {
        device.seed(seed);
    }
    let module = build()?;
    // Weights are drawn at their first use, in an order that depends on it: use them now.
    module.visit(&mut FirstUse);
    Ok(module)
}

struct FirstUse;

impl ModuleVisitor for FirstUse {
    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        let _ = param.val();
    }
}
