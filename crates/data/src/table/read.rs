//! Reading a table of any columns, block of rows by block of rows.

use std::cell::Cell;
use std::collections::VecDeque;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Once;

use bytes::Bytes;
use parquet::column::reader::ColumnReader;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, FileReader, RowGroupReader, SerializedFileReader};

use super::promises::{Twin, check_footer, check_pages};
use crate::error::InFile;
use crate::png_image::PngImage;
use crate::{DataError, FormatError, file, limits};

/// What a row says, or why it cannot be read.
pub(super) type Row<T> = Result<T, FormatError>;

/// How a block of rows is read.
type ReadBlock<T> = dyn Fn(&Block<'_>) -> Result<Vec<Row<T>>, FormatError> + Send + Sync;

/// Unpacked bytes of one block of rows.
const BLOCK_BYTES: i64 = 512 << 20;

/// A table that was opened.
pub(super) struct TableFile {
    path: PathBuf,
    reader: Box<dyn FileReader>,
    twin: Twin,
}

/// The puzzles of a table, in order. One that cannot be read does not end them, nor does a
/// block of rows that cannot: the error says which rows are lost.
pub struct TableRows<T> {
    file: TableFile,
    /// The block that is read next.
    next: usize,
    /// Rows of the blocks before the next one.
    before: usize,
    ready: VecDeque<Row<T>>,
    read: Box<ReadBlock<T>>,
}

impl TableFile {
    pub(super) fn open(path: &Path) -> Result<Self, DataError> {
        let file = file::open(path)?;
        let twin = file.try_clone().map_err(DataError::read(path))?;
        Self::of(path, file, twin).in_file(path)
    }

    /// A table in memory.
    pub(super) fn of_bytes(bytes: Vec<u8>) -> Result<Self, FormatError> {
        let bytes = Bytes::from(bytes);
        Self::of(Path::new(""), bytes.clone(), bytes)
    }

    /// The library reads one of two handles of a file, and we look at the other before.
    fn of<R: ChunkReader + 'static>(path: &Path, file: R, twin: R) -> Result<Self, FormatError> {
        check_footer(&twin)?;
        let reader = undamaged(|| SerializedFileReader::new(file))?;
        Ok(Self { path: path.to_owned(), reader: Box::new(reader), twin: Twin::new(twin) })
    }

    /// Whether there is a column of this name.
    pub(super) fn has_column(&self, name: &str) -> bool {
        let columns = self.reader.metadata().file_metadata().schema_descr().columns();
        columns.iter().any(|column| column.path().parts().first().is_some_and(|p| p == name))
    }

    /// What is written under a name beside the columns.
    pub(super) fn about(&self, name: &str) -> Option<&str> {
        let all = self.reader.metadata().file_metadata().key_value_metadata()?;
        all.iter().find(|pair| pair.key == name)?.value.as_deref()
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The rows, of which `read` reads a block at a time.
    pub(super) fn rows<T>(
        self,
        read: impl Fn(&Block<'_>) -> Result<Vec<Row<T>>, FormatError> + Send + Sync + 'static,
    ) -> TableRows<T> {
        TableRows { file: self, next: 0, before: 0, ready: VecDeque::new(), read: Box::new(read) }
    }
}

impl<T> TableRows<T> {
    /// How many rows the table says it has, over all of it.
    pub fn total(&self) -> u64 {
        u64::try_from(self.file.reader.metadata().file_metadata().num_rows()).unwrap_or(0)
    }
}

thread_local! {
    /// Whether the parquet library is at work on this thread.
    static READING: Cell<bool> = const { Cell::new(false) };
}

/// What the parquet library reads. It panics over some damaged pages and has no other way to say
/// so; that is a fault of the file, and no reason to end the program.
pub(super) fn undamaged<T>(
    read: impl FnOnce() -> Result<T, ParquetError>,
) -> Result<T, FormatError> {
    // The error says it; nobody needs to see a panic besides.
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let tell = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !READING.get() {
                tell(info);
            }
        }));
    });
    READING.set(true);
    let read = panic::catch_unwind(AssertUnwindSafe(read));
    READING.set(false);
    read.unwrap_or_else(|_| Err(ParquetError::General("damaged".to_owned()))).map_err(not)
}

fn not(error: ParquetError) -> FormatError {
    FormatError::NotParquet(error.to_string())
}

pub(super) fn wrong(what: impl Into<String>) -> FormatError {
    FormatError::NotParquet(what.into())
}

