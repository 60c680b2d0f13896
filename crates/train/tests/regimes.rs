//! Training on the regimes of PGM and VAD.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use burn::tensor::Device;
use genvp_train::metrics::{self, Line};
use genvp_train::{NoCallback, RunConfig, RunOptions, run};

const SMALL: [&str; 9] = [
    "model.reader.place=[6]",
    "model.reader.lines=[6]",
    "model.experts.relation=5",
    "model.experts.line=4",
    "model.experts.hidden=6",
    "model.size=16",
    "train.batch=3",
    "train.puzzles=12",
    "train.validation.puzzles=2",
];

fn config(preset: &str, settings: &[&str]) -> RunConfig {
    let config = RunConfig::preset(preset).unwrap();
    SMALL.iter().chain(settings).fold(config, |config, text| config.with_setting(text).unwrap())
}

#[test]
fn models_of_both_families_learn_from_pixels_and_from_values_and_are_examined_by_regime() {
    let values = ["train.loss.weights.values=0", "train.loss.symbolic_only=true"];
    for (preset, regimes, settings) in [
        ("pgm-cpu-64", r#"["neutral", "attr.rels"]"#, &[][..]),
        ("pgm-cpu-64", r#"["interpolation"]"#, &values),
        ("vad-cpu-64", r#"["novel.domain.transfer"]"#, &[]),
        ("vad-cpu-64", r#"["extrapolation"]"#, &values),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("run");
        let regimes = format!("train.feed.regimes={regimes}");
        let config = config(preset, &[settings, &[regimes.as_str()]].concat());
        let outcome =
            run(&config, &RunOptions::new(&out, Device::flex()), &mut NoCallback).unwrap();
        assert_eq!((outcome.step, outcome.skipped), (4, 0));
        let lines = metrics::read(&out.join("metrics.jsonl")).unwrap();
        let Some(Line::Validation { result, .. }) = lines.last() else { panic!("{lines:?}") };
        let asked: Vec<&String> = result.regimes.keys().collect();
        let mut wanted: Vec<&String> = config.train.feed.regimes.iter().collect();
        wanted.sort();
        assert_eq!(asked, wanted);
        assert!(result.regimes.values().all(|own| own.answers.n == 2 && own.rules.n == 14));
        assert!(result.layouts.is_empty());
    }
}
