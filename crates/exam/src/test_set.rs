//! The questions of one stratum.

use std::path::Path;
use std::sync::Arc;

use genvp_data::{Split, folder};
use genvp_puzzle::Layout;
use genvp_puzzle::family::{Family, PuzzleSpec, Stratum};
use rayon::prelude::*;

use crate::error::ExamError;
use crate::question::Question;

/// Questions that are counted together.
#[derive(Clone, Debug)]
pub struct TestSet {
    /// What they are counted under.
    pub stratum: Stratum,
    /// The questions.
    pub questions: Vec<Question>,
}

impl TestSet {
    /// `n` fresh puzzles of a family.
    ///
    /// # Errors
    /// When they cannot be made.
    pub fn fresh(
        family: &dyn Family,
        spec: &PuzzleSpec,
        n: u64,
        seed: u64,
    ) -> Result<Self, ExamError> {
        let generator = family.generator(spec)?;
        let made = (0..n).into_par_iter().map(|index| generator.puzzle(seed, index));
        let questions = made.map(|puzzle| puzzle.map(|p| Question::Made(Arc::from(p))));
        Ok(Self { stratum: spec.stratum, questions: questions.collect::<Result<_, _>>()? })
    }

    /// The puzzles of a folder of RAVEN's, by layout: at most `n` of each stratum, those of
    /// one split, or of all where none is named. Strata without puzzles are left out.
    ///
    /// # Errors
    /// When the folder cannot be read, or holds none.
    pub fn stored(
        path: &Path,
        strata: &[Stratum],
        split: Option<Split>,
        n: Option<u64>,
    ) -> Result<Vec<Self>, ExamError> {
        let mut sets: Vec<Self> =
            strata.iter().map(|&stratum| Self { stratum, questions: Vec::new() }).collect();
        for found in folder::walk(path)? {
            if split.is_some_and(|split| found.split.is_some_and(|own| own != split)) {
                continue;
            }
            let layout = found.layout.map(Layout::folder);
            let set = sets.iter_mut().find(|set| layout == Some(set.stratum.name));
            if let Some(Self { questions, .. }) = set
                && n.is_none_or(|n| (questions.len() as u64) < n)
            {
                questions.push(Question::Stored(Box::new(found)));
            }
        }
        sets.retain(|set| !set.questions.is_empty());
        if sets.is_empty() {
            let split = split.map_or("whole", Split::name).to_owned();
            return Err(ExamError::NoPuzzles { path: path.to_owned(), split });
        }
        Ok(sets)
    }
}
