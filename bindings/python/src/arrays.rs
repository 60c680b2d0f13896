//! Panels that come as numpy arrays, and those that go.

use genvp_puzzle::family::{Form, Sheet};
use numpy::ndarray::IntoDimension;
use numpy::{IntoPyArray, PyArrayMethods, PyReadonlyArray4, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::error;

/// The pixels of some puzzles: `[n, panels, side, side]`, grey bytes, 255 = paper.
pub struct Panels<'py> {
    array: PyReadonlyArray4<'py, u8>,
    /// How many puzzles there are.
    pub count: usize,
    /// How many panels each has.
    pub panels: usize,
    /// Side of a panel.
    pub side: usize,
}

/// The largest side of a panel that is taken, as of those in files.
const LARGEST_SIDE: usize = 1024;

impl<'py> Panels<'py> {
    /// Takes an array without a copy. `python/genvp/_arrays.py` has put it into order and says
    /// what is wrong with others; this is the last line.
    pub fn of(array: PyReadonlyArray4<'py, u8>) -> PyResult<Self> {
        let shape = array.shape();
        let (count, panels, height, side) = (shape[0], shape[1], shape[2], shape[3]);
        if height != side || !(1..=LARGEST_SIDE).contains(&side) || panels == 0 {
            return Err(error::array(format!("panels of shape {shape:?}")));
        }
        if !array.is_c_contiguous() {
            return Err(error::array("panels that do not lie one after another"));
        }
        Ok(Self { array, count, panels, side })
    }

    /// All pixels, one after another.
    pub fn pixels(&self) -> PyResult<&[u8]> {
        self.array.as_slice().map_err(error::array)
    }

    /// The pixels of each puzzle.
    pub fn puzzles(&self) -> PyResult<std::slice::ChunksExact<'_, u8>> {
        Ok(self.pixels()?.chunks_exact(self.panels * self.side * self.side))
    }

    /// The puzzles as a family's readers want them.
    pub fn sheets(&self, form: Form) -> PyResult<Vec<Sheet>> {
        if form.inputs() != self.panels {
            let (found, wanted) = (self.panels, form.inputs());
            return Err(error::array(format!("{found} panels, wanted {wanted}")));
        }
        let sheet = |pixels: &[u8]| Sheet::new(form, self.side, pixels.to_vec());
        Ok(self.puzzles()?.map(sheet).collect())
    }
}

/// An array that takes over a vector, without a copy.
pub fn array<'py, T: numpy::Element, const D: usize>(
    py: Python<'py>,
    values: Vec<T>,
    shape: [usize; D],
) -> PyResult<Bound<'py, PyAny>>
where
    [usize; D]: IntoDimension,
{
    Ok(values.into_pyarray(py).reshape(shape)?.into_any())
}
