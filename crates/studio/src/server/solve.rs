//! Solving: files cut into panels, and the model and the exact solver side by side.

use axum::extract::{Request, State as Shared};
use genvp_infer::pipeline::SolvedFile;
use genvp_infer::{Model, Solver, json as told};
use serde::Deserialize;
use serde_json::{Value, json};

use super::jobs::Kind;
use super::reply::Reply;
use super::stream::{self, Teller};
use super::upload::{Puzzle, Sent};
use super::{State, pictures};
use crate::engine::{self, PuzzleRef, Refusal};

/// A puzzle by name, and which model to ask.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    puzzle: PuzzleRef,
    #[serde(default)]
    model: Option<String>,
}

/// `/api/panels`: what was sent, cut into panels, for a look before it is solved.
pub async fn panels(Shared(state): Shared<State>, request: Request) -> Reply {
    let sent = Sent::receive(&state, request).await?;
    let is_stream = stream::is_wanted(&sent.head().headers);
    let work = move |_: &Teller<'_>| described(&sent.form()?.puzzle()?);
    stream::answer(state, Kind::Files, is_stream, work).await
}

/// What a puzzle came as, and its panels.
fn described(puzzle: &Puzzle) -> Result<Value, Refusal> {
    let Puzzle { sheet, family, name, files, notes, .. } = puzzle;
    let form = sheet.form;
    Ok(json!({
        "file": name,
        "files": files,
        "family": family.id(),
        "form": { "rows": form.rows, "columns": form.columns, "choices": form.choices },
        "side": sheet.side,
        "notes": notes,
        "panels": pictures::panels(sheet)?,
    }))
}

/// `/api/solve`: the model and the exact solver side by side.
pub async fn solve(Shared(state): Shared<State>, request: Request) -> Reply {
    let sent = Sent::receive(&state, request).await?;
    let is_stream = stream::is_wanted(&sent.head().headers);
    let shared = state.clone();
    let work = move |teller: &Teller<'_>| {
        teller.step(0, 3, "reading the panels")?;
        let (puzzle, model) = if sent.is_json() {
            let named: Named = engine::parse(&sent.body)?;
            (Puzzle::made(&named.puzzle)?, named.model)
        } else {
            let form = sent.form()?;
            let model = form.parameter("model");
            (form.puzzle()?, model)
        };
        let model = model.filter(|model| !model.is_empty());
        solved(&shared, &puzzle, model.as_deref(), teller)
    };
    stream::answer(state, Kind::Model, is_stream, work).await
}

fn solved(
    state: &State,
    puzzle: &Puzzle,
    model: Option<&str>,
    teller: &Teller<'_>,
) -> Result<Value, Refusal> {
    let sheet = &puzzle.sheet;
    // A model that cannot be asked is refused before the work begins.
    let model = state.models.pick(model, puzzle.family, &puzzle.name)?;
    teller.step(1, 3, "the exact solver")?;
    let exact = puzzle.family.solve(sheet, true)?;
    let mut said = described(puzzle)?;
    said["exact"] = told::exact(&puzzle.name, sheet.stratum, sheet.target, &exact);
    said["exact"]["chances"] = json!(exact.chances);
    (said["model"], said["rules"]) = (Value::Null, Value::Null);
    let Some(model) = model else {
        let id = puzzle.family.id();
        said["why_no_model"] = json!(format!(
            "no model for puzzles of {id} is here; `genvp serve --model FILE` takes one along"
        ));
        return Ok(said);
    };
    teller.step(2, 3, "the model")?;
    said["model_name"] = json!(model.card().name());
    (said["model"], said["rules"]) = by_model(&model, puzzle)?;
    teller.step(3, 3, "done")?;
    Ok(said)
}

fn by_model(model: &Model, puzzle: &Puzzle) -> Result<(Value, Value), Refusal> {
    let solver = Solver::new(model)?.with_experts(true);
    let solution = solver.solve(&[&puzzle.sheet])?.pop().ok_or_else(no_answer)?;
    let file = SolvedFile {
        file: puzzle.name.clone(),
        stratum: puzzle.sheet.stratum,
        target: puzzle.sheet.target,
        rules: None,
        notes: Vec::new(),
    };
    Ok((told::solution(&file, &solution, true), told::rules(&file, &solution)))
}

fn no_answer() -> Refusal {
    Refusal::new(500, "the model gave no answer")
}
