//! What is promised of solving, imagining and of odd input.

use crate::common::{
    DENSE, ROWS, SIZE, fresh, genvp, preset, tiny_config, tiny_with, toy_batch, toy_data,
};
use burn::tensor::{Device, Tensor};
use genvp_model::loss::{contrast_ce, contrast_global, contrast_local};
use genvp_model::{
    AnyModel, ArchitectureConfig, Conditioning, Contrast, GenvpConfig, LossConfig, LossWeights,
    MixtureKind, ModelError, Noise, Predictions, PuzzleBatch, PuzzleData, PuzzleModel,
    SamplingConfig,
};

fn families() -> Vec<GenvpConfig> {
    vec![tiny_config(), tiny_with(ROWS), tiny_with(DENSE)]
}

fn batch(config: &GenvpConfig, data: PuzzleData) -> PuzzleBatch {
    PuzzleBatch::new(&config.batch_shape(), data, &Device::flex()).unwrap()
}

#[test]
fn a_candidates_score_ignores_the_other_candidates() {
    for config in families() {
        let model = fresh(&config, &Device::flex());
        let data = toy_data(2, 4);
        let mut shuffled = data.clone();
        // The candidates of both puzzles in reverse order.
        let panel = SIZE * SIZE;
        for puzzle in 0..2 {
            let from = (puzzle * 12 + 8) * panel;
            let candidates: Vec<f32> = data.pixels[from..from + 4 * panel]
                .chunks(panel)
                .rev()
                .flatten()
                .copied()
                .collect();
            shuffled.pixels[from..from + 4 * panel].copy_from_slice(&candidates);
        }
        let first = model.solve(&batch(&config, data)).unwrap().scores;
        let second = model.solve(&batch(&config, shuffled)).unwrap().scores;
        for (a, b) in first.iter().zip(&second) {
            for (x, y) in a.iter().zip(b.iter().rev()) {
                assert!((x.active - y.active).abs() < 1e-5, "{x:?} {y:?}");
            }
        }
    }
}

#[test]
fn a_puzzles_answer_ignores_the_other_puzzles_of_the_batch() {
    for config in families() {
        let model = fresh(&config, &Device::flex());
        let together = model.solve(&batch(&config, toy_data(3, 4))).unwrap().scores;
        let alone = model.solve(&batch(&config, toy_data(1, 4))).unwrap().scores;
        for (x, y) in together[0].iter().zip(&alone[0]) {
            assert!((x.active - y.active).abs() < 1e-5, "{x:?} {y:?}");
        }
    }
}

#[test]
fn every_mixture_answers() {
    let mut config = tiny_config();
    config.mixture = MixtureKind::Nn;
    let model = genvp(fresh(&config, &Device::flex()));
    let solved = model.solve(&batch(&config, toy_data(2, 9))).unwrap();
    for mixture in MixtureKind::ALL {
        let scores = solved
            .rules()
            .unwrap()
            .experts()
            .unwrap()
            .scores_by(mixture, model.mixture.as_ref())
            .unwrap();
        assert_eq!(scores.len(), 2);
        assert!(scores.iter().flatten().all(|s| s.active.is_finite() && s.certainty.is_finite()));
        assert_eq!(
            scores == solved.scores,
            mixture == MixtureKind::Nn,
            "its own mixture is the learned one"
        );
    }
}

#[test]
fn the_layout_changes_what_is_imagined_and_not_what_is_solved() {
    let config = tiny_config();
    let model = fresh(&config, &Device::flex());
    let mut data = toy_data(2, 9);
    let told = model.solve(&batch(&config, data.clone())).unwrap().scores;
    data.layouts = None;
    assert_eq!(told, model.solve(&batch(&config, data)).unwrap().scores);
    let imagine = |layout| {
        let spec =
            Conditioning::new(&config.puzzle, &[1, 2], Some(&[layout]), &Device::flex()).unwrap();
        model
            .imagine(&spec, SamplingConfig::default(), &mut Noise::seeded(3))
            .unwrap()
            .images
            .into_data()
    };
    assert_eq!(imagine(1), imagine(1), "the same seed imagines the same puzzle");
    assert_ne!(imagine(0), imagine(1));
}

