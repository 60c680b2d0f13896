//! A puzzle as JSON: drawings, words, rules, key and proof.

use genvp_draw::item::Item;
use genvp_draw::{Picture, rule_lines_of};
use serde::Deserialize;
use serde_json::{Value, json};

use super::puzzle_ref::active_rules;
use super::{Made, PuzzleRef, Refusal, Steps};

/// The most puzzles of one request.
const MOST: u64 = 64;

/// What is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Make {
    puzzle: PuzzleRef,
    /// How many, with successive numbers.
    #[serde(default = "one")]
    n: u64,
    /// Only puzzles with so many rules that change something: least and most.
    #[serde(default)]
    active_rules: Option<[usize; 2]>,
    /// Whether to prove that it is sound.
    #[serde(default)]
    proof: bool,
}

fn one() -> u64 {
    1
}

/// Makes puzzles, one in each step.
pub fn make(request: &Make, steps: &Steps<'_>) -> Result<Value, Refusal> {
    if !(1..=MOST).contains(&request.n) {
        return Err(Refusal::impossible(format!("n: {} puzzles, not 1 to {MOST}", request.n)));
    }
    let mut puzzles = Vec::new();
    let mut next = request.puzzle.clone();
    for done in 0..request.n {
        let go_on = || steps(done, request.n);
        go_on()?;
        let made = match request.active_rules {
            Some([least, most]) => next.make_with_active_rules(least, most, &go_on)?,
            None => next.make()?,
        };
        next.index = made.reference.index.saturating_add(1);
        puzzles.push(puzzle_json(&made, request.proof)?);
    }
    Ok(json!({ "puzzles": puzzles }))
}

/// Everything about a puzzle.
pub fn puzzle_json(made: &Made, proof: bool) -> Result<Value, Refusal> {
    let item = made.item(String::new())?;
    let (puzzle, board) = (&made.puzzle, &item.board);
    let (family, stratum) = (puzzle.family(), puzzle.stratum());
    let form = family.form();
    let rules = puzzle.rules_text();
    let question: Vec<Value> = board.question.iter().flatten().map(panel_json).collect();
    let choices: Vec<Value> = board.choices.iter().map(panel_json).collect();
    let lines: Vec<Value> = rule_lines_of(&rules)
        .into_iter()
        .map(|line| json!({ "label": line.label, "rules": line.rules }))
        .collect();
    let mut said = json!({
        "puzzle": made.reference,
        "family": family.id(),
        "set": stratum.set,
        "kind": family.short_name(stratum),
        "stratum": stratum.name,
        "form": { "rows": form.rows, "columns": form.columns, "choices": form.choices },
        "question": question,
        "choices": choices,
        "alt_text": item.alt_text(),
        "target": puzzle.target(),
        "rules": rules,
        "rule_lines": lines,
        "broken": puzzle.broken(),
        "active_rules": active_rules(&rules),
        "most_objects": item.most_objects(),
    });
    if proof {
        said["proof"] = proof_json(&item);
    }
    Ok(said)
}

/// A drawn panel with its words.
pub fn panel_json(panel: &Picture) -> Value {
    json!({ "svg": panel.svg(), "words": panel.description })
}

fn proof_json(item: &Item) -> Value {
    let puzzle = item.puzzle.as_ref();
    let audit = puzzle.audit();
    json!({
        "sound": audit.is_sound(puzzle.target()),
        "untrue": audit.untrue,
        "right": audit.right,
        "equal_choices": audit.twins,
        "rivals": audit.rivals,
        "unneeded_rules": audit.unneeded,
        "unshown_rules": audit.unshown,
        "vote": audit.vote,
        "minority": audit.outvoted,
    })
}
