//! A toy world: panels show one bar whose height and shade follow rules.

use burn::tensor::Device;
use genvp_model::{
    AnyModel, Genvp, GenvpConfig, ModelConfig, Preset, PuzzleBatch, PuzzleData, SceneConfig,
    SceneGenvp,
};

pub const SIZE: usize = 16;

/// A tiny model of the toy world: two attributes (height, shade), four rules
/// (none, constant, progression, distribute-three), four candidates, two layouts.
pub fn tiny_config() -> GenvpConfig {
    toml::from_str(
        r#"
        [puzzle]
        rows = 3
        columns = 3
        candidates = 4
        attributes = 2
        rules = 4
        layouts = 2
        [latent]
        relevant = 14
        irrelevant = 3
        [image]
        size = 16
        [image.encoder]
        kind = "small"
        channels = [16, 24]
        hidden = 48
        [image.decoder]
        kind = "patch"
        hidden = 32
        channels = [32, 16]
        [experts]
        family = "slots"
        components = 1
        widths = [8, 6]
        rule_rows = [1, 1]
        code = 8
        relation = 24
        hidden = 32
        "#,
    )
    .expect("the tiny configuration is valid")
}

/// The tiny model with other experts.
pub fn tiny_with(experts: &str) -> GenvpConfig {
    let mut config = tiny_config();
    config.experts = toml::from_str(experts).expect("valid experts");
    config
}

pub const ROWS: &str = "family = 'rows'\nrelation = 24\nhidden = 32";
pub const DENSE: &str =
    "family = 'dense'\nexperts = [64]\nz_r_posterior = [32]\nz_r_prior = [16]\nz_o_prior = [32]";

/// A preset's model, or a test failure.
pub fn preset(name: &str) -> ModelConfig {
    Preset::named(name).unwrap_or_else(|e| panic!("{name}: {e}")).model
}

/// The configuration of a preset of the paper's model.
pub fn paper_preset(name: &str) -> GenvpConfig {
    match preset(name) {
        ModelConfig::Genvp(config) => config,
        other => panic!("{name} is of {}", other.architecture()),
    }
}

/// The configuration of the preset that is taught by scenes.
pub fn scene_preset() -> SceneConfig {
    match preset("cpu-64") {
        ModelConfig::Scene(config) => config,
        other => panic!("cpu-64 is of {}", other.architecture()),
    }
}

/// A fresh model whose weights are the same in every run of the tests.
pub fn fresh(config: &(impl Clone + Into<ModelConfig>), device: &Device) -> AnyModel {
    config.clone().into().init_seeded(5, device).unwrap()
}

/// The model of the paper's architecture.
pub fn genvp(model: AnyModel) -> Genvp {
    match model {
        AnyModel::Genvp(model) => model,
        other => panic!("{}", other.config().architecture()),
    }
}

/// The model that is taught by scenes.
pub fn scene_genvp(model: AnyModel) -> SceneGenvp {
    match model {
        AnyModel::Scene(model) => model,
        other => panic!("{}", other.config().architecture()),
    }
}

/// A little generator, so that tests need no crate for it.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

/// The values of one attribute in the nine panels: rule 1 constant, 2 progression, 3 distribute-three.
fn values(rule: u8, dice: &mut Dice) -> [u64; 9] {
    let mut all = [0; 9];
    let start = dice.below(4);
    for row in 0..3 {
        for column in 0..3 {
            all[row * 3 + column] = match rule {
                1 => (start + row as u64) % 6,
                2 => (start + row as u64) % 4 + column as u64,
                _ => start + 2 * ((row + 2 * column) as u64 % 3) / 2,
            };
        }
    }
    all
}

fn draw(height: u64, shade: u64) -> Vec<f32> {
    let mut panel = vec![0.0; SIZE * SIZE];
    for y in 0..(2 + 2 * height as usize) {
        for x in 4..12 {
            panel[y * SIZE + x] = 0.3 + 0.1 * shade as f32;
        }
    }
    panel
}

/// `count` toy puzzles with their labels; the right answer comes first.
pub fn toy_data(count: usize, seed: u64) -> PuzzleData {
    let mut dice = Dice(seed);
    let (mut pixels, mut rules, mut layouts) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..count {
        let own = [1 + dice.below(3) as u8, 1 + dice.below(3) as u8];
        let (height, shade) = (values(own[0], &mut dice), values(own[1], &mut dice));
        for panel in 0..9 {
            pixels.extend(draw(height[panel], shade[panel]));
        }
        rules.extend(own);
        for (change, other) in [(1, 0), (0, 1), (1, 1)] {
            let moved = |value: u64, by: u64| (value + 3 * by) % 7;
            pixels.extend(draw(moved(height[8], change), moved(shade[8], other)));
            rules.extend([
                if change == 1 { 0 } else { own[0] },
                if other == 1 { 0 } else { own[1] },
            ]);
        }
        layouts.push(dice.below(2) as u8);
    }
    PuzzleData { pixels, rules: Some(rules), layouts: Some(layouts), ..PuzzleData::default() }
}

pub fn toy_batch(
    config: &(impl Clone + Into<ModelConfig>),
    count: usize,
    seed: u64,
    device: &Device,
) -> PuzzleBatch {
    let shape = config.clone().into().batch_shape();
    PuzzleBatch::new(&shape, toy_data(count, seed), device).expect("toy puzzles fit the model")
}
