//! Why a choice wins: what every expert sees, and which rules the others lose.

use genvp_model::Predictions;
use genvp_model::expert::ExpertKind;
use genvp_puzzle::{Attribute, RuleKind, RuleMatrix};

use crate::rule_table::{LostRow, lost_rows};
use crate::rules::RuleProbabilities;
use crate::solver::Solution;

/// What one expert said of every candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Expert {
    /// Its name, such as `context-3`.
    pub name: String,
    /// Which kind it is of.
    pub kind: ExpertKind,
    /// Whether it can tell one candidate from another: those that miss the last
    /// panel or the last row cannot.
    pub sees_candidate: bool,
    /// The rules of the puzzle as completed by each candidate.
    pub candidates: Vec<RuleProbabilities>,
}

impl Expert {
    /// The soft count of rules that it sees active with each candidate.
    pub fn active(&self) -> Vec<f32> {
        let active = |rules: &RuleProbabilities| {
            let components = 0..RuleMatrix::COMPONENTS;
            components.map(|component| rules.active_of_component(component)).sum()
        };
        self.candidates.iter().map(active).collect()
    }
}

/// All experts, in the order of the model's predictions.
#[derive(Clone, Debug, PartialEq)]
pub struct Experts(Vec<Expert>);

/// The four kinds of experts with their names.
pub const KINDS: [&str; 4] = ["full", "context", "rows", "row-latents"];

impl Experts {
    pub(crate) fn new(predictions: &Predictions, said: Vec<Vec<RuleProbabilities>>) -> Self {
        let kinds = predictions.kinds().into_iter().zip(said);
        Self(
            kinds
                .map(|(kind, candidates)| Expert {
                    name: Predictions::name(kind),
                    kind,
                    sees_candidate: predictions.sees_candidate(kind),
                    candidates,
                })
                .collect(),
        )
    }

    /// Every one.
    pub fn all(&self) -> &[Expert] {
        &self.0
    }

    /// The mean rule matrix that a kind of experts (see [`KINDS`]) sees with a candidate.
    pub fn mean(&self, kind: &str, candidate: usize) -> RuleProbabilities {
        let own: Vec<&Expert> = self.0.iter().filter(|e| kind_name(e.kind) == kind).collect();
        let mut cells = [0.0; RuleProbabilities::CELLS];
        for expert in &own {
            for (sum, row) in
                cells.chunks_exact_mut(RuleMatrix::RULES).zip(expert.candidates[candidate].rows())
            {
                sum.iter_mut().zip(row).for_each(|(sum, p)| *sum += p / own.len() as f32);
            }
        }
        RuleProbabilities::of_cells(&cells)
    }
}

/// The name of an expert's kind.
pub fn kind_name(kind: ExpertKind) -> &'static str {
    match kind {
        ExpertKind::Full => KINDS[0],
        ExpertKind::Context(_) => KINDS[1],
        ExpertKind::PartialRows(_) => KINDS[2],
        ExpertKind::RowLatents => KINDS[3],
    }
}

/// A rule that the answer keeps and another choice does not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LostRule {
    /// The component, 0 or 1.
    pub component: usize,
    /// The attribute.
    pub attribute: Attribute,
    /// Its most likely rule with the answer, other than "none".
    pub rule: RuleKind,
    /// The probability that it follows a rule with the answer.
    pub with_answer: f32,
    /// The same with the other choice.
    pub with_choice: f32,
}

impl Solution {
    /// The rules that a choice breaks, the largest fall first (see `lost_rows`).
    pub fn lost_rules(&self, choice: usize) -> Vec<LostRule> {
        let lost = lost_rows(self.rules().rows(), self.candidates[choice].rows());
        let of_row = |lost: LostRow| LostRule {
            component: lost.row / Attribute::ALL.len(),
            attribute: Attribute::ALL[lost.row % Attribute::ALL.len()],
            rule: RuleKind::ALL[lost.rule - 1],
            with_answer: lost.with_answer,
            with_choice: lost.with_choice,
        };
        lost.into_iter().map(of_row).collect()
    }
}
