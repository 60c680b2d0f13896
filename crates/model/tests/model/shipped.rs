//! The kind of model that is shipped against a plain reference of it: codes of values, the decoder that
//! draws object by object, the writer and its moves. `fixtures/goldens/make_shipped_golden.py` made the files.

use burn::optim::GradientsParams;
use burn::tensor::{Device, Tensor, TensorData};
use genvp_model::{
    Condition, Conditioning, Contrast, LatentModel, LossConfig, LossWeights, Noise, PuzzleBatch,
    PuzzleData, PuzzleModel, SamplingConfig, SceneGenvp,
};

use crate::common::scene_genvp;
use crate::goldens::{Golden, TOLERANCE, assert_gradients};

/// The seed of the moments at which the cost of writing is taken.
const MOMENTS: u64 = 7;
/// The seed of the puzzles that are sampled.
const SAMPLED: u64 = 5;

fn golden() -> Golden {
    Golden::open("shipped")
}

fn tensor<const D: usize>(
    golden: &Golden,
    name: &str,
    shape: [usize; D],
    device: &Device,
) -> Tensor<D> {
    Tensor::from_data(TensorData::new(golden.values(name), shape), device)
}

/// The values of the right puzzles' panels, and their layouts one-hot.
///
/// # Shapes
/// `[b, MN, K_Zo]`, `[b, L]`
fn right(golden: &Golden, model: &SceneGenvp, device: &Device) -> (Tensor<3>, Tensor<2>) {
    let (p, relevant) = (&model.config().puzzle, model.config().latent.relevant);
    let layouts = golden.whole("layouts");
    let shares = tensor(golden, "shares", [layouts.len(), p.inputs(), relevant], device);
    let one_hot = layouts
        .iter()
        .flat_map(|&own| (0..p.layouts).map(move |l| f32::from(u8::from(l == usize::from(own)))))
        .collect::<Vec<_>>();
    let layout = TensorData::new(one_hot, [layouts.len(), p.layouts]);
    (shares.narrow(1, 0, p.panels()), Tensor::from_data(layout, device))
}

fn z_r(golden: &Golden, model: &SceneGenvp, device: &Device) -> Tensor<2> {
    tensor(
        golden,
        "z_r",
        [golden.whole("layouts").len(), model.config().latent.row_relevant(model.puzzle())],
        device,
    )
}

/// Latents of panels, and numbers to weigh their pixels with.
fn panels(golden: &Golden, model: &SceneGenvp, device: &Device) -> (Tensor<2>, Tensor<4>) {
    let (size, panel) = (model.config().image.size, model.config().latent.panel());
    let n = golden.values("z").len() / panel;
    (tensor(golden, "z", [n, panel], device), tensor(golden, "probe", [n, size, size, 1], device))
}

fn batch(golden: &Golden, model: &SceneGenvp, device: &Device) -> PuzzleBatch {
    let data = PuzzleData {
        pixels: golden.values("images"),
        rules: Some(golden.whole("labels")),
        known: None,
        layouts: Some(golden.whole("layouts")),
        values: Some(golden.values("shares")),
        irrelevant: Some(golden.values("told")),
        parameters: Some(golden.values("parameters")),
        voted: None,
    };
    PuzzleBatch::new(&model.batch_shape(), data, device).unwrap()
}

/// The parameters of rules, as the writer takes them.
fn told(golden: &Golden, model: &SceneGenvp, device: &Device) -> Vec<Tensor<3>> {
    let parameters = golden.values("parameters");
    let shape = [2, parameters.len() / 2];
    let parameters = Tensor::<2>::from_data(TensorData::new(parameters, shape), device);
    model.writer.told(Some(&parameters), 2, device)
}

#[test]
fn codes_are_seen_and_objects_are_drawn_as_in_the_reference() {
    let (golden, device) = (golden(), Device::flex());
    let model = scene_genvp(golden.model(&device));
    let seen = model.encode(batch(&golden, &model, &device).images());
    golden.assert_like("eval.z_mean", seen.mean);
    golden.assert_like("eval.z_log_var", seen.log_var);
    golden.assert_like("eval.drawn", model.decode(panels(&golden, &model, &device).0));
}

#[test]
fn a_drawing_leads_back_to_its_latents_as_in_the_reference() {
    let (golden, device) = (golden(), Device::flex().autodiff());
    let model = scene_genvp(golden.model(&device));
    let (z, probe) = panels(&golden, &model, &device);
    let z = z.require_grad();
    let gradients = (model.decode(z.clone()) * probe).sum().backward();
    golden.assert_like("grad_z", z.grad(&gradients).unwrap());
}

