//! A model that is marked on questions.

use burn::tensor::{Device, Tensor};
use genvp_model::latent::split;
use genvp_model::mixture::NeuralMixture;
use genvp_model::{
    AnyModel, MixtureKind, ModelError, PuzzleBatch, PuzzleConfig, PuzzleData, Score, Solved,
    select, to_host,
};
use genvp_puzzle::family::{Family, vote_chance};
use rayon::prelude::*;

use crate::error::ExamError;
use crate::marks::Marks;
use crate::question::{Opened, Question};

/// Puzzles that go through the model at once.
const CHUNK: usize = 32;

/// Marks a model on puzzles whose answers are known.
#[derive(Clone, Copy, Debug)]
pub struct Evaluator<'a> {
    model: &'a AnyModel,
    device: &'a Device,
    puzzles: PuzzleConfig,
    mixer: Option<&'a NeuralMixture>,
    compares: bool,
    needs_rules: bool,
    redraws: bool,
}

impl<'a> Evaluator<'a> {
    /// A model for puzzles of a family.
    ///
    /// # Errors
    /// When it is for other puzzles.
    pub fn new(
        model: &'a AnyModel,
        device: &'a Device,
        family: &dyn Family,
    ) -> Result<Self, ExamError> {
        model.puzzle().check_holds(family)?;
        let puzzles = PuzzleConfig::of(family);
        Ok(Self {
            model,
            device,
            puzzles,
            mixer: None,
            compares: false,
            needs_rules: false,
            redraws: false,
        })
    }

    /// Marks every mixture and every expert by itself too; the learned mixture
    /// is `mixer` where there is one.
    pub fn comparing(mut self, mixer: Option<&'a NeuralMixture>) -> Self {
        (self.compares, self.mixer) = (true, mixer);
        self
    }

    /// Fails for a model that names no rules, which is else marked on its answers alone.
    pub fn requiring_rules(mut self) -> Self {
        self.needs_rules = true;
        self
    }

    /// Marks how well panels are redrawn and what Z_o-bar says too, of models that have it.
    pub fn with_reconstructions(mut self) -> Self {
        self.redraws = true;
        self
    }

    /// Marks the model on some questions; `progress` hears how many more are done.
    ///
    /// # Errors
    /// When a question cannot be read, or the device fails.
    pub fn evaluate(
        &self,
        questions: &[Question],
        progress: &dyn Fn(u64),
    ) -> Result<Marks, ExamError> {
        let mut marks = Marks::default();
        let shape = self.model.batch_shape();
        for chunk in questions.chunks(CHUNK) {
            let opened = chunk.par_iter().map(|question| question.open(&shape));
            let opened: Vec<Opened> = opened.collect::<Result<_, _>>()?;
            self.mark(&opened, &mut marks)?;
            progress(chunk.len() as u64);
        }
        Ok(marks)
    }

    fn mark(&self, opened: &[Opened], marks: &mut Marks) -> Result<(), ExamError> {
        let batch = PuzzleBatch::new(&self.model.batch_shape(), self.data(opened)?, self.device)?;
        let solved = self.model.solve(&batch)?;
        let targets: Vec<usize> = opened.iter().map(|question| question.target).collect();
        marks.asked += opened.len() as u64;
        marks.right += right(&solved.scores, &targets);
        if self.compares {
            self.mark_mixtures(&solved, &targets, marks)?;
        }
        self.mark_truth(&solved, opened, marks)?;
        if self.redraws {
            self.mark_reconstructions(&solved, &batch, opened.len(), marks)?;
        }
        Ok(())
    }

    fn mark_mixtures(
        &self,
        solved: &Solved,
        targets: &[usize],
        marks: &mut Marks,
    ) -> Result<(), ExamError> {
        let experts = solved.rules()?.experts()?;
        for (kind, count) in MixtureKind::ALL.into_iter().zip(&mut marks.mixtures) {
            *count += right(&experts.scores_by(kind, self.mixer)?, targets);
        }
        let each = experts.scores_per_expert()?;
        marks.experts.resize(each.len(), 0);
        for (scores, count) in each.iter().zip(&mut marks.experts) {
            *count += right(scores, targets);
        }
        Ok(())
    }

    /// Votes among the choices, and the rules of the completed puzzle.
    fn mark_truth(
        &self,
        solved: &Solved,
        opened: &[Opened],
        marks: &mut Marks,
    ) -> Result<(), ExamError> {
        let said = match solved.rules() {
            Ok(rules) => Some(to_host(rules.mixed.clone().argmax(3).float())?),
            Err(error) if self.needs_rules => return Err(error.into()),
            Err(_) => None,
        };
        let p = self.model.puzzle();
        for (index, question) in opened.iter().enumerate() {
            let Some(truth) = &question.truth else { continue };
            marks.voted += 1;
            marks.vote += vote_chance(&truth.vote, question.target);
            if let Some(said) = &said {
                let at = (index * p.candidates + question.target) * p.attributes;
                let said: Vec<usize> =
                    said[at..at + self.puzzles.attributes].iter().map(|&n| n as usize).collect();
                marks.mark_rules(truth, &said, self.puzzles.rules);
            }
        }
        Ok(())
    }

