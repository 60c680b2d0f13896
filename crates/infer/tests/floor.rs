//! The weights in the box are as good as their card says. The floors follow from the card's
//! figures and intervals, so better weights bring their own.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod scramble;

use std::collections::BTreeMap;

use burn::tensor::Device;
use genvp_exam::Share;
use genvp_infer::calibration::{Kind, Reliability, observe};
use genvp_infer::coherence::{Sample, measure};
use genvp_infer::imagine::Artist;
use genvp_infer::judge::stress::Marks;
use genvp_infer::{Card, Model, Solver, Weights};
use genvp_model::DeviceChoice;
use genvp_puzzle::{Layout, Set};
use genvp_train::Exam;
use genvp_train::config::ValidationConfig;
use scramble::scrambled;
use serde_json::Value;

/// The seed of the puzzles, which nothing else uses.
const SEED: u64 = 3_000_000_019;
/// How seldom weights that are as good as their card may miss one floor.
const SELDOM: f64 = 1e-5;

fn cpu() -> Device {
    DeviceChoice::Cpu.open().unwrap().0
}

/// How much is asked.
struct Sizes<'a> {
    layouts: &'a [Layout],
    /// Puzzles of each layout and set.
    solved: u64,
    /// Drawings of each layout.
    drawn: u64,
}

const USUAL: Sizes<'_> = Sizes { layouts: &Layout::ALL, solved: 100, drawn: 24 };

/// The most that may be asked for, such that who gets each of `n` right with probability `p`
/// misses it [seldom](SELDOM).
fn floor(p: f64, n: u64) -> u64 {
    let (mut below, mut k) = (0.0, 0);
    while k < n {
        // The probability of exactly k, by logarithms: 0.99^500 and its like would vanish.
        let ln_choose: f64 = (0..k).map(|i| ((n - i) as f64 / (k - i) as f64).ln()).sum();
        let ln = ln_choose + k as f64 * p.ln() + (n - k) as f64 * (1.0 - p).ln();
        below += ln.exp();
        if below > SELDOM {
            break;
        }
        k += 1;
    }
    k
}

#[test]
fn a_floor_is_missed_seldom_and_not_far_below() {
    // P(X = 0) = 2^-10 is often; P(X = 0) = 2^-20 is seldom, P(X <= 1) = 21 * 2^-20 is not.
    assert_eq!((floor(0.5, 10), floor(0.5, 20)), (0, 1));
    assert_eq!(floor(0.99, 1), 0);
    assert!((88..95).contains(&floor(0.99, 100)), "{}", floor(0.99, 100));
}

/// The lower end of a share on the card, from 0 to 1.
fn low(card: &Value, figure: &str, layout: &str, key: &str) -> f64 {
    let low = card[figure]["layouts"][layout][key]["low"].as_f64();
    low.unwrap_or_else(|| panic!("the card has no {figure} {layout} {key}")) / 100.0
}

/// The lower end of a figure over all layouts: the card's right ones and questions together.
fn pooled_low(card: &Value, figure: &str, layouts: &[Layout], key: &str) -> f64 {
    let shares = layouts.iter().map(|layout| {
        let own = &card[figure]["layouts"][layout.short()][key];
        let n = own["n"].as_u64().unwrap_or_else(|| panic!("no {figure} {layout:?} {key}"));
        ((own["percent"].as_f64().unwrap() / 100.0 * n as f64).round() as u64, n)
    });
    let (right, n) = shares.fold((0, 0), |(a, b), (right, n)| (a + right, b + n));
    Share::of(right, n).low / 100.0
}

