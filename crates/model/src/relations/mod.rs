//! A model of PGM's and VAD's puzzles that reads panels as sets of values.
//!
//! In these families a relation holds between the *sets* of values that an attribute has in the
//! panels of a line: the third panel shows the greys that one of the first two shows, and so on.
//! So this model keeps the inference half of GenVP and gives its parts the shapes of such puzzles:
//!
//! | distribution | here |
//! |---|---|
//! | `q(Z_o\|X)`: what stands at each place, which lines there are | [`PanelReader`] |
//! | Z_o: for each attribute the share of every value | [`value_sets`](sets::value_sets) |
//! | the experts `q(R\|·)` of a matrix, along rows and columns | [`MatrixExperts`] |
//! | the experts `q(R\|·)` of an analogy: a source row and a target row | [`AnalogyExperts`] |
//! | their mixture, and the answer | `solve.rs` |
//!
//! The generative half, for models that have one, goes R -> Z_r -> Z_o -> Z -> X as in the paper,
//! with discrete variables where the world is discrete:
//!
//! | distribution | here |
//! |---|---|
//! | `p(Z_r\|R)`: along which lines each relation runs | `courses.rs` |
//! | `p(Z_o\|Z_r, R)`: the values of every attribute in every panel | [`ValueWriter`] |
//! | `p(Z\|Z_o, Z_o-bar)`: which object shows which value | `arrange.rs` |
//! | `p(X\|Z)` | [`PanelDecoder`] |
//!
//! What panels show may be told (`values` of the objective, or `symbolic_only`), or be learned from
//! the rules alone.

mod analogy;
mod arrange;
mod chance;
mod courses;
mod decoder;
mod generate;
mod heads;
mod lines;
mod matrix;
mod objective;
mod reader;
mod sets;
mod value_grid;
mod writer;

pub use analogy::AnalogyExperts;
pub use decoder::{PanelDecoder, PanelDecoderConfig};
pub use matrix::MatrixExperts;
pub use reader::PanelReader;
pub use writer::{ValueWriter, WriterConfig};

use burn::module::Module;
use burn::tensor::{Device, Tensor};
use genvp_puzzle::pgm::Pgm;
use genvp_puzzle::relations::codes::CODES;
use genvp_puzzle::vad::Vad;
use serde::{Deserialize, Serialize};

use self::courses::Form;
use crate::architecture::{ArchitectureConfig, PuzzleModel};
use crate::batch::{BatchShape, PuzzleBatch};
use crate::config::{ConfigError, PuzzleConfig};
use crate::error::ModelError;
use crate::loss::{LossConfig, LossTerms, Term};
use crate::mixture::{MixtureKind, NeuralMixture};
use crate::noise::Noise;
use crate::sampling::{Completed, Conditioning, Imagined, SamplingConfig};
use crate::solve::{Solved, as_inputs, rules_of_logits, solve_logits};

/// What a [`RelationModel`] is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelationConfig {
    /// The puzzles: PGM's or VAD's.
    pub puzzle: PuzzleConfig,
    /// Side of a panel in pixels, a multiple of 8.
    pub size: usize,
    /// How panels are read.
    pub reader: ReaderConfig,
    /// How relations are found.
    pub experts: RelationExpertConfig,
    /// How the experts' predictions become one.
    #[serde(default)]
    pub mixture: MixtureKind,
    /// How values are written; absent for models that do not imagine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writer: Option<WriterConfig>,
    /// How panels are drawn; absent for models that do not draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decoder: Option<PanelDecoderConfig>,
}

/// How panels are read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReaderConfig {
    /// Hidden widths of the network that reads each of the nine places.
    pub place: Vec<usize>,
    /// Hidden widths of the network that reads the lines of a panel.
    pub lines: Vec<usize>,
    /// Whether sizes and greys are read as places on a scale, so that values which training does not
    /// show are read, too; else every value is read by itself.
    #[serde(default)]
    pub ordered: bool,
}

