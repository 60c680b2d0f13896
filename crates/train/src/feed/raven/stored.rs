//! Puzzles of a dataset folder, again and again in another order.

use std::path::{Path, PathBuf};

use genvp_data::folder::{self, StoredFile};
use genvp_data::{Split, StoredPuzzle, npz};
use genvp_puzzle::raven::FORM;
use genvp_puzzle::{Domain, Layout, Set, Stream};

use super::AugmentConfig;
use super::example::{self, ChoiceOrder};
use crate::error::TrainError;
use crate::feed::epochs::Epochs;
use crate::feed::{ExampleMut, Source, Supervision};

/// The training split of a dataset, in an order that is a function of (seed, epoch).
#[derive(Debug)]
pub struct Stored {
    found: Vec<StoredFile>,
    augment: AugmentConfig,
    supervision: Supervision,
    seed: u64,
    epochs: Epochs,
}

impl Stored {
    /// Finds the puzzles of some layouts in a folder. Files whose names say that
    /// they are for validation or testing are left out. A model that learns from answers alone
    /// needs no xml, and nothing is read but panels and target.
    ///
    /// # Errors
    /// When the folder cannot be read or holds no puzzle to learn from.
    pub fn open(
        folder: &Path,
        layouts: &[Layout],
        augment: &AugmentConfig,
        supervision: Supervision,
        seed: u64,
    ) -> Result<Self, TrainError> {
        let needs_scene = supervision > Supervision::Answers;
        let found: Vec<StoredFile> = folder::walk(folder)?
            .filter(|f| f.split.is_none_or(|split| split == Split::Train))
            .filter(|f| f.layout.is_none_or(|layout| layouts.contains(&layout)))
            .filter(|f| f.xml.is_some() || !needs_scene)
            .collect();
        if found.is_empty() {
            let beside = if needs_scene { " with its xml beside it" } else { "" };
            return Err(bad(
                folder,
                &format!("no puzzle to learn from: an npz of the training split{beside}"),
            ));
        }
        let epochs = Epochs::new(found.len(), seed);
        Ok(Self { found, augment: augment.clone(), supervision, seed, epochs })
    }

    /// How many puzzles there are.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Never: a folder without puzzles is refused.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The file of puzzle number `number`.
    pub fn file(&self, number: u64) -> &PathBuf {
        &self.found[self.epochs.place(number)].npz
    }
}

const NO_TARGET: &str = "it does not say which choice is right";

fn bad(path: &Path, message: &str) -> TrainError {
    TrainError::Settings { origin: path.display().to_string(), message: message.to_owned() }
}

