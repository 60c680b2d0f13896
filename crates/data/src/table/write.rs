//! Writing a table of any columns.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DataType};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use crate::png_image::encode_grey;
use crate::{DataError, Images};

/// Rows that are written together.
const BLOCK: usize = 100;

/// A column whose values lie `depth` definitions deep; rows are added one after
/// another.
pub(super) struct Column<T> {
    values: Vec<T>,
    defined: Vec<i16>,
    repeated: Vec<i16>,
    depth: i16,
}

impl<T> Column<T> {
    pub(super) fn new(depth: i16) -> Self {
        Self { values: Vec::new(), defined: Vec::new(), repeated: Vec::new(), depth }
    }

    /// Adds a row of one list (or one value, or none at all). `inner` tells how
    /// many values make an inner list, where lists hold lists.
    pub(super) fn row(
        &mut self,
        values: Option<impl IntoIterator<Item = T>>,
        inner: Option<usize>,
    ) {
        let before = self.values.len();
        self.values.extend(values.into_iter().flatten());
        for place in 0..self.values.len() - before {
            self.defined.push(self.depth);
            let inside = inner.is_some_and(|inner| place % inner != 0);
            self.repeated.push(if place == 0 { 0 } else { 1 + i16::from(inside) });
        }
        if self.values.len() == before {
            self.defined.push(0);
            self.repeated.push(0);
        }
    }

    /// Adds a row of a list of `count` things in which this value is not there.
    pub(super) fn absent(&mut self, count: usize) {
        for place in 0..count {
            self.defined.push(self.depth - 1);
            self.repeated.push(i16::from(place > 0));
        }
    }
}

/// The pictures of puzzles: the panels of the question, and the choices.
pub struct Pictures {
    panels: Column<ByteArray>,
    panel_paths: Column<ByteArray>,
    choices: Column<ByteArray>,
    choice_paths: Column<ByteArray>,
    rows: usize,
}

impl Pictures {
    pub(super) fn new() -> Self {
        Self {
            panels: Column::new(4),
            panel_paths: Column::new(4),
            choices: Column::new(4),
            choice_paths: Column::new(4),
            rows: 0,
        }
    }

    /// Adds a puzzle of which the first `context` panels are the question.
    pub(super) fn add(&mut self, images: &Images, context: usize) {
        let side = images.side();
        let mut pictures = (0..images.panels())
            .map(|index| ByteArray::from(encode_grey(side, side, images.panel(index))));
        self.panels.row(Some(pictures.by_ref().take(context)), None);
        self.choices.row(Some(pictures), None);
        self.panel_paths.absent(context);
        self.choice_paths.absent(images.panels() - context);
        self.rows += 1;
    }

    pub(super) fn write(&self, group: &mut Group<'_>) -> Result<(), ParquetError> {
        put_column::<ByteArrayType>(group, &self.panels)?;
        put_column::<ByteArrayType>(group, &self.panel_paths)?;
        put_column::<ByteArrayType>(group, &self.choices)?;
        put_column::<ByteArrayType>(group, &self.choice_paths)
    }
}

/// The columns of a table and the rows that wait to be written.
pub trait Columns {
    /// The schema, in parquet's own words.
    const SCHEMA: &'static str;
    /// What the `datasets` library needs to know to show pictures.
    const FEATURES: &'static str;

    /// No rows.
    fn new() -> Self;

    /// The pictures, which come first; there is one row for each puzzle.
    fn pictures(&self) -> &Pictures;

    /// Writes the columns behind the pictures, in the order of the schema.
    ///
    /// # Errors
    /// When the disk fails.
    fn write_labels(&self, group: &mut Group<'_>) -> Result<(), ParquetError>;
}

/// A table that is being written: it gets its name when it is finished.
pub struct Writer<C> {
    file: TableFile,
    columns: C,
}

impl<C: Columns> Writer<C> {
    /// Begins a table; an existing file is refused unless `replace` is set.
    ///
    /// # Errors
    /// When there is such a file, or the disk fails.
    pub fn create(path: &Path, replace: bool) -> Result<Self, DataError> {
        Self::create_about(path, replace, Vec::new())
    }

