//! Python's exceptions with our messages.

use std::fmt::Display;

use genvp_puzzle::family::FamilyError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::{Bound, PyErr, create_exception};

create_exception!(genvp, GenvpError, PyValueError, "What genvp cannot do, and why.");
create_exception!(genvp, SpecError, GenvpError, "Puzzles that were asked for and cannot be had.");
create_exception!(genvp, DataError, GenvpError, "A file that cannot be read, written or believed.");
create_exception!(genvp, ModelError, GenvpError, "A model that is not there or cannot do this.");
create_exception!(genvp, ArrayError, GenvpError, "An array that does not hold panels.");

/// Names the exceptions in the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("GenvpError", py.get_type::<GenvpError>())?;
    module.add("SpecError", py.get_type::<SpecError>())?;
    module.add("DataError", py.get_type::<DataError>())?;
    module.add("ModelError", py.get_type::<ModelError>())?;
    module.add("ArrayError", py.get_type::<ArrayError>())
}

/// What was asked for cannot be had.
pub fn spec(error: impl Display) -> PyErr {
    SpecError::new_err(error.to_string())
}

/// What a family does not have; options are named as Python's.
pub fn family(error: FamilyError) -> PyErr {
    match error {
        FamilyError::NoOption { family, option } => {
            spec(format!("{family} has no option `{}`", option.trim_start_matches('-')))
        }
        other => spec(other),
    }
}

/// A file is not what it should be.
pub fn data(error: impl Display) -> PyErr {
    DataError::new_err(error.to_string())
}

/// A model cannot do something.
pub fn model(error: impl Display) -> PyErr {
    ModelError::new_err(error.to_string())
}

/// An array does not hold what it should.
pub fn array(error: impl Display) -> PyErr {
    ArrayError::new_err(error.to_string())
}
