//! What the experts see, and which rules the wrong choices break.

use std::io::Write;

use genvp_infer::{Expert, KINDS, Solution};
use genvp_puzzle::Layout;
use serde_json::{Value, json};

use super::learned::rounded;
use crate::failure::Failure;

/// The rules that a choice breaks, in words.
fn lost(solution: &Solution, choice: usize) -> Vec<String> {
    let parts = solution.naming().components();
    let name = |part: usize| match parts.get(part).map(|p| p.prefix()) {
        Some(Some(prefix)) => format!("{prefix}."),
        Some(None) => String::new(),
        None => "second.".to_owned(),
    };
    let lost = solution.lost_rules(choice).into_iter().map(|lost| {
        format!(
            "{}{}={} {:.2} -> {:.2}",
            name(lost.part),
            lost.attribute,
            lost.rule,
            lost.with_answer,
            lost.with_choice
        )
    });
    lost.collect()
}

/// Adds what `--explain` shows to a line of `--json`.
pub fn add_json(line: &mut Value, solution: &Solution) {
    line["read_layout"] = json!(solution.layout.map(Layout::folder));
    if let Some(confidence) = &solution.confidence {
        line["chance"] = rounded(confidence.chance);
        line["trust"] = rounded(confidence.trust);
    }
    if let Some(experts) = &solution.experts {
        let active = |expert: &Expert| expert.active().into_iter().map(rounded).collect();
        let seen: serde_json::Map<String, Value> =
            experts.all().iter().map(|expert| (expert.name.clone(), active(expert))).collect();
        line["experts"] = json!(seen);
    }
    let broken = |choice| if choice == solution.answer { vec![] } else { lost(solution, choice) };
    line["broken"] = json!((0..solution.scores.len()).map(broken).collect::<Vec<_>>());
}

/// A table for people.
pub fn print(out: &mut impl Write, solution: &Solution) -> Result<(), Failure> {
    if let Some(layout) = solution.layout {
        writeln!(out, "  {} ({layout})", layout.short())?;
    }
    if let Some(confidence) = &solution.confidence {
        writeln!(
            out,
            "  {:.0} % sure: the choice is clear to {:.0} %, the panels are known to {:.0} %",
            100.0 * confidence.value,
            100.0 * confidence.chance,
            100.0 * confidence.trust
        )?;
    }
    for rule in solution.rules_text().split(' ') {
        writeln!(out, "  rule    {rule}")?;
    }
    let Some(experts) = &solution.experts else { return Ok(()) };
    write!(out, "  active rules seen by")?;
    for kind in KINDS {
        write!(out, " {kind:>11}")?;
    }
    writeln!(out, " {:>7}", "all")?;
    for choice in 0..solution.scores.len() {
        let mark = if choice == solution.answer { '>' } else { ' ' };
        write!(out, "{mark} choice {}            ", choice + 1)?;
        for kind in KINDS {
            let rules = experts.mean(kind, choice);
            write!(out, " {:>11.2}", rules.active_of_part(0) + rules.active_of_part(1))?;
        }
        let reason = if choice == solution.answer {
            "keeps the most rules".to_owned()
        } else {
            let lost = lost(solution, choice);
            let none = "loses no single rule, but is less certain".to_owned();
            if lost.is_empty() { none } else { format!("loses {}", lost.join("; ")) }
        };
        writeln!(out, " {:>7.2}  {reason}", solution.scores[choice].active)?;
    }
    Ok(())
}
