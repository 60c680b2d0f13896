//! Fresh puzzles of families whose strata are regimes (PGM, VAD), of any of their regimes.

use genvp_puzzle::Stream;
use genvp_puzzle::family::{AnyPuzzle, Family, Generator, PuzzleSpec, Split, Stratum};

use super::Source;
use super::config::FeedConfig;
use super::example::ExampleMut;
use crate::error::TrainError;

/// How many puzzles are drawn for one that other regimes allow, too.
const TRIES: u64 = 10_000;

/// Puzzles of some regimes, as often of each, under their conditions of training; number `n` is a
/// function of (seed, n).
pub struct Regimes {
    generators: Vec<Box<dyn Generator>>,
    allowed_in: Vec<Stratum>,
    transpose: f32,
    seed: u64,
}

impl Regimes {
    /// The puzzles of the regimes that the settings name under a seed.
    ///
    /// # Errors
    /// When the family does not have them.
    pub fn new(
        family: &'static dyn Family,
        config: &FeedConfig,
        seed: u64,
    ) -> Result<Self, TrainError> {
        let generators =
            config.specs(family, Split::Train)?.into_iter().map(|spec| family.generator(&spec));
        Ok(Self {
            generators: generators.collect::<Result<_, _>>()?,
            allowed_in: config.allowed(family)?,
            transpose: config.transpose,
            seed,
        })
    }

    /// Puzzle number `number`.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn puzzle(&self, number: u64) -> Result<Box<dyn AnyPuzzle>, TrainError> {
        let mut stream = Stream::new(self.seed, "train/regime", number);
        let generator = &self.generators[stream.below(self.generators.len() as u32) as usize];
        if self.allowed_in.is_empty() {
            return Ok(generator.puzzle(self.seed, number)?);
        }
        for attempt in 0..TRIES {
            let puzzle = generator.puzzle(self.seed, number * TRIES + attempt)?;
            if self.allowed_in.iter().all(|&regime| puzzle.is_allowed_in_training(regime)) {
                return Ok(puzzle);
            }
        }
        let names: Vec<&str> = self.allowed_in.iter().map(|regime| regime.name).collect();
        Err(TrainError::BadSettings(vec![format!(
            "train.feed.allowed_in: of {TRIES} puzzles, the training of {} allows none",
            names.join(", ")
        )]))
    }
}

impl FeedConfig {
    /// The puzzles of the regimes that are named, or of the family's first one.
    ///
    /// # Errors
    /// When the family does not have a regime of that name.
    pub(crate) fn specs(
        &self,
        family: &'static dyn Family,
        split: Split,
    ) -> Result<Vec<PuzzleSpec>, TrainError> {
        let wanted = match self.regimes.as_slice() {
            [] => family.strata()[..1].to_vec(),
            names => named(family, "regimes", names)?,
        };
        let choices = Some(self.choices.clone()).filter(|choices| !choices.is_empty());
        let spec = |stratum| PuzzleSpec {
            split: Some(split),
            choices: choices.clone(),
            ..PuzzleSpec::new(stratum)
        };
        Ok(wanted.into_iter().map(spec).collect())
    }

    /// The other regimes whose training allows every puzzle.
    ///
    /// # Errors
    /// When the family does not have a regime of that name.
    pub(crate) fn allowed(&self, family: &dyn Family) -> Result<Vec<Stratum>, TrainError> {
        named(family, "allowed_in", &self.allowed_in)
    }
}

/// The regimes of these names, which the setting `setting` has.
fn named(family: &dyn Family, setting: &str, names: &[String]) -> Result<Vec<Stratum>, TrainError> {
    let strata = family.strata();
    let of = |name: &String| {
        strata.iter().copied().find(|stratum| stratum.name == name).ok_or_else(|| {
            let known: Vec<&str> = strata.iter().map(|stratum| stratum.name).collect();
            TrainError::BadSettings(vec![format!(
                "train.feed.{setting}: {} has no regime `{name}`; there are {}",
                family.id(),
                known.join(", ")
            )])
        })
    };
    names.iter().map(of).collect()
}

