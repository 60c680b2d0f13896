//! Which kind of model a configuration or a weights file is for.

use burn::tensor::{Device, Tensor};
use genvp_model::{
    ARCHITECTURES, AnyModel, BatchShape, ModelConfig, ModelError, PuzzleBatch, PuzzleConfig,
    PuzzleData, PuzzleModel, Score, Solved, read_header,
};

use crate::common::{preset, tiny_config};
use crate::goldens::Golden;

const SHIPPED: &[u8] = include_bytes!("../../../../weights/raven-cpu-64.safetensors");

fn json(config: &ModelConfig) -> serde_json::Value {
    serde_json::to_value(config).unwrap()
}

#[test]
fn configurations_without_an_architecture_are_those_of_before_there_were_several() {
    for (name, wanted) in [("cpu-64", "scene-genvp"), ("paper-64", "genvp"), ("vad-64", "genvp")] {
        let config = preset(name);
        let mut old = json(&config);
        assert_eq!(old["architecture"], wanted, "{name}");
        old.as_object_mut().unwrap().remove("architecture");
        let read: ModelConfig = serde_json::from_value(old).unwrap();
        assert_eq!(read, config, "{name}");
    }
}

/// Weights as they were written before they named an architecture: blanks in its place.
fn without_architecture(bytes: &[u8]) -> Vec<u8> {
    let tag = br#"\"architecture\":\"scene-genvp\","#;
    let at = bytes.windows(tag.len()).position(|part| part == tag).expect("it is named");
    let mut old = bytes.to_vec();
    old[at..at + tag.len()].fill(b' ');
    old
}

#[test]
fn weights_of_before_there_were_several_architectures_are_read_and_solve() {
    let old = without_architecture(SHIPPED);
    assert!(!String::from_utf8_lossy(&old[..4096]).contains("architecture"));
    assert_eq!(read_header(&old).unwrap().config.architecture(), "scene-genvp");
    let device = Device::flex();
    let (model, card) = AnyModel::from_bytes(&old, &device).unwrap();
    let pixels = vec![0.5; 16 * 64 * 64];
    let data = PuzzleData { pixels, ..PuzzleData::default() };
    let batch = PuzzleBatch::new(&model.batch_shape(), data, &device).unwrap();
    let answers = model.solve(&batch).unwrap();
    // Written again, they name it, and say the same.
    let bytes = model.to_bytes(card).unwrap();
    assert!(String::from_utf8_lossy(&bytes[..4096]).contains("scene-genvp"));
    let (again, _) = AnyModel::from_bytes(&bytes, &device).unwrap();
    assert_eq!(again.solve(&batch).unwrap().scores, answers.scores);
    for name in ["dense", "slots", "rows", "vad"] {
        let model = Golden::open(name).model(&device);
        assert_eq!(model.config().architecture(), "genvp", "{name}");
    }
}

#[test]
fn an_architecture_that_does_not_exist_is_refused_with_those_that_do() {
    let mut other = json(&tiny_config().into());
    other["architecture"] = "oracle".into();
    let error = serde_json::from_value::<ModelConfig>(other.clone()).unwrap_err().to_string();
    assert!(error.contains("`oracle`"), "{error}");
    assert!(ARCHITECTURES.iter().all(|name| error.contains(name)), "{error}");
    other["architecture"] = 3.into();
    assert!(serde_json::from_value::<ModelConfig>(other.clone()).is_err());
    // What belongs to another architecture is an unknown setting.
    other["architecture"] = "vote".into();
    let error = serde_json::from_value::<ModelConfig>(other).unwrap_err().to_string();
    assert!(error.contains("unknown field"), "{error}");
}

/// A model without latents or experts that sees the first rule everywhere.
#[derive(Debug)]
struct OneRule(PuzzleConfig);

impl OneRule {
    fn matrices(&self, count: usize) -> Tensor<3> {
        let p = self.0;
        let rule = Tensor::<3>::ones([count, p.attributes, 1], &Device::flex());
        Tensor::cat(
            vec![rule.zeros_like(), rule.clone(), rule.zeros_like().repeat_dim(2, p.rules - 2)],
            2,
        )
    }
}

impl PuzzleModel for OneRule {
    fn puzzle(&self) -> &PuzzleConfig {
        &self.0
    }

    fn batch_shape(&self) -> BatchShape {
        BatchShape::of_pixels(self.0, 16)
    }

    fn solve(&self, batch: &PuzzleBatch) -> Result<Solved, ModelError> {
        let p = self.0;
        let scores = vec![vec![Score { active: 1.0, certainty: 0.0 }; p.candidates]; batch.len()];
        let matrices = self.matrices(batch.len() * p.candidates);
        let shape = [batch.len(), p.candidates, p.attributes, p.rules];
        Ok(Solved::of_scores(scores).with_rules(matrices.reshape(shape)))
    }

    fn rules(&self, images: Tensor<4>) -> Result<Tensor<3>, ModelError> {
        Ok(self.matrices(images.dims()[0] / self.0.panels()))
    }
}

#[test]
fn a_model_without_experts_may_name_rules() {
    let p = tiny_config().puzzle;
    let model: &dyn PuzzleModel = &OneRule(p);
    let device = Device::flex();
    let data = PuzzleData { pixels: vec![0.0; 2 * p.inputs() * 256], ..PuzzleData::default() };
    let solved = model.solve(&PuzzleBatch::new(&model.batch_shape(), data, &device).unwrap());
    let solved = solved.unwrap();
    let rules = solved.rules().unwrap();
    assert_eq!(rules.mixed.dims(), [2, p.candidates, p.attributes, p.rules]);
    let error = rules.experts().unwrap_err().to_string();
    assert_eq!(error, "this model cannot say what experts see");
    let named = model.rules(Tensor::zeros([p.panels(), 16, 16, 1], &device)).unwrap();
    assert_eq!(named.dims(), [1, p.attributes, p.rules]);
}