impl Source for Stored {
    fn fill(&self, number: u64, out: &mut ExampleMut<'_>) -> Result<(), TrainError> {
        let found = &self.found[self.epochs.place(number)];
        if self.supervision == Supervision::Answers {
            let (images, target) = npz::read_answer(&found.npz)?;
            let target = target.ok_or_else(|| bad(&found.npz, NO_TARGET))?;
            out.write_images(FORM, &images, usize::from(target), false);
            *out.target = 0;
            return Ok(());
        }
        let stored = StoredPuzzle::read(&found.npz, found.domain)?;
        let (Some(scene), Some(target)) = (&stored.scene, stored.target) else {
            return Err(bad(&found.npz, NO_TARGET));
        };
        let restored = scene.restore(Set::IRaven, target);
        let mut puzzle = restored
            .ok_or_else(|| bad(&found.npz, "its xml does not name a rule for every attribute"))?
            .puzzle;
        if puzzle.domain != Domain::Standard {
            return Err(bad(
                &found.npz,
                "its values are not the standard ones, which are what can be learned",
            ));
        }
        let mut stream = Stream::new(self.seed, "train/irrelevant", number);
        if !self.augment.is_off() {
            self.augment.apply(&mut puzzle, &mut Stream::new(self.seed, "train/augment", number));
            example::write(&puzzle, ChoiceOrder::AnswerFirst, out);
            example::draw_irrelevant(&puzzle, ChoiceOrder::AnswerFirst, &mut stream, out);
            return Ok(());
        }
        example::draw_irrelevant(&puzzle, ChoiceOrder::AnswerFirst, &mut stream, out);
        example::write_labels(&puzzle, ChoiceOrder::AnswerFirst, out);
        out.write_images(FORM, &stored.images, usize::from(target), false);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::{Batch, FeedShape};

    use genvp_data::Images;
    use genvp_puzzle::make::{Maker, Request};
    use genvp_puzzle::render;

    /// Five puzzles of two layouts, some of them for testing.
    fn dataset(folder: &Path) {
        for layout in [Layout::CenterSingle, Layout::LeftRight] {
            let maker = Maker::new(Request::new(Set::IRaven, layout)).unwrap();
            let folder = folder.join(layout.folder());
            std::fs::create_dir_all(&folder).unwrap();
            for index in 0..10 {
                let puzzle = maker.puzzle(8, index).unwrap();
                let images = Images::new(render::SIDE, render::puzzle(&puzzle));
                let stored = StoredPuzzle::of_puzzle(&puzzle, images);
                let stem = genvp_data::names::stem(index);
                std::fs::write(folder.join(format!("{stem}.npz")), stored.encode_npz(Set::IRaven))
                    .unwrap();
                let xml = genvp_data::xml::encode(stored.scene.as_ref().unwrap(), Set::IRaven);
                std::fs::write(folder.join(format!("{stem}.xml")), xml).unwrap();
            }
        }
    }

    fn open(
        folder: &Path,
        layouts: &[Layout],
        supervision: Supervision,
    ) -> Result<Stored, TrainError> {
        Stored::open(folder, layouts, &AugmentConfig::default(), supervision, 1)
    }

    /// Room for one puzzle.
    fn room(supervision: Supervision) -> Batch {
        Batch::new(FeedShape::supervised(1, 32, supervision))
    }

    fn fill(source: &Stored, number: u64) -> Batch {
        let mut batch = room(source.supervision);
        let mut example = batch.examples().next().unwrap();
        source.fill(number, &mut example).unwrap();
        batch
    }

    #[test]
    fn a_stored_puzzle_teaches_what_the_made_one_would() {
        let folder = tempfile::tempdir().unwrap();
        dataset(folder.path());
        let stored = open(folder.path(), &[Layout::LeftRight], Supervision::Rules).unwrap();
        assert_eq!(stored.len(), 6, "six of ten are for training");
        let maker = Maker::new(Request::new(Set::IRaven, Layout::LeftRight)).unwrap();
        for number in 0..6 {
            let stem = stored.file(number).file_stem().unwrap().to_string_lossy().into_owned();
            let (index, _) = genvp_data::names::parse_stem(&stem).unwrap();
            let mut made = room(Supervision::Rules);
            let mut example = made.examples().next().unwrap();
            example::write(
                &maker.puzzle(8, index).unwrap(),
                ChoiceOrder::AnswerFirst,
                &mut example,
            );
            let read = fill(&stored, number);
            assert_eq!(
                (&read.rules, &read.layouts, &read.targets),
                (&made.rules, &made.layouts, &made.targets)
            );
            let gap = read
                .pixels
                .iter()
                .zip(&made.pixels)
                .map(|(a, b)| (a - b).abs())
                .fold(0.0, f32::max);
            assert!(gap < 1e-5, "{gap}");
        }
    }

    #[test]
    fn learning_from_answers_reads_panels_and_target_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        dataset(folder.path());
        let batches = |supervision| {
            let stored = open(folder.path(), &Layout::ALL, supervision)?;
            let batch = |number| (stored.file(number).clone(), fill(&stored, number));
            Ok::<_, TrainError>((0..stored.len() as u64).map(batch).collect::<Vec<_>>())
        };
        let plain = batches(Supervision::Answers).unwrap();
        assert_eq!(plain.len(), 12);
        let labelled = batches(Supervision::Rules).unwrap();
        for ((file, own), (other, labelled)) in plain.iter().zip(&labelled) {
            assert_eq!(file, other);
            assert!(
                own.rules.is_empty() && own.layouts.is_empty() && own.pixels == labelled.pixels
            );
        }
        // Every label of one puzzle in the file of another, and an xml that is none.
        for (file, _) in &plain {
            let other = plain.iter().find(|(other, _)| other != file).unwrap();
            let (own, other) = (npz::read(file).unwrap(), npz::read(&other.0).unwrap());
            let lying = StoredPuzzle { images: own.images, target: own.target, ..other };
            std::fs::write(file, lying.encode_npz(Set::IRaven)).unwrap();
            std::fs::write(file.with_extension("xml"), "<no scene>").unwrap();
        }
        assert!(batches(Supervision::Answers).unwrap() == plain);
        // And none at all.
        for (file, _) in &plain {
            let stored = npz::read(file).unwrap();
            let bare =
                StoredPuzzle { target: stored.target, ..StoredPuzzle::of_images(stored.images) };
            std::fs::write(file, bare.encode_npz(Set::IRaven)).unwrap();
            std::fs::remove_file(file.with_extension("xml")).unwrap();
        }
        assert!(batches(Supervision::Answers).unwrap() == plain);
        assert!(batches(Supervision::Rules).is_err(), "rules stand in the xml");
    }

    #[test]
    fn every_epoch_has_all_puzzles_in_another_order_and_may_be_entered_anywhere() {
        let folder = tempfile::tempdir().unwrap();
        dataset(folder.path());
        let open = || open(folder.path(), &Layout::ALL, Supervision::Rules).unwrap();
        let stored = open();
        let epoch = |e: u64| (0..12).map(|i| stored.file(12 * e + i).clone()).collect::<Vec<_>>();
        let (first, second) = (epoch(0), epoch(1));
        assert_ne!(first, second);
        let sorted = |mut files: Vec<PathBuf>| {
            files.sort();
            files
        };
        assert_eq!(sorted(first.clone()), sorted(second.clone()));
        assert_eq!(open().file(12 + 5), &second[5]);
    }

    #[test]
    fn a_folder_without_puzzles_is_named() {
        let folder = tempfile::tempdir().unwrap();
        for (supervision, asks_for_xml) in
            [(Supervision::Answers, false), (Supervision::Rules, true)]
        {
            let error = open(folder.path(), &Layout::ALL, supervision).unwrap_err().to_string();
            assert!(error.contains(&folder.path().display().to_string()), "{error}");
            assert_eq!(error.contains("xml"), asks_for_xml, "{error}");
        }
    }
}
