//! `genvp dataset convert`: the same puzzles in another package.

mod output;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use genvp_data::inputs::{self, PuzzleSource};
use genvp_data::relations::{Name, RelationFile, RelationPlan, keep_settings};
use genvp_data::{DataError, Images, Split, StoredPuzzle, Wanted, names, write_file, xml};
use genvp_puzzle::Set;
use genvp_puzzle::family::{Family, Form, Sheet, family_of_set};
use genvp_puzzle::raven::Raven;
use rayon::prelude::*;

use output::{Lost, Truths, Written};

use super::make::SetName;
use super::tables::Tables;
use crate::console::Console;
use crate::failure::{Answer, Failure};
use crate::picture_file;

/// Convert a dataset to another file format.
#[derive(Args, Debug)]
#[command(after_help = "\
Tables (.parquet) and pictures of sixteen panels (.png) can be converted too. What contradicts
itself in a file is left out of the copy with a warning. npz files of PGM and VAD keep the
settings of their dataset in a manifest without hashes, so that what is held out stays known.

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
    /// Format to write
    #[arg(long, value_enum)]
    to: Target,
    /// Output folder
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Variant of npz: raven and iraven are uncompressed, raven-fair is compressed
    #[arg(long, value_enum, default_value = "raven")]
    set: SetName,
    /// Skip unreadable puzzles and report their number
    #[arg(long)]
    skip_bad: bool,
    /// Replace existing files
    #[arg(long)]
    force: bool,
}

/// What a puzzle can become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// One picture per puzzle: the question, the choices beneath
    Png,
    /// One npz per puzzle, with its xml (RAVEN) or truth.jsonl (PGM, VAD) where known
    Npz,
    /// One table per folder and split, with the columns of the public HuggingFace copies
    Parquet,
}

/// What a file holds.
#[allow(clippy::large_enum_variant, reason = "a block of them lives for a moment")]
enum AnyFile {
    Relations(RelationFile),
    Raven(StoredPuzzle),
}

/// What is written beside single files.
struct Output<'a> {
    tables: Tables,
    truths: Truths,
    written: Written,
    lost: Lost<'a>,
    /// The settings that were kept last.
    plan: Option<RelationPlan>,
    converted: u64,
}

/// Puzzles that are held in memory at once.
const BLOCK: usize = 256;

impl Convert {
    /// Converts everything that is named.
    pub fn run(&self, console: &Console) -> Result<Answer, Failure> {
        let mut sources = inputs::sources(&self.paths);
        let progress = console.progress("converting", 0);
        let mut out = Output {
            tables: Tables::new(&self.out, self.set.into(), self.force),
            truths: Truths::new(&self.out, self.force),
            written: Written::new(self.force),
            lost: Lost::new(console, self.skip_bad),
            plan: None,
            converted: 0,
        };
        loop {
            let block: Vec<PuzzleSource> =
                sources.by_ref().take(BLOCK).collect::<Result<_, _>>()?;
            if block.is_empty() {
                break;
            }
            self.convert_files(&block, &mut out)?;
            progress.add(block.len() as u64);
        }
        if let Some(path) = self.paths.first().filter(|_| out.converted == 0) {
            let path = path.clone();
            return Err(DataError::NoPuzzles { path, wanted: Wanted::Npz }.into());
        }
        out.tables.finish()?;
        out.truths.finish()?;
        progress.finish();
        let (converted, skipped) = (out.converted, out.lost.finish());
        let skipped = if skipped > 0 { format!(", {skipped} skipped") } else { String::new() };
        console
            .note(&format!("{converted} puzzles converted into {}{skipped}", self.out.display()));
        Ok(Answer::Yes)
    }

    /// Reads and writes files of any family.
    fn convert_files(&self, block: &[PuzzleSource], out: &mut Output<'_>) -> Result<(), Failure> {
        let read = |source: &PuzzleSource| {
            Ok(match source.format()?.relations() {
                Some(format) => AnyFile::Relations(source.read_relations(format)?),
                None => AnyFile::Raven(source.read()?),
            })
        };
        let files: Vec<Result<AnyFile, DataError>> = block.par_iter().map(read).collect();
        let mut raven = Vec::new();
        for (source, file) in block.iter().zip(files) {
            match out.lost.readable(file)? {
                Some(AnyFile::Relations(file)) => {
                    out.lost.tell(&source.path, &file.notes);
                    self.relations(source, &file, out)?;
                }
                Some(AnyFile::Raven(stored)) => {
                    out.lost.tell(&source.path, &stored.notes);
                    raven.push((source.place(), stored));
                }
                None => {}
            }
        }
        self.convert(raven, out)
    }

