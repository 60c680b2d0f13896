//! Weights as safetensors, with the configuration inside.
//!
//! The file's metadata holds one entry, `genvp`: a JSON object with `format` (1),
//! `config` (the [`ModelConfig`]) and `card` (free-form: how it was trained, its figures).
//! Tensor names are those of [`params`](crate::params); all tensors are f32.
//! Nothing here touches a file: bytes in, bytes out.

use std::collections::{BTreeMap, HashMap};

use burn::module::{Module, ModuleMapper, ModuleVisitor, Param};
use burn::tensor::{Device, Tensor, TensorData};
use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView};
use serde::{Deserialize, Serialize};

use crate::architecture::{AnyModel, ModelConfig};
use crate::config::ConfigError;
use crate::params::{NamePath, tensor_shapes};

/// The version of what the metadata says.
const FORMAT: u32 = 1;

/// The metadata's only entry. One entry, because several would be written in random order.
const ENTRY: &str = "genvp";

/// What a weights file says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeightsHeader {
    /// The version of this header.
    pub format: u32,
    /// The model.
    pub config: ModelConfig,
    /// Free-form: how it was trained, its figures.
    #[serde(default)]
    pub card: serde_json::Value,
}

/// Why weights cannot be written or used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Not a safetensors file.
    #[error("these are no safetensors weights: {0}")]
    Format(String),
    /// A safetensors file that does not say which model it is for.
    #[error("the weights do not say which model they are for (metadata entry `{ENTRY}`): {0}")]
    Header(String),
    /// Written by a later version.
    #[error("the weights are of format {found}, this program reads format {FORMAT}")]
    Version {
        /// The format found.
        found: u32,
    },
    /// The model they are for cannot be built.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Tensors that do not fit the model.
    #[error("the weights do not fit the model:\n  {}", .problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n  "))]
    Mismatch {
        /// Every single one.
        problems: Vec<Mismatch>,
    },
    /// The device failed to hand over a tensor.
    #[error("the device failed: {0}")]
    Device(String),
}

/// A way in which a tensor does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// Missing from the file.
    #[error("{name}: missing")]
    Missing {
        /// The tensor.
        name: String,
    },
    /// Not a tensor of this model.
    #[error("{name}: not part of this model")]
    Unknown {
        /// The tensor.
        name: String,
    },
    /// Another shape.
    #[error("{name}: shape {found:?}, the model wants {wanted:?}")]
    Shape {
        /// The tensor.
        name: String,
        /// Its shape in the file.
        found: Vec<usize>,
        /// Its shape in the model.
        wanted: Vec<usize>,
    },
    /// Another number format.
    #[error("{name}: numbers are {found}, the model wants F32")]
    Dtype {
        /// The tensor.
        name: String,
        /// The number format in the file.
        found: String,
    },
    /// Values that are not finite.
    #[error("{name}: {count} values are not finite numbers")]
    NotFinite {
        /// The tensor.
        name: String,
        /// How many.
        count: usize,
    },
    /// The configuration differs.
    #[error("{name}: {found} in the weights, {wanted} wanted")]
    Config {
        /// The setting.
        name: String,
        /// Its value in the file.
        found: String,
        /// Its value in the model.
        wanted: String,
    },
}

impl AnyModel {
    /// The model as a safetensors file. The same model and card give the same bytes.
    ///
    /// # Errors
    /// When weights are not finite, or the device fails.
    pub fn to_bytes(&self, card: serde_json::Value) -> Result<Vec<u8>, StoreError> {
        let header = WeightsHeader { format: FORMAT, config: self.config(), card };
        let header =
            serde_json::to_string(&header).map_err(|e| StoreError::Header(e.to_string()))?;
        let mut collector = Collector::default();
        self.visit(&mut collector);
        if let Some(error) = collector.error {
            return Err(StoreError::Device(error));
        }
        let problems =
            collector.found.iter().filter_map(|(name, _, bytes)| not_finite(name, bytes));
        let problems = problems.collect::<Vec<_>>();
        if !problems.is_empty() {
            return Err(StoreError::Mismatch { problems });
        }
        let views = collector.found.iter().map(|(name, shape, bytes)| {
            TensorView::new(Dtype::F32, shape.clone(), bytes).map(|view| (name.as_str(), view))
        });
        let views =
            views.collect::<Result<Vec<_>, _>>().map_err(|e| StoreError::Format(e.to_string()))?;
        let metadata = HashMap::from([(ENTRY.to_string(), header)]);
        safetensors::serialize(views, Some(metadata)).map_err(|e| StoreError::Format(e.to_string()))
    }

    /// The model in a safetensors file, and its card.
    ///
    /// # Errors
    /// When anything in the file does not fit, with a list of all of it.
    pub fn from_bytes(
        bytes: &[u8],
        device: &Device,
    ) -> Result<(Self, serde_json::Value), StoreError> {
        let header = read_header(bytes)?;
        let model = header.config.init(device)?;
        Ok((model.load_tensors(bytes)?, header.card))
    }

    /// This model with the weights of a file that was written for the same configuration.
    ///
    /// # Errors
    /// When the configuration or any tensor differs, with a list of all of it.
    pub fn load_bytes(self, bytes: &[u8]) -> Result<Self, StoreError> {
        let header = read_header(bytes)?;
        let problems = config_differences(&header.config, &self.config());
        if problems.is_empty() {
            self.load_tensors(bytes)
        } else {
            Err(StoreError::Mismatch { problems })
        }
    }

