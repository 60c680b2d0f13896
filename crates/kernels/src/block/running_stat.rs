//! A running statistic: saved with the module, never trained, not counted.

use std::sync::{Mutex, MutexGuard, PoisonError};

use burn::module::{
    Content, Devices, Module, ModuleDisplay, ModuleDisplayDefault, ModuleMapper, ModuleVisitor,
    Param, ParamId,
};
use burn::tensor::{Device, Tensor};

/// A vector that the forward pass updates in place.
///
/// It differs from burn's `RunningState` in three ways: an update is visible
/// at once (a saved module is never one step behind), a clone is a copy (a
/// kept snapshot does not drift with the original), and it is not a parameter
/// (see [`parameter_count`](crate::parameter_count)).
#[derive(Debug)]
pub struct RunningStat {
    id: ParamId,
    value: Mutex<Tensor<1>>,
}

impl RunningStat {
    /// A statistic that starts at `value`.
    pub fn new(value: Tensor<1>) -> Self {
        Self::with_id(ParamId::new(), value)
    }

    fn with_id(id: ParamId, value: Tensor<1>) -> Self {
        Self { id, value: Mutex::new(value.detach()) }
    }

    fn lock(&self) -> MutexGuard<'_, Tensor<1>> {
        // A tensor is replaced whole, so it is sound even if a holder panicked.
        self.value.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The current value `[c]`.
    pub fn value(&self) -> Tensor<1> {
        self.lock().clone()
    }

    /// Moves the value towards `observed` by the fraction `momentum`.
    pub fn update(&self, observed: Tensor<1>, momentum: f64) {
        let mut value = self.lock();
        let observed = observed.detach().mul_scalar(momentum);
        *value = value.clone().to_device(&observed.device()).mul_scalar(1.0 - momentum) + observed;
    }

    fn map_value(self, change: impl FnOnce(Tensor<1>) -> Tensor<1>) -> Self {
        let value = change(self.value());
        Self::with_id(self.id, value)
    }
}

impl Clone for RunningStat {
    fn clone(&self) -> Self {
        Self::with_id(self.id, self.value())
    }
}

impl Module for RunningStat {
    fn visit<V: ModuleVisitor>(&self, visitor: &mut V) {
        visitor.visit_float(&Param::initialized(self.id, self.value()));
    }

    fn map<M: ModuleMapper>(self, mapper: &mut M) -> Self {
        let (id, value, _) = mapper.map_float(Param::initialized(self.id, self.value())).consume();
        // A mapper may replace the value or its id (loading does), but a
        // statistic never asks for gradients.
        Self::with_id(id, value.set_require_grad(false))
    }

    fn num_params(&self) -> usize {
        0
    }

    fn to_device(self, device: &Device) -> Self {
        self.map_value(|value| value.to_device(device))
    }

    fn fork(self, device: &Device) -> Self {
        self.to_device(device)
    }

    fn collect_devices(&self, mut devices: Devices) -> Devices {
        let device = self.lock().device();
        if !devices.contains(&device) {
            devices.push(device);
        }
        devices
    }

    fn materialize(self) -> Self {
        self
    }

    fn valid(&self) -> Self {
        self.clone().map_value(Tensor::without_autodiff)
    }

    fn train(self) -> Self {
        self.map_value(Tensor::from_inner)
    }
}

impl ModuleDisplayDefault for RunningStat {
    fn content(&self, content: Content) -> Option<Content> {
        content.add_formatted(&"RunningStat").optional()
    }
}

impl ModuleDisplay for RunningStat {}
