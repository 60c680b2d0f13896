//! One file holds everything that the next step depends on.
//!
//! A checkpoint is a safetensors file: `values.NAME`, `first.NAME`, `second.NAME`
//! and `average.NAME` for every tensor of the model, and one metadata entry with
//! the step, the guard, the best examination, all settings and a digest of the
//! numbers. It holds no time, host or thread count: the same run gives the same
//! bytes, however often it was interrupted.

use std::collections::HashMap;
use std::path::Path;

use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::adamw::State;
use crate::config::RunConfig;
use crate::error::TrainError;
use crate::feed::Supervision;
use crate::guard::Guard;
use crate::parameters::ParameterLayout;
use crate::runs::Runs;
use crate::seeds::Seeds;
use crate::whole_file::write_whole;

/// The version of what the metadata says.
const FORMAT: u32 = 1;

/// The metadata's only entry. One entry, because several would be written in random order.
const ENTRY: &str = "genvp-checkpoint";

/// What a checkpoint says besides its numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// The next step.
    pub step: u64,
    /// What is known about gradients.
    pub guard: Guard,
    /// The best examination so far.
    pub best: Option<Best>,
    /// All settings of the run.
    pub config: RunConfig,
    /// The seeds of the runs before it, from whose weights it began.
    #[serde(default, skip_serializing_if = "Seeds::is_empty")]
    pub earlier: Seeds,
    /// The most that those runs were taught with; nothing in a run that began from no weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier_supervision: Option<Supervision>,
    /// How many puzzles those runs learned from.
    #[serde(default, skip_serializing_if = "Runs::is_empty")]
    pub earlier_runs: Runs,
}

impl Progress {
    /// The seeds of the run and of those before it.
    pub fn seeds(&self) -> Seeds {
        Seeds::of_run(&self.config).with(&self.earlier)
    }

    /// How many puzzles the run and those before it learned from.
    pub fn runs(&self) -> Runs {
        Runs::of_run(&self.config, self.step).with(&self.earlier_runs)
    }

    /// The most that the run and those before it were taught with.
    pub fn supervision(&self) -> Supervision {
        let own = self.config.supervision();
        self.earlier_supervision.map_or(own, |earlier| earlier.max(own))
    }
}

/// An examination that no earlier one had matched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Best {
    /// The step before which it took place.
    pub step: u64,
    /// What was compared: right answers in percent, all layouts and sets alike.
    pub score: f64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: u32,
    /// The digest of all numbers, in the order of names.
    sha256: String,
    progress: serde_json::Value,
}

