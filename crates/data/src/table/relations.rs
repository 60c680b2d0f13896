//! Puzzles of PGM and VAD as a table: `panels`, `choices`, `relation_structure`,
//! `relation_structure_encoded`, `meta_target`, `target`, `id`, `file` and, where
//! it is known, `truth` (the line of `truth.jsonl`).

use std::path::Path;

use genvp_puzzle::relations::Triple;
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;

use super::read::{
    Block, PictureFiles, Row, TableFile, TableRows, Values, in_rows, pictures, take_bytes,
    take_numbers, take_words, wrong,
};
use super::write::{Column, Columns, Group, Pictures, Writer, put_column};
use crate::error::InFile;
use crate::relations::structure::{named, of_mask, words};
use crate::relations::{Format, Name, RelationFile, RelationPlan, TruthLine};
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

/// The columns of PGM's and VAD's puzzles.
pub struct RelationColumns {
    pictures: Pictures,
    words: Column<ByteArray>,
    encoded: Column<i32>,
    meta_target: Column<i32>,
    target: Column<i32>,
    id: Column<i64>,
    file: Column<ByteArray>,
    truth: Column<ByteArray>,
}

impl Columns for RelationColumns {
    const SCHEMA: &'static str = SCHEMA;
    const FEATURES: &'static str = FEATURES;

    fn new() -> Self {
        Self {
            pictures: Pictures::new(),
            words: Column::new(5),
            encoded: Column::new(5),
            meta_target: Column::new(3),
            target: Column::new(1),
            id: Column::new(1),
            file: Column::new(1),
            truth: Column::new(1),
        }
    }

    fn pictures(&self) -> &Pictures {
        &self.pictures
    }

    fn write_labels(&self, group: &mut Group<'_>) -> Result<(), ParquetError> {
        put_column::<ByteArrayType>(group, &self.words)?;
        put_column::<Int32Type>(group, &self.encoded)?;
        put_column::<Int32Type>(group, &self.meta_target)?;
        put_column::<Int32Type>(group, &self.target)?;
        put_column::<Int64Type>(group, &self.id)?;
        put_column::<ByteArrayType>(group, &self.file)?;
        put_column::<ByteArrayType>(group, &self.truth)
    }
}

fn bits(bits: u16) -> impl Iterator<Item = i32> {
    (0..12).map(move |bit| i32::from(bits >> bit & 1))
}

impl RelationColumns {
    fn add(&mut self, name: &str, file: &RelationFile, truth: Option<&TruthLine>) {
        self.pictures.add(&file.images, file.format.context());
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
    }
}

/// A table of PGM's or VAD's puzzles that is being written.
pub type RelationTableWriter = Writer<RelationColumns>;

impl RelationTableWriter {
    /// Begins a table of a dataset with these settings, where they are known: they say
    /// what is held out.
    ///
    /// # Errors
    /// When there is such a file, or the disk fails.
    pub fn create_of(
        path: &Path,
        replace: bool,
        plan: Option<&RelationPlan>,
    ) -> Result<Self, DataError> {
        let text = |plan| serde_json::to_string(plan).expect("names and numbers make JSON");
        let about = plan.map(|plan| KeyValue::new(PLAN.to_owned(), text(plan)));
        Self::create_about(path, replace, about.into_iter().collect())
    }

    /// Adds the puzzle of a file of this name, which has no ending.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn put(
        &mut self,
        name: &str,
        file: &RelationFile,
        truth: Option<&TruthLine>,
    ) -> Result<(), DataError> {
        self.add_row(|columns| columns.add(name, file, truth))
    }
}

/// Under this name, tables have the settings of their dataset.
const PLAN: &str = "genvp.plan";

/// A puzzle of a table, its pictures still packed.
#[derive(Clone, Debug)]
pub struct RelationRow {
    /// The name of its file, without ending, where the table names it as the originals do.
    pub name: Option<Name>,
    /// Its line of `truth.jsonl`, where the table has it.
    pub truth: Option<TruthLine>,
    /// Whose puzzle it is.
    pub format: Format,
    /// Its place in the table, from 0.
    pub number: usize,
    pictures: PictureFiles,
    target: Option<u8>,
    named: Option<Vec<Triple>>,
    encoded: Option<Vec<Triple>>,
    meta_target: Option<u16>,
}