    /// Begins a table with texts beside the columns, each under its name.
    pub(super) fn create_about(
        path: &Path,
        replace: bool,
        about: Vec<KeyValue>,
    ) -> Result<Self, DataError> {
        let file = TableFile::create::<C>(path, replace, about)?;
        Ok(Self { file, columns: C::new() })
    }

    /// Adds a row, and writes the rows that wait once there are enough.
    pub(super) fn add_row(&mut self, add: impl FnOnce(&mut C)) -> Result<(), DataError> {
        add(&mut self.columns);
        if self.columns.pictures().rows == BLOCK { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), DataError> {
        let columns = std::mem::replace(&mut self.columns, C::new());
        if columns.pictures().rows == 0 {
            return Ok(());
        }
        self.file.write_group(|group| {
            columns.pictures().write(group)?;
            columns.write_labels(group)
        })
    }

    /// Completes the table and gives it its name.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn finish(mut self) -> Result<(), DataError> {
        self.flush()?;
        self.file.finish()
    }
}

/// A file of groups of rows, which gets its name when it is finished.
struct TableFile {
    path: PathBuf,
    temporary: PathBuf,
    writer: SerializedFileWriter<BufWriter<File>>,
}

impl TableFile {
    fn create<C: Columns>(
        path: &Path,
        replace: bool,
        mut about: Vec<KeyValue>,
    ) -> Result<Self, DataError> {
        if path.exists() && !replace {
            return Err(DataError::Exists { path: path.to_owned() });
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(DataError::write(folder))?;
        }
        let temporary = path.with_extension("partial");
        let file = File::create(&temporary).map_err(DataError::write(&temporary))?;
        let schema = parse_message_type(C::SCHEMA).expect("the schema is well formed");
        about.insert(0, KeyValue::new("huggingface".to_owned(), C::FEATURES.to_owned()));
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("genvp ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata(Some(about))
            .build();
        let writer =
            SerializedFileWriter::new(BufWriter::new(file), schema.into(), Arc::new(properties))
                .map_err(|e| failed(path, e))?;
        Ok(Self { path: path.to_owned(), temporary, writer })
    }

    fn write_group(
        &mut self,
        write: impl FnOnce(&mut Group<'_>) -> Result<(), ParquetError>,
    ) -> Result<(), DataError> {
        let all = || {
            let mut group = self.writer.next_row_group()?;
            write(&mut group)?;
            group.close().map(drop)
        };
        all().map_err(|e| failed(&self.path, e))
    }

    fn finish(self) -> Result<(), DataError> {
        let buffer = self.writer.into_inner().map_err(|e| failed(&self.path, e))?;
        buffer
            .into_inner()
            .map_err(std::io::IntoInnerError::into_error)
            .and_then(|file| file.sync_all())
            .and_then(|()| fs::rename(&self.temporary, &self.path))
            .map_err(DataError::write(&self.path))
    }
}

/// The rows that are written together.
pub type Group<'a> = parquet::file::writer::SerializedRowGroupWriter<'a, BufWriter<File>>;

pub(super) fn put_column<T: DataType>(
    group: &mut Group<'_>,
    column: &Column<T::T>,
) -> Result<(), ParquetError> {
    let mut writer = group.next_column()?.expect("the schema has as many columns");
    let repeated = (column.depth > 1).then_some(column.repeated.as_slice());
    writer.typed::<T>().write_batch(&column.values, Some(&column.defined), repeated)?;
    writer.close()
}

/// In memory nothing can fail, so what fails is the disk.
fn failed(path: &Path, error: ParquetError) -> DataError {
    DataError::Write { path: path.to_owned(), source: std::io::Error::other(error) }
}
