//! What the encoder that looks object by object promises.

use crate::common::{fresh, genvp, paper_preset};
use burn::module::Module;
use burn::tensor::{Device, Tensor, TensorData};
use genvp_model::expert::ExpertConfig;
use genvp_model::image::ImageEncoder;
use genvp_model::{
    Genvp, LatentModel, LossConfig, LossWeights, Noise, PuzzleBatch, PuzzleData, Term,
};
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::{Entity, Layout, Panel, Puzzle, Set, render};

const SIZE: usize = 64;

fn model(device: &Device) -> Genvp {
    genvp(fresh(&paper_preset("raven-rules-64"), device))
}

fn puzzle(layout: Layout, number: u64) -> Puzzle {
    Maker::new(Request::new(Set::Raven, layout)).unwrap().puzzle(11, number).unwrap()
}

/// A panel of a layout whose first component has these objects.
fn panel(layout: Layout, objects: &[Entity]) -> Panel {
    let mut panel = puzzle(layout, 0).context[0].clone();
    panel.components[0].entities = objects.iter().copied().collect();
    panel
}

fn object(slot: u8, shape: u8, size: u8, color: u8, angle: u8) -> Entity {
    Entity { slot, shape, size, color, angle }
}

/// The means of Z_o, by an encoder that is told the layout.
fn z_o(model: &Genvp, layout: Layout, panel: &Panel) -> Vec<f32> {
    let mut pixels = vec![0.0; SIZE * SIZE];
    let domain = puzzle(layout, 0).domain;
    render::ink_into(panel, layout, domain, SIZE, &mut pixels);
    let data = TensorData::new(pixels, [1, SIZE, SIZE, 1]);
    let image = Tensor::<4>::from_data(data, &Device::flex());
    let ImageEncoder::Rings(encoder) = &model.encoder else { panic!("looks object by object") };
    let said = encoder.forward_known(image, &[layout.index()]);
    said.narrow(1, 0, model.latent().relevant).into_data().try_to_vec::<f32>().unwrap()
}

fn apart(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt()
}

#[test]
fn an_object_that_turns_looks_the_same_and_another_one_does_not() {
    let model = model(&Device::flex());
    for layout in [Layout::CenterSingle, Layout::LeftRight] {
        let seen = |shape, size, color, angle| {
            z_o(&model, layout, &panel(layout, &[object(0, shape, size, color, angle)]))
        };
        for shape in 1..=5 {
            let upright = seen(shape, 4, 5, 3);
            let others = [seen(shape % 5 + 1, 4, 5, 3), seen(shape, 3, 5, 3), seen(shape, 4, 6, 3)];
            let other = others.iter().map(|o| apart(&upright, o)).fold(f32::MAX, f32::min);
            for angle in [0, 1, 4, 7] {
                let turned = apart(&upright, &seen(shape, 4, 5, angle));
                assert!(turned < 0.5 * other, "{layout} {shape} {angle}: {turned} of {other}");
            }
        }
    }
}