/// Every figure that is below what the card promises.
fn shortfalls(model: &Model, card: &Card, sizes: &Sizes<'_>) -> Vec<String> {
    let said = card.said();
    let mut missed = Vec::new();
    let mut demand = |what: String, right: u64, n: u64, p: f64| {
        let least = floor(p, n);
        if right < least {
            missed.push(format!("{what}: {right} of {n}, the floor is {least}"));
        }
    };
    let asked = ValidationConfig { seed: SEED, puzzles: sizes.solved, every: 1 };
    let exam = Exam::of_sets(&Set::ALL, &asked, sizes.layouts).unwrap();
    let found = exam.take(model.genvp(), model.device()).unwrap();
    let mut all: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for (layout, own) in &found.layouts {
        let mut share = |key: &'static str, share: &Share| {
            let (right, n) = all.entry(key).or_default();
            (*right, *n) = (*right + share.right(), *n + share.n);
            demand(
                format!("{layout} {key}"),
                share.right(),
                share.n,
                low(said, "exam", layout, key),
            );
        };
        share("raven", &own.raven);
        share("iraven", &own.iraven);
        share("raven_fair", own.raven_fair.as_ref().unwrap());
        share("rules", &own.rules);
    }
    // A little less on every layout shows over all of them only.
    for (key, (right, n)) in all {
        let p = pooled_low(said, "exam", sizes.layouts, key);
        demand(format!("all layouts {key}"), right, n, p);
    }
    let artist = Artist::new(model.genvp(), model.device()).unwrap();
    let (mut rules, mut whole) = (Marks::default(), 0);
    for &layout in sizes.layouts {
        let sample = Sample { n: sizes.drawn, matrices: 0, seed: SEED, having: &[] };
        let own = measure(&artist, layout, &sample, &|_| ()).unwrap();
        let name = layout.short();
        demand(format!("{name} whole"), own.whole, own.n, low(said, "coherence", name, "whole"));
        rules.join(own.judge);
        whole += own.whole;
    }
    // The rules of one drawing hold or break together, so drawings are counted.
    let drawings = sizes.drawn * sizes.layouts.len() as u64;
    let right = (rules.percent() / 100.0 * drawings as f64).round() as u64;
    let p = |key| pooled_low(said, "coherence", sizes.layouts, key);
    demand("rules of drawings, in drawings".to_owned(), right, drawings, p("judge"));
    demand("all layouts whole".to_owned(), whole, drawings, p("whole"));
    missed
}

#[test]
fn the_weights_in_the_box_are_as_good_as_their_card_says() {
    let model = Model::shipped().unwrap();
    assert_eq!(model.card().used_seed(SEED), None, "these puzzles are fresh");
    let missed = shortfalls(&model, model.card(), &USUAL);
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn scrambled_weights_miss_their_floors() {
    let weights = Weights::find(Model::DEFAULT).unwrap();
    let card = weights.card().unwrap();
    let few = Sizes { layouts: &[Layout::CenterSingle, Layout::LeftRight], solved: 24, drawn: 6 };
    for (part, shows) in
        [("encoder", "iraven"), ("experts", "rules"), ("decoder", "whole"), ("writer", "whole")]
    {
        let genvp = scrambled(weights.bytes(), part, &cpu());
        let model = Model::of(genvp, card.clone(), &cpu());
        let missed = shortfalls(&model, &card, &few);
        assert!(missed.iter().any(|what| what.contains(shows)), "{part}: {missed:#?}");
    }
}

#[test]
fn confidence_is_as_good_as_the_card_says() {
    let model = Model::shipped().unwrap();
    let solver = Solver::new(&model).unwrap();
    let said = &model.card().said()["confidence"];
    let constants = model.card().confidence().expect("fitted constants");
    assert_eq!(solver.constants(), constants, "what answers come with");
    let ask = |kind| observe(&solver, &Layout::ALL, kind, 40, SEED, &|_| ()).unwrap();
    let plain = [ask(Kind::Plain(Set::Raven)), ask(Kind::Plain(Set::IRaven))].concat();
    let own = Reliability::of(&plain, constants);
    let promised = said["check"]["expected_calibration_error"].as_f64().unwrap() / 100.0;
    // Of 560 answers: one in a hundred wrong leaves the share of right ones uncertain by 0.4 %,
    // so 1.5 % more than the card says is more than three standard deviations.
    let found = own.expected_error();
    assert!(found <= promised + 0.015, "{found} for {promised}");
    // Puzzles of which more are answered wrong: a tenth more or less is four standard deviations.
    let noisy = Reliability::of(&ask(Kind::Noisy), constants).whole();
    let promised = said["strange"]["noise"]["confidence"].as_f64().unwrap() / 100.0;
    assert!((noisy.confidence() - promised).abs() < 0.1, "{noisy:?} for {promised}");
}
