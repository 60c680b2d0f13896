//! Which device computes.

use std::str::FromStr;

use burn::tensor::Device;

/// A wish for a device: `auto`, `cpu`, `gpu`, `gpu:N` or `software`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeviceChoice {
    /// The first GPU if there is one, else the CPU.
    #[default]
    Auto,
    /// The CPU.
    Cpu,
    /// This GPU, counted from 0. Software adapters do not count.
    Gpu(usize),
    /// A graphics API that computes on the CPU, to test GPU code where there is no GPU.
    Software,
}

/// Why a device cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// Not a wish for a device.
    #[error("`{0}` is no device: say auto, cpu, gpu, gpu:N or software")]
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
    /// A software adapter was asked for and there is none.
    #[error("there is no software adapter: {found}\nhint: {hint}")]
    NoSoftware {
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
            "software" => Ok(Self::Software),
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
    /// When a GPU or a software adapter is asked for and there is none.
    pub fn open(self) -> Result<(Device, Option<String>), DeviceError> {
        let mut adapters = if self == Self::Cpu { Vec::new() } else { adapters() };
        let described: Vec<Adapter> = adapters.iter().map(|(adapter, _)| *adapter).collect();
        match self.pick(&described)? {
            Some(index) => Ok((adapters.swap_remove(index).1, None)),
            None => {
                let fell_back = self == Self::Auto;
                let note = fell_back.then(|| format!("{}: using the CPU", describe(&described)));
                Ok((Device::flex(), note))
            }
        }
    }

    /// Which of the adapters is meant; `None` means the CPU.
    fn pick(self, adapters: &[Adapter]) -> Result<Option<usize>, DeviceError> {
        match self {
            Self::Cpu => Ok(None),
            Self::Auto => Ok(cards(adapters).next()),
            Self::Gpu(index) => match cards(adapters).nth(index) {
                Some(card) => Ok(Some(card)),
                None => {
                    let only_software = !adapters.is_empty() && cards(adapters).next().is_none();
                    let hint = if only_software { SOFTWARE_FOUND_HINT } else { GPU_HINT };
                    Err(DeviceError::NoGpu { index, found: describe(adapters), hint })
                }
            },
            Self::Software => match adapters.iter().position(|adapter| !adapter.physical) {
                Some(software) => Ok(Some(software)),
                None => Err(DeviceError::NoSoftware {
                    found: describe(adapters),
                    hint: NO_SOFTWARE_HINT,
                }),
            },
        }
    }
}

/// What decides whether an adapter is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Adapter {
    /// The backend that lists it, in order of preference.
    backend: usize,
    /// Whether it is a card. Software Vulkan drivers (llvmpipe) are listed among the adapters too,
    /// but compute on the CPU, about a hundred times slower than the CPU backend.
    physical: bool,
}

/// The places of the GPUs: the cards of the first backend that has any. The same card can be
/// listed by several backends, so the others' are not counted.
fn cards(adapters: &[Adapter]) -> impl Iterator<Item = usize> {
    let is_card = |adapter: &&Adapter| adapter.physical;
    let first = adapters.iter().filter(is_card).map(|adapter| adapter.backend).min();
    (0..adapters.len()).filter(move |&i| adapters[i].physical && Some(adapters[i].backend) == first)
}

/// Whether this program was built to use GPUs at all.
const BUILT_FOR_GPUS: bool =
    cfg!(any(feature = "cuda", feature = "metal", feature = "rocm", feature = "wgpu"));

const GPU_HINT: &str = if BUILT_FOR_GPUS {
    "check the driver, or use --device cpu"
} else {
    "build with --features wgpu (or cuda, metal, rocm), or use --device cpu"
};

const SOFTWARE_FOUND_HINT: &str =
    "check the card's driver, or use --device cpu; --device software takes the slow adapter";

const NO_SOFTWARE_HINT: &str = if cfg!(feature = "wgpu") {
    "install a software Vulkan driver such as Mesa's llvmpipe, or use --device cpu"
} else {
    "build with --features wgpu, or use --device cpu"
};

fn describe(adapters: &[Adapter]) -> String {
    match cards(adapters).count() {
        0 if !adapters.is_empty() => "only a software adapter was found".into(),
        0 if !BUILT_FOR_GPUS => "this program was built without GPU support".into(),
        0 => "no GPU was found".into(),
        1 => "1 GPU was found".into(),
        n => format!("{n} GPUs were found"),
    }
}

