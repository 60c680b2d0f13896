//! What a parquet file promises about itself, looked at before the library believes it: it takes
//! memory for whatever a file says it holds, and follows columns within columns however deep.

use bytes::Bytes;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::ChunkReader;

use super::read::{undamaged, wrong};
use super::thrift::{Kind, Thrift};
use crate::FormatError;

/// Some bytes of a file, from a place on.
type ReadAt = dyn Fn(u64, usize) -> Result<Bytes, ParquetError> + Send + Sync;

/// A file beside the library's own handle of it.
pub(super) struct Twin {
    length: u64,
    read: Box<ReadAt>,
}

impl Twin {
    pub(super) fn new(source: impl ChunkReader + 'static) -> Self {
        let length = source.len();
        Self { length, read: Box::new(move |at, length| source.get_bytes(at, length)) }
    }
}

/// Bytes that a file has about itself.
const FOOTER_BYTES: u64 = 64 << 20;
/// Columns and groups of columns. The tables of puzzles have some forty.
const SCHEMA_ELEMENTS: u64 = 512;
/// Bytes before a page: a few numbers, and the least and the greatest value.
const HEADER_BYTES: u64 = 1 << 20;
/// Values of one column in one block of rows, lists flattened.
const VALUES: i64 = 1 << 20;
/// Unpacked bytes of one column in one block of rows.
const COLUMN_BYTES: i64 = 512 << 20;
/// Snappy makes at most 64 bytes of three.
const SNAPPY_RATIO: i64 = 22;

/// Looks at what stands at the end of a file. What is no parquet file is left to the library.
pub(super) fn check_footer(source: &impl ChunkReader) -> Result<(), FormatError> {
    let Some(end) = source.len().checked_sub(8) else { return Ok(()) };
    let tail = undamaged(|| source.get_bytes(end, 8))?;
    let size = u64::from(u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]));
    let Some(start) = end.checked_sub(size).filter(|_| tail[4..] == *b"PAR1") else {
        return Ok(());
    };
    if size > FOOTER_BYTES {
        return Err(wrong(format!("{size} bytes about itself, more than {FOOTER_BYTES}")));
    }
    let footer = undamaged(|| source.get_bytes(start, size as usize))?;
    let mut problem = None;
    let read = Thrift::new(&footer).fields(&mut |footer, id, kind| {
        if (id, kind) != (2, Kind::List) {
            return Some(false);
        }
        problem = problem.take().or(schema_problem(footer)?);
        Some(true)
    });
    match (problem, read) {
        (Some(problem), _) => Err(wrong(problem)),
        (None, None) => Err(wrong("what it says about itself makes no sense")),
        (None, Some(())) => Ok(()),
    }
}

/// What is wrong with a list of columns, of which each says how many are below it.
fn schema_problem(footer: &mut Thrift<'_>) -> Option<Option<String>> {
    let (count, kind) = footer.list()?;
    if count > SCHEMA_ELEMENTS {
        return Some(Some(format!("{count} columns, more than {SCHEMA_ELEMENTS}")));
    }
    let mut problem = None;
    for _ in 0..count {
        if kind != Kind::Struct {
            return None;
        }
        footer.fields(&mut |column, id, kind| {
            if (id, kind) != (5, Kind::Number) {
                return Some(false);
            }
            let below = column.number()?;
            if !u64::try_from(below).is_ok_and(|below| below < count) {
                problem = Some(format!("{below} columns within one, of {count}"));
            }
            Some(true)
        })?;
    }
    Some(problem)
}

/// What a page says it holds.
#[derive(Debug, Default, PartialEq, Eq)]
struct PageHeader {
    unpacked: i64,
    packed: i64,
    values: i64,
    encoding: i64,
}

