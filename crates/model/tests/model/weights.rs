//! Weights files: the same model comes back, and what does not fit is refused.

use std::collections::HashMap;

use crate::common::{fresh, genvp, tiny_config, tiny_with, toy_batch};
use burn::module::Module;
use burn::tensor::Device;
use genvp_model::{AnyModel, Mismatch, ModelConfig, StoreError, read_header};
use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView};

fn model() -> AnyModel {
    fresh(&tiny_config(), &Device::flex())
}

fn bytes(model: &AnyModel) -> Vec<u8> {
    model.to_bytes(serde_json::json!({"note": "a card"})).unwrap()
}

type Owned = Vec<(String, Dtype, Vec<usize>, Vec<u8>)>;

/// The file with its tensors changed.
fn tampered(bytes: &[u8], change: impl FnOnce(&mut Owned)) -> Vec<u8> {
    let file = SafeTensors::deserialize(bytes).unwrap();
    let (_, metadata) = SafeTensors::read_metadata(bytes).unwrap();
    let owned =
        file.iter().map(|(n, v)| (n.to_string(), v.dtype(), v.shape().to_vec(), v.data().to_vec()));
    let mut tensors: Owned = owned.collect();
    tensors.sort();
    change(&mut tensors);
    let views =
        tensors.iter().map(|(n, t, s, d)| (n.as_str(), TensorView::new(*t, s.clone(), d).unwrap()));
    safetensors::serialize(views, metadata.metadata().clone()).unwrap()
}