/// The four vectors by the names that they have in the file.
fn vectors(state: &State) -> [(&'static str, &Vec<f32>); 4] {
    [
        ("values", &state.values),
        ("first", &state.first),
        ("second", &state.second),
        ("average", &state.average),
    ]
}

fn digest(vectors: &[(&str, &Vec<f32>); 4]) -> String {
    let mut digest = Sha256::new();
    for (name, values) in vectors {
        digest.update(name.as_bytes());
        digest.update(bytes_of(values));
    }
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes_of(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// The bytes of a checkpoint.
///
/// # Errors
/// When something cannot be written down.
pub fn to_bytes(
    slots: &ParameterLayout,
    state: &State,
    progress: &Progress,
) -> Result<Vec<u8>, TrainError> {
    let failed =
        |reason: String| TrainError::Checkpoint { path: "a new checkpoint".into(), reason };
    let vectors = vectors(state);
    let header = serde_json::to_value(progress).map_err(|e| failed(e.to_string()))?;
    let header = Header { format: FORMAT, sha256: digest(&vectors), progress: header };
    let header = serde_json::to_string(&header).map_err(|e| failed(e.to_string()))?;
    let bytes: Vec<Vec<u8>> = vectors.iter().map(|(_, values)| bytes_of(values)).collect();
    let mut views = Vec::new();
    for ((kind, _), bytes) in vectors.iter().zip(&bytes) {
        for slot in slots.iter() {
            let own = &bytes[4 * slot.range.start..4 * slot.range.end];
            let view = TensorView::new(Dtype::F32, slot.shape.clone(), own)
                .map_err(|e| failed(e.to_string()))?;
            views.push((format!("{kind}.{}", slot.name), view));
        }
    }
    let metadata = HashMap::from([(ENTRY.to_owned(), header)]);
    safetensors::serialize(views, Some(metadata)).map_err(|e| failed(e.to_string()))
}

/// Writes a checkpoint, whole or not at all.
///
/// # Errors
/// With the path and the system's reason; a file that was there is intact.
pub fn write(
    path: &Path,
    slots: &ParameterLayout,
    state: &State,
    progress: &Progress,
) -> Result<(), TrainError> {
    write_whole(path, &to_bytes(slots, state, progress)?)
}

/// What a checkpoint says besides its numbers, and its bytes.
///
/// # Errors
/// When it cannot be read or is none.
pub fn read_progress(path: &Path) -> Result<(Progress, Vec<u8>), TrainError> {
    let bytes = std::fs::read(path).map_err(|source| TrainError::file("read", path, source))?;
    let header = header(&bytes)
        .map_err(|reason| TrainError::Checkpoint { path: path.to_owned(), reason })?;
    let progress = serde_json::from_value(header.progress);
    let progress = progress
        .map_err(|e| TrainError::Checkpoint { path: path.to_owned(), reason: e.to_string() })?;
    Ok((progress, bytes))
}

fn header(bytes: &[u8]) -> Result<Header, String> {
    let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|e| e.to_string())?;
    let entry = metadata.metadata().as_ref().and_then(|m| m.get(ENTRY));
    let entry = entry.ok_or_else(|| format!("it has no metadata entry `{ENTRY}`"))?;
    let header: Header = serde_json::from_str(entry).map_err(|e| e.to_string())?;
    if header.format != FORMAT {
        return Err(format!(
            "it is of format {}, this program reads format {FORMAT}",
            header.format
        ));
    }
    Ok(header)
}

/// The weights of a file, or the running average of a checkpoint, for all tensors but
/// those that start anew, which keep the values given.
///
/// # Errors
/// With every tensor that is missing, unknown or of another shape.
pub fn adopt(
    path: &Path,
    bytes: &[u8],
    slots: &ParameterLayout,
    mut values: Vec<f32>,
    anew: impl Fn(&str) -> bool,
) -> Result<Vec<f32>, TrainError> {
    let refused = |reason: String| TrainError::Checkpoint { path: path.to_owned(), reason };
    let file = SafeTensors::deserialize(bytes).map_err(|e| refused(e.to_string()))?;
    let kind = if header(bytes).is_ok() { "average." } else { "" };
    let mut problems = Vec::new();
    for slot in slots.iter().filter(|slot| !anew(&slot.name)) {
        match file.tensor(&format!("{kind}{}", slot.name)) {
            Ok(view) if view.dtype() == Dtype::F32 && view.shape() == slot.shape => {
                let numbers = view.data().as_chunks::<4>().0.iter();
                let own = &mut values[slot.range.clone()];
                own.iter_mut().zip(numbers).for_each(|(v, &b)| *v = f32::from_le_bytes(b));
            }
            Ok(view) => problems.push(format!(
                "the tensor {} is {:?} {:?}, not F32 {:?}",
                slot.name,
                view.dtype(),
                view.shape(),
                slot.shape
            )),
            Err(_) => problems.push(format!("the tensor {} is missing", slot.name)),
        }
    }
    let known = |name: &str| anew(name) || slots.iter().any(|slot| slot.name == name);
    let names = file.names();
    let own = names.iter().filter_map(|name| name.strip_prefix(kind));
    problems.extend(own.filter(|name| !known(name)).map(|name| format!("{name} is unknown")));
    if values.iter().any(|v| !v.is_finite()) {
        problems.push("it holds numbers that are not finite".into());
    }
    if problems.is_empty() { Ok(values) } else { Err(refused(problems.join("; "))) }
}

/// The numbers of a checkpoint for a model with these tensors.
///
/// # Errors
/// When a tensor is missing, has another shape, is unknown, or when the numbers
/// are not those that were written.
pub fn read_state(path: &Path, bytes: &[u8], slots: &ParameterLayout) -> Result<State, TrainError> {
    let read = || -> Result<State, String> {
        let header = header(bytes)?;
        let file = SafeTensors::deserialize(bytes).map_err(|e| e.to_string())?;
        let vector = |kind: &str| -> Result<Vec<f32>, String> {
            let mut values = Vec::with_capacity(slots.len());
            for slot in slots.iter() {
                let name = format!("{kind}.{}", slot.name);
                let view =
                    file.tensor(&name).map_err(|_| format!("the tensor {name} is missing"))?;
                if view.dtype() != Dtype::F32 || view.shape() != slot.shape {
                    return Err(format!(
                        "the tensor {name} is {:?} {:?}, not F32 {:?}",
                        view.dtype(),
                        view.shape(),
                        slot.shape
                    ));
                }
                values
                    .extend(view.data().as_chunks::<4>().0.iter().map(|&b| f32::from_le_bytes(b)));
            }
            Ok(values)
        };
        let state = State {
            values: vector("values")?,
            first: vector("first")?,
            second: vector("second")?,
            average: vector("average")?,
        };
        let wanted = 4 * slots.iter().count();
        if file.len() != wanted {
            return Err(format!("it holds {} tensors, the model has {wanted}", file.len()));
        }
        if digest(&vectors(&state)) != header.sha256 {
            return Err("its numbers are not those that were written".into());
        }
        Ok(state)
    };
    read().map_err(|reason| TrainError::Checkpoint { path: path.to_owned(), reason })
}
