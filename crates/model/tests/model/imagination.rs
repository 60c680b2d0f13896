//! What imagining by values of its own promises.

use burn::optim::GradientsParams;
use burn::tensor::{Device, Tensor};
use genvp_model::image::ImageEncoder;
use genvp_model::{
    AnyModel, Conditioning, Genvp, LatentModel, LossConfig, LossWeights, Noise, PuzzleBatch,
    PuzzleData, PuzzleModel, SamplingConfig, Term,
};
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::{Layout, RuleMatrix, Set, render};

use crate::common::{fresh, genvp, paper_preset, preset};

const SIZE: usize = 64;

fn shipped(device: &Device) -> Genvp {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../weights/raven-rules-64.safetensors");
    let (model, _) = AnyModel::from_bytes(&std::fs::read(file).unwrap(), device).unwrap();
    genvp(model)
}

/// Puzzles of all layouts with their rules, the answer first among the choices; the others are
/// left empty.
fn puzzles(model: &Genvp, count: u64, device: &Device) -> PuzzleBatch {
    let (mut pixels, mut rules, mut layouts) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..count {
        let layout = Layout::ALL[number as usize % Layout::ALL.len()];
        let maker = Maker::new(Request::new(Set::IRaven, layout)).unwrap();
        let puzzle = maker.puzzle(23, number).unwrap();
        let choices = &puzzle.choices[usize::from(puzzle.target)];
        for panel in puzzle.context.iter().chain([choices]) {
            let mut ink = vec![0.0; SIZE * SIZE];
            render::ink_into(panel, layout, puzzle.domain, SIZE, &mut ink);
            pixels.extend(ink);
        }
        pixels.resize(pixels.len() + 7 * SIZE * SIZE, 0.0);
        let own = RuleMatrix::of(&puzzle.rules).columns();
        rules.extend(own.repeat(8).into_iter().map(|rule| rule as u8));
        layouts.push(layout.index() as u8);
    }
    let (rules, layouts) = (Some(rules), Some(layouts));
    let data = PuzzleData { pixels, rules, layouts, ..PuzzleData::default() };
    PuzzleBatch::new(&model.batch_shape(), data, device).unwrap()
}

#[test]
fn values_are_found_by_rules_alone() {
    let device = Device::flex();
    let config = paper_preset("raven-rules-64");
    let empty = genvp(fresh(&config, &device));
    assert!(empty.lacks_codebook().unwrap());
    let mut model = shipped(&device);
    assert!(!model.lacks_codebook().unwrap());
    model.imagination = empty.imagination;
    let batch = puzzles(&model, 210, &device);
    let (model, found) = model.with_codebook(&[batch], &mut Noise::seeded(4)).unwrap();
    assert!(!model.lacks_codebook().unwrap());
    assert!(found.agree.iter().all(|&percent| percent > 90.0), "{found:?}");
    assert!(found.ordered.iter().all(|&ordered| ordered), "{found:?}");
}

#[test]
fn what_is_imagined_is_what_its_own_encoder_sees() {
    let device = Device::flex();
    let model = shipped(&device);
    let p = *model.puzzle();
    let maker = Maker::new(Request::new(Set::IRaven, Layout::DistributeFour)).unwrap();
    let rules: Vec<u8> = (0..4)
        .flat_map(|number| {
            let puzzle = maker.puzzle(29, number).unwrap();
            RuleMatrix::of(&puzzle.rules).columns().map(|rule| rule as u8)
        })
        .collect();
    let layouts = [Layout::DistributeFour.index() as u8; 4];
    let spec = Conditioning::new(&p, &rules, Some(&layouts), &device).unwrap();
    let drawn = model.imagine(&spec, SamplingConfig::default(), &mut Noise::seeded(2)).unwrap();
    let width = model.latent().panel();
    let z = drawn.z.reshape([4 * p.panels(), width]);
    let of_panels = vec![Layout::DistributeFour.index(); 4 * p.panels()];
    let ImageEncoder::Rings(encoder) = &model.encoder else { panic!("looks object by object") };
    let seen = encoder.forward_known(drawn.images, &of_panels);
    // The slots that are taken: +1 or -1.
    let taken = |z: Tensor<2>| z.narrow(1, 0, 4).greater_elem(0.0).float();
    let differ: f32 = (taken(z) - taken(seen)).abs().mean().into_scalar();
    assert!(differ < 0.02, "{differ}");
}

#[test]
fn without_a_layout_nothing_is_imagined() {
    let device = Device::flex();
    let model = shipped(&device);
    let rules = vec![1; model.puzzle().attributes];
    let spec = Conditioning::new(model.puzzle(), &rules, None, &device).unwrap();
    let refused = model.imagine(&spec, SamplingConfig::default(), &mut Noise::seeded(2));
    assert!(refused.unwrap_err().to_string().contains("layout"));
}

#[test]
fn its_path_learns_from_labels_and_the_encoder_does_not_learn_with_it() {
    let device = Device::flex();
    let autodiff = device.clone().autodiff();
    let model = shipped(&autodiff);
    let batch = puzzles(&model, 2, &autodiff);
    let weights = LossWeights { reconstruction: 1.0, z_o: 1.0, ..silent() };
    let config = LossConfig { weights, ..LossConfig::default() };
    let terms = model.losses(&batch, &config, &mut Noise::seeded(3));
    assert!(terms.get(Term::Reconstruction).is_some() && terms.get(Term::ZO).is_some());
    let mut gradients = terms.total(&config.weights).unwrap().backward();
    let own = model.imagination.as_ref().unwrap();
    let found = GradientsParams::from_module(&mut gradients, &model.encoder);
    assert!(found.is_empty(), "the encoder");
    let found = GradientsParams::from_module(&mut gradients, &own.codebook);
    assert!(found.is_empty(), "found, not learned");
    assert!(!GradientsParams::from_module(&mut gradients, &own.decoder).is_empty());
    assert!(!GradientsParams::from_module(&mut gradients, &own.writer).is_empty());
}

/// No term at all.
fn silent() -> LossWeights {
    LossWeights {
        reconstruction: 0.0,
        z_irrelevant: 0.0,
        z_o: 0.0,
        z_r: 0.0,
        supervised: 0.0,
        contrast_global: 0.0,
        contrast_local: 0.0,
        ..LossWeights::default()
    }
}

#[test]
fn imagination_needs_an_encoder_that_looks_object_by_object() {
    let mut config = paper_preset("raven-rules-64");
    let genvp_model::ModelConfig::Scene(scene) = preset("cpu-64") else { panic!() };
    config.image.encoder = scene.image.encoder;
    let error = genvp_model::ModelConfig::from(config).check().unwrap_err();
    assert!(error.to_string().contains("rings"), "{error}");
    let mut config = paper_preset("raven-rules-64");
    config.imagination.as_mut().unwrap().values.groups.swap(0, 1);
    let error = genvp_model::ModelConfig::from(config).check().unwrap_err();
    assert!(error.to_string().contains("imagination.values.groups"), "{error}");
}
