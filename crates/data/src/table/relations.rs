//! Puzzles of PGM and VAD as a table: `panels`, `choices`, `relation_structure`,
//! `relation_structure_encoded`, `meta_target`, `target`, `id`, `file` and, where
//! it is known, `truth` (the line of `truth.jsonl`).

use std::collections::VecDeque;
use std::fs::File;
use std::path::{Path, PathBuf};

use genvp_puzzle::relations::Triple;
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};

use super::read::{BLOCK_BYTES, Table, not, pictures, take_bytes, take_numbers, wrong};
use super::write::{Column, Group, TableFile, put_column};
use crate::error::InFile;
use crate::picture::encode_grey;
use crate::relations::structure::{named, of_mask, words};
use crate::relations::{Format, Name, RelationFile, Truth};
use crate::{DataError, FormatError, Images};

const SCHEMA: &str = "
message schema {
  optional group panels (LIST) {
    repeated group list {
      optional group element { optional binary bytes; optional binary path (UTF8); }
    }
  }
  optional group choices (LIST) {
    repeated group list {
      optional group element { optional binary bytes; optional binary path (UTF8); }
    }
  }
  optional group relation_structure (LIST) {
    repeated group list {
      optional group element (LIST) { repeated group list { optional binary element (UTF8); } }
    }
  }
  optional group relation_structure_encoded (LIST) {
    repeated group list {
      optional group element (LIST) {
        repeated group list { optional int32 element (INTEGER(8,false)); }
      }
    }
  }
  optional group meta_target (LIST) {
    repeated group list { optional int32 element (INTEGER(8,false)); }
  }
  optional int32 target (INTEGER(8,false));
  optional int64 id;
  optional binary file (UTF8);
  optional binary truth (UTF8);
}";

const FEATURES: &str = concat!(
    r#"{"info": {"features": {"#,
    r#""panels": {"feature": {"_type": "Image"}, "_type": "Sequence"}, "#,
    r#""choices": {"feature": {"_type": "Image"}, "_type": "Sequence"}, "#,
    r#""relation_structure": {"feature": {"feature": {"dtype": "string", "_type": "Value"}, "#,
    r#""_type": "Sequence"}, "_type": "Sequence"}, "#,
    r#""relation_structure_encoded": {"feature": {"feature": {"dtype": "uint8", "_type": "Value"}, "#,
    r#""_type": "Sequence"}, "_type": "Sequence"}, "#,
    r#""meta_target": {"feature": {"dtype": "uint8", "_type": "Value"}, "_type": "Sequence"}, "#,
    r#""target": {"dtype": "uint8", "_type": "Value"}, "#,
    r#""id": {"dtype": "int64", "_type": "Value"}, "#,
    r#""file": {"dtype": "string", "_type": "Value"}, "#,
    r#""truth": {"dtype": "string", "_type": "Value"}}}}"#
);

/// Rows that are written together.
const BLOCK: usize = 100;

struct Columns {
    panels: Column<ByteArray>,
    panel_paths: Column<ByteArray>,
    choices: Column<ByteArray>,
    choice_paths: Column<ByteArray>,
    words: Column<ByteArray>,
    encoded: Column<i32>,
    meta_target: Column<i32>,
    target: Column<i32>,
    id: Column<i64>,
    file: Column<ByteArray>,
    truth: Column<ByteArray>,
    rows: usize,
}

fn bits(bits: u16) -> impl Iterator<Item = i32> {
    (0..12).map(move |bit| i32::from(bits >> bit & 1))
}

impl Columns {
    fn new() -> Self {
        Self {
            panels: Column::new(4),
            panel_paths: Column::new(4),
            choices: Column::new(4),
            choice_paths: Column::new(4),
            words: Column::new(5),
            encoded: Column::new(5),
            meta_target: Column::new(3),
            target: Column::new(1),
            id: Column::new(1),
            file: Column::new(1),
            truth: Column::new(1),
            rows: 0,
        }
    }

