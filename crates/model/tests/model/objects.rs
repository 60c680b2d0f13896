//! The decoder that draws object by object.

use burn::tensor::{Device, Tensor, TensorData};
use genvp_model::{
    IRRELEVANT_PER_OBJECT, LatentModel, ModelConfig, SceneDecoderConfig, irrelevant_offset,
};

use genvp_model::params::parameter_names;

use crate::common::{fresh, scene_genvp, scene_preset};

const RELEVANT: usize = 104;
const IRRELEVANT: usize = 40;

/// Z of a panel whose first component has objects in these slots.
fn panel(slots: &[usize]) -> Vec<f32> {
    let mut z = vec![-1.0; RELEVANT];
    slots.iter().for_each(|&slot| z[slot] = 1.0);
    z[18] = 1.0;
    z.extend((0..IRRELEVANT).map(|i| (i as f32 * 0.7).sin()));
    z
}

/// The same panel with an object's own numbers changed.
fn turned(mut z: Vec<f32>, component: usize, slot: usize) -> Vec<f32> {
    let at = RELEVANT + irrelevant_offset(component, slot, IRRELEVANT);
    z[at..at + IRRELEVANT_PER_OBJECT].iter_mut().for_each(|number| *number -= 1.0);
    z
}

#[test]
fn an_object_that_is_not_there_leaves_no_trace() {
    let device = Device::flex();
    let model = scene_genvp(fresh(&scene_preset(), &device));
    let draw = |z: Vec<f32>| {
        let z = Tensor::<2>::from_data(TensorData::new(z, [1, RELEVANT + IRRELEVANT]), &device);
        model.decode(z).into_data().try_to_vec::<f32>().unwrap()
    };
    let plain = draw(panel(&[0, 3]));
    assert_ne!(plain, draw(turned(panel(&[0, 3]), 0, 3)), "it is there, and turned");
    assert_eq!(plain, draw(turned(panel(&[0, 3]), 0, 1)), "nothing is there");
    assert_eq!(plain, draw(turned(panel(&[0, 3]), 1, 0)), "nor in the other component");
    assert_ne!(plain, draw(panel(&[0, 2])));
}

#[test]
fn an_object_is_drawn_in_its_window_and_nowhere_else() {
    let device = Device::flex();
    let model = scene_genvp(fresh(&scene_preset(), &device));
    let draw = |slots: &[usize]| {
        let z = TensorData::new(panel(slots), [1, RELEVANT + IRRELEVANT]);
        let drawn = model.decode(Tensor::<2>::from_data(z, &device));
        drawn.into_data().try_to_vec::<f32>().unwrap()
    };
    // The 2x2 grid: the last slot is the lower right quarter.
    let (without, with) = (draw(&[0]), draw(&[0, 3]));
    for (i, (before, after)) in without.iter().zip(&with).enumerate() {
        let inside = i / 64 >= 32 && i % 64 >= 32;
        assert!(inside || before == after, "pixel {i} is outside of the window");
    }
    assert_ne!(without, with);
}

#[test]
fn a_panel_without_objects_is_paper() {
    let device = Device::flex();
    let model = scene_genvp(fresh(&scene_preset(), &device));
    let z = TensorData::new(panel(&[]), [1, RELEVANT + IRRELEVANT]);
    let drawn = model.decode(Tensor::<2>::from_data(z, &device));
    let drawn = drawn.into_data().try_to_vec::<f32>().unwrap();
    assert!(drawn.iter().all(|&ink| ink == drawn[0] && ink < 0.05), "{}", drawn[0]);
}

#[test]
fn windows_that_cannot_be_are_refused() {
    let refused = |change: fn(&mut genvp_model::ObjectsDecoderConfig)| {
        let mut config = scene_preset();
        let SceneDecoderConfig::Objects(decoder) = &mut config.image.decoder else {
            panic!("cpu-64 draws object by object");
        };
        change(decoder);
        ModelConfig::from(config).check().unwrap_err().problems.join("\n")
    };
    assert!(refused(|d| d.windows[1][0][2] = [0, 0, 24]).contains("[0, 0, 24]"));
    assert!(refused(|d| d.windows[1][0][2] = [70, 0, 32]).contains("[70, 0, 32]"));
    assert!(refused(|d| d.windows.truncate(6)).contains("6 layouts, not 7"));
    let small = refused(|d| d.small = vec![8; 6]);
    assert!(small.contains("32 px") && small.contains("decoder.small"), "{small}");
    for window in [[0, 0, 0], [0, 0, -8], [0, 0, i32::MAX], [0, 0, i32::MIN], [-32, 0, 32]] {
        let mut config = scene_preset();
        let SceneDecoderConfig::Objects(decoder) = &mut config.image.decoder else {
            panic!("cpu-64 draws object by object");
        };
        decoder.windows[1][0][2] = window;
        let problems = ModelConfig::from(config).check().unwrap_err().problems.join("\n");
        assert!(problems.contains(&format!("{window:?}")), "{problems}");
    }
}

#[test]
fn objects_have_numbers_of_their_own_in_every_layout() {
    // Nine in one component, or one and four.
    for slots in [&[9, 0][..], &[1, 4]] {
        let mut taken = [false; IRRELEVANT];
        for (component, &count) in slots.iter().enumerate() {
            for slot in 0..count {
                let at = irrelevant_offset(component, slot, IRRELEVANT);
                assert!(taken[at..at + IRRELEVANT_PER_OBJECT].iter().all(|t| !t), "{slots:?}");
                taken[at..at + IRRELEVANT_PER_OBJECT].fill(true);
            }
        }
    }
}

#[test]
fn a_latent_that_says_nothing_about_objects_is_refused() {
    let mut config = scene_preset();
    config.latent.irrelevant = 8;
    let problems = ModelConfig::from(config).check().unwrap_err().problems;
    assert!(problems.iter().any(|p| p.contains("objects")), "{problems:?}");
}

#[test]
fn the_papers_model_has_no_decoder_of_objects() {
    let mut config = serde_json::to_value(ModelConfig::from(scene_preset())).unwrap();
    config["architecture"] = "genvp".into();
    config.as_object_mut().unwrap().remove("values");
    let error = serde_json::from_value::<ModelConfig>(config).unwrap_err().to_string();
    assert!(error.contains("`objects`") && error.contains("`patch`"), "{error}");
}

#[test]
fn a_scene_may_be_drawn_by_a_decoder_of_the_papers_model() {
    let mut config = scene_preset();
    config.image.decoder =
        toml::from_str("kind = 'patch'\nhidden = 8\nchannels = [8, 8, 8]").unwrap();
    let device = Device::flex();
    let model = fresh(&config, &device);
    let z = Tensor::<2>::zeros([1, RELEVANT + IRRELEVANT], &device);
    assert_eq!(model.redraw(z).unwrap().dims(), [1, 64, 64, 1]);
    let names = parameter_names(&model);
    assert!(names.iter().any(|name| name == "decoder.hidden.weight"), "{names:?}");
}
