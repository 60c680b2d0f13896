//! Puzzles of RAVEN as a table, with the columns of the public HuggingFace
//! copies: `panels`, `choices`, `structure`, `meta_matrix`, `meta_target`,
//! `meta_structure`, `target`, `id` and `metadata` (the xml).

use std::path::Path;

use genvp_puzzle::family::Family;
use genvp_puzzle::raven::Raven;
use genvp_puzzle::{Domain, Set};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type};
use parquet::errors::ParquetError;

use super::read::{
    Block, PictureFiles, Row, TableFile, TableRows, Values, in_rows, pictures, take_bits,
    take_bytes, take_numbers, take_words,
};
use super::write::{Column, Columns, Group, Pictures, Writer, put_column};
use crate::{DataError, FormatError, Images, Scene, StoredPuzzle, xml};

/// The columns. Lists have three levels, as every current writer makes them.
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
  optional group structure (LIST) { repeated group list { optional binary element (UTF8); } }
  optional group meta_matrix (LIST) {
    repeated group list {
      optional group element (LIST) {
        repeated group list { optional int32 element (INTEGER(8,false)); }
      }
    }
  }
  optional group meta_target (LIST) {
    repeated group list { optional int32 element (INTEGER(8,false)); }
  }
  optional group meta_structure (LIST) {
    repeated group list { optional int32 element (INTEGER(8,false)); }
  }
  optional int32 target (INTEGER(8,false));
  optional int32 id;
  optional binary metadata (UTF8);
}";

const FEATURES: &str = concat!(
    r#"{"info": {"features": {"#,
    r#""panels": {"feature": {"_type": "Image"}, "_type": "Sequence"}, "#,
    r#""choices": {"feature": {"_type": "Image"}, "_type": "Sequence"}, "#,
    r#""structure": {"feature": {"dtype": "string", "_type": "Value"}, "_type": "Sequence"}, "#,
    r#""meta_matrix": {"feature": {"feature": {"dtype": "uint8", "_type": "Value"}, "#,
    r#""_type": "Sequence"}, "_type": "Sequence"}, "#,
    r#""meta_target": {"feature": {"dtype": "uint8", "_type": "Value"}, "_type": "Sequence"}, "#,
    r#""meta_structure": {"feature": {"dtype": "uint8", "_type": "Value"}, "_type": "Sequence"}, "#,
    r#""target": {"dtype": "uint8", "_type": "Value"}, "#,
    r#""id": {"dtype": "int32", "_type": "Value"}, "#,
    r#""metadata": {"dtype": "string", "_type": "Value"}}}}"#
);

/// The columns of RAVEN's puzzles.
pub struct RavenColumns {
    pictures: Pictures,
    structure: Column<ByteArray>,
    meta_matrix: Column<i32>,
    meta_target: Column<i32>,
    meta_structure: Column<i32>,
    target: Column<i32>,
    id: Column<i32>,
    metadata: Column<ByteArray>,
}

impl Columns for RavenColumns {
    const SCHEMA: &'static str = SCHEMA;
    const FEATURES: &'static str = FEATURES;

    fn new() -> Self {
        Self {
            pictures: Pictures::new(),
            structure: Column::new(3),
            meta_matrix: Column::new(5),
            meta_target: Column::new(3),
            meta_structure: Column::new(3),
            target: Column::new(1),
            id: Column::new(1),
            metadata: Column::new(1),
        }
    }

    fn pictures(&self) -> &Pictures {
        &self.pictures
    }

    fn write_labels(&self, group: &mut Group<'_>) -> Result<(), ParquetError> {
        put_column::<ByteArrayType>(group, &self.structure)?;
        put_column::<Int32Type>(group, &self.meta_matrix)?;
        put_column::<Int32Type>(group, &self.meta_target)?;
        put_column::<Int32Type>(group, &self.meta_structure)?;
        put_column::<Int32Type>(group, &self.target)?;
        put_column::<Int32Type>(group, &self.id)?;
        put_column::<ByteArrayType>(group, &self.metadata)
    }
}

impl RavenColumns {
    fn add(&mut self, id: u64, puzzle: &StoredPuzzle, set: Set) {
        self.pictures.add(&puzzle.images, Raven.form().context());
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
    }
}

/// A table of RAVEN's puzzles that is being written.
pub type TableWriter = Writer<RavenColumns>;

impl TableWriter {
    /// Adds a puzzle of `set`.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn put(&mut self, id: u64, puzzle: &StoredPuzzle, set: Set) -> Result<(), DataError> {
        self.add_row(|columns| columns.add(id, puzzle, set))
    }
}

