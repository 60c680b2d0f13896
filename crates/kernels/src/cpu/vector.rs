//! Registers of floats, one type per instruction set.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64 as arch;

/// A register of `LANES` floats.
///
/// # Safety
/// The methods of a type may only run on processors that have its instruction
/// set; pointers must be valid for `LANES` floats (any alignment).
pub(super) trait Vector: Copy {
    const LANES: usize;
    unsafe fn zero() -> Self;
    unsafe fn splat(value: f32) -> Self;
    unsafe fn load(from: *const f32) -> Self;
    unsafe fn store(self, to: *mut f32);
    /// `self * b + c`
    unsafe fn mul_add(self, b: Self, c: Self) -> Self;
    unsafe fn add(self, b: Self) -> Self;
}

/// 16 floats of AVX-512.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(super) struct Avx512(arch::__m512);

#[cfg(target_arch = "x86_64")]
impl Vector for Avx512 {
    const LANES: usize = 16;
    #[inline(always)]
    unsafe fn zero() -> Self {
        unsafe { Self(arch::_mm512_setzero_ps()) }
    }
    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        unsafe { Self(arch::_mm512_set1_ps(value)) }
    }
    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        unsafe { Self(arch::_mm512_loadu_ps(from)) }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        unsafe { arch::_mm512_storeu_ps(to, self.0) }
    }
    #[inline(always)]
    unsafe fn mul_add(self, b: Self, c: Self) -> Self {
        unsafe { Self(arch::_mm512_fmadd_ps(self.0, b.0, c.0)) }
    }
    #[inline(always)]
    unsafe fn add(self, b: Self) -> Self {
        unsafe { Self(arch::_mm512_add_ps(self.0, b.0)) }
    }
}

/// 8 floats of AVX2 with FMA.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(super) struct Avx2(arch::__m256);

#[cfg(target_arch = "x86_64")]
impl Vector for Avx2 {
    const LANES: usize = 8;
    #[inline(always)]
    unsafe fn zero() -> Self {
        unsafe { Self(arch::_mm256_setzero_ps()) }
    }
    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        unsafe { Self(arch::_mm256_set1_ps(value)) }
    }
    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        unsafe { Self(arch::_mm256_loadu_ps(from)) }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        unsafe { arch::_mm256_storeu_ps(to, self.0) }
    }
    #[inline(always)]
    unsafe fn mul_add(self, b: Self, c: Self) -> Self {
        unsafe { Self(arch::_mm256_fmadd_ps(self.0, b.0, c.0)) }
    }
    #[inline(always)]
    unsafe fn add(self, b: Self) -> Self {
        unsafe { Self(arch::_mm256_add_ps(self.0, b.0)) }
    }
}

/// 8 floats in plain Rust: whatever the compiler makes of them.
#[derive(Clone, Copy)]
pub(super) struct Plain([f32; 8]);

impl Vector for Plain {
    const LANES: usize = 8;
    #[inline(always)]
    unsafe fn zero() -> Self {
        Self([0.0; 8])
    }
    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        Self([value; 8])
    }
    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        unsafe { Self(from.cast::<[f32; 8]>().read_unaligned()) }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        unsafe { to.cast::<[f32; 8]>().write_unaligned(self.0) }
    }
    #[inline(always)]
    unsafe fn mul_add(self, b: Self, c: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] * b.0[i] + c.0[i]))
    }
    #[inline(always)]
    unsafe fn add(self, b: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] + b.0[i]))
    }
}

/// The instruction sets we have kernels for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Isa {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Plain,
}

impl Isa {
    /// The best this processor has.
    pub(super) fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") {
                return Self::Avx512;
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                return Self::Avx2;
            }
        }
        Self::Plain
    }

    /// All that this processor can run, for tests.
    #[cfg(test)]
    pub(super) fn all() -> Vec<Self> {
        let mut all = vec![Self::Plain];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                all.push(Self::Avx2);
            }
            if is_x86_feature_detected!("avx512f") {
                all.push(Self::Avx512);
            }
        }
        all
    }

    /// Floats in a register.
    pub(super) fn lanes(self) -> usize {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => 16,
            _ => 8,
        }
    }
}