impl RelationRow {
    /// What the file would hold.
    ///
    /// # Errors
    /// When the pictures are none, or not square and of one size.
    pub fn read(&self) -> Result<RelationFile, FormatError> {
        let PictureFiles { panels, choices } = &self.pictures;
        let unequal = |found: String| wrong(format!("{found}: panels are square and of one size"));
        let (side, pixels) = pictures(panels.iter().chain(choices), unequal)
            .map_err(|error| in_rows(self.number, self.number, error))?;
        let images = Images::of_panels(self.format.panels(), side, pixels);
        let file = RelationFile {
            target: self.target,
            named: self.named.clone(),
            encoded: self.encoded.clone(),
            meta_target: self.meta_target,
            ..RelationFile::of_images(self.format, images)
        };
        Ok(file.reconciled())
    }
}

/// A table of PGM or VAD.
pub struct RelationTable {
    /// Its puzzles, in order.
    pub rows: TableRows<RelationRow>,
    /// The settings of its dataset, where it has them.
    pub plan: Option<RelationPlan>,
}

/// Whether a table is of PGM or VAD.
///
/// # Errors
/// When the file cannot be read, or is no table.
pub fn is_relations(path: &Path) -> Result<bool, DataError> {
    Ok(TableFile::open(path)?.has_column(WORDS))
}

/// Opens a table of PGM or VAD. `None` where it is of another family.
///
/// # Errors
/// When the file cannot be read, or is no table.
pub fn read_relations(path: &Path) -> Result<Option<RelationTable>, DataError> {
    let file = TableFile::open(path)?;
    if !file.has_column(WORDS) {
        return Ok(None);
    }
    let plan = plan_of(&file).in_file(file.path())?;
    Ok(Some(RelationTable { rows: file.rows(rows), plan }))
}

/// Reads the bytes of a table of PGM or VAD, for tests that throw bytes at it.
///
/// # Errors
/// When they are no table.
pub fn parse_relations(bytes: Vec<u8>) -> Result<RelationTable, FormatError> {
    let file = TableFile::of_bytes(bytes)?;
    let plan = plan_of(&file)?;
    Ok(RelationTable { rows: file.rows(rows), plan })
}

fn plan_of(file: &TableFile) -> Result<Option<RelationPlan>, FormatError> {
    let plan = file.about(PLAN).map(serde_json::from_str).transpose();
    plan.map_err(|e| wrong(format!("`{PLAN}`: {e}")))
}

const WORDS: &str = "relation_structure";

fn rows(block: &Block<'_>) -> Result<Vec<Row<RelationRow>>, FormatError> {
    let pictures = block.pictures()?;
    let mut labels = Labels {
        words: block.column(WORDS)?,
        encoded: block.column("relation_structure_encoded")?,
        meta_target: block.column("meta_target")?,
        target: block.column("target")?,
        file: block.column("file")?,
        truth: block.column("truth")?,
        first: block.first,
    };
    let rows = pictures.into_iter().enumerate();
    Ok(rows.map(|(row, files)| labels.row(row, files)).collect())
}

/// What a block of rows says besides pictures.
struct Labels {
    words: Option<Values>,
    encoded: Option<Values>,
    meta_target: Option<Values>,
    target: Option<Values>,
    file: Option<Values>,
    truth: Option<Values>,
    /// The number of the first row in the table.
    first: usize,
}