/// How relations are found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelationExpertConfig {
    /// How many neighbouring values the relation network sees at once.
    pub window: usize,
    /// Width of the relation network.
    pub relation: usize,
    /// Numbers that say what a line shows of one value.
    pub line: usize,
    /// Width of the heads' hidden layers.
    pub hidden: usize,
    /// How far told values are moved, so that experts get used to readings that are not certain.
    pub sigma: f32,
    /// Whether the networks are told which attribute they look at. Where they are not, a relation that
    /// training never shows on an attribute is known there from others.
    #[serde(default = "yes")]
    pub tells_attribute: bool,
    /// Whether matrices are also read along columns, by the same networks; else along rows alone. Analogies
    /// have rows only.
    #[serde(default = "yes")]
    pub along_columns: bool,
}

fn yes() -> bool {
    true
}

impl RelationExpertConfig {
    /// How many kinds of attributes the networks tell apart.
    fn told_attributes(&self) -> usize {
        if self.tells_attribute { sets::ATTRIBUTES } else { 1 }
    }
}

/// See the [module](self).
#[derive(Module, Debug)]
pub struct RelationModel {
    /// q(Z_o|X).
    pub reader: PanelReader,
    /// q(R|·).
    pub experts: RelationExperts,
    /// The learned mixture, for models that use one.
    pub mixture: Option<NeuralMixture>,
    /// p(Z_o|Z_r, R), for models that imagine.
    pub writer: Option<ValueWriter>,
    /// p(X|Z), for models that draw.
    pub decoder: Option<PanelDecoder>,
    #[module(skip)]
    config: RelationConfig,
}

/// The experts of one form of puzzles.
#[derive(Module, Debug)]
#[allow(clippy::large_enum_variant, reason = "a model has one, and moves it rarely")]
pub enum RelationExperts {
    /// Relations along the rows or the columns of a square matrix.
    Matrix(MatrixExperts),
    /// One relation in a source row and in a target row.
    Analogy(AnalogyExperts),
}

impl RelationExperts {
    fn new(config: &RelationConfig, device: &Device) -> Self {
        let (puzzle, experts) = (&config.puzzle, &config.experts);
        if puzzle.rows == puzzle.columns {
            Self::Matrix(MatrixExperts::new(puzzle, experts, device))
        } else {
            Self::Analogy(AnalogyExperts::new(puzzle, experts, device))
        }
    }

    /// q(R|·) of every puzzle completed by each of its candidates.
    ///
    /// # Shapes
    /// `[b, P, A, V] -> [E, b, C, K_R, N_R]`
    pub fn logits(&self, sets: Tensor<4>) -> Tensor<5> {
        match self {
            Self::Matrix(experts) => experts.logits(sets),
            Self::Analogy(experts) => experts.logits(sets),
        }
    }
}

impl ArchitectureConfig for RelationConfig {
    type Model = RelationModel;

    fn puzzle(&self) -> &PuzzleConfig {
        &self.puzzle
    }

    fn batch_shape(&self) -> BatchShape {
        // Along which lines each relation runs may be stated.
        let parameters = self.puzzle.attributes;
        let shape = BatchShape::of_pixels(self.puzzle, self.size);
        BatchShape { codes: Some([CODES, 0]), parameters, ..shape }
    }

