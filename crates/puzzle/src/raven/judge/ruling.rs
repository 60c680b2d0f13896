//! Whether one component's rules hold in nine panels.

use crate::raven::check::{Order, RuleNames, Stated, holds, infer_parameters};
use crate::raven::{
    Attribute, Component, ComponentRules, Domain, Group, Latin, Layout, Panel, Rule, RuleKind,
};
use arrayvec::ArrayVec;

/// What was found about one rule.
#[derive(Clone, Debug)]
pub(super) struct RuleFit {
    /// Whether it holds in all rows with one parameter.
    pub holds: bool,
    /// In how many of the three rows it holds with the parameter that fits best.
    pub rows: usize,
    /// That parameter.
    pub step: i8,
}

/// The rules of a component as asked: attribute, kind and, where stated, the
/// parameter, by group.
pub(super) type ComponentSpec = [(Attribute, RuleKind, Option<i8>); 4];

/// What is found about the four rules of `component`, of which each distribute-three must hand out
/// the levels `handed_out`, as bits (0 for any).
pub(super) fn of_component(
    panels: &[Panel; 9],
    layout: Layout,
    component: usize,
    rules: &ComponentSpec,
    handed_out: [u16; 4],
) -> [RuleFit; 4] {
    let scene = Scene { layout, component, rules, handed_out, panels };
    // A step of the place tells where each object went, so the constants of the
    // component are judged with each step that fits, and the kindest one counts.
    let place = scene.found(Group::NumberPosition, 0);
    let steps: ArrayVec<i8, 4> = match scene.steps_that_hold(Group::NumberPosition, 0) {
        fitting if fitting.is_empty() => [place.step].into_iter().collect(),
        fitting => fitting,
    };
    let with = |&step: &i8| {
        let mut found = Group::ALL.map(|group| scene.found(group, step));
        found[0] = RuleFit { step, ..place.clone() };
        found
    };
    let score = |found: &[RuleFit; 4]| found.iter().map(|f| usize::from(f.holds)).sum::<usize>();
    let all: ArrayVec<[RuleFit; 4], 4> = steps.iter().map(with).collect();
    let best = all.iter().map(score).max().unwrap_or(0);
    all.into_iter().find(|found| score(found) == best).expect("one step at least is tried")
}

struct Scene<'a> {
    layout: Layout,
    component: usize,
    rules: &'a ComponentSpec,
    /// The levels that each distribute-three must hand out, as bits; 0 for any.
    handed_out: [u16; 4],
    panels: &'a [Panel; 9],
}

impl Scene<'_> {
    fn row(&self, index: usize) -> [&Component; 3] {
        std::array::from_fn(|column| &self.panels[3 * index + column].components[self.component])
    }

    /// The parameters that a rule may have: the stated one, or all.
    fn steps(&self, group: Group) -> ArrayVec<i8, 4> {
        let (_, kind, step) = self.rules[group.index()];
        match step {
            Some(step) => [step].into_iter().collect(),
            None => kind.steps().iter().copied().collect(),
        }
    }

    fn steps_that_hold(&self, group: Group, place: i8) -> ArrayVec<i8, 4> {
        let all_rows = |step: &i8| (0..3).all(|row| self.holds(group, *step, place, row));
        self.steps(group).into_iter().filter(all_rows).collect()
    }

    fn found(&self, group: Group, place: i8) -> RuleFit {
        let rows = |step: i8| (0..3).filter(|&row| self.holds(group, step, place, row)).count();
        let steps = self.steps(group);
        let most = steps.iter().map(|&s| rows(s)).max().unwrap_or(0);
        let step = steps.iter().copied().find(|&s| rows(s) == most).unwrap_or(0);
        RuleFit { holds: most == 3, rows: most, step }
    }

    /// Whether the rule of a group, with this parameter, holds in a row, where
    /// the place's rule has the parameter `place`.
    fn holds(&self, group: Group, step: i8, place: i8, index: usize) -> bool {
        let (attribute, kind, _) = self.rules[group.index()];
        let row = self.row(index);
        if kind == RuleKind::Constant && group != Group::NumberPosition {
            let alike = row[0].shared(attribute);
            if alike.is_some() && row.iter().all(|p| p.shared(attribute) == alike) {
                return true;
            }
            // The checker lets a constant pass where objects cannot be compared
            // one by one; what was drawn must show it.
            if row.iter().any(|p| p.entities.len() != row[0].entities.len()) {
                return false;
            }
        }
        let rule = |g: Group| {
            let (attribute, kind, stated) = self.rules[g.index()];
            let step = match g {
                _ if g == group => step,
                Group::NumberPosition => place,
                _ => stated.unwrap_or(kind.steps()[0]),
            };
            Rule { attribute, kind, step }
        };
        let mut rules: ArrayVec<ComponentRules, 2> = ArrayVec::new();
        for _ in 0..=self.component {
            rules.push(ComponentRules(Group::ALL.map(rule)));
        }
        let latin = self.latin();
        let stated =
            Stated { layout: self.layout, rules: &rules, latin: &latin, uniform: [false; 2] };
        holds(&stated, self.component, group, index, row, Order::Unknown)
    }

    /// The three values of each distribute-three rule, where there are such.
    fn latin(&self) -> [[Option<Latin>; 4]; 2] {
        let mut latin = [[None; 4]; 2];
        let names: RuleNames = self.rules.map(|(attribute, kind, _)| (attribute, kind));
        if names.iter().any(|(_, kind)| *kind == RuleKind::DistributeThree) {
            let panels = std::array::from_fn(|i| &self.panels[i]);
            let names: ArrayVec<RuleNames, 2> = (0..=self.component).map(|_| names).collect();
            let fits = infer_parameters(self.layout, Domain::Standard, &names, panels);
            let stated = |group: usize, latin: &Latin| {
                let bits =
                    latin.rows[0].iter().fold(0, |bits, level| bits | 1u32 << level.min(&31));
                self.handed_out[group] == 0 || u32::from(self.handed_out[group]) == bits
            };
            latin[self.component] = std::array::from_fn(|group| {
                fits[self.component][group].latin.filter(|latin| stated(group, latin))
            });
        }
        latin
    }
}