/// The adapters that this build can use.
#[cfg(not(any(feature = "cuda", feature = "metal", feature = "rocm", feature = "wgpu")))]
fn adapters() -> Vec<(Adapter, Device)> {
    Vec::new()
}

/// The adapters that this build can use: CUDA's, ROCm's, Metal's, then those of the graphics API.
#[cfg(any(feature = "cuda", feature = "metal", feature = "rocm", feature = "wgpu"))]
fn adapters() -> Vec<(Adapter, Device)> {
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
    let mut found = Vec::new();
    for (backend, kind) in kinds.iter().enumerate() {
        for device in devices_of(kind.clone()) {
            if let Some(physical) = is_physical(&device) {
                found.push((Adapter { backend, physical }, device));
            }
        }
    }
    found
}

/// A backend whose driver is absent may panic when asked for its devices: that is "none".
#[cfg(any(feature = "cuda", feature = "metal", feature = "rocm", feature = "wgpu"))]
fn devices_of(kind: burn::tensor::DeviceType) -> Vec<Device> {
    std::panic::catch_unwind(|| Device::enumerate(kind).into_iter().collect()).unwrap_or_default()
}

/// Whether a device is a card. Asking opens it; `None` for one that cannot be opened.
#[cfg(any(feature = "cuda", feature = "metal", feature = "rocm", feature = "wgpu"))]
fn is_physical(device: &Device) -> Option<bool> {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    let identity = catch_unwind(AssertUnwindSafe(|| device.identity())).ok()?;
    Some(identity.is_some_and(|identity| identity.physical.is_some()))
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
            ("software", DeviceChoice::Software),
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

    const CARD: Adapter = Adapter { backend: 0, physical: true };
    const SOFTWARE: Adapter = Adapter { backend: 0, physical: false };

    #[test]
    fn a_software_adapter_is_never_taken_for_a_gpu() {
        assert_eq!(DeviceChoice::Auto.pick(&[SOFTWARE]), Ok(None));
        assert_eq!(DeviceChoice::Auto.pick(&[SOFTWARE, CARD]), Ok(Some(1)));
        assert_eq!(DeviceChoice::Gpu(0).pick(&[SOFTWARE, CARD]), Ok(Some(1)));
        assert_eq!(DeviceChoice::Gpu(1).pick(&[CARD, SOFTWARE, CARD]), Ok(Some(2)));
        let error = DeviceChoice::Gpu(0).pick(&[SOFTWARE]).unwrap_err().to_string();
        assert!(error.contains("no GPU 0: only a software adapter"), "{error}");
        assert!(error.contains("--device software"), "{error}");
        let error = DeviceChoice::Gpu(1).pick(&[CARD, SOFTWARE]).unwrap_err().to_string();
        assert!(error.contains("1 GPU was found") && !error.contains("software"), "{error}");
    }

    #[test]
    fn a_software_adapter_is_taken_when_asked_for() {
        assert_eq!(DeviceChoice::Software.pick(&[CARD, SOFTWARE]), Ok(Some(1)));
        let error = DeviceChoice::Software.pick(&[CARD]).unwrap_err().to_string();
        assert!(error.contains("no software adapter: 1 GPU was found\nhint: "), "{error}");
        assert_eq!(DeviceChoice::Cpu.pick(&[CARD, SOFTWARE]), Ok(None));
    }

    #[test]
    fn cards_are_counted_once_though_several_backends_list_them() {
        let again = Adapter { backend: 1, ..CARD };
        assert_eq!(DeviceChoice::Gpu(1).pick(&[CARD, CARD, again, again]), Ok(Some(1)));
        assert!(DeviceChoice::Gpu(2).pick(&[CARD, CARD, again, again]).is_err());
        assert_eq!(DeviceChoice::Auto.pick(&[SOFTWARE, again]), Ok(Some(1)));
    }

    #[test]
    fn auto_always_finds_a_device_and_says_when_it_fell_back() {
        let (device, note) = DeviceChoice::Auto.open().unwrap();
        assert_eq!(device == Device::flex(), note.is_some());
    }
}
