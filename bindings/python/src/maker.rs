//! Making puzzles.

use std::sync::Arc;

use genvp_puzzle::family::{AnyPuzzle, Family, FamilyError, Generator, PuzzleSpec, Split};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::arrays::array;
use crate::puzzle::KnownPuzzle;
use crate::{error, family, picture, threads};

/// Makes puzzles: a pure function of seed and index.
#[pyclass(frozen, module = "genvp._core")]
pub struct Maker {
    /// What is made.
    pub spec: PuzzleSpec,
    /// The seed.
    pub seed: u64,
    /// Whose puzzles they are.
    pub family: &'static dyn Family,
    generator: Box<dyn Generator>,
}

/// Puzzles that a thread makes between two looks at Ctrl-C: a few milliseconds.
const BLOCK: usize = 64;

#[pymethods]
impl Maker {
    #[new]
    #[pyo3(signature = (set, stratum, seed, rules, ood, split, choices, uniform, faithful, no_rivals))]
    #[allow(clippy::too_many_arguments, reason = "python/genvp/_make.py names them")]
    fn new(
        set: &str,
        stratum: &str,
        seed: u64,
        rules: String,
        ood: Option<String>,
        split: Option<&str>,
        choices: Option<String>,
        uniform: bool,
        faithful: bool,
        no_rivals: bool,
    ) -> PyResult<Self> {
        let (family, stratum) = family::stratum(set, stratum)?;
        let split = split.map(|name| {
            let known = || error::spec(format!("there is no split `{name}`: train, val or test"));
            Split::parse(name).ok_or_else(known)
        });
        let spec = PuzzleSpec {
            split: split.transpose()?,
            rules,
            ood,
            choices,
            uniform,
            faithful,
            no_rivals,
            ..PuzzleSpec::new(stratum)
        };
        let generator = family.generator(&spec).map_err(error::family)?;
        Ok(Self { spec, seed, family, generator })
    }

    /// The layout or regime, as folders are named.
    #[getter]
    fn stratum(&self) -> &'static str {
        self.spec.stratum.name
    }

    /// The family: `raven`, `pgm` or `vad`.
    #[getter]
    fn family(&self) -> &'static str {
        self.family.id()
    }

    /// One puzzle, not drawn.
    fn puzzle(&self, py: Python<'_>, index: u64) -> PyResult<KnownPuzzle> {
        let made = py.detach(|| self.generator.puzzle(self.seed, index)).map_err(error::family)?;
        Ok(KnownPuzzle(Arc::from(made)))
    }

    /// The puzzles of these indices and their panels `[n, panels, size, size]`, uint8.
    fn puzzles<'py>(
        &self,
        py: Python<'py>,
        indices: Vec<u64>,
        size: usize,
    ) -> PyResult<(Bound<'py, PyAny>, Vec<KnownPuzzle>)> {
        picture::check_size(size)?;
        let inputs = self.family.form().inputs();
        let one = inputs * size * size;
        let mut pixels = Vec::new();
        let bytes = indices.len().checked_mul(one).filter(|&n| isize::try_from(n).is_ok());
        let reserved = bytes.is_some_and(|bytes| pixels.try_reserve_exact(bytes).is_ok());
        if !reserved {
            let what = format!("{} puzzles of {size} pixels do not fit in memory", indices.len());
            return Err(error::spec(what));
        }
        pixels.resize(indices.len() * one, 0u8);
        let mut puzzles = Vec::with_capacity(indices.len());
        let block = threads::block(BLOCK);
        for (own, out) in indices.chunks(block).zip(pixels.chunks_mut(block * one)) {
            let made: Result<Vec<Arc<dyn AnyPuzzle>>, FamilyError> = threads::work(py, || {
                own.par_iter()
                    .zip(out.par_chunks_mut(one))
                    .map(|(&index, out)| {
                        let puzzle = self.generator.puzzle(self.seed, index)?;
                        picture::draw_into(&*puzzle, size, out);
                        Ok(Arc::from(puzzle))
                    })
                    .collect()
            })?;
            puzzles.extend(made.map_err(error::family)?.into_iter().map(KnownPuzzle));
            py.check_signals()?;
        }
        Ok((array(py, pixels, [indices.len(), inputs, size, size])?, puzzles))
    }
}
