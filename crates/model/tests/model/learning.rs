//! The model learns.

use crate::common::{DENSE, ROWS, fresh, tiny_config, tiny_with, toy_batch};
use burn::module::Module;
use burn::optim::{AdamWConfig, GradientsParams};
use burn::tensor::Device;
use genvp_model::{Contrast, GenvpConfig, LossConfig, LossWeights, Noise, Term};

fn recipe(contrast: Contrast) -> LossConfig {
    let weights = LossWeights {
        supervised: 50.0,
        contrast_local: if contrast == Contrast::Ce { 50.0 } else { 20.0 },
        ..LossWeights::default()
    };
    LossConfig { contrast, weights, ..LossConfig::default() }
}

/// Trains on 16 puzzles until all are answered; the number of steps it took.
fn steps_to_solve(
    config: &GenvpConfig,
    loss: &LossConfig,
    rate: f64,
    limit: usize,
) -> Option<usize> {
    let device = Device::flex().autodiff();
    let mut model = fresh(config, &device);
    let mut optimiser = AdamWConfig::new().init();
    let batch = toy_batch(config, 16, 1, &device);
    let test = toy_batch(config, 16, 1, &Device::flex());
    for step in 0..limit {
        let total = model
            .losses(&batch, loss, &mut Noise::seeded(step as u64))
            .total(&loss.weights)
            .unwrap();
        let gradients = GradientsParams::from_grads(total.backward(), &model);
        model = optimiser.step(rate, model, gradients);
        if step % 20 == 19 {
            let answers = model.valid().solve(&test).unwrap().answers();
            if answers.iter().all(|&a| a == 0) {
                return Some(step + 1);
            }
        }
    }
    None
}

#[test]
fn slots_learn_sixteen_puzzles_by_heart() {
    let steps = steps_to_solve(&tiny_config(), &recipe(Contrast::Ce), 5e-3, 400);
    assert!(steps.is_some());
}

#[test]
fn dense_experts_learn_sixteen_puzzles_by_heart() {
    let steps = steps_to_solve(&tiny_with(DENSE), &recipe(Contrast::Ce), 5e-3, 400);
    assert!(steps.is_some());
}

#[test]
fn rows_learn_sixteen_puzzles_by_heart() {
    let steps = steps_to_solve(&tiny_with(ROWS), &recipe(Contrast::Ce), 5e-3, 400);
    assert!(steps.is_some());
}

#[test]
fn the_printed_contrast_learns_sixteen_puzzles_by_heart() {
    // The paper's second setting, all weights 1: a large weight on the right puzzle's
    // rules saturates the predictions before the printed contrast can move them.
    let mut loss = recipe(Contrast::Paper);
    loss.weights.supervised = 1.0;
    assert!(steps_to_solve(&tiny_with(DENSE), &loss, 5e-3, 600).is_some());
}

#[test]
fn without_labels_the_right_answers_are_learned_by_ranking() {
    let weights = LossWeights { ranking: 50.0, rule_prior: 0.01, ..LossWeights::default() };
    let loss = LossConfig { rule_free: true, weights, ..LossConfig::default() };
    assert!(steps_to_solve(&tiny_config(), &loss, 5e-3, 600).is_some());
}

#[test]
fn one_step_lowers_the_loss_of_every_family() {
    for config in [tiny_config(), tiny_with(ROWS), tiny_with(DENSE)] {
        for contrast in [Contrast::None, Contrast::Paper, Contrast::Ce] {
            let loss = recipe(contrast);
            let device = Device::flex().autodiff();
            let model = fresh(&config, &device);
            let batch = toy_batch(&config, 8, 2, &device);
            let evaluate = |model: &genvp_model::AnyModel| {
                model.losses(&batch, &loss, &mut Noise::seeded(0)).total(&loss.weights).unwrap()
            };
            let before = evaluate(&model);
            let gradients = GradientsParams::from_grads(before.backward(), &model);
            let model = AdamWConfig::new().init().step(1e-4, model, gradients);
            let (before, after) =
                (before.into_scalar::<f32>(), evaluate(&model).into_scalar::<f32>());
            assert!(after < before, "{contrast:?}: {before} -> {after}");
        }
    }
}

#[test]
fn every_parameter_gets_a_gradient() {
    for config in [tiny_config(), tiny_with(ROWS), tiny_with(DENSE)] {
        let loss = recipe(Contrast::Ce);
        let device = Device::flex().autodiff();
        let model = fresh(&config, &device);
        let batch = toy_batch(&config, 4, 2, &device);
        let terms = model.losses(&batch, &loss, &mut Noise::seeded(0));
        let gradients = terms.total(&loss.weights).unwrap().backward();
        let with_gradient = GradientsParams::from_grads(gradients, &model).len();
        let parameters = genvp_model::params::parameter_names(&model).len();
        assert_eq!(with_gradient, parameters);
    }
}

#[test]
fn the_terms_that_are_weighed_are_the_terms_that_are_computed() {
    let (config, device) = (tiny_config(), Device::flex().autodiff());
    let model = fresh(&config, &device);
    let batch = toy_batch(&config, 2, 3, &device);
    let terms = |loss: &LossConfig| -> Vec<&'static str> {
        let terms = model.losses(&batch, loss, &mut Noise::mean()).values().unwrap();
        assert!(terms.iter().all(|(_, value)| value.is_finite()));
        terms.into_iter().map(|(term, _)| term.name()).collect()
    };
    let elbo = ["reconstruction", "z_irrelevant", "z_o", "z_r", "supervised"];
    assert_eq!(terms(&recipe(Contrast::None)), elbo);
    assert_eq!(terms(&recipe(Contrast::Ce))[5..], ["contrast_local"]);
    assert_eq!(terms(&recipe(Contrast::Paper))[5..], ["contrast_global", "contrast_local"]);
    let weights = LossWeights { z: 1.0, rule_prior: 1.0, ranking: 1.0, ..LossWeights::default() };
    let free = LossConfig { rule_free: true, weights, ..LossConfig::default() };
    assert_eq!(
        terms(&free),
        ["reconstruction", "rule_prior", "z_irrelevant", "z_o", "z_r", "z", "ranking"]
    );
    assert!(Term::ALL.iter().all(|term| !term.name().is_empty()));
}
