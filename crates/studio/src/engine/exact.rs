//! The exact solver on a made puzzle's pixels.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{PuzzleRef, Refusal};

/// What is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exact {
    puzzle: PuzzleRef,
}

/// Solves a made puzzle from its pixels, without a model and without its truth.
pub fn solve(request: &Exact) -> Result<Value, Refusal> {
    let made = request.puzzle.make()?;
    let sheet = made.puzzle.sheet();
    let exact = made.puzzle.family().solve(&sheet, true)?;
    Ok(json!({
        "answer": exact.answer,
        "scores": exact.scores,
        "tied": exact.tied,
        "rules": exact.rules,
        "confidence": exact.confidence,
        "broken": exact.explanation.map(|explanation| explanation.broken),
    }))
}