    fn add(&mut self, name: &str, file: &RelationFile, truth: Option<&Truth>) {
        let (side, context) = (file.images.side(), file.format.context());
        let mut pictures = (0..file.format.panels())
            .map(|index| ByteArray::from(encode_grey(side, side, file.images.panel(index))));
        self.panels.row(Some(pictures.by_ref().take(context)), None);
        self.choices.row(Some(pictures), None);
        self.panel_paths.absent(context);
        self.choice_paths.absent(file.format.choices());
        let words = file
            .named
            .as_ref()
            .map(|triples| triples.iter().flat_map(|&triple| words(triple)).map(ByteArray::from));
        self.words.row(words, Some(3));
        let encoded = file.encoded.as_ref();
        self.encoded
            .row(encoded.map(|t| t.iter().flat_map(|triple| bits(triple.bits()))), Some(12));
        self.meta_target.row(file.meta_target.map(bits), None);
        self.target.row(file.target.map(|t| [i32::from(t)]), None);
        let id = Name::parse(name).and_then(|name| i64::try_from(name.id()).ok());
        self.id.row(id.map(|id| [id]), None);
        self.file.row(Some([ByteArray::from(name)]), None);
        self.truth.row(truth.map(|truth| [ByteArray::from(truth.encode().into_bytes())]), None);
        self.rows += 1;
    }

    fn write(&self, group: &mut Group<'_>) -> Result<(), ParquetError> {
        put_column::<ByteArrayType>(group, &self.panels)?;
        put_column::<ByteArrayType>(group, &self.panel_paths)?;
        put_column::<ByteArrayType>(group, &self.choices)?;
        put_column::<ByteArrayType>(group, &self.choice_paths)?;
        put_column::<ByteArrayType>(group, &self.words)?;
        put_column::<Int32Type>(group, &self.encoded)?;
        put_column::<Int32Type>(group, &self.meta_target)?;
        put_column::<Int32Type>(group, &self.target)?;
        put_column::<parquet::data_type::Int64Type>(group, &self.id)?;
        put_column::<ByteArrayType>(group, &self.file)?;
        put_column::<ByteArrayType>(group, &self.truth)
    }
}

/// A table that is being written: it gets its name when it is finished.
pub struct RelationTableWriter {
    file: TableFile,
    columns: Columns,
}

impl RelationTableWriter {
    /// Begins a table; an existing file is refused unless `replace` is set.
    pub fn create(path: &Path, replace: bool) -> Result<Self, DataError> {
        Ok(Self {
            file: TableFile::create(path, replace, SCHEMA, FEATURES)?,
            columns: Columns::new(),
        })
    }

