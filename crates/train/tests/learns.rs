//! A short training teaches something.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod tiny;

use genvp_train::metrics::{self, Line};
use genvp_train::{End, NoCallback, run};

/// The shipped preset on the centre layout. Guessing gives 12.5 %; 64.5 % of answers and
/// 96.8 % of rules were right when this was written.
#[test]
fn two_minutes_on_the_centre_layout_beat_chance_by_far() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = genvp_train::RunConfig::preset("cpu-64").unwrap();
    for setting in [
        "train.puzzles=3200",
        "train.validation.every=3200",
        "train.validation.puzzles=200",
        // The usual average would still remember the first steps.
        "train.ema_decay=0.98",
        "train.keep.pictures_every=0",
    ] {
        config = config.with_setting(setting).unwrap();
    }
    config.train.feed.layouts =
        genvp_train::feed::LayoutWeights::only(&[genvp_puzzle::Layout::CenterSingle]);
    let options = tiny::options(folder.path());
    let outcome = run(&config, &options, &mut NoCallback).unwrap();
    assert_eq!((outcome.end, outcome.skipped), (End::Finished, 0));
    let lines = metrics::read(&folder.path().join("metrics.jsonl")).unwrap();
    let Some(Line::Validation { result, .. }) = lines.last() else {
        panic!("it ends with an examination")
    };
    let own = &result.layouts["c-s"];
    assert!(own.iraven.low > 40.0, "{own:?}");
    assert!(own.rules.low > 85.0, "{own:?}");
}