    fn problems(&self) -> Vec<String> {
        let mut problems = self.puzzle.problems();
        if self.puzzle.check_for(&Pgm).is_err() && self.puzzle.check_for(&Vad).is_err() {
            let (pgm, vad) = (PuzzleConfig::of(&Pgm), PuzzleConfig::of(&Vad));
            problems.push(format!(
                "the relations architecture is for {pgm} (PGM) or {vad} (VAD), not {}",
                self.puzzle
            ));
        }
        if !(16..=512).contains(&self.size) || !self.size.is_multiple_of(8) {
            problems
                .push(format!("size is a multiple of 8 from 16 to 512 pixels, not {}", self.size));
        }
        let experts = &self.experts;
        let widths = [experts.relation, experts.line, experts.hidden];
        let widths = widths.iter().chain(&self.reader.place).chain(&self.reader.lines);
        let widths = widths.chain(self.writer.iter().flat_map(|writer| &writer.hidden));
        let mut widths = widths.chain(self.decoder.iter().flat_map(|decoder| &decoder.shape));
        if !widths.all(|width| (1..=4096).contains(width)) {
            problems.push("widths of reader, experts, writer and decoder are 1 to 4096".into());
        }
        if !(1..=sets::VALUES).contains(&experts.window) {
            problems.push(format!(
                "experts.window is 1 to {} values, not {}",
                sets::VALUES,
                experts.window
            ));
        }
        if !(0.0..=1.0).contains(&experts.sigma) {
            problems.push(format!("experts.sigma is 0 to 1, not {}", experts.sigma));
        }
        problems
    }

    fn terms(&self) -> Vec<Term> {
        let mut terms = [&objective::EXPERT_TERMS[..], &[Term::Values]].concat();
        terms.extend(self.writer.as_ref().map(|_| Term::ZO));
        terms.extend(self.decoder.as_ref().map(|_| Term::Reconstruction));
        self.mixture.terms_of(&terms)
    }

    /// A file of VAD records one of two attributes; the other one is found.
    fn learns_from_partial_rules(&self) -> bool {
        true
    }

    /// What is told need not be looked at, unless it is to be drawn.
    fn needs_pixels(&self, loss: &LossConfig) -> bool {
        let draws = self.decoder.is_some() && loss.wants(Term::Reconstruction);
        !loss.symbolic_only || draws
    }

    fn build(&self, device: &Device) -> Result<RelationModel, ConfigError> {
        let neural = self.mixture == MixtureKind::Nn;
        Ok(RelationModel {
            reader: PanelReader::new(self.size, &self.reader, device),
            experts: RelationExperts::new(self, device),
            mixture: neural.then(|| NeuralMixture::new(&self.puzzle, device)),
            writer: self
                .writer
                .as_ref()
                .map(|writer| ValueWriter::new(Form::of(&self.puzzle).lines(), writer, device)),
            decoder: self.decoder.as_ref().map(|decoder| {
                let types = Form::of(&self.puzzle).line_types();
                PanelDecoder::new(self.size, types, decoder, device)
            }),
            config: self.clone(),
        })
    }
}

impl RelationModel {
    /// What this model is made of.
    pub fn config(&self) -> &RelationConfig {
        &self.config
    }

    /// The value sets of panels, as they are read.
    ///
    /// # Shapes
    /// `[b · n, h, w, 1] -> [b, n, A, V]`
    fn read(&self, images: Tensor<4>, panels: usize) -> Tensor<4> {
        let shares = burn::tensor::activation::sigmoid(self.reader.forward(images));
        let [count, _] = shares.dims();
        sets::value_sets(shares).reshape([count / panels, panels, sets::ATTRIBUTES, sets::VALUES])
    }
}

impl PuzzleModel for RelationModel {
    fn puzzle(&self) -> &PuzzleConfig {
        &self.config.puzzle
    }

    fn batch_shape(&self) -> BatchShape {
        self.config.batch_shape()
    }

    fn names_rules(&self) -> bool {
        true
    }

    fn learned_mixture(&self) -> Option<&NeuralMixture> {
        self.mixture.as_ref()
    }

    fn solve(&self, batch: &PuzzleBatch) -> Result<Solved, ModelError> {
        let sets = self.read(batch.images(), self.config.puzzle.inputs());
        let logits = self.experts.logits(sets);
        solve_logits(logits, &self.config.puzzle, self.config.mixture, self.mixture.as_ref())
    }

    fn losses(&self, batch: &PuzzleBatch, config: &LossConfig, noise: &mut Noise) -> LossTerms {
        self.objective(batch, config, noise)
    }

