//! Puzzles as parquet tables: one for each layout's folder and split.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use genvp_data::relations::{RelationFile, RelationPlan, TruthLine};
use genvp_data::table::{RelationTableWriter, TableWriter};
use genvp_data::{DataError, Images, Split, StoredPuzzle};
use genvp_puzzle::make::Maker;
use genvp_puzzle::{Set, render};
use rayon::prelude::*;

use crate::console::Progress;
use crate::failure::Failure;

/// Puzzles that are encoded at once, so that memory stays small.
const BLOCK: u64 = 256;

/// The tables of one run, opened as they are needed.
pub struct Tables {
    root: PathBuf,
    replace: bool,
    set: Set,
    open: BTreeMap<PathBuf, TableWriter>,
    relations: BTreeMap<PathBuf, RelationTableWriter>,
}

impl Tables {
    /// Tables below `root`.
    pub fn new(root: &Path, set: Set, replace: bool) -> Self {
        Self {
            root: root.to_owned(),
            replace,
            set,
            open: BTreeMap::new(),
            relations: BTreeMap::new(),
        }
    }

    /// Adds a puzzle to the table of its folder and split.
    pub fn put(
        &mut self,
        folder: &Path,
        split: Split,
        id: u64,
        puzzle: &StoredPuzzle,
    ) -> Result<(), DataError> {
        let path = self.root.join(folder).join(format!("{}.parquet", split.name()));
        if !self.open.contains_key(&path) {
            self.open.insert(path.clone(), TableWriter::create(&path, self.replace)?);
        }
        match self.open.get_mut(&path) {
            Some(table) => table.put(id, puzzle, self.set),
            None => Ok(()),
        }
    }

    /// Adds a puzzle of PGM or VAD to the table of its folder and split. The settings of
    /// the first one's dataset are the table's.
    pub fn put_relations(
        &mut self,
        folder: &Path,
        split: Split,
        name: &str,
        file: &RelationFile,
        truth: Option<&TruthLine>,
        plan: Option<&RelationPlan>,
    ) -> Result<(), DataError> {
        let path = self.root.join(folder).join(format!("{}.parquet", split.name()));
        if !self.relations.contains_key(&path) {
            let table = RelationTableWriter::create_of(&path, self.replace, plan)?;
            self.relations.insert(path.clone(), table);
        }
        self.relations.get_mut(&path).map_or(Ok(()), |table| table.put(name, file, truth))
    }

    /// Completes all tables.
    pub fn finish(self) -> Result<(), DataError> {
        self.relations.into_values().try_for_each(RelationTableWriter::finish)?;
        self.open.into_values().try_for_each(TableWriter::finish)
    }
}

/// Makes `n` puzzles of every maker.
pub fn make(
    tables: &mut Tables,
    makers: &[Maker],
    seed: u64,
    n: u64,
    progress: &Progress,
) -> Result<(), Failure> {
    for maker in makers {
        let folder = PathBuf::from(maker.request().folder());
        for first in (0..n).step_by(BLOCK as usize) {
            let made: Vec<StoredPuzzle> = (first..n.min(first + BLOCK))
                .into_par_iter()
                .map(|index| {
                    let puzzle = maker.puzzle(seed, index)?;
                    let images = Images::new(render::SIDE, render::puzzle(&puzzle));
                    Ok::<_, Failure>(StoredPuzzle::of_puzzle(&puzzle, images))
                })
                .collect::<Result<_, _>>()?;
            for (index, puzzle) in (first..).zip(&made) {
                tables.put(&folder, Split::of(index), index, puzzle)?;
                progress.add(1);
            }
        }
    }
    Ok(())
}
