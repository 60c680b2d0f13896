//! Puzzles of a folder or archive of PGM's or VAD's files, again and again in another order.

use std::path::Path;

use genvp_data::relations::{self, Entry, Name, RelationPuzzle};
use genvp_puzzle::Stream;
use genvp_puzzle::family::{Family, Form, Split};
use genvp_puzzle::relations::Triple;

use super::Source;
use super::config::FeedConfig;
use super::epochs::Epochs;
use super::example::ExampleMut;
use crate::error::TrainError;

/// Archives are held in memory, packed as they are; larger ones are to be unpacked.
const MOST_ARCHIVED: usize = 4 << 30;

/// The training split of a dataset, in an order that is a function of (seed, epoch).
///
/// Files with our truth beside them teach what fresh puzzles do. The originals' files say which
/// triples hold, and not what a wrong choice changes: its active rules all become none. A file of
/// VAD records one attribute of two, so that where unknown rules are allowed only that one is known.
#[derive(Debug)]
pub struct StoredRelations {
    form: Form,
    entries: Vec<Entry>,
    epochs: Epochs,
    transpose: f32,
    seed: u64,
}

impl StoredRelations {
    /// Finds the files of a family's regimes in a folder, an archive or a single file.
    ///
    /// # Errors
    /// When it cannot be read, or holds no file of the training split.
    pub fn open(
        path: &Path,
        family: &'static dyn Family,
        config: &FeedConfig,
        seed: u64,
    ) -> Result<Self, TrainError> {
        let wanted = |entry: &Entry| match entry.name() {
            Some(name) => {
                name.format().name() == family.id()
                    && split_of(name) == Split::Train
                    && (config.regimes.is_empty()
                        || config.regimes.iter().any(|regime| regime == name.regime()))
            }
            None => false,
        };
        let mut entries = Vec::new();
        let mut archived = 0;
        for entry in relations::stream(path)? {
            let entry = entry?;
            if wanted(&entry) {
                archived += entry.bytes.as_ref().map_or(0, Vec::len);
                if archived > MOST_ARCHIVED {
                    let most = MOST_ARCHIVED >> 30;
                    return Err(bad(
                        path,
                        &format!("an archive to learn from holds at most {most} GiB: unpack it"),
                    ));
                }
                entries.push(entry);
            }
        }
        if entries.is_empty() {
            let family = family.id();
            return Err(bad(
                path,
                &format!(
                    "no puzzle to learn from: a file of {family}'s training split, of a regime that train.feed.regimes names"
                ),
            ));
        }
        let epochs = Epochs::new(entries.len(), seed);
        Ok(Self { form: family.form(), entries, epochs, transpose: config.transpose, seed })
    }

