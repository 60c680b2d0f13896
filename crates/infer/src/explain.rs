//! Why a choice wins: what every expert sees, and which rules the others lose.

use genvp_model::Predictions;
use genvp_model::expert::ExpertKind;

use crate::rule_table::{LostRule, RuleTable};
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
    pub candidates: Vec<RuleTable>,
}

/// All experts, in the order of the model's predictions.
#[derive(Clone, Debug, PartialEq)]
pub struct Experts(Vec<Expert>);

/// The four kinds of experts with their names.
pub const KINDS: [&str; 4] = ["full", "context", "rows", "row-latents"];

impl Experts {
    pub(crate) fn new(predictions: &Predictions, said: Vec<Vec<RuleTable>>) -> Self {
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
    ///
    /// # Panics
    /// When there is no such kind.
    pub fn mean(&self, kind: &str, candidate: usize) -> RuleTable {
        let own = self.0.iter().filter(|expert| kind_name(expert.kind) == kind);
        RuleTable::mean(&own.map(|expert| &expert.candidates[candidate]).collect::<Vec<_>>())
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

impl Solution {
    /// The rules that a choice breaks, the largest fall first.
    pub fn lost_rules(&self, choice: usize) -> Vec<LostRule> {
        self.rules().lost_with(&self.candidates[choice])
    }

    /// The same in words, such as `out.size=progression 0.98 -> 0.02`.
    pub fn lost_texts(&self, choice: usize) -> Vec<String> {
        let text = |lost: LostRule| {
            let (name, LostRule { rule, with_answer, with_choice, .. }) =
                (self.row_name(lost.row), lost);
            format!("{name}={rule} {with_answer:.2} -> {with_choice:.2}")
        };
        self.lost_rules(choice).into_iter().map(text).collect()
    }

    /// The soft count of rules that a rule matrix of this puzzle holds.
    pub fn active(&self, rules: &RuleTable) -> f32 {
        // Component by component: the last digits depend on the order.
        let by_component = |_| RuleProbabilities::of(rules).active_of_all();
        self.reading.map_or_else(|| rules.active(), by_component)
    }

    /// What experts said of every candidate, by the names that outputs give them: each expert in
    /// families with layouts, the mean of each kind in others. Nothing if it was not asked.
    pub fn named_experts(&self) -> Vec<(String, Vec<RuleTable>)> {
        let Some(experts) = &self.experts else { return Vec::new() };
        if self.reading.is_some() {
            let own = |expert: &Expert| (expert.name.clone(), expert.candidates.clone());
            return experts.all().iter().map(own).collect();
        }
        let candidates = 0..self.candidates.len();
        let means = |kind| candidates.clone().map(|c| experts.mean(kind, c)).collect();
        KINDS.map(|kind| (kind.to_owned(), means(kind))).into()
    }
}
