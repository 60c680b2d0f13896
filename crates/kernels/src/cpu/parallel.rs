//! Cutting work into tasks.

use rayon::prelude::*;

/// Runs `task(state, index)` for every index below `count`, on all threads if `parallel`.
/// `state` is scratch memory: made once per thread or so, and reused.
pub(super) fn for_each_with<S>(
    count: usize,
    parallel: bool,
    state: impl Fn() -> S + Sync + Send,
    task: impl Fn(&mut S, usize) + Sync + Send,
) {
    if parallel && count > 1 {
        (0..count).into_par_iter().for_each_init(state, task);
    } else {
        let mut state = state();
        (0..count).for_each(|index| task(&mut state, index));
    }
}

/// Runs `task(index)` for every index below `count` and returns the results in order.
pub(super) fn map<T: Send>(
    count: usize,
    parallel: bool,
    task: impl Fn(usize) -> T + Sync + Send,
) -> Vec<T> {
    if parallel && count > 1 {
        (0..count).into_par_iter().map(task).collect()
    } else {
        (0..count).map(task).collect()
    }
}

/// A pointer that tasks may share, each writing to its own part.
#[derive(Clone, Copy)]
pub(super) struct Shared(*mut f32);

// SAFETY: only a pointer; those who write through it promise disjoint parts.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

impl Shared {
    pub(super) fn new(to: *mut f32) -> Self {
        Self(to)
    }

    /// The place `offset` floats on.
    pub(super) fn at(self, offset: usize) -> *mut f32 {
        self.0.wrapping_add(offset)
    }

    /// `len` floats from `offset` on.
    ///
    /// # Safety
    /// They must be initialised, or be written before they are read; and nobody else may use
    /// them meanwhile.
    pub(super) unsafe fn slice<'a>(self, offset: usize, len: usize) -> &'a mut [f32] {
        // SAFETY: promised by the caller.
        unsafe { std::slice::from_raw_parts_mut(self.at(offset), len) }
    }
}

/// A vector of `len` floats that `write` fills completely: memory that is
/// overwritten anyway is not cleared first.
///
/// # Safety
/// `write` must initialise all `len` floats behind the pointer.
pub(super) unsafe fn written(len: usize, write: impl FnOnce(Shared)) -> Vec<f32> {
    let mut values = Vec::with_capacity(len);
    write(Shared::new(values.as_mut_ptr()));
    // SAFETY: `write` has initialised all of them.
    unsafe { values.set_len(len) };
    values
}
