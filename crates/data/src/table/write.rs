//! Writing a table.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use genvp_puzzle::Set;
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::{FEATURES, SCHEMA};
use crate::picture::encode_grey;
use crate::{DataError, PANELS, StoredPuzzle, xml};

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

struct Columns {
    panels: Column<ByteArray>,
    panel_paths: Column<ByteArray>,
    choices: Column<ByteArray>,
    choice_paths: Column<ByteArray>,
    structure: Column<ByteArray>,
    meta_matrix: Column<i32>,
    meta_target: Column<i32>,
    meta_structure: Column<i32>,
    target: Column<i32>,
    id: Column<i32>,
    metadata: Column<ByteArray>,
    rows: usize,
}

impl Columns {
    fn new() -> Self {
        Self {
            panels: Column::new(4),
            panel_paths: Column::new(4),
            choices: Column::new(4),
            choice_paths: Column::new(4),
            structure: Column::new(3),
            meta_matrix: Column::new(5),
            meta_target: Column::new(3),
            meta_structure: Column::new(3),
            target: Column::new(1),
            id: Column::new(1),
            metadata: Column::new(1),
            rows: 0,
        }
    }

    fn add(&mut self, id: u64, puzzle: &StoredPuzzle, set: Set) {
        let side = puzzle.images.side();
        let mut pictures = (0..PANELS)
            .map(|index| ByteArray::from(encode_grey(side, side, puzzle.images.panel(index))));
        self.panels.row(Some(pictures.by_ref().take(8)), None);
        self.choices.row(Some(pictures), None);
        self.panel_paths.absent(8);
        self.choice_paths.absent(8);
        let texts = |words: &Vec<String>| -> Vec<ByteArray> {
            words.iter().map(|w| ByteArray::from(w.as_str())).collect()
        };
        self.structure.row(puzzle.structure.as_ref().map(texts), None);
        let numbers = |bits: &[u8]| -> Vec<i32> { bits.iter().map(|&b| i32::from(b)).collect() };
        self.meta_matrix.row(puzzle.meta_matrix.map(|m| numbers(m.as_flattened())), Some(9));
        self.meta_target.row(puzzle.meta_target.map(|m| numbers(&m)), None);
        self.meta_structure.row(puzzle.meta_structure.map(|m| numbers(&m)), None);
        self.target.row(puzzle.target.map(|t| [i32::from(t)]), None);
        self.id.row(i32::try_from(id).ok().map(|id| [id]), None);
        let text = puzzle.scene.as_ref().map(|scene| xml::encode(scene, set).into_bytes());
        let text = text.map(|text| [ByteArray::from(text)]);
        self.metadata.row(text, None);
        self.rows += 1;
    }
}

impl Columns {
    fn write(&self, group: &mut Group<'_>) -> Result<(), ParquetError> {
        put_column::<ByteArrayType>(group, &self.panels)?;
        put_column::<ByteArrayType>(group, &self.panel_paths)?;
        put_column::<ByteArrayType>(group, &self.choices)?;
        put_column::<ByteArrayType>(group, &self.choice_paths)?;
        put_column::<ByteArrayType>(group, &self.structure)?;
        put_column::<Int32Type>(group, &self.meta_matrix)?;
        put_column::<Int32Type>(group, &self.meta_target)?;
        put_column::<Int32Type>(group, &self.meta_structure)?;
        put_column::<Int32Type>(group, &self.target)?;
        put_column::<Int32Type>(group, &self.id)?;
        put_column::<ByteArrayType>(group, &self.metadata)
    }
}

/// A table that is being written: it gets its name when it is finished.
pub struct TableWriter {
    file: TableFile,
    columns: Columns,
}

impl TableWriter {
    /// Begins a table; an existing file is refused unless `replace` is set.
    pub fn create(path: &Path, replace: bool) -> Result<Self, DataError> {
        let file = TableFile::create(path, replace, SCHEMA, FEATURES)?;
        Ok(Self { file, columns: Columns::new() })
    }

    /// Adds a puzzle of `set`.
    pub fn put(&mut self, id: u64, puzzle: &StoredPuzzle, set: Set) -> Result<(), DataError> {
        self.columns.add(id, puzzle, set);
        if self.columns.rows == BLOCK { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), DataError> {
        let columns = std::mem::replace(&mut self.columns, Columns::new());
        if columns.rows == 0 {
            return Ok(());
        }
        self.file.write_group(|group| columns.write(group))
    }

    /// Completes the table and gives it its name.
    pub fn finish(mut self) -> Result<(), DataError> {
        self.flush()?;
        self.file.finish()
    }
}

/// A file of groups of rows, which gets its name when it is finished.
pub(super) struct TableFile {
    path: PathBuf,
    temporary: PathBuf,
    writer: SerializedFileWriter<BufWriter<File>>,
}

impl TableFile {
    pub(super) fn create(
        path: &Path,
        replace: bool,
        schema: &str,
        features: &str,
    ) -> Result<Self, DataError> {
        if path.exists() && !replace {
            return Err(DataError::Exists { path: path.to_owned() });
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(DataError::write(folder))?;
        }
        let temporary = path.with_extension("partial");
        let file = File::create(&temporary).map_err(DataError::write(&temporary))?;
        let schema = parse_message_type(schema).expect("the schema is well formed");
        let features = KeyValue::new("huggingface".to_owned(), features.to_owned());
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("genvp ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata(Some(vec![features]))
            .build();
        let writer =
            SerializedFileWriter::new(BufWriter::new(file), schema.into(), Arc::new(properties))
                .map_err(|e| failed(path, e))?;
        Ok(Self { path: path.to_owned(), temporary, writer })
    }

    pub(super) fn write_group(
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

    pub(super) fn finish(self) -> Result<(), DataError> {
        let buffer = self.writer.into_inner().map_err(|e| failed(&self.path, e))?;
        buffer
            .into_inner()
            .map_err(std::io::IntoInnerError::into_error)
            .and_then(|file| file.sync_all())
            .and_then(|()| fs::rename(&self.temporary, &self.path))
            .map_err(DataError::write(&self.path))
    }
}

pub(super) type Group<'a> = parquet::file::writer::SerializedRowGroupWriter<'a, BufWriter<File>>;

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
