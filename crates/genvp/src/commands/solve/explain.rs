//! What the experts see, and which rules the wrong choices break.

use std::io::Write;

use genvp_infer::{KINDS, Solution};

use crate::failure::Failure;

/// A table for people.
pub fn print(out: &mut impl Write, solution: &Solution) -> Result<(), Failure> {
    if let Some(layout) = solution.layout() {
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
    for rule in rules(solution) {
        writeln!(out, "  rule    {rule}")?;
    }
    let Some(experts) = &solution.experts else { return Ok(()) };
    write!(out, "  active rules seen by")?;
    for kind in KINDS {
        write!(out, " {kind:>11}")?;
    }
    writeln!(out, " {:>7}", "all")?;
    for (choice, score) in solution.scores.iter().enumerate() {
        let mark = if choice == solution.answer { '>' } else { ' ' };
        write!(out, "{mark} choice {}            ", choice + 1)?;
        for kind in KINDS {
            write!(out, " {:>11.2}", solution.active(&experts.mean(kind, choice)))?;
        }
        let reason = if choice == solution.answer {
            "keeps the most rules".to_owned()
        } else {
            let lost = solution.lost_texts(choice);
            let none = "loses no single rule, but is less certain".to_owned();
            if lost.is_empty() { none } else { format!("loses {}", lost.join("; ")) }
        };
        writeln!(out, " {:>7.2}  {reason}", score.active)?;
    }
    Ok(())
}

/// The rules, each in words; with probabilities in families that leave out attributes without a
/// rule.
fn rules(solution: &Solution) -> Vec<String> {
    if solution.reading.is_some() {
        return solution.rules_text().split(' ').map(str::to_owned).collect();
    }
    let text = |(attribute, rule, probability)| {
        format!("{attribute}={rule} ({:.0} %)", 100.0 * probability)
    };
    solution.rules().rules().map(text).collect()
}