impl Source for Regimes {
    fn fill(&self, number: u64, out: &mut ExampleMut<'_>) -> Result<(), TrainError> {
        let puzzle = self.puzzle(number)?;
        let mut stream = Stream::new(self.seed, "train/transpose", number);
        let transposed = stream.unit() < self.transpose;
        out.write_puzzle(&*puzzle, transposed);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::{Batch, FeedShape, Supervision, batch_of};
    use genvp_puzzle::pgm::Pgm;
    use genvp_puzzle::vad::Vad;

    fn shape(family: &'static dyn Family, side: usize) -> FeedShape {
        FeedShape {
            family_codes: family.code_width(),
            ..FeedShape::of_family(family, 6, side, Supervision::Values)
        }
    }

    fn config(regimes: &[&str]) -> FeedConfig {
        let regimes = regimes.iter().map(|&name| name.to_owned()).collect();
        FeedConfig { regimes, ..FeedConfig::default() }
    }

    #[test]
    fn the_answer_comes_first_and_wrong_choices_lose_rules() {
        for (family, active) in [(&Pgm as &'static dyn Family, 1..=4), (&Vad, 2..=2)] {
            let source = Regimes::new(family, &config(&[]), 5).unwrap();
            let batch = batch_of(&source, 0, shape(family, 16)).unwrap();
            let form = family.form();
            for rules in batch.rules.chunks_exact(form.choices * 10) {
                let count = |labels: &[u8]| labels.iter().filter(|&&rule| rule > 0).count();
                let counts: Vec<usize> = rules.chunks_exact(10).map(count).collect();
                assert!(active.contains(&counts[0]), "{counts:?}");
                assert!(counts[1..].iter().all(|&n| n < counts[0]), "{counts:?}");
            }
            assert!(batch.pixels.iter().any(|ink| *ink > 0.0));
            assert_eq!(batch.values.len(), 6 * form.inputs() * family.code_width());
            assert!(batch.values.iter().all(|&share| share == 0.0 || share == 1.0));
        }
    }

    #[test]
    fn a_transposed_puzzle_has_its_panels_elsewhere_and_its_rules_and_choices_as_they_are() {
        let made = |transpose: f32| -> Batch {
            let source = Regimes::new(&Pgm, &FeedConfig { transpose, ..config(&[]) }, 5).unwrap();
            batch_of(&source, 3, shape(&Pgm, 8)).unwrap()
        };
        let (plain, transposed) = (made(0.0), made(1.0));
        assert_eq!(plain.rules, transposed.rules);
        let panels = |batch: &Batch| -> Vec<Vec<f32>> {
            batch.pixels.chunks(64).map(<[f32]>::to_vec).collect()
        };
        let (a, b) = (panels(&plain), panels(&transposed));
        let order = [0, 3, 6, 1, 4, 7, 2, 5];
        for puzzle in 0..6 {
            for (place, from) in order.into_iter().chain(8..16).enumerate() {
                assert_eq!(b[16 * puzzle + place], a[16 * puzzle + from]);
            }
        }
    }

    #[test]
    fn puzzles_that_other_regimes_allow_meet_all_their_conditions() {
        let held_out = ["attrs.line.type", "attrs.shape.color", "attrs.pairs", "attr.rels"];
        let settings = |allowed_in: &[&str]| FeedConfig {
            allowed_in: allowed_in.iter().map(|&name| name.to_owned()).collect(),
            ..config(&["attr.rel.pairs"])
        };
        let source = Regimes::new(&Pgm, &settings(&held_out), 5).unwrap();
        for number in 0..50 {
            let puzzle = source.puzzle(number).unwrap();
            let rules = puzzle.rules_text();
            assert!(!rules.contains("line.type") && !rules.contains("shape.color"), "{rules}");
            for regime in Pgm.strata().iter().filter(|regime| held_out.contains(&regime.name)) {
                assert!(puzzle.is_allowed_in_training(*regime), "{}: {rules}", regime.name);
            }
        }
        let other = FeedConfig { regimes: Vec::new(), ..settings(&["neutral"]) };
        let error = Regimes::new(&Vad, &other, 1).err().unwrap().to_string();
        assert!(error.contains("train.feed.allowed_in: vad has no regime"), "{error}");
    }

    #[test]
    fn regimes_that_a_family_does_not_have_are_named_with_those_it_has() {
        let error = Regimes::new(&Vad, &config(&["neutral"]), 1).err().unwrap().to_string();
        assert!(error.contains("vad has no regime `neutral`"), "{error}");
        assert!(error.contains("novel.domain.transfer"), "{error}");
    }
}
