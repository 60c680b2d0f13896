//! Puzzles of a dataset folder, again and again in another order.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use genvp_data::folder::{self, Found};
use genvp_data::{Split, StoredPuzzle};
use genvp_puzzle::{Domain, Layout, Set, Stream, render};

use super::example::{self, ChoiceOrder, ExampleMut};
use super::{AugmentConfig, Source};
use crate::error::TrainError;

/// The training split of a dataset, in an order that is a function of (seed, epoch).
#[derive(Debug)]
pub struct Stored {
    found: Vec<Found>,
    augment: AugmentConfig,
    seed: u64,
    /// The orders of the epochs in use: two threads may be in neighbouring ones.
    orders: Mutex<Vec<(u64, Vec<u32>)>>,
}

impl Stored {
    /// Finds the puzzles of some layouts in a folder. Files whose names say that
    /// they are for validation or testing are left out.
    ///
    /// # Errors
    /// When the folder cannot be read or holds no puzzle with its scene.
    pub fn open(
        folder: &Path,
        layouts: &[Layout],
        augment: &AugmentConfig,
        seed: u64,
    ) -> Result<Self, TrainError> {
        let found: Vec<Found> = folder::walk(folder)?
            .filter(|f| f.split.is_none_or(|split| split == Split::Train))
            .filter(|f| f.layout.is_none_or(|layout| layouts.contains(&layout)))
            .filter(|f| f.xml.is_some())
            .collect();
        if found.is_empty() {
            return Err(bad(
                folder,
                "no puzzle to learn from: an npz of the training split with its xml beside it",
            ));
        }
        Ok(Self { found, augment: augment.clone(), seed, orders: Mutex::new(Vec::new()) })
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
        &self.found[self.place(number)].npz
    }

    fn place(&self, number: u64) -> usize {
        let count = self.found.len() as u64;
        let (epoch, at) = (number / count, (number % count) as usize);
        let mut orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, order)) = orders.iter().find(|(e, _)| *e == epoch) {
            return order[at] as usize;
        }
        let mut order: Vec<u32> = (0..count as u32).collect();
        Stream::new(self.seed, "train/order", epoch).shuffle(&mut order);
        let place = order[at] as usize;
        orders.retain(|(e, _)| e.abs_diff(epoch) <= 1);
        orders.push((epoch, order));
        place
    }
}

fn bad(path: &Path, message: &str) -> TrainError {
    TrainError::Settings { origin: path.display().to_string(), message: message.to_owned() }
}

impl Source for Stored {
    fn fill(&self, number: u64, out: &mut ExampleMut<'_>) -> Result<(), TrainError> {
        let found = &self.found[self.place(number)];
        let stored = StoredPuzzle::read(&found.npz, found.domain)?;
        let (Some(scene), Some(target)) = (&stored.scene, stored.target) else {
            return Err(bad(&found.npz, "it does not say which choice is right"));
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
        let side = example::side(out.pixels.len());
        let places = ChoiceOrder::AnswerFirst.places(target);
        let panels = (0..8).chain(places.into_iter().map(|choice| 8 + choice));
        for (panel, pixels) in panels.zip(out.pixels.chunks_exact_mut((side * side).max(1))) {
            render::resize_area(stored.images.panel(panel), stored.images.side(), side, pixels);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::{Batch, FeedShape, Supervision};

    use genvp_data::Images;
    use genvp_puzzle::make::{Maker, Request};

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

    /// Room for one puzzle.
    fn room() -> Batch {
        Batch::new(FeedShape::supervised(1, 32, Supervision::Rules))
    }

    fn fill(source: &dyn Source, number: u64) -> Batch {
        let mut batch = room();
        let mut example = batch.examples().next().unwrap();
        source.fill(number, &mut example).unwrap();
        batch
    }

    #[test]
    fn a_stored_puzzle_teaches_what_the_made_one_would() {
        let folder = tempfile::tempdir().unwrap();
        dataset(folder.path());
        let stored =
            Stored::open(folder.path(), &[Layout::LeftRight], &AugmentConfig::default(), 1)
                .unwrap();
        assert_eq!(stored.len(), 6, "six of ten are for training");
        let maker = Maker::new(Request::new(Set::IRaven, Layout::LeftRight)).unwrap();
        for number in 0..6 {
            let stem = stored.file(number).file_stem().unwrap().to_string_lossy().into_owned();
            let (index, _) = genvp_data::names::parse_stem(&stem).unwrap();
            let mut made = room();
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
    fn every_epoch_has_all_puzzles_in_another_order_and_may_be_entered_anywhere() {
        let folder = tempfile::tempdir().unwrap();
        dataset(folder.path());
        let open =
            || Stored::open(folder.path(), &Layout::ALL, &AugmentConfig::default(), 1).unwrap();
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
        let error =
            Stored::open(folder.path(), &Layout::ALL, &AugmentConfig::default(), 1).unwrap_err();
        assert!(error.to_string().contains(&folder.path().display().to_string()), "{error}");
    }
}