/// A puzzle of a table, its pictures still packed.
#[derive(Clone, Debug)]
pub struct RavenRow {
    /// Its id, or else its place in the table.
    pub id: u64,
    /// Its place in the table, from 0.
    number: usize,
    pictures: PictureFiles,
    target: Option<u8>,
    meta_matrix: Option<[[u8; 9]; 8]>,
    meta_target: Option<[u8; 9]>,
    meta_structure: Option<[u8; 21]>,
    structure: Option<Vec<String>>,
    scene: Option<Scene>,
}

impl RavenRow {
    /// What the files would hold.
    ///
    /// # Errors
    /// When the pictures are none, too many, or not square and of one size.
    pub fn read(&self) -> Result<StoredPuzzle, FormatError> {
        self.unpacked().map_err(|error| in_rows(self.number, self.number, error))
    }

    fn unpacked(&self) -> Result<StoredPuzzle, FormatError> {
        Ok(StoredPuzzle {
            target: self.target,
            meta_matrix: self.meta_matrix,
            meta_target: self.meta_target,
            meta_structure: self.meta_structure,
            structure: self.structure.clone(),
            scene: self.scene.clone(),
            ..StoredPuzzle::of_images(images(&self.pictures)?)
        })
    }
}

/// Opens a table: its puzzles with their ids. Levels in its xml mean what `domain` says.
///
/// # Errors
/// When the file cannot be read, or is no table.
pub fn read(path: &Path, domain: Domain) -> Result<TableRows<(u64, StoredPuzzle)>, DataError> {
    let unpacked = |row: RavenRow| Ok((row.id, row.unpacked()?));
    Ok(TableFile::open(path)?.rows(move |block| {
        Ok(rows(block, domain)?.into_iter().map(|row| row.and_then(unpacked)).collect())
    }))
}

/// Opens a table: its rows, of which none is unpacked.
///
/// # Errors
/// When the file cannot be read, or is no table.
pub fn read_packed(path: &Path, domain: Domain) -> Result<TableRows<RavenRow>, DataError> {
    Ok(TableFile::open(path)?.rows(move |block| rows(block, domain)))
}

fn rows(block: &Block<'_>, domain: Domain) -> Result<Vec<Row<RavenRow>>, FormatError> {
    let pictures = block.pictures()?;
    let mut labels = Labels {
        structure: block.column("structure")?,
        meta_matrix: block.column("meta_matrix")?,
        meta_target: block.column("meta_target")?,
        meta_structure: block.column("meta_structure")?,
        target: block.column("target")?,
        id: block.column("id")?,
        metadata: block.column("metadata")?,
        domain,
        first: block.first,
    };
    let rows = pictures.into_iter().enumerate();
    Ok(rows.map(|(row, files)| labels.row(row, files)).collect())
}

/// What a block of rows says besides pictures.
struct Labels {
    structure: Option<Values>,
    meta_matrix: Option<Values>,
    meta_target: Option<Values>,
    meta_structure: Option<Values>,
    target: Option<Values>,
    id: Option<Values>,
    metadata: Option<Values>,
    domain: Domain,
    /// The number of the first row in the table.
    first: usize,
}

impl Labels {
    fn row(&mut self, row: usize, pictures: PictureFiles) -> Row<RavenRow> {
        let number = self.first + row;
        let structure = take_words(&mut self.structure, row)?;
        let flat: Option<[u8; 72]> = take_bits(&mut self.meta_matrix, row, "meta_matrix", 1)?;
        let meta_matrix =
            flat.map(|flat| std::array::from_fn(|r| std::array::from_fn(|c| flat[r * 9 + c])));
        let meta_target = take_bits(&mut self.meta_target, row, "meta_target", 1)?;
        let meta_structure = take_bits(&mut self.meta_structure, row, "meta_structure", 1)?;
        let target: Option<[u8; 1]> = take_bits(&mut self.target, row, "target", 7)?;
        let id = take_numbers(&mut self.id, row)?.first().copied();
        let xml = take_bytes(&mut self.metadata, row)?;
        let scene = xml.first().map(|text| xml::parse(text.data(), self.domain)).transpose()?;
        Ok(RavenRow {
            id: id.and_then(|id| u64::try_from(id).ok()).unwrap_or(number as u64),
            number,
            pictures,
            target: target.map(|[target]| target),
            meta_matrix,
            meta_target,
            meta_structure,
            structure,
            scene,
        })
    }
}

fn images(PictureFiles { panels, choices }: &PictureFiles) -> Result<Images, FormatError> {
    let form = Raven.form();
    let not_sixteen = |found: String| FormatError::WrongPanels {
        found,
        count: form.inputs(),
        wanted: "8 panels and 8 choices, square and of one size".to_owned(),
    };
    if (panels.len(), choices.len()) != (form.context(), form.choices) {
        let found = format!("{} panels and {} choices", panels.len(), choices.len());
        return Err(not_sixteen(found));
    }
    let (side, pixels) = pictures(panels.iter().chain(choices), not_sixteen)?;
    Ok(Images::new(side, pixels))
}