    /// Adds the puzzle of a file of this name, which has no ending.
    pub fn put(
        &mut self,
        name: &str,
        file: &RelationFile,
        truth: Option<&Truth>,
    ) -> Result<(), DataError> {
        self.columns.add(name, file, truth);
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

/// A puzzle with the name of its file.
type Row = Result<(String, RelationFile), FormatError>;

/// The puzzles of a table, in order, each with the name of its file.
pub struct RelationTableRows {
    path: PathBuf,
    reader: SerializedFileReader<File>,
    next: usize,
    ready: VecDeque<Row>,
}

/// Opens a table of PGM or VAD; `None` where it is of another family.
pub fn read_relations(path: &Path) -> Result<Option<RelationTableRows>, DataError> {
    let file = File::open(path).map_err(DataError::read(path))?;
    let reader = SerializedFileReader::new(file).map_err(not).in_file(path)?;
    let columns = reader.metadata().file_metadata().schema_descr().columns();
    let is_own = columns
        .iter()
        .any(|column| column.path().parts().first().is_some_and(|p| p == "relation_structure"));
    Ok(is_own.then(|| RelationTableRows {
        path: path.to_owned(),
        reader,
        next: 0,
        ready: VecDeque::new(),
    }))
}

impl Iterator for RelationTableRows {
    type Item = Result<(String, RelationFile), DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() {
            if self.next >= self.reader.num_row_groups() {
                return None;
            }
            let group = self.reader.get_row_group(self.next).map_err(not);
            self.next += 1;
            match group.and_then(|group| rows(group.as_ref())) {
                Ok(rows) => self.ready = rows,
                Err(error) => return Some(Err(error).in_file(&self.path)),
            }
        }
        self.ready.pop_front().map(|row| row.in_file(&self.path))
    }
}

fn rows(group: &dyn RowGroupReader) -> Result<VecDeque<Row>, FormatError> {
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
    let (mut texts, mut encoded) =
        (optional("relation_structure")?, optional("relation_structure_encoded")?);
    let (mut meta, mut target) = (optional("meta_target")?, optional("target")?);
    let mut names = optional("file")?;
    let mut out = VecDeque::with_capacity(count);
    for (row, (panels, choices)) in panels.into_iter().zip(choices).enumerate() {
        let mut make = || {
            let format = Format::ALL
                .into_iter()
                .find(|f| (panels.len(), choices.len()) == (f.context(), f.choices()))
                .ok_or_else(|| {
                    let found = (panels.len(), choices.len());
                    wrong(format!("row {row}: {} panels and {} choices", found.0, found.1))
                })?;
            let (side, pixels) = pictures(panels.iter().chain(&choices))?;
            let mut file =
                RelationFile::of_images(format, Images::of_panels(format.panels(), side, pixels));
            let bad = |what: &str| wrong(format!("row {row}: {what}"));
            let text: Vec<String> = take_bytes(&mut texts, row)?
                .iter()
                .map(|word| String::from_utf8_lossy(word.data()).into_owned())
                .collect();
            if !text.is_empty() {
                let triples = text.chunks(3).map(|words| match words {
                    [object, attribute, relation] => named(object, attribute, relation).ok(),
                    _ => None,
                });
                let triples: Option<Vec<Triple>> = triples.collect();
                file.named =
                    Some(triples.ok_or_else(|| bad("relation_structure names no triples"))?);
            }
            let numbers = bits_of(&take_numbers(&mut encoded, row)?);
            let numbers =
                numbers.ok_or_else(|| bad("relation_structure_encoded is not rows of 12 bits"))?;
            if !numbers.is_empty() {
                let triples: Option<Vec<Triple>> =
                    numbers.into_iter().map(|bits| of_mask(bits).ok()).collect();
                file.encoded = Some(
                    triples.ok_or_else(|| bad("relation_structure_encoded names no triples"))?,
                );
            }
            let meta = bits_of(&take_numbers(&mut meta, row)?);
            file.meta_target = match meta.as_deref() {
                Some([]) => None,
                Some([bits]) => Some(*bits),
                _ => return Err(bad("meta_target is not 12 bits")),
            };
            file.target = match take_numbers(&mut target, row)?.as_slice() {
                [] => None,
                &[target] if (0..format.choices() as i64).contains(&target) => Some(target as u8),
                _ => return Err(bad("target is not a choice")),
            };
            let name = take_bytes(&mut names, row)?;
            let name = name.first().map(|name| String::from_utf8_lossy(name.data()).into_owned());
            // A name from a table becomes a file name, so it must be one of ours.
            let name = name.filter(|name| Name::parse(name).is_some());
            Ok((name.unwrap_or_else(|| format!("{format}_{row}")), file))
        };
        out.push_back(make());
    }
    Ok(out)
}

/// Rows of twelve numbers as bits.
fn bits_of(numbers: &[i64]) -> Option<Vec<u16>> {
    let row = |row: &[i64]| {
        let bit = |all: Option<u16>, (place, &bit): (usize, &i64)| match bit {
            0 => all,
            1 => all.map(|all| all | 1 << place),
            _ => None,
        };
        row.iter().enumerate().fold((row.len() == 12).then_some(0), bit)
    };
    numbers.chunks(12).map(row).collect()
}
