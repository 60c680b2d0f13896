//! The extension module `genvp._core`. The Python package around it names arguments, checks
//! arrays and gives results their classes.

#![allow(
    missing_docs,
    reason = "pyo3 writes public items of its own; ours are documented in the stubs"
)]
#![allow(unsafe_code, reason = "pyo3's macros expand to the interpreter's C calls")]

mod arrays;
mod command;
mod error;
mod family;
mod files;
mod maker;
mod model;
mod picture;
mod puzzle;
mod reading;
mod scene;
mod solve;
mod table;
mod threads;
mod write;

use pyo3::prelude::*;

/// The system allocator returns large blocks to the kernel and faults them in again for every
/// batch of panels; mimalloc keeps them, as in the `genvp` program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use crate::command::run_command;
    #[pymodule_export]
    use crate::family::{form, rule_space, sets, strata};
    #[pymodule_export]
    use crate::files::{FileList, FileStream, StoredPuzzle, check_path};
    #[pymodule_export]
    use crate::maker::{Maker, make_puzzles};
    #[pymodule_export]
    use crate::model::{Answer, Model, default_model, judge_panels, model_names, weights_bytes};
    #[pymodule_export]
    use crate::picture::picture;
    #[pymodule_export]
    use crate::puzzle::{KnownPuzzle, decode_puzzle};
    #[pymodule_export]
    use crate::reading::{read_panels, render};
    #[pymodule_export]
    use crate::solve::{ExactAnswer, solve_exactly};
    #[pymodule_export]
    use crate::table::{mean_share, paper_rows, share, solving_table};
    #[pymodule_export]
    use crate::threads::{set_threads, threads};
    #[pymodule_export]
    use crate::write::{npz_of_panels, write_bytes, write_dataset};

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::threads::imported();
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        crate::error::register(module)
    }
}