#[test]
fn imagined_panels_are_pictures() {
    for config in families() {
        let model = fresh(&config, &Device::flex());
        let spec = Conditioning::new(&config.puzzle, &[1, 2, 3, 0], None, &Device::flex()).unwrap();
        for shared_irrelevant in [false, true] {
            let sampling = SamplingConfig { temperature: 0.7, irrelevant: 1.0, shared_irrelevant };
            let imagined = model.imagine(&spec, sampling, &mut Noise::seeded(1)).unwrap();
            assert_eq!(imagined.images.dims(), [18, SIZE, SIZE, 1]);
            let pixels = imagined.images.into_data().try_to_vec::<f32>().unwrap();
            assert!(pixels.iter().all(|p| (0.0..=1.0).contains(p)));
            let z = imagined.z.into_data().try_to_vec::<f32>().unwrap();
            let panel = |i: usize| &z[i * 17 + 14..i * 17 + 17];
            assert_eq!(panel(0) == panel(8), shared_irrelevant);
        }
    }
    let config = tiny_config();
    assert!(
        Conditioning::new(&config.puzzle, &[4, 0], None, &Device::flex()).is_err(),
        "there is no rule 4"
    );
    assert!(
        Conditioning::new(&config.puzzle, &[1, 0, 1], None, &Device::flex()).is_err(),
        "half a rule matrix"
    );
    assert!(
        Conditioning::new(&config.puzzle, &[1, 0], Some(&[2]), &Device::flex()).is_err(),
        "there is no layout 2"
    );
}

#[test]
fn pixels_and_labels_that_make_no_sense_are_refused() {
    let config = tiny_config();
    let refused = |change: &dyn Fn(&mut PuzzleData)| {
        let mut data = toy_data(2, 1);
        change(&mut data);
        PuzzleBatch::new(&config.batch_shape(), data, &Device::flex()).unwrap_err()
    };
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let error = refused(&|data| data.pixels[77] = bad);
        assert_eq!(error, ModelError::NotFinite { what: "the batch of pixels", count: 1 });
    }
    assert!(matches!(refused(&|data| data.pixels.truncate(100)), ModelError::Shape { .. }));
    assert!(matches!(refused(&|data| data.pixels.clear()), ModelError::Shape { .. }));
    let label = refused(&|data| data.rules.as_mut().unwrap()[3] = 9);
    assert_eq!(label, ModelError::OutOfRange { what: "the batch of rules", found: 9, limit: 4 });
    assert!(matches!(
        refused(&|data| data.rules.as_mut().unwrap().truncate(3)),
        ModelError::Shape { .. }
    ));
    assert!(matches!(
        refused(&|data| data.layouts = Some(vec![7, 0])),
        ModelError::OutOfRange { .. }
    ));
    assert!(matches!(refused(&|data| data.known = Some(vec![true])), ModelError::Shape { .. }));
}

fn losses(model: &AnyModel, batch: &PuzzleBatch, contrast: Contrast) -> Vec<(&'static str, f32)> {
    let weights = LossWeights { z: 1.0, ..LossWeights::default() };
    let loss = LossConfig { contrast, weights, ..LossConfig::default() };
    let terms = model.losses(batch, &loss, &mut Noise::seeded(2)).values().unwrap();
    terms.into_iter().map(|(term, value)| (term.name(), value)).collect()
}

#[test]
fn a_batch_of_one_puzzle_trains_with_nothing_to_contrast() {
    let device = Device::flex().autodiff();
    for config in families() {
        let model = fresh(&config, &device);
        let terms = losses(&model, &toy_batch(&config, 1, 3, &device), Contrast::Paper);
        assert!(terms.iter().all(|(_, value)| value.is_finite()), "{terms:?}");
        assert!(terms.contains(&("contrast_global", 0.0)), "{terms:?}");
    }
}

#[test]
fn without_negatives_the_local_terms_are_nothing() {
    let device = Device::flex().autodiff();
    for mut config in families() {
        config.puzzle.candidates = 1;
        let mut data = toy_data(2, 3);
        let panel = SIZE * SIZE;
        data.pixels =
            data.pixels.chunks(12 * panel).flat_map(|p| p[..9 * panel].to_vec()).collect();
        data.rules = data.rules.map(|r| r.chunks(8).flat_map(|p| p[..2].to_vec()).collect());
        let batch = PuzzleBatch::new(&config.batch_shape(), data, &device).unwrap();
        let model = fresh(&config, &device);
        for contrast in [Contrast::Paper, Contrast::Ce] {
            let terms = losses(&model, &batch, contrast);
            assert!(terms.contains(&("contrast_local", 0.0)), "{terms:?}");
            assert!(terms.iter().all(|(_, value)| value.is_finite()));
        }
    }
}

