//! The model against PyTorch: `fixtures/goldens/make_goldens.py` made the files.

use burn::module::{Module, ModuleVisitor, Param, ParamId};
use burn::optim::GradientsParams;
use burn::tensor::{Device, Tensor, activation};
use genvp_model::loss::{
    contrast_ce, contrast_global, contrast_local, ranking, rule_prior, supervised,
};
use genvp_model::{
    AnyModel, Contrast, Genvp, LatentModel, LossConfig, LossWeights, MixtureKind, Noise,
    Predictions, PuzzleBatch, PuzzleConfig, PuzzleData, PuzzleModel, RuleTargets,
};
use safetensors::SafeTensors;

use crate::common::genvp;

/// Agreement asked for, relative to the largest value of a tensor.
pub const TOLERANCE: f32 = 1e-4;

pub struct Golden {
    name: &'static str,
    weights: Vec<u8>,
    file: Vec<u8>,
}

impl Golden {
    pub fn open(name: &'static str) -> Self {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/goldens");
        let read =
            |kind: &str| std::fs::read(format!("{folder}/{name}.{kind}.safetensors")).unwrap();
        Self { name, weights: read("weights"), file: read("golden") }
    }

    fn all() -> Vec<Self> {
        ["dense", "slots", "rows", "vad"].map(Self::open).into()
    }

    pub fn model(&self, device: &Device) -> AnyModel {
        AnyModel::from_bytes(&self.weights, device)
            .unwrap_or_else(|e| panic!("{}: {e}", self.name))
            .0
    }

    fn genvp(&self, device: &Device) -> Genvp {
        genvp(self.model(device))
    }

    pub fn values(&self, tensor: &str) -> Vec<f32> {
        let file = SafeTensors::deserialize(&self.file).unwrap();
        let view = file.tensor(tensor).unwrap_or_else(|e| panic!("{}: {tensor}: {e}", self.name));
        view.data().chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
    }

    pub fn whole(&self, tensor: &str) -> Vec<u8> {
        self.values(tensor).iter().map(|&v| v as u8).collect()
    }

    fn batch(&self, model: &dyn PuzzleModel, device: &Device) -> PuzzleBatch {
        let data = PuzzleData {
            pixels: self.values("images"),
            rules: Some(self.whole("labels")),
            layouts: Some(self.whole("layouts")),
            ..PuzzleData::default()
        };
        PuzzleBatch::new(&model.batch_shape(), data, device).unwrap()
    }

    pub fn assert_like<const D: usize>(&self, tensor: &str, found: Tensor<D>) {
        let found = found.into_data().try_to_vec::<f32>().unwrap();
        self.assert_values(tensor, &found, TOLERANCE * largest(&self.values(tensor)));
    }

    fn assert_values(&self, tensor: &str, found: &[f32], allowed: f32) {
        let wanted = self.values(tensor);
        assert_eq!(found.len(), wanted.len(), "{}: {tensor}", self.name);
        for (i, (f, w)) in found.iter().zip(&wanted).enumerate() {
            assert!(
                (f - w).abs() <= allowed,
                "{}: {tensor}[{i}] is {f}, PyTorch says {w}",
                self.name
            );
        }
    }
}

fn largest(values: &[f32]) -> f32 {
    values.iter().fold(0.0, |m, v| m.max(v.abs()))
}

#[test]
fn encoders_decoders_experts_and_priors_agree() {
    let device = Device::flex();
    for golden in Golden::all() {
        let model = golden.genvp(&device);
        let batch = golden.batch(&model, &device);
        let (p, latent) = (model.config().puzzle, model.config().latent.clone());
        let z = model.encode(batch.images());
        golden.assert_like("eval.z_mean", z.mean.clone());
        golden.assert_like("eval.z_log_var", z.log_var.clone());
        let by_puzzle = z.mean.reshape([batch.len(), p.inputs(), latent.panel()]);
        let right = by_puzzle
            .clone()
            .narrow(1, 0, p.panels())
            .reshape([batch.len() * p.panels(), latent.panel()]);
        golden.assert_like("eval.drawn", model.decode(right));
        let inference =
            model.experts.infer(by_puzzle.narrow(2, 0, latent.relevant), &mut Noise::mean());
        golden.assert_like("eval.logits", inference.logits.clone());
        golden.assert_like("eval.z_r_mean", inference.z_r.mean.clone());
        golden.assert_like("eval.z_r_log_var", inference.z_r.log_var.clone());
        let rules = batch.rules().unwrap().one_hot.clone().narrow(1, 0, 1).squeeze_dim::<3>(1);
        let layout = batch.layout();
        let z_r = model.experts.prior_z_r(rules, layout.clone());
        golden.assert_like("eval.prior_z_r_mean", z_r.mean);
        golden.assert_like("eval.prior_z_r_log_var", z_r.log_var);
        let z_o = model.prior_z_o(inference.z_r_sample.narrow(1, 0, 1).squeeze_dim(1), layout);
        golden.assert_like("eval.prior_z_o_mean", z_o.mean);
        golden.assert_like("eval.prior_z_o_log_var", z_o.log_var);
    }
}