    fn imagine(
        &self,
        spec: &Conditioning,
        sampling: SamplingConfig,
        noise: &mut Noise,
    ) -> Result<Imagined, ModelError> {
        let device = spec.rules.device();
        self.generator("imagine puzzles", sampling, device)?.imagine(spec, noise)
    }

    fn complete(
        &self,
        images: Tensor<4>,
        present: &[bool],
        rules: Option<&[u8]>,
        sampling: SamplingConfig,
        noise: &mut Noise,
    ) -> Result<Completed, ModelError> {
        self.fill(images, present, rules, sampling, noise)
    }

    fn reconstruct(&self, images: Tensor<4>, _panels: usize) -> Result<Tensor<4>, ModelError> {
        let decoder = self.decoder.as_ref().ok_or(ModelError::Cannot { what: "draw panels" })?;
        Ok(decoder.forward(burn::tensor::activation::sigmoid(self.reader.forward(images))))
    }

    fn redraw(&self, z: Tensor<2>) -> Result<Tensor<4>, ModelError> {
        let decoder = self.decoder.as_ref().ok_or(ModelError::Cannot { what: "draw panels" })?;
        Ok(decoder.forward(z))
    }

    fn rules(&self, images: Tensor<4>) -> Result<Tensor<3>, ModelError> {
        let p = &self.config.puzzle;
        let sets = as_inputs(self.read(images, p.panels()), p);
        Ok(rules_of_logits(self.experts.logits(sets), p, self.config.mixture))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnyModel, ModelConfig, PuzzleData};
    use genvp_puzzle::family::PuzzleSpec;

    fn config(family: &dyn genvp_puzzle::family::Family) -> ModelConfig {
        let reader = ReaderConfig { place: vec![12], lines: vec![10], ordered: false };
        let experts = RelationExpertConfig {
            window: 5,
            relation: 9,
            line: 7,
            hidden: 8,
            sigma: 0.1,
            tells_attribute: true,
            along_columns: true,
        };
        let puzzle = PuzzleConfig::of(family);
        RelationConfig {
            puzzle,
            size: 16,
            reader,
            experts,
            mixture: MixtureKind::default(),
            writer: Some(WriterConfig { hidden: vec![9] }),
            decoder: Some(PanelDecoderConfig { shape: vec![8] }),
        }
        .into()
    }

    fn model(family: &dyn genvp_puzzle::family::Family) -> AnyModel {
        config(family).init_seeded(3, &Device::flex()).unwrap()
    }

    /// Two puzzles of panels that look like nothing in particular.
    fn panels(inputs: usize) -> Vec<Vec<f32>> {
        let noise = |panel: usize| {
            let pixel = |at: usize| ((panel * 7919 + at * 104_729) % 97) as f32 / 96.0;
            (0..256).map(pixel).collect()
        };
        (0..2 * inputs).map(noise).collect()
    }

    fn scores(model: &AnyModel, panels: &[Vec<f32>]) -> Vec<Vec<f32>> {
        let data = PuzzleData { pixels: panels.concat(), ..PuzzleData::default() };
        let batch = PuzzleBatch::new(&model.batch_shape(), data, &Device::flex()).unwrap();
        let solved = model.solve(&batch).unwrap();
        solved.scores.iter().map(|own| own.iter().map(|s| s.active).collect()).collect()
    }

    fn close(a: &[Vec<f32>], b: &[Vec<f32>]) -> bool {
        a.concat().iter().zip(b.concat()).all(|(a, b)| (a - b).abs() < 1e-5)
    }

    /// What the experts make of two puzzles with the value sets of each panel.
    fn active(model: &RelationModel, sets: Tensor<4>) -> Vec<f32> {
        let p = &model.config.puzzle;
        let predictions = crate::expert::Predictions::new(p);
        let mixed = model.config.mixture.mix(model.experts.logits(sets), &predictions);
        crate::select::active_mass(mixed).into_data().try_to_vec::<f32>().unwrap()
    }