fn problems(bytes: &[u8]) -> Vec<Mismatch> {
    match AnyModel::from_bytes(bytes, &Device::flex()) {
        Err(StoreError::Mismatch { problems }) => problems,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_saved_model_comes_back_the_same() {
    let model = model();
    let (again, card) = AnyModel::from_bytes(&bytes(&model), &Device::flex()).unwrap();
    assert_eq!(card["note"], "a card");
    assert_eq!(again.config(), model.config());
    let batch = toy_batch(&model.config(), 3, 1, &Device::flex());
    let (a, b) = (model.solve(&batch).unwrap(), again.solve(&batch).unwrap());
    assert_eq!(a.scores, b.scores);
    assert_eq!(bytes(&model), bytes(&again), "the same model gives the same bytes");
}

#[test]
fn a_model_loaded_for_training_can_be_trained() {
    let device = Device::flex().autodiff();
    let (model, _) = AnyModel::from_bytes(&bytes(&model()), &device).unwrap();
    let names = genvp_model::params::parameter_names(&model);
    let batch = toy_batch(&model.config(), 2, 1, &device);
    let loss =
        genvp_model::LossConfig { contrast: genvp_model::Contrast::Ce, ..Default::default() };
    let terms = model.losses(&batch, &loss, &mut genvp_model::Noise::mean());
    let gradients = terms.total(&loss.weights).unwrap().backward();
    let gradients = burn::optim::GradientsParams::from_grads(gradients, &model);
    assert_eq!(gradients.len(), names.len());
    assert!(model.valid().solve(&toy_batch(&model.config(), 2, 1, &Device::flex())).is_ok());
}

#[test]
fn every_tensor_that_does_not_fit_is_listed() {
    let file = tampered(&bytes(&model()), |tensors| {
        tensors[0].0 = "encoder.surprise".into();
        let last = tensors.len() - 1;
        let count = tensors[last].2.iter().product::<usize>();
        tensors[last].2 = vec![1, count];
        tensors[1].3[..4].copy_from_slice(&f32::NAN.to_le_bytes());
        let half = tensors[2].3.len() / 2;
        tensors[2].3.truncate(half);
        tensors[2].1 = Dtype::F16;
    });
    let problems = problems(&file);
    assert_eq!(problems.len(), 5, "{problems:?}");
    assert!(problems.iter().any(|p| matches!(p, Mismatch::Missing { .. })));
    assert!(
        problems
            .iter()
            .any(|p| matches!(p, Mismatch::Unknown { name } if name == "encoder.surprise"))
    );
    assert!(problems.iter().any(|p| matches!(p, Mismatch::Shape { .. })));
    assert!(problems.iter().any(|p| matches!(p, Mismatch::NotFinite { count: 1, .. })));
    assert!(problems.iter().any(|p| matches!(p, Mismatch::Dtype { found, .. } if found == "F16")));
}

#[test]
fn weights_of_another_configuration_are_refused_setting_by_setting() {
    let file = bytes(&model());
    let other = tiny_with(
        "family = 'slots'\ncomponents = 1\nwidths = [7, 7]\nrule_rows = [1, 1]\ncode = 8\nrelation = 24\nhidden = 40",
    );
    let error = fresh(&other, &Device::flex()).load_bytes(&file).unwrap_err().to_string();
    assert!(error.contains("config.experts.widths: [8,6] in the weights, [7,7] wanted"), "{error}");
    assert!(error.contains("config.experts.hidden: 32 in the weights, 40 wanted"), "{error}");
    assert!(model().load_bytes(&file).is_ok());
}

#[test]
fn what_is_no_weights_file_is_refused() {
    let file = bytes(&model());
    let refused =
        |bytes: &[u8]| AnyModel::from_bytes(bytes, &Device::flex()).unwrap_err().to_string();
    assert!(refused(b"").contains("no safetensors"));
    assert!(refused(&[0xff; 64]).contains("no safetensors"));
    for cut in [7, 100, file.len() / 2, file.len() - 1] {
        assert!(refused(&file[..cut]).contains("no safetensors"), "cut at {cut}");
    }
    let view = TensorView::new(Dtype::F32, vec![1], &[0; 4]).unwrap();
    let alone = |metadata: Option<HashMap<String, String>>| {
        safetensors::serialize([("x", view.clone())], metadata).unwrap()
    };
    let entry = |text: &str| alone(Some(HashMap::from([("genvp".to_string(), text.to_string())])));
    assert!(refused(&alone(None)).contains("which model"));
    assert!(refused(&entry("{}")).contains("which model"));
    assert!(refused(&entry("{\"format\": 2}")).contains("format 2"));
    assert!(read_header(&file).is_ok());
}

#[test]
fn weights_that_are_not_numbers_are_not_written() {
    let model = model();
    let file = tampered(&bytes(&model), |_| ());
    assert!(
        AnyModel::from_bytes(&file, &Device::flex()).is_ok(),
        "tampering by nothing changes nothing"
    );
    let mut broken = genvp(model);
    let weight = match &mut broken.encoder {
        genvp_model::image::ImageEncoder::Small(encoder) => &mut encoder.head.weight,
        other => panic!("{other:?}"),
    };
    *weight = weight.clone().map(|t| t * f32::INFINITY);
    let error = AnyModel::Genvp(broken).to_bytes(serde_json::Value::Null).unwrap_err().to_string();
    assert!(error.contains("encoder.head.weight"), "{error}");
}

#[test]
fn tensor_names_do_not_change() {
    let names = genvp_model::params::parameter_names(&model());
    for name in [
        "encoder.stem.weight",
        "encoder.halve.0.norm.gamma",
        "encoder.head.bias",
        "decoder.double.0.mix.weight",
        "experts.read.1.weight",
        "experts.columns.places.2.weight",
        "experts.missing",
        "experts.context.rows.group",
        "experts.row_latents.rest.hidden.0.norm.beta",
        "experts.z_o_prior.out.0.bias",
    ] {
        assert!(names.iter().any(|n| n == name), "{name} is not among {names:#?}");
    }
}

#[test]
fn models_made_before_either_is_used_have_the_weights_of_their_own_seeds() {
    let make = |seed| ModelConfig::from(tiny_config()).init_seeded(seed, &Device::flex()).unwrap();
    let alone = [1, 2].map(|seed| bytes(&make(seed)));
    let [first, second] = [1, 2].map(make);
    assert!(bytes(&first) == alone[0], "the first of two models has other weights than alone");
    assert!(bytes(&second) == alone[1], "the second of two models has other weights than alone");
    assert!(alone[0] != alone[1]);
}
