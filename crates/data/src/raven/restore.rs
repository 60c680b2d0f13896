//! From what a file keeps back to a whole puzzle.

use arrayvec::ArrayVec;
use genvp_puzzle::check::{self, RuleNames};
use genvp_puzzle::{ComponentRules, Group, Panel, Puzzle, Rule, Set};

use crate::Scene;

/// A puzzle with its rules' parameters found again.
#[derive(Clone, Debug)]
pub struct Restored {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// Stated rules that do not hold in the nine panels, with their component.
    pub untrue: Vec<(usize, Rule)>,
    /// Stated rules whose parameter the panels leave open, with their component.
    pub open: Vec<(usize, Rule)>,
}

impl Scene {
    /// The whole puzzle, given its right answer; `None` where the scene names no
    /// rule for some attribute. Files keep rules without their parameters, so
    /// these are inferred from the panels.
    pub fn restore(&self, set: Set, target: u8) -> Option<Restored> {
        let names: Vec<RuleNames> = (0..self.layout.components().len())
            .map(|component| {
                let named =
                    |group| self.rules.stated(component, group).map(|(a, kind, _)| (a, kind));
                let [a, b, c, d] = Group::ALL.map(named);
                Some([a?, b?, c?, d?])
            })
            .collect::<Option<_>>()?;
        let answer = self.choices().get(usize::from(target))?;
        let panels: [&Panel; 9] =
            std::array::from_fn(|i| if i < 8 { &self.panels[i] } else { answer });
        let fits = check::infer_parameters(self.layout, self.domain, &names, panels);
        let (mut untrue, mut open) = (Vec::new(), Vec::new());
        let mut latin = [[None; 4]; 2];
        let mut rules = ArrayVec::new();
        for (component, fits) in fits.iter().enumerate() {
            let of_component = fits.each_ref().map(|fit| {
                let step = fit.steps.first().copied().unwrap_or_default();
                let rule = Rule { attribute: fit.attribute, kind: fit.kind, step };
                match fit.steps.len() {
                    0 => untrue.push((component, rule)),
                    1 => {}
                    _ => open.push((component, rule)),
                }
                rule
            });
            latin[component] = fits.each_ref().map(|fit| fit.latin);
            rules.push(ComponentRules(of_component));
        }
        let puzzle = Puzzle {
            set,
            layout: self.layout,
            domain: self.domain,
            rules,
            latin,
            uniformity: self.uniformity,
            context: std::array::from_fn(|i| self.panels[i].clone()),
            choices: std::array::from_fn(|i| self.panels[8 + i].clone()),
            target,
            changes: self.changes(target),
        };
        Some(Restored { puzzle, untrue, open })
    }
}
