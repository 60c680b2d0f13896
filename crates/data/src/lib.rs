//! How puzzles are kept: the files of each family (`raven`, [`relations`]), datasets of
//! them with a manifest, pictures, and tables.
//!
//! Reading trusts no file: every size is checked before memory is taken, and
//! each way of being wrong is a [`FormatError`] with a name. Writing gives the
//! originals' bytes, whole files or none, and the same ones at any thread count.

#[cfg(feature = "parquet")]
pub mod audit;
pub mod dataset;
mod error;
mod file;
pub mod folder;
mod format_error;
mod images;
#[cfg(feature = "parquet")]
pub mod inputs;
pub mod limits;
mod name_balance;
pub mod names;
mod note;
pub mod npz;
pub mod panels;
mod png_image;
#[cfg(feature = "parquet")]
mod puzzle_file;
mod raven;
pub mod relations;
#[cfg(feature = "parquet")]
pub mod table;
pub mod tar_gz;

pub use dataset::dataset_seeds;
pub use error::{DataError, Wanted};
pub use file::{replace_file, write_file};
pub use format_error::FormatError;
pub use images::Images;
pub use names::Split;
pub use note::Note;
pub use png_image::PngImage;
#[cfg(feature = "parquet")]
pub use puzzle_file::{FileFormat, PuzzleFile, encode_npz, formats};
pub use raven::{Changes, PANELS, Restored, Scene, StoredPuzzle, sheet, truth, xml};
