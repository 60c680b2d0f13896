//! Which device computes.

use std::str::FromStr;

use burn::tensor::Device;

/// A wish for a device: `auto`, `cpu`, `gpu` or `gpu:N`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeviceChoice {
    /// The first GPU if there is one, else the CPU.
    #[default]
    Auto,
    /// The CPU.
    Cpu,
    /// This GPU, counted from 0.
    Gpu(usize),
}

/// Why a device cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// Not a wish for a device.
    #[error("`{0}` is no device: say auto, cpu, gpu or gpu:N")]
    Unknown(String),
    /// A GPU was asked for and there is none.
    #[error("there is no GPU {index}: {found}\nhint: {hint}")]
    NoGpu {
        /// The GPU asked for.
        index: usize,
        /// What there is instead.
        found: String,
        /// What to do.
        hint: &'static str,
    },
}

impl FromStr for DeviceChoice {
    type Err = DeviceError;

    fn from_str(text: &str) -> Result<Self, DeviceError> {
        let unknown = || DeviceError::Unknown(text.into());
        match text {
            "auto" => Ok(Self::Auto),
            "cpu" => Ok(Self::Cpu),
            "gpu" => Ok(Self::Gpu(0)),
            _ => {
                let index = text.strip_prefix("gpu:").ok_or_else(unknown)?;
                index.parse().map(Self::Gpu).map_err(|_| unknown())
            }
        }
    }
}

impl DeviceChoice {
    /// The device, and what there is to say about it (that `auto` fell back to the CPU).
    ///
    /// # Errors
    /// When a GPU is asked for and there is none.
    pub fn open(self) -> Result<(Device, Option<String>), DeviceError> {
        match self {
            Self::Cpu => Ok((Device::flex(), None)),
            Self::Gpu(index) => {
                let gpus = gpus();
                let found = describe(gpus.len());
                let gpu = gpus.into_iter().nth(index);
                gpu.map(|gpu| (gpu, None)).ok_or(DeviceError::NoGpu { index, found, hint: HINT })
            }
            Self::Auto => match gpus().into_iter().next() {
                Some(gpu) => Ok((gpu, None)),
                None => Ok((Device::flex(), Some(format!("{}: using the CPU", describe(0))))),
            },
        }
    }
}

/// Whether this program was built to use GPUs at all.
const BUILT_FOR_GPUS: bool =
    cfg!(any(feature = "cuda", feature = "metal", feature = "rocm", feature = "wgpu"));

const HINT: &str = if BUILT_FOR_GPUS {
    "check the driver, or use --device cpu"
} else {
    "build with --features wgpu (or cuda, metal, rocm), or use --device cpu"
};

fn describe(gpus: usize) -> String {
    match gpus {
        0 if !BUILT_FOR_GPUS => "this program was built without GPU support".into(),
        0 => "no GPU was found".into(),
        1 => "1 GPU was found".into(),
        n => format!("{n} GPUs were found"),
    }
}

/// The GPUs that this build can use.
#[cfg(not(any(feature = "cuda", feature = "metal", feature = "rocm", feature = "wgpu")))]
fn gpus() -> Vec<Device> {
    Vec::new()
}

/// The GPUs that this build can use: CUDA's, else ROCm's, else Metal's, else those of the graphics API.
#[cfg(any(feature = "cuda", feature = "metal", feature = "rocm", feature = "wgpu"))]
fn gpus() -> Vec<Device> {
    use burn::tensor::DeviceType;

    let kinds: &[DeviceType] = &[
        #[cfg(feature = "cuda")]
        DeviceType::Cuda,
        #[cfg(feature = "rocm")]
        DeviceType::Rocm,
        #[cfg(feature = "metal")]
        DeviceType::Metal,
        #[cfg(all(feature = "wgpu", not(feature = "metal")))]
        DeviceType::Wgpu,
    ];
    let mut found = kinds.iter().map(|kind| devices_of(kind.clone()));
    found.find(|devices| !devices.is_empty()).unwrap_or_default()
}

/// A backend whose driver is absent may panic when asked for its devices: that is "none".
#[cfg(any(feature = "cuda", feature = "metal", feature = "rocm", feature = "wgpu"))]
fn devices_of(kind: burn::tensor::DeviceType) -> Vec<Device> {
    std::panic::catch_unwind(|| Device::enumerate(kind).into_iter().collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_read() {
        for (text, choice) in [
            ("auto", DeviceChoice::Auto),
            ("cpu", DeviceChoice::Cpu),
            ("gpu", DeviceChoice::Gpu(0)),
            ("gpu:3", DeviceChoice::Gpu(3)),
        ] {
            assert_eq!(text.parse(), Ok(choice));
        }
        for text in ["", "GPU", "gpu:", "gpu:-1", "gpu:x", "cuda"] {
            assert_eq!(text.parse::<DeviceChoice>(), Err(DeviceError::Unknown(text.into())));
        }
    }

    #[test]
    fn a_gpu_that_is_not_there_fails_with_a_hint() {
        let error = DeviceChoice::Gpu(999).open().unwrap_err().to_string();
        assert!(error.contains("no GPU 999") && error.contains("hint:"), "{error}");
    }

    #[test]
    fn auto_always_finds_a_device_and_says_when_it_fell_back() {
        let (device, note) = DeviceChoice::Auto.open().unwrap();
        assert_eq!(device == Device::flex(), note.is_some());
    }
}
