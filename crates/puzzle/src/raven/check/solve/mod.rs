//! The answer from scenes alone, without being told any rule.
//!
//! Every rule that a component could have is weighed by its prior probability
//! and by how well it explains the three rows with a candidate in the ninth
//! place. A candidate's score depends on the question and that candidate alone.

mod chance;
mod component;
mod holding;
mod rivals;
mod seen;
mod why;

use arrayvec::ArrayVec;

use crate::family::CLOSE;
use crate::raven::{
    Component, ComponentKind, Domain, Group, Layout, Panel, Row, Rule, RuleKind, RuleMatrix,
};

use chance::Rows;
use component::{ComponentSolver, View};
pub use holding::{Holding, rules_of};
pub(super) use rivals::singled_out;
use seen::Seen;
pub use why::{Broken, broken_rules};

/// How well sizes are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sight {
    /// By level.
    Levels,
    /// As pixels show them: sizes that give the same picture are one.
    Pixels,
}

/// What the solver found.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The best choice, 0 to 7.
    pub answer: usize,
    /// The logarithm of each choice's probability of being the answer.
    pub scores: [f64; 8],
    /// Whether another choice is as good, so that the answer is a guess.
    pub tied: bool,
    /// The likeliest rules; `none` where an attribute follows none.
    pub rules: RuleMatrix,
    /// The same by component, where a constant that is noise is still named.
    pub found: ArrayVec<FoundRules, 2>,
}

/// The rules of one component as the solver found them, or as a puzzle states
/// them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundRules {
    /// By group; `None` where no rule is known.
    pub rules: [Option<Rule>; 4],
    /// Whether all objects of a panel are alike.
    pub uniform: bool,
}

impl FoundRules {
    /// Whether a type, size or color is called constant but free to change,
    /// because every panel has new objects.
    pub fn is_noise(&self, group: Group) -> bool {
        let constant = self.rules[group.index()].is_some_and(|r| r.kind == RuleKind::Constant);
        let renewed = self.rules[0].is_none_or(|rule| rule.rebuilds_objects());
        group != Group::NumberPosition && constant && !self.uniform && renewed
    }
}

/// Answers a question: the eight panels of the context, the eight choices.
///
/// The order of entities does not matter. Angles are looked at only where two
/// choices would be equally good without them. A look that was misread in one
/// panel of the context seldom changes the answer.
pub fn solve(
    context: &[Panel; 8],
    choices: &[Panel; 8],
    layout: Layout,
    domain: Domain,
    sight: Sight,
) -> Solution {
    let question = SeenContext::new(context, layout, domain, sight);
    let choices = choices.each_ref().map(|panel| question.see(panel));
    let scores = question.scores_without_ties(&choices);
    let answer = first_best(&scores);
    let found = question.found(&choices[answer]);
    let best = largest(&scores);
    let total = best + scores.iter().map(|s| (s - best).exp()).sum::<f64>().ln();
    Solution {
        answer,
        scores: scores.map(|s| s - total),
        tied: is_tied(&scores),
        rules: matrix(&found),
        found,
    }
}

fn largest(scores: &[f64; 8]) -> f64 {
    scores.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

fn first_best(scores: &[f64; 8]) -> usize {
    let best = largest(scores);
    scores.iter().position(|&score| score == best).unwrap_or(0)
}

fn is_tied(scores: &[f64; 8]) -> bool {
    let best = largest(scores);
    scores.iter().filter(|&&score| best - score < CLOSE).count() > 1
}

fn matrix(found: &[FoundRules]) -> RuleMatrix {
    let mut matrix = RuleMatrix::of(&[]);
    for (component, found) in found.iter().enumerate() {
        for group in Group::ALL {
            if let Some(rule) = found.rules[group.index()]
                && !found.is_noise(group)
            {
                matrix.set(component, rule.attribute, Row::Rule(rule.kind, Some(rule.step)));
            }
        }
    }
    matrix
}

/// The probability that a look of a panel was misread. Small enough not to
/// explain away a rule that is broken, and far above that of no rule at all.
const MISREAD: f64 = 1e-4;

/// The context of a puzzle as seen, panel by panel and component by component.
struct SeenContext {
    layout: Layout,
    domain: Domain,
    sight: Sight,
    context: Vec<Vec<Seen>>,
    /// The same panels with their looks left open, in case they were misread.
    blurred: Vec<Vec<Seen>>,
}

impl SeenContext {
    fn new(context: &[Panel; 8], layout: Layout, domain: Domain, sight: Sight) -> Self {
        let mut question = Self { layout, domain, sight, context: Vec::new(), blurred: Vec::new() };
        question.context = context.iter().map(|panel| question.see(panel)).collect();
        let blur = |(seen, &kind): (&Seen, &ComponentKind)| seen.blurred(kind, domain);
        let panels = question.context.iter();
        question.blurred =
            panels.map(|panel| panel.iter().zip(layout.components()).map(blur).collect()).collect();
        question
    }

    fn scores_without_ties(&self, choices: &[Vec<Seen>; 8]) -> [f64; 8] {
        let mut scores = self.scores(choices, false);
        if is_tied(&scores) {
            let with_angles = self.scores(choices, true);
            let best = largest(&scores);
            for (score, angle) in scores.iter_mut().zip(with_angles) {
                if best - *score < CLOSE {
                    // Far below what any rule is worth, far above rounding.
                    *score += 1e-3 * angle.clamp(-500.0, 500.0) / 500.0;
                }
            }
        }
        scores
    }

    fn see(&self, panel: &Panel) -> Vec<Seen> {
        let nothing = Component::default();
        self.layout
            .components()
            .iter()
            .enumerate()
            .map(|(index, &kind)| {
                let component = panel.components.get(index).unwrap_or(&nothing);
                Seen::new(component, kind, self.domain, self.sight)
            })
            .collect()
    }

    fn rows<'a>(&'a self, choice: &'a [Seen], component: usize) -> Rows<'a> {
        let panel = |index: usize| match self.context.get(index) {
            Some(seen) => &seen[component],
            None => &choice[component],
        };
        std::array::from_fn(|row| std::array::from_fn(|column| panel(3 * row + column)))
    }

    fn views<'a>(&'a self, choice: &'a [Seen], component: usize) -> Vec<View<'a>> {
        let rows = self.rows(choice, component);
        let misread = self.blurred.iter().enumerate().map(|(index, panel)| {
            let mut rows = rows;
            rows[index / 3][index % 3] = &panel[component];
            View { weight: MISREAD, rows }
        });
        std::iter::once(View { weight: 1.0, rows }).chain(misread).collect()
    }

    fn scores(&self, choices: &[Vec<Seen>; 8], angles: bool) -> [f64; 8] {
        let mut scores = [0.0; 8];
        for (component, &kind) in self.layout.components().iter().enumerate() {
            let solver = ComponentSolver::new(kind, self.domain, angles);
            for (score, choice) in scores.iter_mut().zip(choices) {
                let evidence = solver.evidence(&self.views(choice, component));
                *score += evidence.clamp(f64::MIN_POSITIVE, f64::MAX).ln();
            }
        }
        scores
    }

    fn found(&self, answer: &[Seen]) -> ArrayVec<FoundRules, 2> {
        self.layout
            .components()
            .iter()
            .enumerate()
            .map(|(component, &kind)| {
                ComponentSolver::new(kind, self.domain, false).best(&self.views(answer, component))
            })
            .collect()
    }
}
