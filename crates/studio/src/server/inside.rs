//! What the model keeps of a panel: redrawing, and turning one number at a time.

use axum::extract::{Request, State as Shared};
use genvp_infer::Model;
use genvp_infer::latents::{Latents, redraw as drawn};
use serde::Deserialize;
use serde_json::{Value, json};

use super::jobs::{Kind, Watch};
use super::reply::{self, Reply};
use super::upload::{Puzzle, Sent};
use super::{State, pictures};
use crate::engine::{self, PuzzleRef, Refusal};

/// Drawings along one number.
const STEPS: usize = 7;
/// How far from its mean in both directions, in the units of the latents.
const REACH: f32 = 2.0;

/// Which puzzle.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Whole {
    puzzle: PuzzleRef,
}

/// Which number of which panel.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Turned {
    puzzle: PuzzleRef,
    panel: usize,
    /// The first number to turn.
    #[serde(default)]
    first: usize,
    /// How many numbers to turn.
    #[serde(default = "eight")]
    n: usize,
    /// Those by which the drawing changes most instead, the strongest first.
    #[serde(default)]
    strongest: bool,
}

fn eight() -> usize {
    8
}

fn latents(model: &Model, reference: &PuzzleRef) -> Result<(Puzzle, Latents), Refusal> {
    let puzzle = Puzzle::made(reference)?;
    puzzle.raven()?;
    let latents = Latents::of(model, &puzzle.sheet)?;
    Ok((puzzle, latents))
}

/// `/api/inside/redraw`: every panel, and what the model makes of it.
pub async fn redraw(Shared(state): Shared<State>, request: Request) -> Reply {
    let sent = Sent::receive(&state, request).await?;
    let asked: Whole = engine::parse(&sent.body)?;
    let shared = state.clone();
    let work = move |_: &Watch| -> Result<Value, Refusal> {
        let model = shared.models.artist()?;
        let (puzzle, latents) = latents(&model, &asked.puzzle)?;
        let (side, redrawn) = drawn(&model, &latents.means)?;
        let redrawn: Vec<String> = redrawn.iter().map(|ink| pictures::ink(side, ink)).collect();
        Ok(json!({
            "panels": pictures::panels(&puzzle.sheet)?, "redrawn": redrawn,
            "relevant": latents.relevant, "latents": latents.means[0].len(),
        }))
    };
    Ok(reply::json(&state.jobs.run(Kind::Model, work).await?))
}

/// `/api/inside/traverse`: a panel drawn with one of its numbers turned.
pub async fn traverse(Shared(state): Shared<State>, request: Request) -> Reply {
    let sent = Sent::receive(&state, request).await?;
    let asked: Turned = engine::parse(&sent.body)?;
    let shared = state.clone();
    let work = move |watch: &Watch| -> Result<Value, Refusal> {
        let model = shared.models.artist()?;
        let (_, latents) = latents(&model, &asked.puzzle)?;
        let mean = latents.means.get(asked.panel).ok_or_else(|| {
            Refusal::impossible(format!("panel: there is no panel {}", asked.panel))
        })?;
        let n = asked.n.clamp(1, 16);
        let numbers: Vec<usize> = if asked.strongest {
            strongest(&model, mean, n)?
        } else {
            (asked.first..asked.first.saturating_add(n).min(mean.len())).collect()
        };
        if numbers.is_empty() {
            let message = format!("first: the model keeps {} numbers of a panel", mean.len());
            return Err(Refusal::impossible(message));
        }
        watch.check()?;
        let values: Vec<f32> =
            (0..STEPS).map(|i| REACH * (2.0 * i as f32 / (STEPS - 1) as f32 - 1.0)).collect();
        let rows: Vec<Vec<f32>> = numbers
            .iter()
            .flat_map(|number| values.iter().map(|value| turned(mean, *number, *value)))
            .collect();
        let (side, inks) = drawn(&model, &rows)?;
        let lines: Vec<Value> = inks
            .chunks(STEPS)
            .zip(numbers)
            .map(|(inks, number)| {
                let pictures: Vec<String> =
                    inks.iter().map(|ink| pictures::ink(side, ink)).collect();
                json!({
                    "number": number, "mean": mean[number],
                    "deviation": latents.deviations[asked.panel][number],
                    "relevant": number < latents.relevant, "drawings": pictures,
                })
            })
            .collect();
        Ok(json!({ "values": values, "lines": lines, "latents": mean.len() }))
    };
    Ok(reply::json(&state.jobs.run(Kind::Model, work).await?))
}

/// What is kept of a panel, with one number changed.
fn turned(mean: &[f32], number: usize, value: f32) -> Vec<f32> {
    let mut turned = mean.to_vec();
    turned[number] = value;
    turned
}

/// The `n` numbers by which the drawing changes most from one end of their reach to the other.
fn strongest(model: &Model, mean: &[f32], n: usize) -> Result<Vec<usize>, Refusal> {
    let rows: Vec<Vec<f32>> = (0..mean.len())
        .flat_map(|number| [-REACH, REACH].map(|value| turned(mean, number, value)))
        .collect();
    let (_, inks) = drawn(model, &rows)?;
    let mut changes: Vec<(usize, f32)> = inks
        .chunks(2)
        .map(|ends| ends[0].iter().zip(&ends[1]).map(|(a, b)| (a - b).abs()).sum())
        .enumerate()
        .collect();
    changes.sort_by(|a, b| b.1.total_cmp(&a.1));
    Ok(changes.into_iter().take(n).map(|(number, _)| number).collect())
}