    /// How many puzzles there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Never: a folder without puzzles is refused.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

fn split_of(name: Name) -> Split {
    match name {
        Name::Pgm { split, .. } | Name::Vad { split, .. } => split,
    }
}

fn bad(path: &Path, message: &str) -> TrainError {
    TrainError::Settings { origin: path.display().to_string(), message: message.to_owned() }
}

impl Source for StoredRelations {
    fn fill(&self, number: u64, out: &mut ExampleMut<'_>) -> Result<(), TrainError> {
        let entry = &self.entries[self.epochs.place(number)];
        let mut stream = Stream::new(self.seed, "train/transpose", number);
        let transposed = stream.unit() < self.transpose;
        let file = entry.read()?;
        let target = match file.target {
            Some(target) => usize::from(target),
            None => return Err(bad(&entry.path, "it does not say which choice is right")),
        };
        match entry.truth.as_ref().map(|truth| &truth.puzzle) {
            _ if out.rules.is_empty() && out.values.is_empty() => *out.target = 0,
            Some(RelationPuzzle::Pgm(puzzle)) => out.write_truth(puzzle, transposed),
            Some(RelationPuzzle::Vad(puzzle)) => out.write_truth(puzzle, transposed),
            None if !out.values.is_empty() => {
                return Err(bad(
                    &entry.path,
                    "it does not say what its panels show: set train.loss.weights.values to 0",
                ));
            }
            None => {
                let triples = file
                    .triples()
                    .ok_or_else(|| bad(&entry.path, "it does not say which relations hold"))?;
                out.write_recorded(triples, file.format.choices());
            }
        }
        out.write_images(self.form, &file.images, target, transposed);
        Ok(())
    }
}

impl ExampleMut<'_> {
    /// The labels of an original file: its triples hold with the answer, which comes first, and none
    /// of them with another choice.
    fn write_recorded(&mut self, triples: &[Triple], choices: usize) {
        self.rules.fill(0);
        self.known.fill(false);
        for triple in triples {
            let row = triple.attribute.row();
            if let Some(rule) = self.rules.get_mut(row) {
                *rule = triple.relation.column() as u8;
            }
            let rows = self.known.len() / choices;
            for known in self.known.chunks_exact_mut(rows.max(1)) {
                known[row] = true;
            }
        }
        self.layout.fill(0);
        *self.target = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::{Batch, FeedShape, Regimes, Supervision};
    use genvp_data::relations::RelationFile;
    use genvp_puzzle::family::{AnyPuzzle, PuzzleSpec};
    use genvp_puzzle::pgm::Pgm;
    use genvp_puzzle::vad::Vad;

    /// Three files of training and one of the test, without truth.
    fn dataset(folder: &Path, family: &'static dyn Family) -> Vec<Box<dyn AnyPuzzle>> {
        let stratum = family.strata()[0];
        let spec = PuzzleSpec { split: Some(Split::Train), ..PuzzleSpec::new(stratum) };
        let generator = family.generator(&spec).unwrap();
        let kind = if family.id() == "vad" { "_lbc" } else { "" };
        let prefix = family.file_prefix();
        let made = (0..4).map(|index| {
            let puzzle = generator.puzzle(8, index).unwrap();
            let split = if index < 3 { "train" } else { "test" };
            let name = format!("{prefix}{}_{split}{kind}_{index}.npz", stratum.name);
            std::fs::write(folder.join(name), genvp_data::encode_npz(&*puzzle).unwrap()).unwrap();
            puzzle
        });
        made.take(4).collect()
    }

    fn shape(family: &'static dyn Family, supervision: Supervision) -> FeedShape {
        let shape = FeedShape::of_family(family, 1, 32, supervision);
        FeedShape { partly_known: true, ..shape }
    }

    #[test]
    fn an_original_file_teaches_its_triples_and_that_wrong_choices_break_all_of_them() {
        for family in [&Pgm as &'static dyn Family, &Vad] {
            let folder = tempfile::tempdir().unwrap();
            let puzzles = dataset(folder.path(), family);
            let config = FeedConfig::default();
            let stored = StoredRelations::open(folder.path(), family, &config, 1).unwrap();
            assert_eq!(stored.len(), 3, "one is for testing");
            for number in 0..3 {
                let place = stored.epochs.place(number);
                let mut batch = Batch::new(shape(family, Supervision::Rules));
                stored.fill(number, &mut batch.examples().next().unwrap()).unwrap();
                let puzzle = &puzzles[place];
                let truth = puzzle.truth();
                let mut wanted = Batch::new(shape(family, Supervision::Rules));
                wanted.examples().next().unwrap().write_puzzle(&**puzzle, false);
                let gap = batch.pixels.iter().zip(&wanted.pixels).map(|(a, b)| (a - b).abs());
                assert!(gap.fold(0.0, f32::max) < 1e-6, "the same pixels");
                let known: Vec<usize> = (0..10).filter(|&row| batch.known[row]).collect();
                assert!(!known.is_empty());
                for row in known {
                    assert_eq!(batch.rules[row], truth.rules.as_slice()[row]);
                    assert!(batch.rules[row] > 0);
                }
                assert!(batch.rules[10..].iter().all(|&rule| rule == 0));
            }
        }
    }

    #[test]
    fn what_a_file_does_not_say_cannot_be_taught() {
        let folder = tempfile::tempdir().unwrap();
        dataset(folder.path(), &Pgm);
        let config = FeedConfig::default();
        let stored = StoredRelations::open(folder.path(), &Pgm, &config, 1).unwrap();
        let shape = FeedShape { family_codes: 389, ..shape(&Pgm, Supervision::Values) };
        let mut batch = Batch::new(shape);
        let error = stored.fill(0, &mut batch.examples().next().unwrap()).unwrap_err().to_string();
        assert!(error.contains("what its panels show"), "{error}");
        // A file without a word about its relations teaches which choice is right.
        let filled = |supervision| {
            let mut batch = Batch::new(FeedShape::of_family(&Pgm, 1, 32, supervision));
            let filled = stored.fill(0, &mut batch.examples().next().unwrap());
            filled.map(|()| batch)
        };
        let plain = filled(Supervision::Answers).unwrap();
        for entry in &stored.entries {
            let file = RelationFile {
                named: None,
                encoded: None,
                meta_target: None,
                ..entry.read().unwrap()
            };
            std::fs::write(&entry.path, file.encode()).unwrap();
        }
        assert!(filled(Supervision::Answers).unwrap() == plain);
        let error = filled(Supervision::Rules).unwrap_err().to_string();
        assert!(error.contains("which relations hold"), "{error}");
        let error = StoredRelations::open(folder.path(), &Vad, &config, 1).unwrap_err();
        assert!(error.to_string().contains("vad's training split"), "{error}");
        let other = FeedConfig { regimes: vec!["interpolation".into()], ..config };
        assert!(StoredRelations::open(folder.path(), &Pgm, &other, 1).is_err());
        assert!(Regimes::new(&Pgm, &other, 1).is_ok());
    }
}