    #[test]
    fn a_matrix_and_its_transpose_are_answered_alike() {
        let AnyModel::Relations(model) = model(&Pgm) else { panic!("a relations model") };
        let device = Device::flex();
        let shape = [2, 16, sets::ATTRIBUTES, sets::VALUES];
        let plain = Noise::seeded(5).normal(shape, &device).unwrap().sign();
        let ordered = |order: [i64; 16]| {
            let order = burn::tensor::TensorData::new(order.to_vec(), [16]);
            active(&model, plain.clone().select(1, Tensor::from_data(order, &device)))
        };
        let whole: [i64; 16] = std::array::from_fn(|place| place as i64);
        let transposed = [0, 3, 6, 1, 4, 7, 2, 5, 8, 9, 10, 11, 12, 13, 14, 15];
        let mut other = whole;
        other.swap(0, 1);
        let gap = |order: [i64; 16]| {
            let (a, b) = (ordered(whole), ordered(order));
            a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
        };
        assert!(gap(transposed) < 1e-5, "{}", gap(transposed));
        assert!(gap(other) > 1e-4, "{}", gap(other));
    }

    #[test]
    fn networks_that_are_not_told_the_attribute_say_the_same_of_all() {
        let untold = |family: &dyn genvp_puzzle::family::Family| {
            let mut own = serde_json::to_value(config(family)).unwrap();
            own["experts"]["tells_attribute"] = false.into();
            let own: ModelConfig = serde_json::from_value(own).unwrap();
            own.init_seeded(3, &Device::flex()).unwrap()
        };
        for family in [&Pgm as &dyn genvp_puzzle::family::Family, &Vad] {
            let AnyModel::Relations(model) = untold(family) else { panic!("a relations model") };
            let device = Device::flex();
            let shape = [1, family.form().inputs(), 1, sets::VALUES];
            let of_one = Noise::seeded(5).normal(shape, &device).unwrap().sign();
            let all = of_one.repeat_dim(2, sets::ATTRIBUTES);
            let said = model.experts.logits(all).into_data().try_to_vec::<f32>().unwrap();
            for rows in said.chunks(60) {
                let (color, line_type) = (&rows[..6], &rows[54..]);
                assert!(color.iter().zip(line_type).all(|(a, b)| (a - b).abs() < 1e-4));
            }
        }
    }

    #[test]
    fn a_score_depends_on_the_question_and_its_own_choice_alone() {
        for family in [&Pgm as &dyn genvp_puzzle::family::Family, &Vad] {
            let (model, form) = (model(family), family.form());
            let plain = panels(form.inputs());
            let mut moved = plain.clone();
            moved.swap(form.context(), form.inputs() - 1);
            let (mut a, b) = (scores(&model, &plain), scores(&model, &moved));
            a[0].swap(0, form.choices - 1);
            assert!(close(&a, &b), "{a:?} {b:?}");
        }
    }

    #[test]
    fn every_prediction_is_a_distribution_and_rows_without_an_attribute_say_none() {
        for family in [&Pgm as &dyn genvp_puzzle::family::Family, &Vad] {
            let model = model(family);
            let form = family.form();
            let data =
                PuzzleData { pixels: panels(form.inputs()).concat(), ..PuzzleData::default() };
            let batch = PuzzleBatch::new(&model.batch_shape(), data, &Device::flex()).unwrap();
            let solved = model.solve(&batch).unwrap();
            let rules = solved.rules().unwrap().experts().unwrap();
            let e = model.puzzle().predictions();
            assert_eq!(rules.logits.dims(), [e, 2, form.choices, 10, 6]);
            let cells = rules.probabilities().into_data().try_to_vec::<f32>().unwrap();
            for matrix in cells.chunks(60) {
                for (row, own) in matrix.chunks(6).enumerate() {
                    assert!((own.iter().sum::<f32>() - 1.0).abs() < 1e-4);
                    assert!(![6, 7, 8].contains(&row) || own[0] > 0.999);
                }
            }
        }
    }

