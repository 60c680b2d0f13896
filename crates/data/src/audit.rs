//! Whether a dataset is right.
//!
//! A puzzle is sound when its files can be read and agree with each other, every
//! stated rule is true, exactly one choice satisfies all of them, and no two
//! choices look alike. A puzzle of which nothing but pixels and target is known is
//! solved, and must have that target. Where pixels are drawn otherwise than ours, so
//! that what is read from them proves nothing, a puzzle is neither sound nor unsound:
//! it was not examined.

use std::collections::BTreeMap;
use std::path::Path;

use genvp_puzzle::family::{Family, Stratum, vote_chance};
use rayon::prelude::*;

use crate::dataset::{self, Manifest};
use crate::inputs::PuzzleSource;
use crate::{DataError, PuzzleFile};

/// How sure the reading of pixels must be to doubt a target.
const LEAST_CONFIDENCE: f32 = 0.9;
/// Puzzles that are looked at before they are counted: memory stays small, and
/// the report is in the order of the files.
const BLOCK: usize = 1024;

/// What was found about one puzzle.
#[derive(Clone, Debug)]
pub struct PuzzleAudit {
    /// What it is counted under, where that is known.
    pub stratum: Option<Stratum>,
    /// Why it is not sound; nothing if it is, or if it was not examined.
    pub problems: Vec<String>,
    /// Whether its answer was compared with what its pixels or its truth say.
    pub is_examined: bool,
    /// The chance that a vote among the choices finds the answer.
    pub vote: Option<f64>,
    /// Stated rules that hold, while no line shows which they are.
    pub unshown: usize,
    /// Stated rules without which the answer would be the same.
    pub unneeded: usize,
    /// Other choices that other rules single out.
    pub rivals: usize,
}

/// Counts over some puzzles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Puzzles.
    pub n: u64,
    /// Sound ones.
    pub sound: u64,
    /// Those with which nothing is wrong, while nothing could be said about their answer.
    pub not_examined: u64,
    /// Those whose truth is known.
    pub audited: u64,
    /// Those that have a rule that holds, while no line shows which it is.
    pub with_unshown: u64,
    /// Those that have a rule that is not needed.
    pub with_unneeded: u64,
    /// Those in which other rules single out another choice.
    pub with_rivals: u64,
    votes: f64,
}

impl Tally {
    /// Counts a puzzle.
    pub fn add(&mut self, found: &PuzzleAudit) {
        self.n += 1;
        let is_good = found.problems.is_empty();
        self.sound += u64::from(is_good && found.is_examined);
        self.not_examined += u64::from(is_good && !found.is_examined);
        if let Some(vote) = found.vote {
            self.votes += vote;
            self.audited += 1;
        }
        self.with_unshown += u64::from(found.unshown > 0);
        self.with_unneeded += u64::from(found.unneeded > 0);
        self.with_rivals += u64::from(found.rivals > 0);
    }

    /// How often a vote among the choices finds the answer, in percent.
    pub fn vote_percent(&self) -> Option<f64> {
        (self.audited > 0).then(|| 100.0 * self.votes / self.audited as f64)
    }
}

/// What was found about a dataset.
#[derive(Clone, Debug, Default)]
pub struct DatasetAudit {
    /// All puzzles.
    pub all: Tally,
    /// By layout or regime; `None` where it is not known.
    pub strata: BTreeMap<Option<Stratum>, Tally>,
}

impl DatasetAudit {
    /// Audits all sources on rayon's threads; `done` is called for each. `unsound` hears of
    /// every unsound puzzle with its first problem, in the order of the files: there may be
    /// too many to keep.
    ///
    /// # Errors
    /// When the sources cannot be listed, and what `unsound` answers.
    pub fn of<E: From<DataError>>(
        mut sources: impl Iterator<Item = Result<PuzzleSource, DataError>>,
        done: &(dyn Fn() + Sync),
        mut unsound: impl FnMut(&Path, &str) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut audit = Self::default();
        loop {
            let block: Vec<PuzzleSource> =
                sources.by_ref().take(BLOCK).collect::<Result<_, _>>()?;
            if block.is_empty() {
                return Ok(audit);
            }
            let examine = |source: &PuzzleSource| {
                let found = examine(source);
                done();
                found
            };
            let found: Vec<PuzzleAudit> = block.par_iter().map(examine).collect();
            for (source, found) in block.iter().zip(&found) {
                audit.all.add(found);
                audit.strata.entry(found.stratum).or_default().add(found);
                if let Some(problem) = found.problems.first() {
                    unsound(&source.path, problem)?;
                }
            }
        }
    }
}

