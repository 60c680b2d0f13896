//! Questions about puzzles, asked and answered in JSON.

mod build;
mod catalog;
mod exact;
mod grid;
mod items;
mod puzzle;
mod puzzle_ref;
mod refusal;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

pub use items::{ExportRequest, ItemFormat, PaperName, export_in_steps};
pub use puzzle_ref::{Made, PuzzleRef};
pub use refusal::Refusal;

/// The questions that the engine answers.
pub const QUESTIONS: [&str; 7] = ["catalog", "make", "grid", "builder", "panel", "mark", "exact"];

/// Is told between the steps of work that may take long how many are done, and of how many; a
/// refusal ends the work.
pub type Steps<'s> = dyn Fn(u64, u64) -> Result<(), Refusal> + 's;

/// Answers one of the [`QUESTIONS`].
///
/// # Errors
/// When there is no such question, or it does not make sense; the refusal says why.
pub fn answer(question: &str, body: &[u8]) -> Result<Value, Refusal> {
    answer_in_steps(question, body, &|_, _| Ok(()))
}

/// Like [`answer`], with progress and cancellation.
///
/// # Errors
/// As for [`answer`], and those of `steps`.
pub fn answer_in_steps(question: &str, body: &[u8], steps: &Steps<'_>) -> Result<Value, Refusal> {
    match question {
        "catalog" => Ok(catalog::catalog()),
        "make" => puzzle::make(&parse(body)?, steps),
        "grid" => grid::grid(&parse(body)?),
        "builder" => build::builder(&parse(body)?),
        "panel" => build::panel(&parse(body)?),
        "mark" => build::mark(&parse(body)?),
        "exact" => exact::solve(&parse(body)?),
        _ => Err(Refusal::not_found(format!("there is no question `{question}`"))),
    }
}

/// Writes items in a format of [`ItemFormat`]: one file or several.
///
/// # Errors
/// When an item cannot be made, or the format is not one that the engine writes alone.
pub fn export(body: &[u8]) -> Result<Vec<genvp_draw::item::File>, Refusal> {
    export_in_steps(&parse(body)?, &|_, _| Ok(()))
}

/// Reads a request; what is wrong with it is said in one sentence.
///
/// # Errors
/// When it is no JSON, lacks something, or has what nobody asked for.
pub fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body)
        .map_err(|error| Refusal::bad(format!("the request: {}", plain(&error.to_string()))))
}

/// What the reader of JSON says, without the names of Rust's types.
fn plain(message: &str) -> String {
    let mut plain = Vec::new();
    let mut words = message.split(' ');
    while let Some(word) = words.next() {
        plain.push(match word {
            "struct" => words.next().map_or(word, |_| "an object"),
            "u8" | "u32" | "u64" | "usize" => "a whole number",
            _ => word,
        });
    }
    plain.join(" ")
}

/// How a refusal is told.
pub fn refusal_json(refusal: &Refusal) -> Value {
    let mut said = json!({ "error": refusal.message });
    if let Some(hint) = &refusal.hint {
        said["hint"] = json!(hint);
    }
    said
}
