//! Pointwise passes with one coefficient per channel.

/// The activation as the slope of its negative side: 1 is no activation, 0 is ReLU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slope(pub(crate) f32);

impl Slope {
    /// No activation.
    pub(crate) const NONE: Self = Self(1.0);

    /// The function. A NaN stays a NaN, and ReLU of minus infinity is 0.
    #[inline(always)]
    fn apply(self, z: f32) -> f32 {
        let negative = if self.0 == 0.0 { 0.0 } else { self.0 * z };
        if z < 0.0 { negative } else { z }
    }

    /// Its gradient, given the argument or the result.
    #[inline(always)]
    pub(super) fn backward(self, z: f32, gradient: f32) -> f32 {
        if z <= 0.0 { self.0 * gradient } else { gradient }
    }
}

/// `x -> act(scale * x + shift)`, per channel; without a scale it is 1.
#[derive(Clone, Debug)]
pub(crate) struct Affine {
    pub(crate) scale: Option<Vec<f32>>,
    pub(crate) shift: Vec<f32>,
    pub(crate) slope: Slope,
}

/// Defines a function compiled for each instruction set, and chosen when called.
macro_rules! for_best_isa {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $out:ty)? $body:block) => {
        $(#[$meta])*
        $vis fn $name($($arg: $ty),*) $(-> $out)? {
            #[inline(always)]
            fn body($($arg: $ty),*) $(-> $out)? $body
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
            fn avx512($($arg: $ty),*) $(-> $out)? { body($($arg),*) }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            fn avx2($($arg: $ty),*) $(-> $out)? { body($($arg),*) }
            #[cfg(target_arch = "x86_64")]
            {
                if is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512bw")
                {
                    // SAFETY: the processor has these features.
                    return unsafe { avx512($($arg),*) };
                }
                if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                    // SAFETY: the processor has these features.
                    return unsafe { avx2($($arg),*) };
                }
            }
            body($($arg),*)
        }
    };
}
pub(super) use for_best_isa;

impl Affine {
    /// Applies it to rows of channels, in place.
    pub(super) fn apply(&self, rows: &mut [f32]) {
        match &self.scale {
            Some(scale) => scale_in_place(rows, scale, &self.shift, self.slope),
            None => shift_in_place(rows, &self.shift, self.slope),
        }
    }
}

for_best_isa! {
    fn scale_in_place(rows: &mut [f32], scale: &[f32], shift: &[f32], slope: Slope) {
        for row in rows.chunks_exact_mut(shift.len()) {
            for ((x, a), b) in row.iter_mut().zip(scale).zip(shift) {
                *x = slope.apply(*x * a + b);
            }
        }
    }
}

for_best_isa! {
    fn shift_in_place(rows: &mut [f32], shift: &[f32], slope: Slope) {
        for row in rows.chunks_exact_mut(shift.len()) {
            for (x, b) in row.iter_mut().zip(shift) {
                *x = slope.apply(*x + b);
            }
        }
    }
}

for_best_isa! {
    fn scale_into(to: &mut [f32], rows: &[f32], scale: &[f32], shift: &[f32], slope: Slope) {
        let c = shift.len();
        for (to, row) in to.chunks_exact_mut(c).zip(rows.chunks_exact(c)) {
            for (((to, x), a), b) in to.iter_mut().zip(row).zip(scale).zip(shift) {
                *to = slope.apply(x * a + b);
            }
        }
    }
}

/// Floats of a per-channel pass handled by one task.
const PASS: usize = 1 << 15;

/// `(rows per task, tasks)` of a pass over `len` floats in rows of `c`.
pub(super) fn pass_tasks(len: usize, c: usize) -> (usize, usize) {
    let rows = (PASS / c.max(1)).max(1);
    (rows, (len / c.max(1)).div_ceil(rows))
}

/// `act(scale * x + shift)` for rows of channels.
pub(crate) fn apply_affine(rows: &[f32], scale: &[f32], shift: &[f32], slope: Slope) -> Vec<f32> {
    use super::parallel::{for_each_with, written};
    let c = shift.len();
    let (step, tasks) = pass_tasks(rows.len(), c);
    let fill = |to: super::parallel::Shared| {
        for_each_with(
            tasks,
            tasks > 1,
            || (),
            |(), task| {
                let from = &rows[task * step * c..rows.len().min((task + 1) * step * c)];
                // SAFETY: tasks write disjoint parts; floats need no initial value to be overwritten.
                let to = unsafe { to.slice(task * step * c, from.len()) };
                scale_into(to, from, scale, shift, slope);
            },
        );
    };
    // SAFETY: the tasks cover all rows.
    unsafe { written(rows.len(), fill) }
}