    fn load_tensors(self, bytes: &[u8]) -> Result<Self, StoreError> {
        let file =
            SafeTensors::deserialize(bytes).map_err(|e| StoreError::Format(e.to_string()))?;
        let mut offered = file.iter().collect::<BTreeMap<_, _>>();
        let mut problems = Vec::new();
        let mut values = HashMap::new();
        for (name, wanted) in tensor_shapes(&self) {
            let Some(view) = offered.remove(name.as_str()) else {
                problems.push(Mismatch::Missing { name });
                continue;
            };
            if view.dtype() != Dtype::F32 {
                problems.push(Mismatch::Dtype { name, found: format!("{:?}", view.dtype()) });
            } else if view.shape() != wanted {
                problems.push(Mismatch::Shape { name, found: view.shape().to_vec(), wanted });
            } else if let Some(problem) = not_finite(&name, view.data()) {
                problems.push(problem);
            } else {
                values
                    .insert(name, TensorData::new(floats(view.data()).collect::<Vec<_>>(), wanted));
            }
        }
        problems.extend(offered.into_keys().map(|name| Mismatch::Unknown { name: name.into() }));
        if !problems.is_empty() {
            return Err(StoreError::Mismatch { problems });
        }
        Ok(self.map(&mut Loader { path: NamePath::default(), values }))
    }
}

/// What a weights file says of itself.
///
/// # Errors
/// When it is no weights file of this program's format.
pub fn read_header(bytes: &[u8]) -> Result<WeightsHeader, StoreError> {
    let (_, metadata) =
        SafeTensors::read_metadata(bytes).map_err(|e| StoreError::Format(e.to_string()))?;
    let entry = metadata.metadata().as_ref().and_then(|m| m.get(ENTRY));
    let entry = entry.ok_or_else(|| StoreError::Header("it is not there".into()))?;
    #[derive(Deserialize)]
    struct Version {
        format: u32,
    }
    let header = |e: serde_json::Error| StoreError::Header(e.to_string());
    // The version first: another one may hold anything else.
    let version: Version = serde_json::from_str(entry).map_err(header)?;
    if version.format != FORMAT {
        return Err(StoreError::Version { found: version.format });
    }
    serde_json::from_str(entry).map_err(header)
}

/// Every setting in which two configurations differ.
pub(crate) fn config_differences(found: &ModelConfig, wanted: &ModelConfig) -> Vec<Mismatch> {
    let flat = |config: &ModelConfig| {
        let mut settings = BTreeMap::new();
        flatten("config", &serde_json::to_value(config).unwrap_or_default(), &mut settings);
        settings
    };
    let (found, wanted) = (flat(found), flat(wanted));
    let names = found.keys().chain(wanted.keys()).collect::<std::collections::BTreeSet<_>>();
    let value = |settings: &BTreeMap<String, String>, name: &String| {
        settings.get(name).cloned().unwrap_or_else(|| "absent".into())
    };
    let differences = names.into_iter().filter(|name| found.get(*name) != wanted.get(*name));
    differences
        .map(|name| Mismatch::Config {
            name: name.clone(),
            found: value(&found, name),
            wanted: value(&wanted, name),
        })
        .collect()
}

fn flatten(name: &str, value: &serde_json::Value, settings: &mut BTreeMap<String, String>) {
    match value {
        serde_json::Value::Object(fields) => {
            for (key, value) in fields {
                flatten(&format!("{name}.{key}"), value, settings);
            }
        }
        leaf => {
            settings.insert(name.into(), leaf.to_string());
        }
    }
}

fn floats(bytes: &[u8]) -> impl Iterator<Item = f32> + '_ {
    bytes.as_chunks::<4>().0.iter().map(|&b| f32::from_le_bytes(b))
}

fn not_finite(name: &str, bytes: &[u8]) -> Option<Mismatch> {
    let count = floats(bytes).filter(|x| !x.is_finite()).count();
    (count > 0).then(|| Mismatch::NotFinite { name: name.into(), count })
}

/// Collects every tensor as little-endian bytes.
#[derive(Default)]
struct Collector {
    path: NamePath,
    found: Vec<(String, Vec<usize>, Vec<u8>)>,
    error: Option<String>,
}

impl ModuleVisitor for Collector {
    fn enter_module(&mut self, name: &str, container: &str) {
        self.path.enter(name, container);
    }

    fn exit_module(&mut self, _: &str, container: &str) {
        self.path.exit(container);
    }

    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        let tensor = param.val();
        let shape = tensor.dims().to_vec();
        match tensor.try_into_vec_as::<f32>() {
            Ok(values) => {
                let bytes = values.iter().flat_map(|v| v.to_le_bytes()).collect();
                self.found.push((self.path.name(), shape, bytes));
            }
            Err(e) => self.error = Some(e.to_string()),
        }
    }
}

/// Puts checked values in place.
struct Loader {
    path: NamePath,
    values: HashMap<String, TensorData>,
}

impl ModuleMapper for Loader {
    fn enter_module(&mut self, name: &str, container: &str) {
        self.path.enter(name, container);
    }

    fn exit_module(&mut self, _: &str, container: &str) {
        self.path.exit(container);
    }

    fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
        let data =
            self.values.remove(&self.path.name()).expect("every tensor was checked to be there");
        param.map(|tensor| {
            let trained = tensor.is_require_grad();
            Tensor::from_data(data, &tensor.device()).set_require_grad(trained)
        })
    }
}