#[test]
fn mixtures_agree() {
    let device = Device::flex();
    for golden in Golden::all() {
        let model = golden.genvp(&device);
        let solved = model.solve(&golden.batch(&model, &device)).unwrap();
        let logits = solved.rules().unwrap().experts().unwrap().logits.clone();
        let predictions = Predictions::new(model.puzzle());
        for kind in MixtureKind::ALL {
            let name = match kind {
                MixtureKind::WeightedAvg => "mixture.weighted-avg",
                MixtureKind::Avg => "mixture.avg",
                MixtureKind::ArgmaxAvg => "mixture.argmax-avg",
                MixtureKind::Prod => "mixture.prod",
                MixtureKind::ArgmaxProd => "mixture.argmax-prod",
                MixtureKind::Nn => continue,
            };
            golden.assert_like(name, kind.mix(logits.clone(), &predictions));
        }
        if let Some(network) = &model.mixture {
            golden
                .assert_like("eval.neural_scores", network.scores(activation::softmax(logits, 4)));
        }
    }
}

#[test]
fn predictions_that_miss_the_last_panel_say_the_same_of_every_candidate() {
    let device = Device::flex();
    for golden in Golden::all() {
        let model = golden.model(&device);
        let solved = model.solve(&golden.batch(&*model, &device)).unwrap();
        let per_expert = solved.rules().unwrap().experts().unwrap().scores_per_expert().unwrap();
        let predictions = Predictions::new(model.puzzle());
        for (kind, scores) in predictions.kinds().into_iter().zip(per_expert) {
            let like = |a: f32, b: f32| (a - b).abs() < 1e-5;
            let same = scores.iter().all(|s| s.iter().all(|x| like(x.active, s[0].active)));
            assert_eq!(same, !predictions.sees_candidate(kind), "{}: {kind:?}", golden.name);
        }
    }
}

/// The objective whose gradient the goldens hold.
fn objective() -> LossConfig {
    let weights = LossWeights {
        supervised: 5.0,
        contrast_global: 2.0,
        contrast_local: 2.0,
        ..LossWeights::default()
    };
    LossConfig { contrast: Contrast::Paper, weights, ..LossConfig::default() }
}

#[test]
fn loss_terms_agree() {
    let device = Device::flex().autodiff();
    for golden in Golden::all() {
        let model = golden.model(&device);
        let batch = golden.batch(&*model, &device);
        let config = objective();
        let terms = model.losses(&batch, &config, &mut Noise::mean());
        for (term, value) in terms.values().unwrap() {
            let wanted = golden.values(&format!("term.{}", term.name()))[0];
            let name = term.name();
            assert!(
                (value - wanted).abs() <= TOLERANCE * wanted.abs(),
                "{}: {name} {value} {wanted}",
                golden.name
            );
        }
        // The other terms, from PyTorch's own logits.
        let p = model.puzzle();
        let shape = [p.predictions(), batch.len(), p.candidates, p.attributes, p.rules];
        let logits = Tensor::<1>::from_floats(golden.values("train.logits").as_slice(), &device)
            .reshape(shape);
        let (labels, predictions) = (batch.rules().unwrap(), Predictions::new(p));
        golden.assert_like("term.contrast_ce", contrast_ce(logits.clone(), labels, &predictions));
        golden.assert_like("term.supervised", supervised(logits.clone(), labels, &predictions));
        golden.assert_like("term.ranking", ranking(logits.clone(), &predictions));
        let mixed = MixtureKind::WeightedAvg.mix(logits, &predictions);
        golden.assert_like("term.rule_prior", rule_prior(mixed.narrow(1, 0, 1)));
    }
}

/// Compares the gradients of a module with all those that the golden has under a prefix.
pub fn assert_gradients(
    golden: &Golden,
    prefix: &str,
    module: &impl Module,
    found: &GradientsParams,
) {
    let file = SafeTensors::deserialize(&golden.file).unwrap();
    let own = format!("{prefix}.");
    let all = file.names().into_iter().filter(|n| n.starts_with(&own) && !n.contains("mixture."));
    let all = all.map(String::from).collect::<Vec<_>>();
    // A bias under a batch norm has no gradient but rounding: judged by the others' size.
    let scale = all.iter().map(|n| largest(&golden.values(n))).fold(0.0, f32::max);
    let path = vec![prefix.to_owned()];
    let mut visitor = Gradients { golden, found, names: Vec::new(), path, scale };
    module.visit(&mut visitor);
    assert_eq!(visitor.names.len(), all.len(), "{}", golden.name);
}

struct Gradients<'a> {
    golden: &'a Golden,
    found: &'a GradientsParams,
    names: Vec<String>,
    path: Vec<String>,
    scale: f32,
}

