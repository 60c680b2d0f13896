//! Making puzzles.

use std::sync::Arc;

use genvp_puzzle::family::{AnyPuzzle, Family, FamilyError, Form, Generator, PuzzleSpec, Split};
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
}

/// Puzzles, each of a maker and an index, and their panels `[n, panels, size, size]`, uint8: those
/// of several layouts are drawn into one array.
#[pyfunction]
pub fn make_puzzles<'py>(
    py: Python<'py>,
    wanted: Vec<(Py<Maker>, u64)>,
    family: &str,
    size: usize,
) -> PyResult<(Bound<'py, PyAny>, Vec<KnownPuzzle>)> {
    picture::check_size(size)?;
    let form: Form = family::by_id(family)?.form();
    if let Some((other, _)) = wanted.iter().find(|(maker, _)| maker.get().family.id() != family) {
        let other = other.get().family.id();
        return Err(error::spec(format!("puzzles of {family} and of {other} in one batch")));
    }
    let (count, inputs) = (wanted.len(), form.inputs());
    let one = inputs * size * size;
    let mut pixels = Vec::new();
    let bytes = count.checked_mul(one).filter(|&n| isize::try_from(n).is_ok());
    if bytes.is_none_or(|bytes| pixels.try_reserve_exact(bytes).is_err()) {
        let what = format!("{count} puzzles of {size} pixels do not fit in memory");
        return Err(error::spec(what));
    }
    let mut puzzles = Vec::with_capacity(count);
    for own in wanted.chunks(threads::block(BLOCK)) {
        let begin = pixels.len();
        pixels.resize(begin + own.len() * one, 0u8);
        let out = &mut pixels[begin..];
        let make = |((maker, index), out): (&(Py<Maker>, u64), &mut [u8])| {
            let maker = maker.get();
            let puzzle = maker.generator.puzzle(maker.seed, *index)?;
            picture::draw_into(&*puzzle, size, out);
            Ok(Arc::from(puzzle))
        };
        let made: Result<Vec<Arc<dyn AnyPuzzle>>, FamilyError> =
            threads::work(py, || own.par_iter().zip(out.par_chunks_mut(one)).map(make).collect())?;
        puzzles.extend(made.map_err(error::family)?.into_iter().map(KnownPuzzle));
        py.check_signals()?;
    }
    Ok((array(py, pixels, [count, inputs, size, size])?, puzzles))
}
