//! Writing datasets: the very bytes of `genvp dataset make`.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use genvp_data::dataset::{DatasetWriter, Plan, Start};
use genvp_data::relations::{RelationMaker, RelationPlan, puzzle_files};
use genvp_data::{DataError, Images, StoredPuzzle, write_file};
use genvp_puzzle::family::{FamilyError, PuzzleSpec};
use genvp_puzzle::raven::{PuzzleError, Raven, Set, make};
use genvp_puzzle::relations::SpecError;
use genvp_puzzle::{pgm, vad};
use numpy::PyReadonlyArray4;
use pyo3::prelude::*;

use crate::arrays::Panels;
use crate::maker::Maker;
use crate::{error, threads};

/// Why a dataset is not written.
enum WriteError {
    Data(DataError),
    Family(FamilyError),
    /// Ctrl-C was pressed.
    Stopped,
}

impl From<DataError> for WriteError {
    fn from(error: DataError) -> Self {
        Self::Data(error)
    }
}

impl From<FamilyError> for WriteError {
    fn from(error: FamilyError) -> Self {
        Self::Family(error)
    }
}

impl From<PuzzleError> for WriteError {
    fn from(error: PuzzleError) -> Self {
        Self::Family(error.into())
    }
}

impl From<SpecError> for WriteError {
    fn from(error: SpecError) -> Self {
        Self::Family(error.into())
    }
}

/// Writes `n` puzzles of each maker into a folder. All must be of one set and seed.
#[pyfunction]
pub fn write_dataset(
    py: Python<'_>,
    path: PathBuf,
    makers: Vec<PyRef<'_, Maker>>,
    n: u64,
    start: &str,
) -> PyResult<()> {
    let start = match start {
        "resume" => Start::Resume,
        "force" => Start::Force,
        _ => Start::Create,
    };
    let Some(first) = makers.first() else { return Err(error::spec("nothing to write")) };
    let (family, seed, set) = (first.family.id(), first.seed, first.spec.stratum.set);
    if makers.iter().any(|maker| maker.seed != seed || maker.spec.stratum.set != set) {
        return Err(error::spec("a dataset is of one set and one seed"));
    }
    let specs: Vec<PuzzleSpec> = makers.iter().map(|maker| maker.spec.clone()).collect();
    let written = threads::interruptible(py, |stop| match family {
        "raven" => write_raven(&path, &specs, seed, n, start, stop),
        _ => write_relations(&path, family, &specs, seed, n, start, stop),
    })?;
    match written {
        Err(WriteError::Data(error)) => Err(error::data(error)),
        Err(WriteError::Family(error)) => Err(error::family(error)),
        Ok(()) | Err(WriteError::Stopped) => Ok(()),
    }
}

fn write_raven(
    path: &Path,
    specs: &[PuzzleSpec],
    seed: u64,
    n: u64,
    start: Start,
    stop: &AtomicBool,
) -> Result<(), WriteError> {
    let requests = specs.iter().map(Raven::request).collect::<Result<Vec<_>, _>>()?;
    let writer = DatasetWriter::open(path, Plan::of_requests(&requests, seed, n), start)?;
    for request in requests {
        let (layout, maker) = (request.layout, make::Maker::new(request)?);
        writer.fill(layout, |index| {
            if stop.load(Ordering::Relaxed) {
                return Err(WriteError::Stopped);
            }
            Ok::<_, WriteError>(maker.puzzle(seed, index)?)
        })?;
    }
    writer.finish()?;
    Ok(())
}

fn write_relations(
    path: &Path,
    family: &str,
    specs: &[PuzzleSpec],
    seed: u64,
    n: u64,
    start: Start,
    stop: &AtomicBool,
) -> Result<(), WriteError> {
    let maker = |spec: &PuzzleSpec| -> Result<RelationMaker, WriteError> {
        Ok(match family {
            "pgm" => RelationMaker::Pgm(pgm::Maker::new(pgm::Pgm::request(spec)?)?),
            _ => RelationMaker::Vad(vad::Maker::new(vad::Vad::request(spec)?)?),
        })
    };
    let makers = specs.iter().map(maker).collect::<Result<Vec<_>, _>>()?;
    let plan = RelationPlan::new(&makers, seed, n);
    let writer = DatasetWriter::open(path, plan.clone(), start)?;
    writer.fill_folder(0, |index| {
        if stop.load(Ordering::Relaxed) {
            return Err(WriteError::Stopped);
        }
        let (split, id) = plan.number(index);
        Ok(puzzle_files(makers[split].puzzle(seed, id)?, id))
    })?;
    writer.finish()?;
    Ok(())
}

/// Writes a file whole or not at all.
#[pyfunction]
pub fn write_bytes(py: Python<'_>, path: PathBuf, bytes: &[u8], force: bool) -> PyResult<()> {
    py.detach(|| write_file(&path, bytes, force)).map_err(error::data)
}

/// The npz of sixteen panels of which nothing else is known but perhaps the right choice.
#[pyfunction]
pub fn npz_of_panels(panels: PyReadonlyArray4<'_, u8>, target: Option<u8>) -> PyResult<Vec<u8>> {
    let panels = Panels::of(panels)?;
    if (panels.count, panels.panels) != (1, genvp_data::PANELS) {
        return Err(error::array("one puzzle of sixteen panels is wanted"));
    }
    let images = Images::new(panels.side, panels.pixels()?.to_vec());
    let stored = StoredPuzzle { target, ..StoredPuzzle::of_images(images) };
    Ok(stored.encode_npz(Set::Raven))
}