#[test]
fn objects_of_a_grid_may_change_places() {
    let (model, layout) = (model(&Device::flex()), Layout::DistributeFour);
    let seen = |slots: [u8; 2]| {
        let objects = [object(slots[0], 1, 4, 9, 3), object(slots[1], 4, 2, 3, 3)];
        z_o(&model, layout, &panel(layout, &objects))
    };
    let ExpertConfig::Slots(experts) = paper_preset("raven-rules-64").experts else { panic!() };
    let positions = experts.widths[0];
    let (here, exchanged, moved) = (seen([0, 3]), seen([3, 0]), seen([0, 2]));
    for other in [&exchanged, &moved] {
        let apart = apart(&here[positions..], &other[positions..]);
        assert!(apart < 1e-4, "{apart}");
    }
    assert!(apart(&here[..positions], &moved[..positions]) > 1.0);
    // Taken slots are above 0, free ones below it, and what is no slot of this layout is 0.
    let signs: Vec<f32> =
        here[..9].iter().map(|x| if *x == 0.0 { 0.0 } else { x.signum() }).collect();
    assert_eq!(signs, [1.0, -1.0, -1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn layouts_are_taught_from_pixels_and_not_needed_to_solve() {
    let device = Device::flex().autodiff();
    let model = model(&device);
    let layouts = [Layout::DistributeNine, Layout::OutInGrid];
    let mut data = PuzzleData::default();
    let (mut rules, mut known) = (Vec::new(), Vec::new());
    for layout in layouts {
        let puzzle = puzzle(layout, 1);
        for panel in puzzle.panels() {
            let mut pixels = vec![0.0; SIZE * SIZE];
            render::ink_into(panel, layout, puzzle.domain, SIZE, &mut pixels);
            data.pixels.extend(pixels);
        }
        rules.extend([1u8; 8 * 12]);
        known.push(layout.index() as u8);
    }
    let shape = genvp_model::ModelConfig::from(paper_preset("raven-rules-64")).batch_shape();
    let labelled = PuzzleData { rules: Some(rules), layouts: Some(known), ..data.clone() };
    let batch = PuzzleBatch::new(&shape, labelled, &device).unwrap();
    let weights = LossWeights { layout: 1.0, reconstruction: 0.0, ..LossWeights::default() };
    let config = LossConfig { weights, ..LossConfig::default() };
    let any = genvp_model::AnyModel::Genvp(model);
    let terms = any.losses(&batch, &config, &mut Noise::seeded(1));
    let layout: f32 = terms.get(Term::Layout).unwrap().into_scalar();
    // Seven layouts, none known yet.
    assert!((0.5..6.0).contains(&layout), "{layout}");
    let unlabelled = PuzzleBatch::new(&shape, data, &Device::flex()).unwrap();
    assert_eq!(any.valid().solve(&unlabelled).unwrap().answers().len(), layouts.len());
}

#[test]
fn windows_that_do_not_fit_are_refused() {
    let refused = |change: &dyn Fn(&mut genvp_model::image::RingsEncoderConfig)| {
        let mut config = paper_preset("raven-rules-64");
        let genvp_model::image::EncoderConfig::Rings(encoder) = &mut config.image.encoder else {
            panic!("the preset's encoder has rings");
        };
        change(encoder);
        genvp_model::ModelConfig::from(config).check().unwrap_err().to_string()
    };
    assert!(refused(&|e| e.windows.truncate(3)).contains("windows for 3 layouts"));
    assert!(refused(&|e| e.windows[0][0][0][2] = 500.0).contains("inside the drawing"));
    assert!(refused(&|e| e.windows[2][0].truncate(8)).contains("begins with 17"));
    assert!(refused(&|e| e.sigma = 0.0).contains("sigma"));
    assert!(refused(&|e| e.channels.clear()).contains("needs channels"));
}

/// Two puzzles whose layouts differ, one panel of each exchanged for one of the other, so that
/// panel by panel another layout is seen than by the puzzle as a whole.
fn puzzles_with_a_stranger() -> Vec<Vec<f32>> {
    let layouts = [Layout::DistributeNine, Layout::OutInGrid];
    let mut panels: Vec<Vec<f32>> = Vec::new();
    for layout in layouts {
        let puzzle = puzzle(layout, 1);
        for panel in puzzle.panels() {
            let mut pixels = vec![0.0; SIZE * SIZE];
            render::ink_into(panel, layout, puzzle.domain, SIZE, &mut pixels);
            panels.push(pixels);
        }
    }
    let inputs = panels.len() / layouts.len();
    panels.swap(2, inputs + 2);
    panels
}

#[test]
fn rules_of_a_completed_puzzle_are_those_that_solving_saw() {
    let device = Device::flex();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../weights/raven-rules-64.safetensors");
    let (model, _) =
        genvp_model::AnyModel::from_bytes(&std::fs::read(file).unwrap(), &device).unwrap();
    let (panels, p) = (puzzles_with_a_stranger(), *model.puzzle());
    let data = PuzzleData { pixels: panels.concat(), ..PuzzleData::default() };
    let batch = PuzzleBatch::new(&model.batch_shape(), data, &device).unwrap();
    let latent = model.latent_model().unwrap();
    let (alone, together) =
        (latent.encode(batch.images()), latent.encode_puzzles(batch.images(), p.inputs()));
    let apart: f32 = (alone.mean - together.mean).abs().max().into_scalar();
    assert!(apart > 0.1, "the exchanged panels are read by their own layout: {apart}");
    let solved = model.solve(&batch).unwrap().rules().unwrap().mixed.clone();
    for choice in [0, p.candidates - 1] {
        let completed = panels.chunks(p.inputs()).flat_map(|own| {
            own[..p.context()].iter().chain([&own[p.context() + choice]]).flatten().copied()
        });
        let completed = TensorData::new(completed.collect(), [2 * p.panels(), SIZE, SIZE, 1]);
        let named = model.rules(Tensor::from_data(completed, &device)).unwrap();
        let wanted = solved.clone().narrow(1, choice, 1).squeeze_dim::<3>(1);
        let apart: f32 = (named - wanted).abs().max().into_scalar();
        assert!(apart < 1e-4, "choice {choice}: {apart}");
    }
}