/// Compares a dataset with its manifest, where it has one: how many files are as it
/// says. `wrong` hears what is the matter with each of the others.
///
/// # Errors
/// When the manifest cannot be read, and what `wrong` answers.
pub fn compare_with_manifest<E: From<DataError>>(
    path: &Path,
    mut wrong: impl FnMut(&str) -> Result<(), E>,
) -> Result<Option<u64>, E> {
    if !path.is_dir() || Manifest::find(path)?.is_empty() {
        return Ok(None);
    }
    dataset::verify(path, &|_| (), |error| wrong(&error.to_string())).map(Some)
}

/// Audits the puzzle of a file.
pub fn examine(source: &PuzzleSource) -> PuzzleAudit {
    let whole = source.format().and_then(|format| Ok((format.family(), format.whole(source)?)));
    match whole {
        Ok((family, file)) => examine_file(family, &file),
        Err(error) => PuzzleAudit {
            stratum: source.stratum(),
            problems: vec![without_path(&error, &source.path)],
            is_examined: false,
            vote: None,
            unshown: 0,
            unneeded: 0,
            rivals: 0,
        },
    }
}

/// The report names the file already.
fn without_path(error: &DataError, path: &Path) -> String {
    let text = error.to_string();
    let prefix = format!("{}: ", path.display());
    text.strip_prefix(&prefix).unwrap_or(&text).to_owned()
}

fn examine_file(family: &dyn Family, file: &PuzzleFile) -> PuzzleAudit {
    let mut problems: Vec<String> =
        file.notes.iter().filter_map(|note| note.fault()).map(ToString::to_string).collect();
    problems.extend(equal_pictures(file));
    problems.extend(file.contradictions.iter().cloned());
    let stratum = file.sheet.stratum;
    let Some(puzzle) = &file.puzzle else {
        let mut is_examined = true;
        if file.contradictions.is_empty() {
            match answer_of_pixels(family, file) {
                Compared::Same => {}
                Compared::Unsure => is_examined = false,
                Compared::Wrong(problem) => problems.push(problem),
            }
        }
        return PuzzleAudit {
            stratum,
            problems,
            is_examined,
            vote: None,
            unshown: 0,
            unneeded: 0,
            rivals: 0,
        };
    };
    let audit = puzzle.audit();
    problems.extend(audit.untrue.iter().map(|rule| format!("{rule} is stated but not true")));
    if audit.right.len() != 1 && audit.untrue.is_empty() {
        let right: Vec<String> =
            audit.right.iter().map(|choice| (choice + 1).to_string()).collect();
        problems.push(match right.len() {
            0 => "no choice satisfies all rules".to_owned(),
            _ => format!("choices {} all satisfy the rules", right.join(" and ")),
        });
    }
    for (a, b) in &audit.twins {
        if !problems.contains(&same_picture(*a, *b)) {
            problems.push(format!("choices {} and {} look alike", a + 1, b + 1));
        }
    }
    PuzzleAudit {
        stratum,
        problems,
        is_examined: file.is_drawn_as_stated,
        vote: Some(vote_chance(&audit.vote, puzzle.target())),
        unshown: audit.unshown,
        unneeded: audit.unneeded,
        rivals: audit.rivals,
    }
}

fn same_picture(a: usize, b: usize) -> String {
    format!("choices {} and {} are the same picture", a + 1, b + 1)
}

fn equal_pictures(file: &PuzzleFile) -> Vec<String> {
    let (context, choices) = (file.sheet.form.context(), file.sheet.form.choices);
    let choice = |index: usize| file.sheet.panel(context + index);
    let pairs = (0..choices).flat_map(|a| (a + 1..choices).map(move |b| (a, b)));
    pairs.filter(|&(a, b)| choice(a) == choice(b)).map(|(a, b)| same_picture(a, b)).collect()
}

/// What the pixels say about a target.
enum Compared {
    Same,
    /// They are drawn otherwise than ours, or leave several choices open.
    Unsure,
    Wrong(String),
}

/// Compares the target of a puzzle that has nothing but pixels beside it.
fn answer_of_pixels(family: &dyn Family, file: &PuzzleFile) -> Compared {
    let Some(target) = file.sheet.target else {
        return Compared::Wrong("no target: nothing says which choice is right".to_owned());
    };
    let solved = match family.solve(&file.sheet, false) {
        Ok(solved) => solved,
        Err(error) => return Compared::Wrong(error.to_string()),
    };
    let is_sure =
        solved.confidence.is_none_or(|confidence| confidence > LEAST_CONFIDENCE) && !solved.tied;
    match (is_sure, solved.answer == target) {
        (true, true) => Compared::Same,
        (true, false) => Compared::Wrong(format!(
            "the target is choice {}, but reading the pixels gives choice {}",
            target + 1,
            solved.answer + 1
        )),
        (false, _) => Compared::Unsure,
    }
}