impl PageHeader {
    /// The header at the beginning of some bytes, and its length.
    fn parse(bytes: &[u8]) -> Option<(Self, usize)> {
        let mut page = Self::default();
        let mut thrift = Thrift::new(bytes);
        thrift.fields(&mut |thrift, id, kind| {
            match (id, kind) {
                (2, Kind::Number) => page.unpacked = thrift.number()?,
                (3, Kind::Number) => page.packed = thrift.number()?,
                // A page of either version, or a dictionary.
                (5 | 7 | 8, Kind::Struct) => {
                    let encoding = if id == 8 { 4 } else { 2 };
                    thrift.fields(&mut |thrift, id, kind| {
                        match (id, kind) {
                            (1, Kind::Number) => page.values = thrift.number()?,
                            (id, Kind::Number) if id == encoding => {
                                page.encoding = thrift.number()?;
                            }
                            _ => return Some(false),
                        }
                        Some(true)
                    })?;
                }
                _ => return Some(false),
            }
            Some(true)
        })?;
        Some((page, thrift.position()))
    }

    /// Plain values and numbers of a dictionary's. Others say in their own bytes how many they
    /// are, which the library believes.
    fn is_read(&self) -> bool {
        matches!(self.encoding, 0 | 2 | 3 | 8)
    }

    fn problem(&self, packing: Compression) -> Option<String> {
        let Self { unpacked, packed, values, encoding } = *self;
        if unpacked < 0 || packed < 0 || values < 0 {
            return Some("a page with less than nothing in it".to_owned());
        }
        if !self.is_read() {
            return Some(format!("values in encoding {encoding}, which is not read"));
        }
        if packing == Compression::SNAPPY && unpacked > SNAPPY_RATIO * packed + 64 {
            return Some(format!("a page of {packed} bytes that says it unpacks to {unpacked}"));
        }
        None
    }
}

/// Looks at the pages of a column in a block of rows.
pub(super) fn check_pages(
    twin: &Twin,
    name: &str,
    column: &ColumnChunkMetaData,
) -> Result<(), FormatError> {
    let in_column = |problem: String| wrong(format!("column `{name}`: {problem}"));
    let (mut at, end) = bytes_of(column)
        .filter(|(_, end)| *end <= twin.length)
        .ok_or_else(|| in_column("it is nowhere in the file".to_owned()))?;
    let packing = column.compression();
    if !matches!(packing, Compression::UNCOMPRESSED | Compression::SNAPPY) {
        let name = packing.to_string();
        let name = name.split('(').next().unwrap_or_default();
        return Err(in_column(format!("packed as {name}, which is not read")));
    }
    let (mut values, mut unpacked) = (0i64, 0i64);
    while at < end {
        let (page, length) = header_at(&twin.read, at, end)?
            .ok_or_else(|| in_column("a page's header makes no sense".to_owned()))?;
        if let Some(problem) = page.problem(packing) {
            return Err(in_column(problem));
        }
        values = values.saturating_add(page.values);
        unpacked = unpacked.saturating_add(page.unpacked.max(page.packed));
        if values > VALUES {
            return Err(in_column(format!("{values} values in a block, more than {VALUES}")));
        }
        if unpacked > COLUMN_BYTES {
            return Err(in_column(format!(
                "{unpacked} bytes in a block, more than {COLUMN_BYTES}"
            )));
        }
        at = at.saturating_add(length as u64).saturating_add(page.packed as u64);
        if at > end {
            return Err(in_column("a page ends behind it".to_owned()));
        }
    }
    Ok(())
}

/// Where a column begins and ends. (The library's own answer panics where there is none.)
fn bytes_of(column: &ColumnChunkMetaData) -> Option<(u64, u64)> {
    let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
    let start = u64::try_from(start).ok()?;
    let length = u64::try_from(column.compressed_size()).ok()?;
    Some((start, start.checked_add(length)?))
}

/// The header of the page at some place; few of them are longer than some hundred bytes.
fn header_at(read: &ReadAt, at: u64, end: u64) -> Result<Option<(PageHeader, usize)>, FormatError> {
    for most in [1 << 10, HEADER_BYTES] {
        let bytes = undamaged(|| read(at, (end - at).min(most) as usize))?;
        let found = PageHeader::parse(&bytes);
        if found.is_some() || end - at <= most {
            return Ok(found);
        }
    }
    Ok(None)
}
