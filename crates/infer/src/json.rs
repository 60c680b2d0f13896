//! What is found about puzzles as JSON objects: what `--json` prints and what the studio's
//! interface answers.

use genvp_puzzle::family::{ExactSolution, Stratum, family_of_set};
use genvp_puzzle::{Attribute, Layout, RuleMatrix};
use serde_json::{Map, Value, json};

use crate::imagine::Imagined;
use crate::judge::{Ruling, Verdict};
use crate::pipeline::SolvedFile;
use crate::{Expert, FamilyFile, FamilySolution, RuleProbabilities, RuleTable, Solution};

/// The rules of a row of a rule matrix, "none" first.
pub const RULES: [&str; RuleMatrix::RULES] =
    ["none", "constant", "progression", "arithmetic", "distribute-three"];

/// A number without the digits that single precision does not have.
pub fn rounded(number: f32) -> Value {
    json!((f64::from(number) * 1e6).round() / 1e6)
}

/// What a model makes of a puzzle; with `explain`, also what its experts see and which rules
/// the other choices break.
pub fn solution(puzzle: &SolvedFile, solution: &Solution, explain: bool) -> Value {
    let mut line = json!({
        "file": puzzle.file,
        "layout": puzzle.layout.map(Layout::folder),
        "answer": solution.answer,
        "scores": solution.scores.iter().map(|s| rounded(s.active)).collect::<Value>(),
        "target": puzzle.target,
        "rules": solution.rules_text(),
    });
    if let Some(confidence) = &solution.confidence {
        line["confidence"] = rounded(confidence.value);
    }
    if explain {
        add_explanation(&mut line, solution);
    }
    line
}

fn add_explanation(line: &mut Value, solution: &Solution) {
    line["read_layout"] = json!(solution.layout.map(Layout::folder));
    if let Some(confidence) = &solution.confidence {
        line["chance"] = rounded(confidence.chance);
        line["trust"] = rounded(confidence.trust);
    }
    if let Some(experts) = &solution.experts {
        let active = |expert: &Expert| expert.active().into_iter().map(rounded).collect();
        let seen: Map<String, Value> =
            experts.all().iter().map(|expert| (expert.name.clone(), active(expert))).collect();
        line["experts"] = json!(seen);
    }
    let broken =
        |choice| if choice == solution.answer { vec![] } else { lost_rules(solution, choice) };
    line["broken"] = json!((0..solution.scores.len()).map(broken).collect::<Vec<_>>());
}

/// The rules that a choice breaks, in words.
pub fn lost_rules(solution: &Solution, choice: usize) -> Vec<String> {
    let components = solution.naming().components();
    let name = |component: usize| match components.get(component).map(|p| p.prefix()) {
        Some(Some(prefix)) => format!("{prefix}."),
        Some(None) => String::new(),
        None => "second.".to_owned(),
    };
    let lost = solution.lost_rules(choice).into_iter().map(|lost| {
        format!(
            "{}{}={} {:.2} -> {:.2}",
            name(lost.component),
            lost.attribute,
            lost.rule,
            lost.with_answer,
            lost.with_choice
        )
    });
    lost.collect()
}

/// The rule matrices that a model sees with its answer: of all experts together, and of each.
pub fn rules(puzzle: &SolvedFile, solution: &Solution, layout: Layout) -> Value {
    let attributes: Vec<String> = (0..2)
        .flat_map(|component| Attribute::ALL.map(|attribute| (component, attribute)))
        .map(|(component, attribute)| {
            match layout.components().get(component).map(|p| p.prefix()) {
                Some(Some(prefix)) => format!("{prefix}.{attribute}"),
                Some(None) => attribute.to_string(),
                None => format!("second.{attribute}"),
            }
        })
        .collect();
    let experts: Map<String, Value> = solution
        .experts
        .iter()
        .flat_map(|experts| experts.all())
        .map(|expert| (expert.name.clone(), cells(&expert.candidates[solution.answer])))
        .collect();
    json!({
        "file": puzzle.file,
        "layout": puzzle.layout.map(Layout::folder),
        "read_layout": solution.layout.map(Layout::folder),
        "answer": solution.answer,
        "confidence": solution.confidence.map(|c| rounded(c.value)),
        "rules": solution.rules().matrix().text(layout),
        "attributes": attributes,
        "columns": RULES,
        "mixed": cells(solution.rules()),
        "experts": experts,
    })
}

fn cells(rules: &RuleProbabilities) -> Value {
    json!(rules.rows().map(|row| row.map(rounded)))
}

/// What a model of another family makes of a puzzle; with `explain`, also what its experts see
/// and which rules the other choices break.
pub fn family_solution(file: &FamilyFile, solution: &FamilySolution, explain: bool) -> Value {
    let mut line = json!({
        "file": file.file,
        "answer": solution.answer,
        "scores": solution.scores.iter().map(|s| rounded(s.active)).collect::<Value>(),
        "target": file.target,
        "rules": solution.rules().text(),
    });
    name_stratum(&mut line, file.stratum);
    if explain {
        let broken = (0..solution.scores.len()).map(|choice| lost_family_rules(solution, choice));
        line["broken"] = json!(broken.collect::<Vec<_>>());
        let active = |(name, tables): &(&str, Vec<RuleTable>)| {
            let seen = tables.iter().map(|table| rounded(table.active()));
            ((*name).to_owned(), seen.collect::<Value>())
        };
        line["experts"] = Value::Object(solution.kinds.iter().map(active).collect());
    }
    line
}

/// The rules that a choice of another family breaks, in words.
pub fn lost_family_rules(solution: &FamilySolution, choice: usize) -> Vec<String> {
    let lost = solution.candidates[choice].lost_from(solution.rules());
    lost.into_iter()
        .map(|(attribute, rule, there, here)| format!("{attribute}={rule} {there:.2} -> {here:.2}"))
        .collect()
}

/// The rule matrices that a model of another family sees with its answer: of all experts together,
/// and of each kind.
pub fn family_rules(file: &FamilyFile, solution: &FamilySolution) -> Value {
    let space = solution.rules().space();
    let cells = |table: &RuleTable| -> Value {
        table.rows().map(|(_, row)| row.iter().map(|&p| rounded(p)).collect::<Value>()).collect()
    };
    let kinds = solution.kinds.iter().map(|(name, own)| (*name, &own[solution.answer]));
    let experts: Map<String, Value> =
        kinds.map(|(name, table)| (name.to_owned(), cells(table))).collect();
    let mut line = json!({
        "file": file.file,
        "answer": solution.answer,
        "rules": solution.rules().text(),
        "attributes": space.attributes,
        "columns": space.rules,
        "mixed": cells(solution.rules()),
        "experts": experts,
    });
    name_stratum(&mut line, file.stratum);
    line
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
