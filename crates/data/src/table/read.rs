//! Reading a table, block of rows by block of rows.

use std::collections::VecDeque;
use std::fs::File;
use std::path::{Path, PathBuf};

use genvp_puzzle::Domain;
use parquet::column::reader::ColumnReader;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};

use crate::error::InFile;
use crate::picture::Picture;
use crate::{DataError, FormatError, Images, StoredPuzzle, xml};

/// A puzzle with its id.
type Row = Result<(u64, StoredPuzzle), FormatError>;

/// Unpacked bytes of one block of rows.
pub(super) const BLOCK_BYTES: i64 = 512 << 20;

/// The puzzles of a table, in order.
pub struct TableRows {
    path: PathBuf,
    reader: SerializedFileReader<File>,
    next: usize,
    ready: VecDeque<Row>,
    domain: Domain,
}

/// Opens a table. Levels in its xml mean what `domain` says.
pub fn read(path: &Path, domain: Domain) -> Result<TableRows, DataError> {
    let file = File::open(path).map_err(DataError::read(path))?;
    let reader = SerializedFileReader::new(file).map_err(not).in_file(path)?;
    Ok(TableRows { path: path.to_owned(), reader, next: 0, ready: VecDeque::new(), domain })
}

pub(super) fn not(error: ParquetError) -> FormatError {
    FormatError::NotParquet(error.to_string())
}

pub(super) fn wrong(what: impl Into<String>) -> FormatError {
    FormatError::NotParquet(what.into())
}

impl Iterator for TableRows {
    type Item = Result<(u64, StoredPuzzle), DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() {
            if self.next >= self.reader.num_row_groups() {
                return None;
            }
            let group = self.reader.get_row_group(self.next).map_err(not);
            self.next += 1;
            match group.and_then(|group| rows(group.as_ref(), self.domain)) {
                Ok(rows) => self.ready = rows,
                Err(format_error) => return Some(Err(format_error).in_file(&self.path)),
            }
        }
        self.ready.pop_front().map(|row| row.in_file(&self.path))
    }
}

/// The values of one column, row by row; inner lists are flattened.
pub(super) enum Values {
    Bytes(Vec<Vec<ByteArray>>),
    Numbers(Vec<Vec<i64>>),
}

fn rows(group: &dyn RowGroupReader, domain: Domain) -> Result<VecDeque<Row>, FormatError> {
    let metadata = group.metadata();
    if metadata.total_byte_size() > BLOCK_BYTES {
        let found = metadata.total_byte_size();
        return Err(wrong(format!("a block of {found} bytes, more than {BLOCK_BYTES}")));
    }
    let count = usize::try_from(metadata.num_rows()).map_err(|_| wrong("a negative row count"))?;
    let mut table = Table { group, count };
    let panels = table.bytes("panels", Some("bytes"))?;
    let choices = table.bytes("choices", Some("bytes"))?;
    let mut optional = |name| table.column(name, None).transpose();
    let (mut structure, mut matrix) = (optional("structure")?, optional("meta_matrix")?);
    let (mut meta_target, mut bits) = (optional("meta_target")?, optional("meta_structure")?);
    let (mut target, mut id) = (optional("target")?, optional("id")?);
    let mut metadata = optional("metadata")?;

    let mut out = VecDeque::with_capacity(count);
    for (row, (panels, choices)) in panels.into_iter().zip(choices).enumerate() {
        let mut make = || -> Row {
            let mut puzzle = StoredPuzzle::of_images(images(&panels, &choices)?);
            puzzle.structure = take_words(&mut structure, row)?;
            let flat: Option<[u8; 72]> = take_bits(&mut matrix, row, "meta_matrix", 1)?;
            puzzle.meta_matrix =
                flat.map(|flat| std::array::from_fn(|r| std::array::from_fn(|c| flat[r * 9 + c])));
            puzzle.meta_target = take_bits(&mut meta_target, row, "meta_target", 1)?;
            puzzle.meta_structure = take_bits(&mut bits, row, "meta_structure", 1)?;
            let right: Option<[u8; 1]> = take_bits(&mut target, row, "target", 7)?;
            puzzle.target = right.map(|[t]| t);
            let number = take_numbers(&mut id, row)?.first().copied();
            if let Some(text) = take_bytes(&mut metadata, row)?.first() {
                puzzle.scene = Some(xml::parse(text.data(), domain)?);
            }
            Ok((number.and_then(|n| u64::try_from(n).ok()).unwrap_or(row as u64), puzzle))
        };
        out.push_back(make());
    }
    Ok(out)
}