    /// Writes a puzzle of PGM or VAD.
    fn relations(
        &self,
        source: &PuzzleSource,
        file: &RelationFile,
        out: &mut Output<'_>,
    ) -> Result<(), Failure> {
        let place = source.place();
        let truth = source.truth.as_deref();
        let plan = source.conditions.as_ref().and_then(|found| found.plan.as_ref());
        let folder = place.parent().unwrap_or(Path::new(""));
        match self.to {
            Target::Npz => {
                let path = self.path(&place, "npz");
                out.written.claim(&path)?;
                if let Some(plan) = plan.filter(|plan| out.plan.as_ref() != Some(plan)) {
                    let made = std::fs::create_dir_all(&self.out);
                    made.map_err(|source| DataError::Write { path: self.out.clone(), source })?;
                    keep_settings(&self.out, plan, self.force)?;
                    out.plan = Some(plan.clone());
                }
                write_file(&path, &file.encode(), self.force)?;
                truth.map_or(Ok(()), |truth| out.truths.put(folder, truth))?;
            }
            Target::Png => {
                let family = family_of_set(file.format.name());
                let form = family.map_or(Raven.form(), |family| family.form());
                out.written.claim(&self.path(&place, "png"))?;
                self.picture(form, &file.images, &place)?;
            }
            Target::Parquet => {
                let stem = place.file_name().unwrap_or_default().to_string_lossy();
                let split = Name::parse(&stem).map_or(Split::Train, Name::split);
                out.tables.put_relations(folder, split, &stem, file, truth, plan)?;
            }
        }
        out.converted += 1;
        Ok(())
    }

    /// Writes puzzles of RAVEN, each with its place below the output folder.
    fn convert(
        &self,
        items: Vec<(PathBuf, StoredPuzzle)>,
        out: &mut Output<'_>,
    ) -> Result<(), Failure> {
        out.converted += items.len() as u64;
        for (row, (place, stored)) in items.iter().enumerate() {
            match self.to {
                Target::Png => out.written.claim(&self.path(place, "png"))?,
                Target::Npz => out.written.claim(&self.path(place, "npz"))?,
                Target::Parquet => {
                    let stem = place.file_stem().unwrap_or_default().to_string_lossy();
                    let (id, split) =
                        names::parse_stem(&stem).unwrap_or((row as u64, Split::of(row as u64)));
                    let folder = place.parent().unwrap_or(Path::new(""));
                    out.tables.put(folder, split, id, stored)?;
                }
            }
        }
        items.par_iter().try_for_each(|(place, stored)| match self.to {
            Target::Png => self.picture(Raven.form(), &stored.images, place),
            Target::Npz => self.npz(place, stored),
            Target::Parquet => Ok(()),
        })
    }

    /// The file of a puzzle; names of PGM and VAD have dots in them.
    fn path(&self, place: &Path, ending: &str) -> PathBuf {
        self.out.join(format!("{}.{ending}", place.display()))
    }

    fn picture(&self, form: Form, images: &Images, place: &Path) -> Result<(), Failure> {
        let sheet = Sheet::new(form, images.side(), images.pixels().to_vec());
        let board = picture_file::board(&sheet, place)?;
        let picture = genvp_draw::puzzle(&board, &Default::default());
        picture_file::write(&self.path(place, "png"), &picture, self.force)
    }

    fn npz(&self, place: &Path, stored: &StoredPuzzle) -> Result<(), Failure> {
        let set = Set::from(self.set);
        write_file(&self.path(place, "npz"), &stored.encode_npz(set), self.force)?;
        if let Some(scene) = &stored.scene {
            let text = xml::encode(scene, set);
            write_file(&self.path(place, "xml"), text.as_bytes(), self.force)?;
        }
        Ok(())
    }
}
