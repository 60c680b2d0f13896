//! Models whose blocks of Z_o are codes of values: what they imagine and complete.

use burn::optim::{AdamConfig, GradientsParams};
use burn::tensor::{Device, Tensor, TensorData};
use genvp_model::{
    Condition, Conditioning, LatentModel, LossConfig, LossWeights, Noise, PuzzleBatch, PuzzleData,
    PuzzleModel, SamplingConfig, SceneGenvp, UnlikeObjects, ValueKind, object_value,
    write_parameters,
};
use genvp_puzzle::family::RuleParameter;

use crate::common::{fresh, scene_genvp, scene_preset};

const WIDTHS: [usize; 4] = [24, 10, 7, 11];
const VALUE_WIDTHS: [usize; 4] = [17, 9, 6, 10];

fn host<const D: usize>(t: Tensor<D>) -> Vec<f32> {
    t.into_data().try_to_vec().expect("numbers")
}

fn model() -> (SceneGenvp, Device) {
    let device = Device::flex();
    (scene_genvp(fresh(&scene_preset(), &device)), device)
}

/// Constant rules for everything.
fn constants(puzzles: usize) -> Vec<u8> {
    [1, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1, 1].repeat(puzzles)
}

fn codes(kind: &ValueKind) -> Vec<Vec<f32>> {
    let code = |value| {
        let mut code = vec![0.0; kind.value_width()];
        kind.write(value, &mut code);
        code.iter().map(|share| 2.0 * share - 1.0).collect()
    };
    let absent = vec![-1.0; kind.value_width()];
    (0..kind.count()).map(code).chain([absent]).collect()
}

#[test]
fn every_imagined_block_is_the_code_of_a_value() {
    let (model, device) = model();
    let kinds = &model.config().values.groups;
    let known: Vec<_> = kinds.iter().map(codes).collect();
    let spec = Conditioning::new(model.puzzle(), &constants(3), Some(&[0, 3, 6]), &device).unwrap();
    let imagined = model.imagine(&spec, SamplingConfig::default(), &mut Noise::seeded(4)).unwrap();
    for panel in host(imagined.z).chunks(144) {
        let mut rest = &panel[..104];
        for _ in 0..2 {
            for (g, known) in known.iter().enumerate() {
                let (block, others) = rest.split_at(WIDTHS[g]);
                rest = others;
                assert!(known.iter().any(|code| code == &block[..VALUE_WIDTHS[g]]), "{block:?}");
            }
        }
    }
}

#[test]
fn imagined_panels_differ_with_the_noise_and_not_without() {
    let (model, device) = model();
    let spec = Conditioning::new(model.puzzle(), &constants(1), Some(&[2]), &device).unwrap();
    let draw = |noise: &mut Noise| {
        host(model.imagine(&spec, SamplingConfig::default(), noise).unwrap().images)
    };
    assert_eq!(draw(&mut Noise::seeded(1)), draw(&mut Noise::seeded(1)));
    assert_ne!(draw(&mut Noise::seeded(1)), draw(&mut Noise::seeded(2)));
    assert_eq!(draw(&mut Noise::mean()), draw(&mut Noise::mean()));
}

fn blots(count: usize, device: &Device) -> Tensor<4> {
    let mut noise = Noise::seeded(7);
    let blots = noise.normal([count, 64, 64, 1], device).expect("noise");
    blots.clamp(0.0, 1.0)
}

