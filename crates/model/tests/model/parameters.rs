//! The paper's parameter counts, counted in the tensors.

use crate::common::{fresh, paper_preset, preset};
use burn::tensor::Device;
use genvp_model::{AnyModel, GenvpConfig, ModelConfig};

fn build(config: &(impl Clone + Into<ModelConfig>)) -> AnyModel {
    fresh(config, &Device::flex())
}

fn count(config: &(impl Clone + Into<ModelConfig>)) -> usize {
    build(config).count_parameters().parameters
}

/// The paper's model with other widths: K, K_Zo, K_R, N_R.
fn paper(k: usize, k_zo: usize, k_r: usize, n_r: usize) -> GenvpConfig {
    let mut config = paper_preset("paper-64");
    config.latent.relevant = k_zo;
    config.latent.irrelevant = k - k_zo;
    config.puzzle.attributes = k_r;
    config.puzzle.rules = n_r;
    config
}

#[test]
fn the_papers_model_has_the_papers_parameters() {
    assert_eq!(count(&preset("paper-64")), 8_879_877);
    assert_eq!(count(&paper(64, 54, 12, 5)), 8_879_877);
}

#[test]
fn the_latent_size_table_is_met_row_by_row() {
    assert_eq!(count(&paper(32, 20, 12, 5)), 8_250_313);
    assert_eq!(count(&paper(64, 54, 22, 5)), 8_912_077);
    assert_eq!(count(&paper(64, 54, 12, 15)), 8_957_157);
    assert_eq!(count(&paper(128, 100, 12, 5)), 9_758_185);
    assert_eq!(count(&paper(128, 126, 12, 5)), 10_208_245);
}

#[test]
fn the_parts_add_up_and_the_image_networks_are_raises() {
    let counted = build(&preset("paper-64")).count_parameters();
    assert_eq!(counted.parts.values().sum::<usize>(), counted.parameters);
    // RAISE's encoder with a head of 2K, and its decoder.
    assert_eq!(counted.parts["encoder"], 7_017_920);
    assert_eq!(counted.parts["decoder"], 722_945);
    assert_eq!(counted.parts["experts.full"], 70_076);
    assert_eq!(counted.parts["experts.row_latents"], 28_604);
}

#[test]
fn the_cpu_model_stays_small() {
    let parameters = count(&preset("cpu-64"));
    assert!(parameters <= 2_450_000, "{parameters}");
    let bytes = build(&preset("cpu-64")).to_bytes(serde_json::Value::Null).unwrap();
    assert!(bytes.len() < 10_000_000, "{}", bytes.len());
}

#[test]
fn the_scalability_table_is_met_within_a_twentieth_of_a_percent() {
    for (name, printed, difference) in [
        ("paper-cnn-s", 2_125_253_i64, 0_i64),
        ("paper-64-resnet", 8_879_877, 2_176),
        ("paper-64-vit", 6_070_469, 64),
        ("paper-128", 9_945_028, -3_743),
        ("paper-224", 25_918_758, 3_071),
    ] {
        let found = count(&preset(name)) as i64;
        assert_eq!(found - printed, difference, "{name}");
        assert!(difference.abs() * 2000 < printed);
    }
}