impl<T> Iterator for TableRows<T> {
    type Item = Result<T, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        let TableFile { path, reader, twin } = &self.file;
        while self.ready.is_empty() {
            if self.next >= reader.num_row_groups() {
                return None;
            }
            let count = reader.metadata().row_group(self.next).num_rows();
            let first = self.before;
            self.before = first.saturating_add(usize::try_from(count).unwrap_or(0));
            let group = undamaged(|| reader.get_row_group(self.next));
            self.next += 1;
            let rows =
                group.and_then(|group| (self.read)(&Block::of(group.as_ref(), twin, first)?));
            match rows {
                Ok(rows) => self.ready = rows.into(),
                Err(error) => {
                    let last = self.before.saturating_sub(1).max(first);
                    return Some(Err(in_rows(first, last, error)).in_file(path));
                }
            }
        }
        let row = self.before - self.ready.len();
        self.ready.pop_front().map(|found| found.map_err(|e| in_rows(row, row, e)).in_file(path))
    }
}

/// Puts the numbers of rows, from 0, to what is wrong with them.
pub(super) fn in_rows(first: usize, last: usize, error: FormatError) -> FormatError {
    let what = match error {
        FormatError::NotParquet(what) => what,
        other => other.to_string(),
    };
    FormatError::TableRows { first, last, what }
}

/// The values of one column, row by row; inner lists are flattened.
pub(super) enum Values {
    Bytes(Vec<Vec<ByteArray>>),
    Numbers(Vec<Vec<i64>>),
}

/// The pictures of one row, as files.
#[derive(Clone, Debug)]
pub(super) struct PictureFiles {
    pub(super) panels: Vec<ByteArray>,
    pub(super) choices: Vec<ByteArray>,
}

/// Some rows that were written together.
pub(super) struct Block<'a> {
    group: &'a dyn RowGroupReader,
    twin: &'a Twin,
    /// The number of its first row in the table.
    pub(super) first: usize,
    count: usize,
}

impl<'a> Block<'a> {
    fn of(
        group: &'a dyn RowGroupReader,
        twin: &'a Twin,
        first: usize,
    ) -> Result<Self, FormatError> {
        let metadata = group.metadata();
        if metadata.total_byte_size() > BLOCK_BYTES {
            let found = metadata.total_byte_size();
            return Err(wrong(format!("a block of {found} bytes, more than {BLOCK_BYTES}")));
        }
        let count =
            usize::try_from(metadata.num_rows()).map_err(|_| wrong("a negative row count"))?;
        Ok(Self { group, twin, first, count })
    }

    /// The files of panels and choices, row by row.
    pub(super) fn pictures(&self) -> Result<Vec<PictureFiles>, FormatError> {
        let (panels, choices) = (self.files("panels")?, self.files("choices")?);
        let rows = panels.into_iter().zip(choices);
        Ok(rows.map(|(panels, choices)| PictureFiles { panels, choices }).collect())
    }

    fn files(&self, name: &str) -> Result<Vec<Vec<ByteArray>>, FormatError> {
        match self.find(name, Some("bytes")) {
            Some(Ok(Values::Bytes(rows))) => Ok(rows),
            Some(Ok(Values::Numbers(_))) => Err(wrong(format!("column `{name}` has no pictures"))),
            Some(Err(format_error)) => Err(format_error),
            None => Err(wrong(format!("no column `{name}`"))),
        }
    }

    /// A column that a table may have.
    pub(super) fn column(&self, name: &str) -> Result<Option<Values>, FormatError> {
        self.find(name, None).transpose()
    }

    /// A column, if there is one of this name; `leaf` is the last part of its path, for
    /// columns of structs.
    fn find(&self, name: &str, leaf: Option<&str>) -> Option<Result<Values, FormatError>> {
        let columns = self.group.metadata().columns();
        let index = columns.iter().position(|column| {
            let parts = column.column_path().parts();
            parts.first().is_some_and(|p| p == name)
                && leaf.is_none_or(|leaf| parts.last().is_some_and(|p| p == leaf))
        })?;
        let deepest = columns[index].column_descr().max_def_level();
        if let Err(error) = check_pages(self.twin, name, &columns[index]) {
            return Some(Err(error));
        }
        Some(undamaged(|| self.group.get_column_reader(index)).and_then(|reader| {
            let (mut defined, mut repeated) = (Vec::new(), Vec::new());
            macro_rules! all {
                ($reader:expr) => {{
                    let mut values = Vec::new();
                    let (mut reader, mut left) = ($reader, self.count);
                    while left > 0 {
                        let (records, ..) = undamaged(|| {
                            reader.read_records(
                                left,
                                Some(&mut defined),
                                Some(&mut repeated),
                                &mut values,
                            )
                        })?;
                        if records == 0 {
                            return Err(wrong(format!("column `{name}` breaks off")));
                        }
                        left -= records;
                    }
                    values
                }};
            }
            let values = match reader {
                ColumnReader::ByteArrayColumnReader(reader) => {
                    let values = all!(reader);
                    Values::Bytes(by_row(values, &defined, &repeated, deepest, self.count)?)
                }
                ColumnReader::Int32ColumnReader(reader) => {
                    let values = all!(reader).into_iter().map(i64::from).collect();
                    Values::Numbers(by_row(values, &defined, &repeated, deepest, self.count)?)
                }
                ColumnReader::Int64ColumnReader(reader) => {
                    let values = all!(reader);
                    Values::Numbers(by_row(values, &defined, &repeated, deepest, self.count)?)
                }
                _ => return Err(wrong(format!("column `{name}` is neither bytes nor numbers"))),
            };
            Ok(values)
        }))
    }
}