#[test]
fn completing_keeps_what_is_there_whatever_stands_in_the_missing_places() {
    let (model, device) = model();
    for missing in [vec![8], vec![0], vec![2, 6], vec![3, 4, 5]] {
        let present: Vec<bool> = (0..18).map(|i| !missing.contains(&(i % 9))).collect();
        let images = blots(18, &device);
        let flags: Vec<f32> = present.iter().map(|&p| f32::from(u8::from(p))).collect();
        let flags = Tensor::<4>::from_data(TensorData::new(flags, [18, 1, 1, 1]), &device);
        let complete = |images: Tensor<4>| {
            model
                .complete(images, &present, None, SamplingConfig::default(), &mut Noise::seeded(3))
                .unwrap()
        };
        let (all, blank) = (complete(images.clone()), complete(images.clone() * flags));
        assert_eq!(host(all.images), host(blank.images), "{missing:?}");
        let own = host(model.encode(images).mean);
        for (panel, (found, own)) in host(all.z).chunks(144).zip(own.chunks(144)).enumerate() {
            assert_eq!(found == own, present[panel], "panel {panel}, missing {missing:?}");
        }
        for rules in host(all.rules).chunks(5) {
            assert_eq!(rules.iter().sum::<f32>(), 1.0);
        }
    }
}

#[test]
fn completing_nothing_or_with_flags_that_do_not_fit_is_refused() {
    let (model, device) = model();
    let complete = |present: &[bool]| {
        model.complete(
            blots(9, &device),
            present,
            None,
            SamplingConfig::default(),
            &mut Noise::mean(),
        )
    };
    assert!(complete(&[false; 9]).unwrap_err().to_string().contains("nothing is there"));
    assert!(complete(&[true; 8]).unwrap_err().to_string().contains("9 panels"));
}

/// Shares of nine single objects of one layout whose grey climbs by one from
/// panel to panel of a row, the rest constant.
fn climbing(first: usize) -> Vec<f32> {
    let kinds = scene_preset().values.groups;
    let mut shares = Vec::new();
    for panel in 0..9 {
        let values = [0, 2, 3, first + panel / 3 + panel % 3];
        for (g, kind) in kinds.iter().enumerate() {
            let mut block = vec![0.0; WIDTHS[g]];
            kind.write(values[g], &mut block[..VALUE_WIDTHS[g]]);
            if g == 0 {
                block[17] = 1.0;
            }
            shares.extend(block);
        }
        shares.extend([0.0; 52]);
    }
    shares
}

/// A writer taught with [`climbing`] rows, the first grey of each told as a value that its rule
/// hands out, and what it costs to write the rows when it is told so of `said`.
fn taught_climbing(said: impl Fn(usize) -> usize) -> (Vec<f32>, f32) {
    let device = Device::flex().autodiff();
    let mut writer = scene_genvp(fresh(&scene_preset(), &device)).writer;
    let mut adam = AdamConfig::new().init();
    let shares: Vec<f32> = (0..16).flat_map(|i| climbing(i % 6)).collect();
    let shares = Tensor::<3>::from_data(TensorData::new(shares, [16, 9, 104]), &device);
    let layout = Tensor::<2>::zeros([16, 7], &device);
    let z_r = Tensor::<2>::zeros([16, 312], &device);
    let kinds = scene_preset().values.groups;
    let width = kinds.iter().map(ValueKind::parameter_width).sum::<usize>();
    let told = |first: &dyn Fn(usize) -> usize| {
        let mut numbers = vec![0.0; 16 * 2 * width];
        for (puzzle, numbers) in numbers.chunks_exact_mut(2 * width).enumerate() {
            let mut rules = [RuleParameter::default(); 4];
            rules[3].values = 1 << first(puzzle % 6);
            write_parameters(&kinds, &rules, &mut numbers[..width]);
        }
        Tensor::<2>::from_data(TensorData::new(numbers, [16, 2 * width]), &device)
    };
    let mut costs = Vec::new();
    for step in 0..60 {
        let parameters = writer.told(Some(&told(&|first| first)), 16, &device);
        let condition = Condition { z_r: &z_r, layout: &layout, parameters: &parameters };
        let cost = writer.cost(shares.clone(), &condition, &mut Noise::seeded(step));
        costs.push(cost.clone().into_scalar::<f32>());
        let gradients = GradientsParams::from_grads(cost.backward(), &writer);
        writer = adam.step(5e-3, writer, gradients);
    }
    let parameters = writer.told(Some(&told(&said)), 16, &device);
    let condition = Condition { z_r: &z_r, layout: &layout, parameters: &parameters };
    let asked = writer.cost(shares, &condition, &mut Noise::seeded(99));
    (costs, asked.into_scalar())
}

