//! What the solver promises, whatever the weights.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod scramble;

use burn::tensor::Device;
use genvp_infer::{Card, InferError, Model, Solution, Solver, fresh_puzzles};
use genvp_model::{DeviceChoice, Preset, PuzzleBatch, PuzzleData, select};
use genvp_puzzle::family::{AnyPuzzle, Sheet};
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::raven::{FORM, Raven};
use genvp_puzzle::{Layout, Puzzle, Set, Stream, render};
use genvp_train::feed::{Batch, ChoiceOrder, FeedShape, write};
use proptest::prelude::*;
use scramble::scrambled;

fn cpu() -> Device {
    DeviceChoice::Cpu.open().unwrap().0
}

fn untrained(preset: &str, seed: u64) -> Model {
    let device = cpu();
    let genvp = Preset::named(preset).unwrap().model.init_seeded(seed, &device).unwrap();
    let card = Card::new(preset, genvp.config().clone(), serde_json::Value::Null);
    Model::of(genvp, card, &device)
}

fn made(layout: Layout, index: u64) -> Puzzle {
    Maker::new(Request::new(Set::Raven, layout)).unwrap().puzzle(3, index).unwrap()
}

fn drawn(puzzle: &Puzzle) -> Sheet {
    puzzle.sheet()
}

fn solve_one(model: &Model, sheet: &Sheet) -> Solution {
    Solver::new(model).unwrap().solve(&[sheet]).unwrap().remove(0)
}

#[test]
fn pixels_at_inference_are_those_of_training_bit_for_bit() {
    let model = untrained("cpu-64", 1);
    let solver = Solver::new(&model).unwrap();
    for layout in Layout::ALL {
        for index in 0..4 {
            let puzzle = made(layout, index);
            let mut batch = Batch::new(FeedShape::pictures(1, 64));
            write(&puzzle, ChoiceOrder::AsMade, &mut batch.examples().next().unwrap());
            assert_eq!(solver.ink(&[&drawn(&puzzle)]), batch.pixels, "{layout} {index}");
        }
    }
}

#[test]
fn solutions_are_those_of_the_network() {
    let model = untrained("cpu-64", 2);
    let puzzles = fresh_puzzles(Set::IRaven, 1, 8).unwrap();
    let sheets: Vec<&Sheet> = puzzles.iter().collect();
    let solver = Solver::new(&model).unwrap().with_experts(true);
    let solutions = solver.solve(&sheets).unwrap();
    let data = PuzzleData { pixels: solver.ink(&sheets), ..PuzzleData::default() };
    let batch = PuzzleBatch::new(&model.config().batch_shape(), data, model.device()).unwrap();
    let solved = model.genvp().solve(&batch).unwrap();
    let per_expert = solved.rules().unwrap().experts().unwrap().scores_per_expert().unwrap();
    for (index, solution) in solutions.iter().enumerate() {
        assert_eq!(solution.scores, solved.scores[index]);
        assert_eq!(solution.answer, select::best(&solved.scores[index]));
        let experts = solution.experts.as_ref().unwrap().all();
        assert_eq!(experts.len(), per_expert.len());
        for (expert, scores) in experts.iter().zip(&per_expert) {
            let active = expert.candidates.iter().map(|rules| solution.active(rules));
            for (active, score) in active.zip(&scores[index]) {
                assert!((active - score.active).abs() < 1e-4, "{}", expert.name);
            }
        }
    }
    let lean = Solver::new(&model).unwrap().with_confidence(false).solve(&sheets).unwrap();
    assert!(lean.iter().zip(&solutions).all(|(a, b)| a.scores == b.scores));
    assert!(lean.iter().all(|solution| solution.confidence.is_none()));
}

#[test]
fn panels_of_any_side_are_taken() {
    let model = untrained("cpu-64", 3);
    let puzzle = drawn(&made(Layout::OutInGrid, 0));
    for side in [1, 17, 64, 80, 224, 333] {
        let pixels = (0..16).flat_map(|panel| {
            let mut ink = vec![0.0; side * side];
            render::resize_area(puzzle.panel(panel), render::SIDE, side, &mut ink);
            ink.into_iter().map(|v| 255 - (v * 255.0).round() as u8).collect::<Vec<_>>()
        });
        let solution = solve_one(&model, &Sheet::new(FORM, side, pixels.collect()));
        assert!(solution.answer < 8 && solution.scores.iter().all(|s| s.active.is_finite()));
    }
    assert!(Solver::new(&model).unwrap().solve(&[]).unwrap().is_empty());
}