#[test]
fn writing_costs_what_it_does_in_the_reference() {
    let (golden, device) = (golden(), Device::flex());
    let model = scene_genvp(golden.model(&device));
    let (shares, layout) = right(&golden, &model, &device);
    let (writer, z_r) = (&model.writer, z_r(&golden, &model, &device));
    let parameters = told(&golden, &model, &device);
    let condition = Condition { z_r: &z_r, layout: &layout, parameters: &parameters };
    golden.assert_like("eval.cost", writer.cost(shares, &condition, &mut Noise::seeded(MOMENTS)));
}

#[test]
fn the_writer_learns_as_in_the_reference() {
    let (golden, device) = (golden(), Device::flex().autodiff());
    let model = scene_genvp(golden.model(&device));
    let (shares, layout) = right(&golden, &model, &device);
    let (writer, z_r) = (&model.writer, z_r(&golden, &model, &device));
    let z_r = z_r.require_grad();
    let parameters = told(&golden, &model, &device);
    let condition = Condition { z_r: &z_r, layout: &layout, parameters: &parameters };
    let cost = writer.cost(shares, &condition, &mut Noise::seeded(MOMENTS));
    golden.assert_like("train.cost", cost.clone());
    let mut gradients = cost.backward();
    golden.assert_like("cost.grad_z_r", z_r.grad(&gradients).unwrap());
    let found = GradientsParams::from_module(&mut gradients, writer);
    assert_gradients(&golden, "cost.grad.writer", writer, &found);
}

/// The objective whose gradient the golden holds.
fn objective() -> LossConfig {
    let weights = LossWeights {
        supervised: 5.0,
        contrast_global: 0.0,
        contrast_local: 2.0,
        values: 3.0,
        ..LossWeights::default()
    };
    LossConfig { contrast: Contrast::Ce, weights, ..LossConfig::default() }
}

#[test]
fn every_term_and_its_gradient_agree() {
    let (golden, device) = (golden(), Device::flex().autodiff());
    let model = scene_genvp(golden.model(&device));
    let config = objective();
    let terms = model.losses(&batch(&golden, &model, &device), &config, &mut Noise::mean());
    let values = terms.values().unwrap();
    assert_eq!(values.len(), 7);
    for (term, value) in values {
        let (name, wanted) = (term.name(), golden.values(&format!("term.{}", term.name()))[0]);
        assert!((value - wanted).abs() <= TOLERANCE * wanted.abs(), "{name} {value} {wanted}");
    }
    let gradients = terms.total(&config.weights).unwrap().backward();
    let found = GradientsParams::from_grads(gradients, &model);
    assert_gradients(&golden, "grad", &model, &found);
}

#[test]
fn puzzles_are_imagined_as_in_the_reference() {
    let (golden, device) = (golden(), Device::flex());
    let model = scene_genvp(golden.model(&device));
    let (rules, layouts) = (golden.whole("rules"), golden.whole("layouts"));
    let spec = Conditioning::new(model.puzzle(), &rules, Some(&layouts), &device).unwrap();
    let parameters = golden.values("parameters");
    let width = parameters.len() / 2;
    let spec = spec.with_parameters(parameters, width).unwrap();
    for (name, mut noise) in [("imagined", Noise::mean()), ("sampled", Noise::seeded(SAMPLED))] {
        let found = model.imagine(&spec, SamplingConfig::default(), &mut noise).unwrap();
        golden.assert_like(&format!("{name}.z"), found.z);
        golden.assert_like(&format!("{name}.images"), found.images);
    }
}

#[test]
fn puzzles_are_completed_as_in_the_reference() {
    let (golden, device) = (golden(), Device::flex());
    let model = scene_genvp(golden.model(&device));
    let (p, size) = (&model.config().puzzle, model.config().image.size);
    let present: Vec<bool> = golden.values("present").iter().map(|&p| p == 1.0).collect();
    let b = present.len() / p.panels();
    let images = tensor(&golden, "images", [b, p.inputs(), size * size], &device);
    let images = images.narrow(1, 0, p.panels()).reshape([b * p.panels(), size, size, 1]);
    let sampling = SamplingConfig::default();
    let found = model.complete(images, &present, None, sampling, &mut Noise::mean()).unwrap();
    let rules = found.rules.argmax(2).into_data().convert::<i64>().try_to_vec::<i64>().unwrap();
    let rules: Vec<u8> = rules.into_iter().map(|rule| rule as u8).collect();
    assert_eq!(rules, golden.whole("completed.rules"));
    golden.assert_like("completed.z", found.z);
    golden.assert_like("completed.images", found.images);
}