/// Shares values out to rows: a row begins where nothing repeats.
fn by_row<T>(
    values: Vec<T>,
    defined: &[i16],
    repeated: &[i16],
    deepest: i16,
    count: usize,
) -> Result<Vec<Vec<T>>, FormatError> {
    let mut rows: Vec<Vec<T>> = Vec::with_capacity(count);
    let mut values = values.into_iter();
    // Levels that are always the same are left out of the file.
    let places = defined.len().max(repeated.len()).max(values.len());
    for place in 0..places {
        if repeated.get(place).is_none_or(|&level| level == 0) {
            rows.push(Vec::new());
        }
        if defined.get(place).is_none_or(|&level| level == deepest) {
            let value = values.next().ok_or_else(|| wrong("fewer values than places"))?;
            rows.last_mut().ok_or_else(|| wrong("a value before the first row"))?.push(value);
        }
    }
    if rows.len() == count { Ok(rows) } else { Err(wrong("columns of different lengths")) }
}

/// The side of some pictures, square and of one size, and their pixels; `unequal` says what
/// is wrong with others.
pub(super) fn pictures<'a>(
    files: impl Iterator<Item = &'a ByteArray>,
    unequal: impl Fn(String) -> FormatError,
) -> Result<(usize, Vec<u8>), FormatError> {
    let mut side = 0;
    let mut pixels = Vec::new();
    for (index, bytes) in files.enumerate() {
        let picture = PngImage::decode(bytes.data())?;
        if index == 0 {
            side = picture.width();
        }
        if (picture.width(), picture.height()) != (side, side) || side == 0 {
            let found = format!("panel {index} of {}x{}", picture.width(), picture.height());
            return Err(unequal(found));
        }
        if side > limits::PANEL_SIDE {
            let (width, height) = (picture.width() as u32, picture.height() as u32);
            let limit = (limits::PANEL_SIDE * limits::PANEL_SIDE) as u64;
            return Err(FormatError::PictureTooLarge { width, height, limit });
        }
        pixels.extend_from_slice(picture.pixels());
    }
    Ok((side, pixels))
}

pub(super) fn take_numbers(
    column: &mut Option<Values>,
    row: usize,
) -> Result<Vec<i64>, FormatError> {
    match column {
        Some(Values::Numbers(rows)) => Ok(std::mem::take(&mut rows[row])),
        Some(Values::Bytes(_)) => Err(wrong("bytes where numbers are wanted")),
        None => Ok(Vec::new()),
    }
}

pub(super) fn take_bytes(
    column: &mut Option<Values>,
    row: usize,
) -> Result<Vec<ByteArray>, FormatError> {
    match column {
        Some(Values::Bytes(rows)) => Ok(std::mem::take(&mut rows[row])),
        Some(Values::Numbers(_)) => Err(wrong("numbers where bytes are wanted")),
        None => Ok(Vec::new()),
    }
}

pub(super) fn take_words(
    column: &mut Option<Values>,
    row: usize,
) -> Result<Option<Vec<String>>, FormatError> {
    let words: Vec<String> = take_bytes(column, row)?
        .iter()
        .map(|w| String::from_utf8_lossy(w.data()).into_owned())
        .collect();
    Ok((!words.is_empty()).then_some(words))
}

/// Exactly `N` numbers of at most `most`, or none at all.
pub(super) fn take_bits<const N: usize>(
    column: &mut Option<Values>,
    row: usize,
    name: &str,
    most: u8,
) -> Result<Option<[u8; N]>, FormatError> {
    let numbers = take_numbers(column, row)?;
    if numbers.is_empty() {
        return Ok(None);
    }
    let bits: Option<Vec<u8>> =
        numbers.iter().map(|&n| u8::try_from(n).ok().filter(|&n| n <= most)).collect();
    let bits = bits.and_then(|bits| <[u8; N]>::try_from(bits).ok());
    bits.map(Some).ok_or_else(|| wrong(format!("`{name}` is not {N} numbers up to {most}")))
}
