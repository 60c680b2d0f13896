//! Why a choice wins: what every expert sees, and which rules the others lose.

use genvp_model::Predictions;
use genvp_model::expert::ExpertKind;
use genvp_puzzle::{Attribute, RuleKind};

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
            (0..2).map(|component| rules.active_of_component(component)).sum()
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
            for (sum, row) in cells.chunks_exact_mut(5).zip(expert.candidates[candidate].rows()) {
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

/// How much less likely a rule must be to count as broken.
const BROKEN: f32 = 0.5;
/// What falls less does not show in two decimals.
const LEAST: f32 = 0.01;

impl Solution {
    /// The rules that a choice breaks: attributes whose probability of following
    /// a rule falls by a half or more, the largest fall first. Where none falls
    /// so far, the one that falls most is given, if it falls by a hundredth or more.
    pub fn lost_rules(&self, choice: usize) -> Vec<LostRule> {
        let (kept, other) = (self.rules(), &self.candidates[choice]);
        let mut lost: Vec<LostRule> = Vec::new();
        for component in 0..2 {
            for attribute in Attribute::ALL {
                let (with_answer, with_choice) =
                    (kept.active(component, attribute), other.active(component, attribute));
                let row = kept.of(component, attribute);
                let best = (2..row.len()).fold(1, |b, i| if row[i] > row[b] { i } else { b });
                let rule = RuleKind::ALL[best - 1];
                if with_answer - with_choice >= LEAST {
                    lost.push(LostRule { component, attribute, rule, with_answer, with_choice });
                }
            }
        }
        let fall = |lost: &LostRule| lost.with_answer - lost.with_choice;
        lost.sort_by(|a, b| fall(b).total_cmp(&fall(a)));
        let broken = lost.iter().take_while(|lost| fall(lost) >= BROKEN).count();
        lost.truncate(broken.max(1));
        lost
    }
}