impl Gradients<'_> {
    fn check<const D: usize>(&mut self, id: ParamId) {
        let name = self.path.join(".");
        // Running statistics have no gradient; the learned mixture is not in this objective.
        let Some(gradient) = self.found.get::<D>(id) else {
            assert!(
                name.contains("running") || name.contains("mixture."),
                "{name} has no gradient"
            );
            return;
        };
        let allowed = TOLERANCE * largest(&self.golden.values(&name)).max(1e-2 * self.scale);
        self.golden.assert_values(
            &name,
            &gradient.into_data().try_to_vec::<f32>().unwrap(),
            allowed,
        );
        self.names.push(name);
    }
}

impl ModuleVisitor for Gradients<'_> {
    fn enter_module(&mut self, name: &str, container: &str) {
        if !container.starts_with("Enum:") {
            self.path.push(name.into());
        }
    }

    fn exit_module(&mut self, _: &str, container: &str) {
        if !container.starts_with("Enum:") {
            self.path.pop();
        }
    }

    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        self.check::<D>(param.id);
    }
}

#[test]
fn gradients_of_the_whole_objective_agree() {
    let device = Device::flex().autodiff();
    for golden in Golden::all() {
        let model = golden.model(&device);
        let config = objective();
        let terms = model.losses(&golden.batch(&*model, &device), &config, &mut Noise::mean());
        let gradients = terms.total(&config.weights).unwrap().backward();
        let found = GradientsParams::from_grads(gradients, &model);
        assert_gradients(&golden, "grad", &model, &found);
    }
}

/// Two attributes, two rules (0 is "none"), a 2x2 grid: small enough to do by hand.
fn by_hand() -> (PuzzleConfig, Predictions) {
    let puzzle = PuzzleConfig::unnamed([2, 2], 2, [2, 2]);
    let predictions = Predictions::new(&puzzle);
    (puzzle, predictions)
}

/// Logits of these probabilities, the same for all eight predictions.
fn logits_of(probabilities: Tensor<4>) -> Tensor<5> {
    probabilities.log().unsqueeze_dim::<5>(0).repeat_dim(0, 8)
}

#[test]
fn the_global_term_of_two_puzzles_is_what_it_is_by_hand() {
    let device = Device::flex();
    let (_, predictions) = by_hand();
    // R_1 = [[1,0],[0,1]], R_2 = [[1,0],[1,0]]; candidate 0 is right, candidate 1 must not matter.
    let right = Tensor::<4>::from_floats(
        [
            [[[1., 0.], [0., 1.]], [[0., 1.], [0., 1.]]],
            [[[1., 0.], [1., 0.]], [[0., 1.], [0., 1.]]],
        ],
        &device,
    );
    let predicted = Tensor::<4>::from_floats(
        [
            [[[0.5, 0.5], [0.25, 0.75]], [[0.1, 0.9], [0.9, 0.1]]],
            [[[0.8, 0.2], [0.6, 0.4]], [[0.3, 0.7], [0.2, 0.8]]],
        ],
        &device,
    );
    // g(P_1,P_2): row 1 shared, -(0.5-1)² = -0.25; row 2 differs, (0.25-1)² + 0.75² = 1.125.
    // g(P_2,P_1): row 1 shared, -(0.8-1)² = -0.04; row 2 differs, 0.6² + (0.4-1)² = 0.72.
    // G = (0.875 + 0.68) / 2, once for each of the four kinds of experts.
    let labels = RuleTargets { one_hot: right, known: None };
    let loss: f32 = contrast_global(logits_of(predicted), &labels, &predictions).into_scalar();
    assert!((loss + 4.0 * 0.7775).abs() < 1e-5, "{loss}");
}

#[test]
fn the_local_term_of_a_puzzle_and_its_negative_is_what_it_is_by_hand() {
    let device = Device::flex();
    let (_, predictions) = by_hand();
    // R = [[0,1],[0,1]]; the negative breaks the second attribute: R⁻ = [[0,1],[1,0]].
    let labels = Tensor::<4>::from_floats([[[[0., 1.], [0., 1.]], [[0., 1.], [1., 0.]]]], &device);
    let predicted =
        Tensor::<4>::from_floats([[[[0.4, 0.6], [0.2, 0.8]], [[0.3, 0.7], [0.6, 0.4]]]], &device);
    // Seeing: row 1 shared, -(0.7-1)² = -0.09; row 2 differs, 0.6² + (0.4-1)² = 0.72: g = 0.63.
    // Blind, R⁻ stays R: -(0.7-1)² - (0.4-1)² = -0.45.
    // One of the four context predictions and one of the two partial rows are blind: 3.25 and 0.75.
    let labels = RuleTargets { one_hot: labels, known: None };
    let loss: f32 = contrast_local(logits_of(predicted), &labels, &predictions).into_scalar();
    assert!((loss + 3.25 * 0.63 - 0.75 * 0.45).abs() < 1e-5, "{loss}");
}