    /// The panels of the question redrawn (the choices are drawn no worse), and Z_o-bar.
    fn mark_reconstructions(
        &self,
        solved: &Solved,
        batch: &PuzzleBatch,
        count: usize,
        marks: &mut Marks,
    ) -> Result<(), ExamError> {
        let (Some(z), Some(latent)) = (&solved.z, self.model.config().latent().cloned()) else {
            return Ok(());
        };
        let p = self.model.puzzle();
        let (panels, inputs) = (p.context(), p.inputs());
        let shown = |t: Tensor<2>| {
            let width = t.dims()[1];
            t.reshape([count, inputs, width]).narrow(1, 0, panels).reshape([count * panels, width])
        };
        let drawn = self.model.redraw(shown(z.mean.clone()))?;
        let pixels = drawn.dims().iter().skip(1).product::<usize>();
        let wanted = shown(batch.images().reshape([count * inputs, pixels])).reshape(drawn.dims());
        marks.squared_error += f64::from(sum((drawn - wanted).square())?) / panels as f64;
        let (_, irrelevant) = split(z, latent.relevant);
        marks.kl_irrelevant += f64::from(sum(irrelevant.kl_standard())?) / inputs as f64;
        Ok(())
    }

    /// What the model looks at: pixels, or the vote among the choices.
    fn data(&self, opened: &[Opened]) -> Result<PuzzleData, ExamError> {
        if self.model.batch_shape().size.is_some() {
            let pixels = opened.iter().flat_map(|question| question.pixels.iter().copied());
            return Ok(PuzzleData { pixels: pixels.collect(), ..PuzzleData::default() });
        }
        let mut voted = Vec::new();
        for question in opened {
            let vote = &question.truth.as_ref().ok_or(ExamError::NoScene)?.vote;
            voted.extend((0..self.puzzles.candidates).map(|choice| vote.contains(&choice)));
        }
        Ok(PuzzleData { voted: Some(voted), ..PuzzleData::default() })
    }
}

fn right(scores: &[Vec<Score>], targets: &[usize]) -> u64 {
    let same = scores.iter().zip(targets).filter(|(own, target)| select::best(own) == **target);
    same.count() as u64
}

fn sum<const D: usize>(tensor: Tensor<D>) -> Result<f32, ModelError> {
    Ok(to_host(tensor.sum())?.first().copied().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_set::TestSet;
    use genvp_model::{ModelConfig, Preset, VoteConfig};
    use genvp_puzzle::family::{PuzzleSpec, families};
    use genvp_puzzle::raven::Raven;
    use genvp_puzzle::vad::Vad;
    use genvp_puzzle::{Layout, Set};

    fn model(device: &Device) -> AnyModel {
        Preset::named("cpu-64").unwrap().model.init_seeded(3, device).unwrap()
    }

    fn questions(n: u64) -> Vec<Question> {
        let spec = PuzzleSpec::new(Raven::stratum(Set::Raven, Layout::OutInGrid));
        TestSet::fresh(&Raven, &spec, n, 9).unwrap().questions
    }

    #[test]
    fn every_puzzle_is_marked_once_and_marks_of_parts_add_up() {
        let device = Device::flex();
        let model = model(&device);
        let evaluator = Evaluator::new(&model, &device, &Raven).unwrap();
        let evaluator = evaluator.comparing(None).with_reconstructions();
        let questions = questions(40);
        let whole = evaluator.evaluate(&questions, &|_| ()).unwrap();
        assert_eq!((whole.asked, whole.voted, whole.experts.len()), (40, 40, 14));
        assert!(whole.vote > 30.0, "a vote solves RAVEN: {}", whole.vote);
        assert_eq!(whole.mixtures[0], whole.right, "the preset mixes by weighted average");
        let (right, asked) = whole.rules_right();
        assert!(asked > 40 && right <= asked);
        assert!(whole.squared_error > 0.0 && whole.kl_irrelevant > 0.0);
        let mut parts = evaluator.evaluate(&questions[..16], &|_| ()).unwrap();
        parts.add(&evaluator.evaluate(&questions[16..], &|_| ()).unwrap());
        assert_eq!(parts.asked, whole.asked);
        assert_eq!(parts.rules, whole.rules);
    }

    #[test]
    fn a_vote_is_marked_on_puzzles_of_any_family() {
        let device = Device::flex();
        for &family in families() {
            let config = ModelConfig::from(VoteConfig { puzzle: PuzzleConfig::of(family) });
            let model = config.init_seeded(1, &device).unwrap();
            let evaluator = Evaluator::new(&model, &device, family).unwrap();
            let spec = PuzzleSpec::new(family.strata()[0]);
            let questions = TestSet::fresh(family, &spec, 20, 5).unwrap().questions;
            let marks = evaluator.evaluate(&questions, &|_| ()).unwrap();
            assert_eq!((marks.asked, marks.voted), (20, 20), "{}", family.id());
            assert!(marks.rules.is_empty(), "it names no rules");
        }
    }

    #[test]
    fn a_model_for_other_puzzles_is_refused_with_what_is_wanted() {
        let device = Device::flex();
        let error = Evaluator::new(&model(&device), &device, &Vad).unwrap_err().to_string();
        assert!(
            error.ends_with("wanted are 2x3 panels, 4 choices, 10 attributes, 6 rules"),
            "{error}"
        );
    }
}