pub(super) struct Table<'a> {
    pub(super) group: &'a dyn RowGroupReader,
    pub(super) count: usize,
}

impl Table<'_> {
    pub(super) fn bytes(
        &mut self,
        name: &str,
        leaf: Option<&str>,
    ) -> Result<Vec<Vec<ByteArray>>, FormatError> {
        match self.column(name, leaf) {
            Some(Ok(Values::Bytes(rows))) => Ok(rows),
            Some(Ok(Values::Numbers(_))) => Err(wrong(format!("column `{name}` has no pictures"))),
            Some(Err(format_error)) => Err(format_error),
            None => Err(wrong(format!("no column `{name}`"))),
        }
    }

    pub(super) fn column(
        &mut self,
        name: &str,
        leaf: Option<&str>,
    ) -> Option<Result<Values, FormatError>> {
        let columns = self.group.metadata().columns();
        let index = columns.iter().position(|column| {
            let parts = column.column_path().parts();
            parts.first().is_some_and(|p| p == name)
                && leaf.is_none_or(|leaf| parts.last().is_some_and(|p| p == leaf))
        })?;
        let deepest = columns[index].column_descr().max_def_level();
        Some(self.group.get_column_reader(index).map_err(not).and_then(|reader| {
            let (mut defined, mut repeated) = (Vec::new(), Vec::new());
            macro_rules! all {
                ($reader:expr) => {{
                    let mut values = Vec::new();
                    let (mut reader, mut left) = ($reader, self.count);
                    while left > 0 {
                        let (records, ..) = reader
                            .read_records(
                                left,
                                Some(&mut defined),
                                Some(&mut repeated),
                                &mut values,
                            )
                            .map_err(not)?;
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

fn images(panels: &[ByteArray], choices: &[ByteArray]) -> Result<Images, FormatError> {
    if panels.len() != 8 || choices.len() != 8 {
        let found = format!("{} panels and {} choices", panels.len(), choices.len());
        return Err(FormatError::NotSixteen { found, wanted: PICTURES });
    }
    let (side, pixels) = pictures(panels.iter().chain(choices))?;
    Ok(Images::new(side, pixels))
}

const PICTURES: &str = "8 panels and 8 choices, square and of one size";

/// The side of some pictures, square and of one size, and their pixels.
pub(super) fn pictures<'a>(
    files: impl Iterator<Item = &'a ByteArray>,
) -> Result<(usize, Vec<u8>), FormatError> {
    let mut side = 0;
    let mut pixels = Vec::new();
    for (index, bytes) in files.enumerate() {
        let picture = Picture::decode(bytes.data())?;
        if index == 0 {
            side = picture.width();
        }
        if (picture.width(), picture.height()) != (side, side) || side == 0 {
            let found = format!("panel {index} of {}x{}", picture.width(), picture.height());
            return Err(FormatError::NotSixteen { found, wanted: PICTURES });
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

fn take_words(column: &mut Option<Values>, row: usize) -> Result<Option<Vec<String>>, FormatError> {
    let words: Vec<String> = take_bytes(column, row)?
        .iter()
        .map(|w| String::from_utf8_lossy(w.data()).into_owned())
        .collect();
    Ok((!words.is_empty()).then_some(words))
}

/// Exactly `N` numbers of at most `most`, or none at all.
fn take_bits<const N: usize>(
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
    bits.map(Some)
        .ok_or_else(|| wrong(format!("row {row}: `{name}` is not {N} numbers up to {most}")))
}