#[test]
fn a_writer_learns_to_follow_a_rule() {
    let (costs, last) = taught_climbing(|first| first);
    assert!(last < costs[0] / 10.0, "from {} to {last} nats", costs[0]);
    assert!(last < 8.0, "{last} nats");
}

#[test]
fn a_writer_that_is_told_a_parameter_writes_by_it() {
    let (_, right) = taught_climbing(|first| first);
    let (_, wrong) = taught_climbing(|first| (first + 3) % 6);
    assert!(wrong > right + 2.0, "{right} nats told the truth, {wrong} told a lie");
}

#[test]
fn objects_differ_where_they_are_to_differ_and_go_on_along_a_row() {
    let (model, device) = model();
    let spec = Conditioning::new(model.puzzle(), &constants(1), Some(&[2]), &device).unwrap();
    let unlike = UnlikeObjects {
        puzzle: 0,
        component: 0,
        slots: 9,
        attributes: vec![(1, [0, 5])],
        kept: true,
    };
    let imagined = |unlike: Vec<UnlikeObjects>| {
        let spec = spec.clone().with_unlike_objects(unlike);
        let sampling = SamplingConfig::default();
        host(model.imagine(&spec, sampling, &mut Noise::seeded(8)).unwrap().z)
    };
    let (alike, mixed) = (imagined(Vec::new()), imagined(vec![unlike]));
    // Number and position 24, type 10, then the size and whether sizes differ.
    let size = 34..41;
    let mut differ = 0;
    for (alike, mixed) in alike.chunks(144).zip(mixed.chunks(144)) {
        assert_eq!(alike[..34], mixed[..34], "slots and types are as they were");
        assert_eq!(alike[41..104], mixed[41..104], "so are greys");
        let taken = (0..9).filter(|&slot| mixed[slot] > 0.0);
        let own = |slot: usize| &mixed[104 + 4 * slot..][..4];
        let sizes: Vec<usize> = taken.map(|slot| object_value(own(slot), 1, 6)).collect();
        let mean = sizes.iter().sum::<usize>() as f32 / sizes.len() as f32;
        let steps: f32 = mixed[size.clone()][..6].iter().map(|step| (step + 1.0) / 2.0).sum();
        assert!((steps - 1.0 - mean).abs() < 1e-4, "{sizes:?} {:?}", &mixed[size.clone()]);
        let differs = sizes.iter().any(|s| *s != sizes[0]);
        assert_eq!(mixed[40] > 0.0, differs, "{sizes:?}");
        differ += usize::from(differs);
    }
    assert!(differ > 0, "a fresh writer fills several slots of some panel");
}

#[test]
fn a_rule_free_objective_uses_nothing_but_the_images_whatever_a_batch_tells() {
    let (model, device) = model();
    let pixels = host(blots(32, &device));
    let weights =
        LossWeights { ranking: 50.0, rule_prior: 1.0, values: 10.0, ..LossWeights::default() };
    let loss = LossConfig { rule_free: true, weights, ..LossConfig::default() };
    let terms = |data: PuzzleData| {
        let data = PuzzleData { pixels: pixels.clone(), ..data };
        let batch = PuzzleBatch::new(&model.batch_shape(), data, &device).unwrap();
        assert!(!model.losses_split(&batch, &loss));
        model.losses(&batch, &loss, &mut Noise::seeded(2)).values().unwrap()
    };
    let told = PuzzleData {
        rules: Some(constants(2 * 8)),
        layouts: Some(vec![1, 4]),
        values: Some(vec![0.5; 32 * 104]),
        irrelevant: Some(vec![0.1; 32 * 40]),
        ..PuzzleData::default()
    };
    assert_eq!(terms(told), terms(PuzzleData::default()));
}
