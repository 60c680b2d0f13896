//! `genvp dataset convert`: the same puzzles in another package.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use genvp_data::relations::{Name, RelationFile, Truth};
use genvp_data::{DataError, Split, StoredPuzzle, Wanted, names, table, write_file, xml};
use genvp_puzzle::family::family_of_set;
use genvp_puzzle::family::{Family, Sheet};
use genvp_puzzle::raven::Raven;
use genvp_puzzle::{Domain, Set};
use rayon::prelude::*;

use super::make::SetName;
use super::tables::Tables;
use crate::console::Console;
use crate::failure::{Answer, Failure};
use crate::picture_file;
use genvp_data::inputs::{self, PuzzleSource};

/// Re-package a dataset.
#[derive(Args, Debug)]
#[command(after_help = "\
Tables (.parquet) and pictures of sixteen panels (.png) can be converted too.

Examples:
  genvp dataset convert I-RAVEN --to parquet --out tables
  genvp dataset convert tables/center_single/test.parquet --to npz --out center_single
  genvp dataset convert I-RAVEN --to png --out pictures
  genvp dataset convert RAVEN-F --to npz --set raven --out stored      (deflated npz -> stored npz)
  genvp dataset convert sheet.png --to npz --out puzzle
  genvp dataset convert PGM --to parquet --out pgm-tables")]
pub struct Convert {
    /// Dataset folders, npz files, archives, parquet tables, or PNG sheets of sixteen panels
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// What to make
    #[arg(long, value_enum)]
    to: Target,
    /// Folder to make
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The npz dialect: raven and iraven are stored, raven-fair is deflated
    #[arg(long, value_enum, default_value = "raven")]
    set: SetName,
    /// Replace existing files
    #[arg(long)]
    force: bool,
}

/// What a puzzle can become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// One picture a puzzle: the question, the choices beneath
    Png,
    /// One npz (and xml, where the scene is known) a puzzle
    Npz,
    /// One table per folder and split, with the columns of the public HuggingFace copies
    Parquet,
}

/// Puzzles that are held in memory at once.
const BLOCK: usize = 256;

impl Convert {
    /// Converts everything that is named.
    pub fn run(&self, console: &Console) -> Result<Answer, Failure> {
        let (tables, files): (Vec<PathBuf>, Vec<PathBuf>) =
            self.paths.iter().cloned().partition(|p| p.extension().is_some_and(|e| e == "parquet"));
        let mut sources = inputs::sources(&files);
        let progress = console.progress("converting", 0);
        let mut out = Tables::new(&self.out, self.set.into(), self.force);
        let mut converted = 0;
        loop {
            let block: Vec<PuzzleSource> =
                sources.by_ref().take(BLOCK).collect::<Result<_, _>>()?;
            if block.is_empty() {
                break;
            }
            converted += self.convert_files(&block, &mut out)?;
            progress.add(block.len() as u64);
        }
        if let Some(path) = files.first().filter(|_| converted == 0) {
            let path = path.clone();
            return Err(DataError::NoPuzzles { path, wanted: Wanted::Npz }.into());
        }
        for path in &tables {
            if let Some(rows) = table::read_relations(path)? {
                for row in rows {
                    let (name, file) = row?;
                    self.relations(Path::new(&name), &file, None, &mut out)?;
                    converted += 1;
                }
                continue;
            }
            let mut rows = table::read(path, Domain::Standard)?;
            loop {
                let items = rows
                    .by_ref()
                    .take(BLOCK)
                    .map(|row| row.map(|(id, stored)| (PathBuf::from(names::stem(id)), stored)))
                    .collect::<Result<Vec<_>, _>>()?;
                if items.is_empty() {
                    break;
                }
                converted += self.convert(items, &mut out)?;
            }
        }
        out.finish()?;
        progress.finish();
        console.note(&format!("{converted} puzzles converted into {}", self.out.display()));
        Ok(Answer::Yes)
    }

    /// Reads and writes files of any family.
    fn convert_files(&self, block: &[PuzzleSource], tables: &mut Tables) -> Result<usize, Failure> {
        let mut raven = Vec::new();
        for source in block {
            match source.format()?.states_relations() {
                true => {
                    let (file, truth) = (source.read_relations()?, source.truth.as_deref());
                    self.relations(&source.place(), &file, truth, tables)?;
                }
                false => raven.push(source),
            }
        }
        let stored: Vec<StoredPuzzle> =
            raven.par_iter().map(|source| source.read()).collect::<Result<_, _>>()?;
        let items = raven.iter().map(|source| source.place()).zip(stored).collect();
        self.convert(items, tables)?;
        Ok(block.len())
    }

    /// Writes a puzzle of PGM or VAD.
    fn relations(
        &self,
        place: &Path,
        file: &RelationFile,
        truth: Option<&Truth>,
        tables: &mut Tables,
    ) -> Result<(), Failure> {
        let to = |ending: &str| self.out.join(format!("{}.{ending}", place.display()));
        match self.to {
            Target::Npz => Ok(write_file(&to("npz"), &file.encode(), self.force)?),
            Target::Png => {
                let family = family_of_set(file.format.name());
                let form = family.map_or(Raven.form(), |family| family.form());
                let images = &file.images;
                let sheet = Sheet::new(form, images.side(), images.pixels().to_vec());
                let board = picture_file::board(&sheet, place)?;
                let picture = genvp_draw::puzzle(&board, &Default::default());
                picture_file::write(&to("png"), &picture, self.force)
            }
            Target::Parquet => {
                let stem = place.file_name().unwrap_or_default().to_string_lossy();
                let split = Name::parse(&stem).map_or(Split::Train, Name::split);
                let folder = place.parent().unwrap_or(Path::new(""));
                Ok(tables.put_relations(folder, split, &stem, file, truth)?)
            }
        }
    }

    /// Writes puzzles, each with its place below the output folder.
    fn convert(
        &self,
        items: Vec<(PathBuf, StoredPuzzle)>,
        tables: &mut Tables,
    ) -> Result<usize, Failure> {
        match self.to {
            Target::Png => items.par_iter().try_for_each(|(place, s)| self.picture(place, s))?,
            Target::Npz => items.par_iter().try_for_each(|(place, s)| self.npz(place, s))?,
            Target::Parquet => {
                for (row, (place, stored)) in items.iter().enumerate() {
                    let stem = place.file_stem().unwrap_or_default().to_string_lossy();
                    let (id, split) =
                        names::parse_stem(&stem).unwrap_or((row as u64, Split::of(row as u64)));
                    let folder = place.parent().unwrap_or(Path::new(""));
                    tables.put(folder, split, id, stored)?;
                }
            }
        }
        Ok(items.len())
    }

    fn picture(&self, place: &Path, stored: &StoredPuzzle) -> Result<(), Failure> {
        let images = &stored.images;
        let sheet = Sheet::new(Raven.form(), images.side(), images.pixels().to_vec());
        let board = picture_file::board(&sheet, place)?;
        let picture = genvp_draw::puzzle(&board, &Default::default());
        picture_file::write(&self.out.join(place).with_extension("png"), &picture, self.force)
    }

    fn npz(&self, place: &Path, stored: &StoredPuzzle) -> Result<(), Failure> {
        let set = Set::from(self.set);
        let place = self.out.join(place);
        write_file(&place.with_extension("npz"), &stored.encode_npz(set), self.force)?;
        if let Some(scene) = &stored.scene {
            let text = xml::encode(scene, set);
            write_file(&place.with_extension("xml"), text.as_bytes(), self.force)?;
        }
        Ok(())
    }
}