    /// One puzzle of rules that a family can have.
    fn spec(model: &AnyModel, family: &dyn genvp_puzzle::family::Family) -> Conditioning {
        let generator = family.generator(&PuzzleSpec::new(family.strata()[0])).unwrap();
        let rules = generator.puzzle(1, 0).unwrap().truth().rules;
        Conditioning::new(model.puzzle(), rules.as_slice(), None, &Device::flex()).unwrap()
    }

    #[test]
    fn what_is_imagined_can_be_shown_and_is_a_function_of_the_seed() {
        for family in [&Pgm as &dyn genvp_puzzle::family::Family, &Vad] {
            let model = model(family);
            let spec = spec(&model, family);
            let imagined = |seed| {
                let mut noise = Noise::seeded(seed);
                model.imagine(&spec, SamplingConfig::default(), &mut noise).unwrap()
            };
            let (first, other) = (imagined(1), imagined(2));
            let panels = family.form().panels();
            assert_eq!(first.images.dims(), [panels, 16, 16, 1]);
            assert_eq!(first.z.dims(), [1, panels, CODES]);
            let z = |imagined: &Imagined| imagined.z.clone().into_data();
            assert_eq!(z(&first), z(&imagined(1)));
            assert_ne!(z(&first), z(&other));
            let codes = z(&first).try_to_vec::<f32>().unwrap();
            for codes in codes.chunks_exact(CODES) {
                let panel = genvp_puzzle::relations::codes::read(codes);
                let mut again = vec![0.0; CODES];
                genvp_puzzle::relations::codes::write(&panel, &mut again);
                assert_eq!(again, codes, "one value of each attribute for every object");
            }
        }
    }

    #[test]
    fn panels_that_are_there_stay_and_two_missing_ones_hide_the_rules() {
        let (model, p) = (model(&Pgm), PuzzleConfig::of(&Pgm));
        let data = panels(9)[..9].concat();
        let data = burn::tensor::TensorData::new(data, [9, 16, 16, 1]);
        let images = Tensor::<4>::from_data(data, &Device::flex());
        let mut present = [true; 9];
        present[4] = false;
        let fill = |present: &[bool], rules: Option<&[u8]>| {
            let mut noise = Noise::seeded(3);
            model.complete(images.clone(), present, rules, SamplingConfig::default(), &mut noise)
        };
        let done = fill(&present, None).unwrap();
        let AnyModel::Relations(own) = &model else { panic!("a relations model") };
        let read = burn::tensor::activation::sigmoid(own.reader.forward(images.clone()));
        let apart = (done.z.reshape([9, CODES]) - read).abs().max_dim(1).into_data();
        let apart = apart.try_to_vec::<f32>().unwrap();
        assert!(apart.iter().enumerate().all(|(panel, gap)| (*gap > 0.0) == (panel == 4)));
        present[0] = false;
        assert!(fill(&present, None).is_err());
        assert!(fill(&present, Some(&vec![0; p.attributes])).is_ok());
    }

    #[test]
    fn a_model_without_a_generative_half_says_so() {
        let AnyModel::Relations(model) = model(&Pgm) else { panic!("a relations model") };
        let config = RelationConfig { writer: None, decoder: None, ..model.config };
        let model = ModelConfig::from(config).init_seeded(3, &Device::flex()).unwrap();
        let spec = spec(&model, &Pgm);
        let error = model.imagine(&spec, SamplingConfig::default(), &mut Noise::seeded(1));
        assert!(error.unwrap_err().to_string().contains("cannot imagine"));
    }

    #[test]
    fn puzzles_of_other_forms_are_refused() {
        let mut other = serde_json::to_value(config(&Pgm)).unwrap();
        other["puzzle"]["rules"] = 5.into();
        other["size"] = 20.into();
        let other: ModelConfig = serde_json::from_value(other).unwrap();
        let error = other.check().unwrap_err().to_string();
        assert!(error.contains("(VAD)") && error.contains("multiple of 8"), "{error}");
    }
}