impl Labels {
    fn row(&mut self, row: usize, pictures: PictureFiles) -> Row<RelationRow> {
        let counts = (pictures.panels.len(), pictures.choices.len());
        let format = Format::ALL
            .into_iter()
            .find(|f| counts == (f.context(), f.choices()))
            .ok_or_else(|| wrong(format!("{} panels and {} choices", counts.0, counts.1)))?;
        let named = take_words(&mut self.words, row)?
            .map(|words| triples_of_words(&words))
            .transpose()
            .map_err(wrong)?;
        let encoded = triples_of_bits(&take_numbers(&mut self.encoded, row)?).map_err(wrong)?;
        let meta_target = match bits_of(&take_numbers(&mut self.meta_target, row)?).as_deref() {
            Some([]) => None,
            Some([bits]) => Some(*bits),
            _ => return Err(wrong("meta_target is not 12 bits")),
        };
        let target = match take_numbers(&mut self.target, row)?.as_slice() {
            [] => None,
            &[target] if (0..format.choices() as i64).contains(&target) => Some(target as u8),
            _ => return Err(wrong("target is not a choice")),
        };
        let triples = [&named, &encoded].into_iter().flatten().map(Vec::len).max();
        if let Some(found) = triples.filter(|&found| found > format.rows()) {
            return Err(wrong(format!("{found} triples, wanted at most {}", format.rows())));
        }
        let (name, truth) = self.name_and_truth(row, format)?;
        Ok(RelationRow {
            name,
            truth,
            format,
            number: self.first + row,
            pictures,
            target,
            named,
            encoded,
            meta_target,
        })
    }

    /// The name of a row's file and its truth, which must be of that file.
    fn name_and_truth(
        &mut self,
        row: usize,
        format: Format,
    ) -> Result<(Option<Name>, Option<TruthLine>), FormatError> {
        let name = take_bytes(&mut self.file, row)?;
        let text = name.first().map(|name| String::from_utf8_lossy(name.data()).into_owned());
        let name = text.as_deref().and_then(Name::parse);
        if let Some(other) = name.filter(|name| name.format() != format) {
            return Err(wrong(format!("{other} does not have the panels of {format}")));
        }
        let truth = take_words(&mut self.truth, row)?;
        let truth = truth.map(|lines| TruthLine::parse(&lines.concat(), 1)).transpose();
        let truth = truth.map_err(|e| wrong(format!("truth: {e}")))?;
        if let Some(other) = truth.as_ref().filter(|truth| Some(truth.name) != name) {
            let text = text.as_deref().unwrap_or("a row without a name");
            return Err(wrong(format!("the truth of {} stands beside {text}", other.name)));
        }
        Ok((name, truth))
    }
}

/// Triples by name: object, attribute, relation.
fn triples_of_words(words: &[String]) -> Result<Vec<Triple>, &'static str> {
    let triple = |words: &[String]| match words {
        [object, attribute, relation] => named(object, attribute, relation).ok(),
        _ => None,
    };
    let triples: Option<Vec<Triple>> = words.chunks(3).map(triple).collect();
    triples.ok_or("relation_structure names no triples")
}

/// Triples as rows of twelve bits; `None` where there are no rows.
fn triples_of_bits(numbers: &[i64]) -> Result<Option<Vec<Triple>>, &'static str> {
    let rows = bits_of(numbers).ok_or("relation_structure_encoded is not rows of 12 bits")?;
    if rows.is_empty() {
        return Ok(None);
    }
    let triples: Option<Vec<Triple>> = rows.into_iter().map(|bits| of_mask(bits).ok()).collect();
    triples.map(Some).ok_or("relation_structure_encoded names no triples")
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::png_image::encode_grey;

    #[test]
    fn unequal_panels_of_nine_are_not_said_to_want_sixteen() {
        let picture = |side: usize| ByteArray::from(encode_grey(side, side, &vec![0; side * side]));
        let files = |choices: [usize; 4]| PictureFiles {
            panels: vec![picture(8); 5],
            choices: choices.map(picture).into(),
        };
        let mut labels = Labels {
            words: None,
            encoded: None,
            meta_target: None,
            target: None,
            file: None,
            truth: None,
            first: 100,
        };
        let read = |row: RelationRow| row.read();
        let found = labels.row(3, files([8, 8, 9, 8])).and_then(read);
        let message = found.expect_err("unequal").to_string();
        assert_eq!(message, "row 103: panel 7 of 9x9: panels are square and of one size");
        assert!(labels.row(3, files([8; 4])).and_then(read).is_ok());
    }
}
