//! `genvp dataset convert`: the same puzzles in another package.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use genvp_data::relations::{Name, Truth};
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
    /// One npz a puzzle, with its xml (RAVEN) or lists of truth (PGM, VAD) where these are known
    Npz,
    /// One table per folder and split, with the columns of the public HuggingFace copies
    Parquet,
}

/// What is written beside single files.
struct Output {
    tables: Tables,
    truths: Truths,
}

/// The truth of puzzles of PGM and VAD that become npz files: a list for each folder
/// and split, named as those of shards are.
struct Truths {
    root: PathBuf,
    replace: bool,
    open: BTreeMap<PathBuf, BufWriter<File>>,
}

impl Truths {
    fn new(root: &Path, replace: bool) -> Self {
        Self { root: root.to_owned(), replace, open: BTreeMap::new() }
    }

    fn put(&mut self, folder: &Path, truth: &Truth) -> Result<(), DataError> {
        let name = format!("truth-{}.jsonl", truth.name.split());
        let path = self.root.join(folder).join(name);
        let failed = |source| DataError::Write { path: path.clone(), source };
        let list = match self.open.entry(path.clone()) {
            Entry::Occupied(open) => open.into_mut(),
            Entry::Vacant(_) if path.exists() && !self.replace => {
                return Err(DataError::Exists { path });
            }
            Entry::Vacant(new) => new.insert(BufWriter::new(File::create(&path).map_err(failed)?)),
        };
        writeln!(list, "{}", truth.encode()).map_err(failed)
    }

    fn finish(self) -> Result<(), DataError> {
        self.open.into_iter().try_for_each(|(path, mut list)| {
            list.flush().map_err(|source| DataError::Write { path, source })
        })
    }
}

/// Puzzles that are held in memory at once.
const BLOCK: usize = 256;

impl Convert {
    /// Converts everything that is named.
    pub fn run(&self, console: &Console) -> Result<Answer, Failure> {
        let (mut tables, mut files) = (Vec::new(), Vec::new());
        for path in &self.paths {
            let is_table = path.extension().is_some_and(|e| e == "parquet");
            // Tables of PGM and VAD are read as folders of their files are.
            let is_of_raven = is_table && !table::is_relations(path)?;
            let list = if is_of_raven { &mut tables } else { &mut files };
            list.push(path.clone());
        }
        let mut sources = inputs::sources(&files);
        let progress = console.progress("converting", 0);
        let mut out = Output {
            tables: Tables::new(&self.out, self.set.into(), self.force),
            truths: Truths::new(&self.out, self.force),
        };
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
                converted += self.convert(items, &mut out.tables)?;
            }
        }
        out.tables.finish()?;
        out.truths.finish()?;
        progress.finish();
        console.note(&format!("{converted} puzzles converted into {}", self.out.display()));
        Ok(Answer::Yes)
    }

    /// Reads and writes files of any family.
    fn convert_files(&self, block: &[PuzzleSource], out: &mut Output) -> Result<usize, Failure> {
        let mut raven = Vec::new();
        for source in block {
            match source.format()?.states_relations() {
                true => self.relations(source, out)?,
                false => raven.push(source),
            }
        }
        let stored: Vec<StoredPuzzle> =
            raven.par_iter().map(|source| source.read()).collect::<Result<_, _>>()?;
        let items = raven.iter().map(|source| source.place()).zip(stored).collect();
        self.convert(items, &mut out.tables)?;
        Ok(block.len())
    }

    /// Writes a puzzle of PGM or VAD.
    fn relations(&self, source: &PuzzleSource, out: &mut Output) -> Result<(), Failure> {
        let (place, file) = (source.place(), source.read_relations()?);
        let truth = source.truth.as_deref();
        let folder = place.parent().unwrap_or(Path::new(""));
        let to = |ending: &str| self.out.join(format!("{}.{ending}", place.display()));
        match self.to {
            Target::Npz => {
                write_file(&to("npz"), &file.encode(), self.force)?;
                Ok(truth.map_or(Ok(()), |truth| out.truths.put(folder, truth))?)
            }
            Target::Png => {
                let family = family_of_set(file.format.name());
                let form = family.map_or(Raven.form(), |family| family.form());
                let images = &file.images;
                let sheet = Sheet::new(form, images.side(), images.pixels().to_vec());
                let board = picture_file::board(&sheet, &place)?;
                let picture = genvp_draw::puzzle(&board, &Default::default());
                picture_file::write(&to("png"), &picture, self.force)
            }
            Target::Parquet => {
                let stem = place.file_name().unwrap_or_default().to_string_lossy();
                let split = Name::parse(&stem).map_or(Split::Train, Name::split);
                let plan = source.conditions.as_ref().and_then(|found| found.plan.as_ref());
                Ok(out.tables.put_relations(folder, split, &stem, &file, truth, plan)?)
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
