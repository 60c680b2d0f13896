//! What is found about puzzles as JSON objects: what `--json` prints and what the studio's
//! interface answers.

use genvp_puzzle::Layout;
use genvp_puzzle::family::{ExactSolution, Family, Stratum, family_of_set};
use genvp_puzzle::relations::judge::{AskedRules, JudgedPanels};
use serde_json::{Value, json};

use crate::imagine::Imagined;
use crate::judge::{Ruling, Verdict};
use crate::pipeline::SolvedFile;
use crate::relations::RelationImagined;
use crate::{RuleTable, Solution};

/// A number without the digits that single precision does not have.
pub fn rounded(number: f32) -> Value {
    json!((f64::from(number) * 1e6).round() / 1e6)
}

/// What a model makes of a puzzle; with `explain`, also what its experts see and which rules
/// the other choices break.
pub fn solution(file: &SolvedFile, solution: &Solution, explain: bool) -> Value {
    let mut line = json!({
        "file": file.file,
        "answer": solution.answer,
        "scores": solution.scores.iter().map(|s| rounded(s.active)).collect::<Value>(),
        "target": file.target,
        "rules": solution.rules_text(),
    });
    name_stratum(&mut line, file.stratum);
    if let Some(confidence) = &solution.confidence {
        line["confidence"] = rounded(confidence.value);
    }
    if explain {
        add_explanation(&mut line, solution);
    }
    line
}

fn add_explanation(line: &mut Value, solution: &Solution) {
    if let Some(reading) = &solution.reading {
        line["read_layout"] = json!(reading.layout.map(Layout::folder));
    }
    if let Some(confidence) = &solution.confidence {
        line["chance"] = rounded(confidence.chance);
        line["trust"] = rounded(confidence.trust);
    }
    if solution.experts.is_some() {
        let active = |table: &RuleTable| rounded(solution.active(table));
        line["experts"] = by_expert(solution, |tables| tables.iter().map(active).collect());
    }
    let broken = (0..solution.scores.len()).map(|choice| solution.lost_texts(choice));
    line["broken"] = json!(broken.collect::<Vec<_>>());
}

/// The rule matrices that a model sees with its answer: of all experts together, and of those that
/// outputs name.
pub fn rules(file: &SolvedFile, solution: &Solution) -> Value {
    let space = solution.rules().space();
    let names = (0..space.attributes.len()).map(|row| solution.row_name(row));
    let mut line = json!({
        "file": file.file,
        "answer": solution.answer,
        "rules": solution.rules_text(),
        "attributes": names.collect::<Vec<_>>(),
        "columns": space.rules,
        "mixed": cells(solution.rules()),
        "experts": by_expert(solution, |tables| cells(&tables[solution.answer])),
    });
    name_stratum(&mut line, file.stratum);
    if let Some(reading) = &solution.reading {
        line["read_layout"] = json!(reading.layout.map(Layout::folder));
        line["confidence"] = json!(solution.confidence.map(|c| rounded(c.value)));
    }
    line
}

/// Something about what each expert said of all candidates.
fn by_expert(solution: &Solution, said: impl Fn(&[RuleTable]) -> Value) -> Value {
    let named = solution.named_experts().into_iter();
    Value::Object(named.map(|(name, tables)| (name, said(&tables))).collect())
}

fn cells(table: &RuleTable) -> Value {
    table.rows().map(|(_, row)| row.iter().map(|&p| rounded(p)).collect::<Value>()).collect()
}

/// What the exact solver makes of a puzzle.
pub fn exact(
    file: &str,
    stratum: Option<Stratum>,
    target: Option<usize>,
    exact: &ExactSolution,
) -> Value {
    let mut line = json!({
        "file": file,
        "answer": exact.answer,
        "scores": exact.scores,
        "target": target,
        "rules": exact.rules,
    });
    name_stratum(&mut line, stratum);
    if let Some(read) = exact.read_as {
        line["read_layout"] = json!(read.name);
    }
    if let Some(confidence) = exact.confidence {
        line["confidence"] = json!(confidence);
    }
    if exact.tied {
        line["tied"] = json!(true);
    }
    if let Some(explanation) = &exact.explanation {
        line["broken"] = json!(explanation.broken);
    }
    line
}

/// Names what one puzzle is counted under: `layout` is always there, `stratum` in families
/// without layouts.
pub fn name_stratum(line: &mut Value, stratum: Option<Stratum>) {
    let is_layout = |s: &Stratum| family_of_set(s.set).is_some_and(|family| family.has_layouts());
    line["layout"] = json!(stratum.filter(is_layout).map(|s| s.name));
    if let Some(stratum) = stratum.filter(|s| !is_layout(s)) {
        line["stratum"] = json!(stratum.to_string());
    }
}

/// A drawing with what was asked and what the judge says.
pub fn imagined(index: u64, seed: u64, imagined: &Imagined) -> Value {
    let layout = imagined.asked.layout;
    json!({
        "puzzle": index + 1,
        "layout": layout.folder(),
        "asked": imagined.asked.rules.text(layout),
        "seed": seed,
        "tries": imagined.tries,
        "verified": imagined.verdict.agrees(),
        "judge": verdict(&imagined.verdict),
    })
}

/// A drawing of PGM or VAD with what the judge says of it.
pub fn imagined_relations(
    family: &dyn Family,
    index: u64,
    seed: u64,
    imagined: &RelationImagined,
) -> Value {
    json!({
        "puzzle": index + 1,
        "family": family.id(),
        "asked": imagined.asked.to_string(),
        "seed": seed,
        "tries": imagined.tries,
        "verified": imagined.agrees(),
        "judge": judged_relations(&imagined.read, &imagined.asked),
    })
}

/// What the judge says of panels of PGM or VAD that are held against rules.
pub fn judged_relations(read: &JudgedPanels, asked: &AskedRules) -> Value {
    let rules: Vec<Value> = asked
        .0
        .iter()
        .map(|&rule| json!({ "rule": rule.to_string(), "holds": read.holds(rule) }))
        .collect();
    json!({
        "agrees": read.keeps(asked),
        "unreadable_panels": read.unreadable().map(|panel| panel + 1).collect::<Vec<_>>(),
        "rules": rules,
    })
}

/// What the judge says.
pub fn verdict(verdict: &Verdict) -> Value {
    json!({
        "agrees": verdict.agrees(),
        "coherence": verdict.coherence(),
        "layout_read": verdict.reading.layout.folder(),
        "confidence": verdict.reading.least_confidence(),
        "not_as_the_engine_draws": verdict.odd_names(),
        "unreadable_panels": verdict.reading.unreadable().map(|p| p + 1).collect::<Vec<_>>(),
        "rules": verdict.rulings.iter().map(ruling).collect::<Vec<_>>(),
    })
}

fn ruling(ruling: &Ruling) -> Value {
    json!({
        "rule": ruling.text(),
        "holds": ruling.holds,
        "rows": ruling.rows,
        "counted": ruling.counted,
    })
}
