//! Parameters, memory and time (paper: tab:efficiency, tab:genvp-scalability).

use serde::Deserialize;

use super::Ours;
use crate::paper::Paper;
use crate::table::{Entry, Table};

/// The result of `genvp eval speed train --json`, as far as the report shows it.
#[derive(Clone, Debug, Deserialize)]
pub struct Step {
    /// Puzzles in a step.
    pub batch: u64,
    /// Milliseconds a step.
    pub step_ms: f64,
    /// Peak memory of the process.
    pub megabytes: Option<f64>,
    /// The same in PyTorch, by mode, where it was asked for.
    #[serde(default)]
    pub torch: std::collections::BTreeMap<String, TorchStep>,
}

/// A step in PyTorch.
#[derive(Clone, Debug, Deserialize)]
pub struct TorchStep {
    /// Milliseconds a step.
    pub step_ms: f64,
    /// Peak memory of the process.
    pub megabytes: Option<f64>,
}

/// A preset's cost.
#[derive(Clone, Debug)]
pub struct Cost {
    /// The preset.
    pub preset: String,
    /// Its parameters.
    pub parameters: u64,
    /// Its training step.
    pub step: Ours<Step>,
}

/// Ours.
pub fn table(ours: &[Cost]) -> Table {
    let mut table = Table::new("cost", "What a training step costs here");
    table.column("parameters").column("puzzles a step").column("ms a step").column("puzzles/s");
    table.column("peak MB").column("PyTorch, best mode: ms").column("PyTorch: MB");
    for own in ours {
        let step = &own.step;
        let best = |step: &Step| {
            let modes = step.torch.values();
            modes.min_by(|a, b| a.step_ms.total_cmp(&b.step_ms)).cloned()
        };
        let asked = matches!(step, Ours::Measured { result, .. } if !result.torch.is_empty());
        let torch = |read: &dyn Fn(TorchStep) -> Option<f64>| {
            if asked { step.number(0, |s| best(s).and_then(read)) } else { Entry::text("–") }
        };
        table.row(
            &own.preset,
            vec![
                Entry::number(
                    Some(own.parameters as f64),
                    0,
                    Some(&format!("genvp model params --preset {} --json", own.preset)),
                ),
                step.number(0, |s| Some(s.batch as f64)),
                step.number(0, |s| Some(s.step_ms)),
                step.number(1, |s| Some(s.batch as f64 / s.step_ms * 1e3)),
                step.number(0, |s| s.megabytes),
                torch(&|t| Some(t.step_ms)),
                torch(&|t| t.megabytes),
            ],
        );
    }
    table.note("16 panels read and 9 drawn a puzzle, all experts, all losses, AdamW, on this machine's CPU.");
    table
}

/// The paper's figures, which are of a GPU.
pub fn printed() -> Table {
    let mut table =
        Table::new("cost-printed", "What the paper prints: one RTX A6000, 100 puzzles a step");
    table.sourced(
        "parameters",
        "measured by the authors of GenVP (tab:efficiency, tab:genvp-scalability)",
    );
    table.column("GB of GPU memory").column("ms a step").column("accuracy, RAVEN (%)");
    let paper = Paper::get();
    for base in paper
        .number
        .iter()
        .filter(|n| n.what == "parameters" && n.place != "tab:ablation-latent-size")
    {
        let find = |what: &str| {
            let same = |n: &&crate::paper::Number| {
                n.what == what
                    && n.place == base.place
                    && n.condition == base.condition
                    && n.who == base.who
            };
            paper.number.iter().find(same).map(|n| n.value)
        };
        let entry = |value, decimals| Entry::printed(value, decimals, &base.place);
        table.row(
            format!("{}, {}", base.who, base.condition),
            vec![
                entry(Some(base.value), 0),
                entry(find("memory"), 2),
                entry(find("step"), 1),
                entry(find("encoder"), 1),
            ],
        );
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printed_cost_stands_in_the_table() {
        let text = printed().to_text();
        for figure in ["8,879,877", "23,619,591", "1082.7", "245,555", "25,918,758", "94.9"] {
            assert!(text.contains(figure), "{figure}: {text}");
        }
    }

    #[test]
    fn without_torch_its_columns_stay_empty() {
        let step: Step =
            serde_json::from_str(r#"{"batch":32,"step_ms":80.0,"megabytes":700.0,"preset":"x"}"#)
                .unwrap();
        let cost =
            Cost { preset: "cpu-64".into(), parameters: 1_000_000, step: Ours::new(step, "c") };
        let text = table(&[cost]).to_text();
        assert!(text.contains("400.0") && text.contains("–"), "{text}");
    }
}