#[test]
fn labels_that_are_absent_or_unknown_teach_nothing() {
    let (config, device) = (tiny_config(), Device::flex().autodiff());
    let model = fresh(&config, &device);
    let with = |change: &dyn Fn(&mut PuzzleData)| {
        let mut data = toy_data(3, 5);
        change(&mut data);
        losses(
            &model,
            &PuzzleBatch::new(&config.batch_shape(), data, &device).unwrap(),
            Contrast::Paper,
        )
    };
    let names = |terms: &[(&'static str, f32)]| terms.iter().map(|(n, _)| *n).collect::<Vec<_>>();
    let absent = with(&|data| data.rules = None);
    assert_eq!(names(&absent), ["reconstruction", "z_irrelevant", "z_o", "z_r", "z"]);
    let unknown = with(&|data| data.known = Some(vec![false; 3 * 4 * 2]));
    for term in ["supervised", "contrast_global", "contrast_local"] {
        assert!(unknown.iter().any(|(n, v)| *n == term && *v == 0.0), "{unknown:?}");
    }
    // What is unknown may as well be another label: nothing changes.
    let known: Vec<bool> = (0..24).map(|i| i % 3 != 0).collect();
    let mask = |data: &mut PuzzleData| data.known = Some(known.clone());
    let one = with(&mask);
    let other = with(&|data| {
        mask(data);
        let rules = data.rules.as_mut().unwrap().iter_mut();
        rules
            .zip(&known)
            .filter(|(_, known)| !**known)
            .for_each(|(rule, _)| *rule = (*rule + 1) % 4);
    });
    for (a, b) in one.iter().zip(&other) {
        assert!((a.1 - b.1).abs() <= 1e-5 * a.1.abs().max(1.0), "{a:?} {b:?}");
    }
}

#[test]
fn every_preset_solves_trains_and_imagines() {
    for name in ["cpu-64", "pgm-64", "vad-64", "paper-64-vit"] {
        let config = preset(name);
        let device = Device::flex().autodiff();
        let model = fresh(&config, &device);
        let p = config.puzzle();
        let data = PuzzleData {
            pixels: vec![0.25; 2 * p.inputs() * 64 * 64],
            rules: Some(vec![1; 2 * p.candidates * p.attributes]),
            ..PuzzleData::default()
        };
        let batch = PuzzleBatch::new(&config.batch_shape(), data, &device).unwrap();
        let terms = losses(&model, &batch, Contrast::Paper);
        assert!(terms.iter().all(|(_, value)| value.is_finite()), "{name}: {terms:?}");
        let solved = model.solve(&batch).unwrap();
        assert_eq!(
            solved.rules().unwrap().experts().unwrap().logits.dims(),
            [p.predictions(), 2, p.candidates, p.attributes, p.rules]
        );
        let spec = Conditioning::new(p, &vec![0; p.attributes], None, &device).unwrap();
        let imagined =
            model.imagine(&spec, SamplingConfig::default(), &mut Noise::seeded(0)).unwrap();
        assert_eq!(imagined.images.dims(), [p.panels(), 64, 64, 1]);
    }
}

#[test]
fn every_presets_encoder_and_decoder_fit_its_images() {
    let device = Device::flex();
    for name in genvp_model::preset::names() {
        let config = preset(name);
        // Models without latents draw nothing.
        let Some(networks) = config.networks() else { continue };
        let (size, k) = (networks.size, networks.latent.panel());
        let model = fresh(&config, &device);
        let images = Tensor::zeros([1, size, size, 1], &device);
        let z = model.latent_model().expect(name).encode(images.clone());
        assert_eq!(z.mean.dims(), [1, k], "{name}");
        assert_eq!(model.redraw(z.mean).unwrap().dims(), [1, size, size, 1], "{name}");
        assert_eq!(model.reconstruct(images, 1).unwrap().dims(), [1, size, size, 1], "{name}");
    }
}

#[test]
fn the_loss_functions_can_be_called_on_their_own() {
    let (config, device) = (tiny_config(), Device::flex());
    let model = fresh(&config, &device);
    let solved = model.solve(&batch(&config, toy_data(2, 1))).unwrap();
    let labels = batch(&config, toy_data(2, 1)).rules().cloned().unwrap();
    let logits = solved.rules().unwrap().experts().unwrap().logits.clone();
    for loss in [contrast_ce, contrast_global, contrast_local] {
        let value: f32 =
            loss(logits.clone(), &labels, &Predictions::new(model.puzzle())).into_scalar();
        assert!(value.is_finite());
    }
}