#[test]
fn a_model_for_other_puzzles_says_so() {
    let model = untrained("pgm-64", 1);
    let error = Solver::of_family(&model, &Raven).unwrap_err();
    assert!(matches!(error, InferError::OtherPuzzles { .. }));
    assert!(error.to_string().contains("pgm-64"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn a_candidates_score_ignores_the_other_seven(
        seed in 0u64..1000, layout in 0usize..7, kept in 0usize..8, others in 0usize..7,
    ) {
        // The weights matter: with those in the box, whatever they are.
        let model = Model::shipped().unwrap();
        let puzzle = drawn(&made(Layout::ALL[layout], seed));
        let stranger = drawn(&made(Layout::ALL[others], seed + 1));
        let panels = (0..16).flat_map(|i| {
            let own = i < 8 || i == 8 + kept;
            if own { puzzle.panel(i) } else { stranger.panel(i) }.to_vec()
        });
        let changed = Sheet::new(FORM, render::SIDE, panels.collect());
        let solver = Solver::new(&model).unwrap();
        let solved = solver.solve(&[&puzzle, &changed]).unwrap();
        let (before, after) = (solved[0].scores[kept], solved[1].scores[kept]);
        prop_assert!((before.active - after.active).abs() < 1e-4, "{before:?} {after:?}");
        prop_assert!((before.certainty - after.certainty).abs() < 1e-3, "{before:?} {after:?}");
        let [before, after] = [0, 1].map(|i| solved[i].candidates[kept].rules().map(|(a, r, _)| (a, r)).collect::<Vec<_>>());
        prop_assert_eq!(before, after);
    }
}

#[test]
fn scrambled_weights_are_at_chance() {
    let weights = genvp_infer::Weights::find(Model::DEFAULT).unwrap();
    let model = Model::of(scrambled(weights.bytes(), "", &cpu()), weights.card().unwrap(), &cpu());
    let puzzles = fresh_puzzles(Set::IRaven, 40, 21).unwrap();
    let solver = Solver::new(&model).unwrap().with_confidence(false);
    let mut right = 0;
    for some in puzzles.chunks(Solver::BATCH) {
        let sheets: Vec<&Sheet> = some.iter().collect();
        let solutions = solver.solve(&sheets).unwrap();
        right += solutions.iter().zip(some).filter(|(s, p)| Some(s.answer) == p.target).count();
    }
    // 280 guesses of one in eight: 35 right, and a standard deviation of 5.5.
    assert!((13..=57).contains(&right), "{right} of 280");
}

/// Pictures that show no puzzle.
fn nonsense(name: &str, side: usize, random: &mut Stream) -> Vec<u8> {
    (0..side * side)
        .map(|i| match name {
            "white" => 255,
            "black" => 0,
            "grey" => 128,
            "noise" => random.below(256) as u8,
            _ => 255 * u8::from((i / side / 8 + i % side / 8).is_multiple_of(2)),
        })
        .collect()
}

#[test]
fn what_shows_no_known_scene_gets_no_confident_answer() {
    let model = Model::shipped().unwrap();
    let mut random = Stream::new(5, "nonsense", 0);
    for name in ["white", "black", "grey", "noise", "chequers"] {
        let all = (0..16).flat_map(|_| nonsense(name, 160, &mut random)).collect();
        let sure = solve_one(&model, &Sheet::new(FORM, 160, all)).confidence.unwrap();
        assert!(sure.value < 0.5, "sixteen {name} panels: {sure:?}");
        // One such panel among the question's is enough.
        let puzzle = drawn(&made(Layout::DistributeFour, 4));
        let mut pixels = puzzle.pixels.clone();
        pixels[3 * 25600..4 * 25600].copy_from_slice(&nonsense(name, 160, &mut random));
        let sure = solve_one(&model, &Sheet::new(FORM, 160, pixels)).confidence.unwrap();
        assert!(sure.value < 0.5, "one {name} panel: {sure:?}");
    }
}
