//! What the judge says.

use crate::raven::check::{Stated, counted};
use crate::raven::{
    Attribute, ComponentRules, Domain, Entity, Group, Layout, Panel, Puzzle, PuzzleError, Row,
    Rule, RuleKind, RuleMatrix,
};
use arrayvec::ArrayVec;

use super::GridReading;
use super::ruling::{ComponentSpec, RuleFit, of_component};
use super::sizes;

/// What was asked for: a layout, and one rule for every group of every
/// component. A rule that states its parameter must hold with that one.
#[derive(Clone, Debug)]
pub struct RuleSpec {
    /// Where objects stand.
    pub layout: Layout,
    /// The rules.
    pub rules: RuleMatrix,
    components: ArrayVec<ComponentSpec, 2>,
}

impl RuleSpec {
    /// Rules for a layout.
    ///
    /// # Errors
    /// When a component has a group without a rule.
    pub fn new(layout: Layout, rules: RuleMatrix) -> Result<Self, PuzzleError> {
        let component = |component: usize| {
            let mut found = [(Attribute::Type, RuleKind::Constant, None); 4];
            for group in Group::ALL {
                found[group.index()] = rules.stated(component, group).ok_or_else(|| {
                    let attribute = group.attributes()[0];
                    let prefix = layout.components()[component].prefix();
                    let prefix = prefix.map(|p| format!("{p}.")).unwrap_or_default();
                    PuzzleError::NoRule { rule: format!("{prefix}{attribute}"), layout }
                })?;
            }
            Ok(found)
        };
        let components =
            (0..layout.components().len()).map(component).collect::<Result<_, PuzzleError>>()?;
        Ok(Self { layout, rules, components })
    }

    /// The rules of a made puzzle, by name: any parameter will do.
    pub fn of_puzzle(puzzle: &Puzzle) -> Self {
        let columns = RuleMatrix::of(&puzzle.rules).columns();
        Self::new(puzzle.layout, RuleMatrix::from_columns(&columns))
            .expect("a made puzzle has all its rules")
    }

    /// The rules of a made puzzle with their steps and signs.
    pub fn with_parameters(puzzle: &Puzzle) -> Self {
        Self::new(puzzle.layout, RuleMatrix::of(&puzzle.rules))
            .expect("a made puzzle has all its rules")
    }

    /// The rules that count. What a model draws is not told to be uniform, so
    /// every constant that could be noise is left out.
    pub fn counted(&self) -> Vec<(usize, Group)> {
        let rule = |&(attribute, kind, step): &(Attribute, RuleKind, Option<i8>)| Rule {
            attribute,
            kind,
            step: step.unwrap_or(kind.steps()[0]),
        };
        let rules: ArrayVec<ComponentRules, 2> = self
            .components
            .iter()
            .map(|component| ComponentRules(std::array::from_fn(|g| rule(&component[g]))))
            .collect();
        let stated = Stated {
            layout: self.layout,
            rules: &rules,
            latin: &[[None; 4]; 2],
            uniform: [false; 2],
        };
        counted(&stated, Domain::Standard)
    }

    /// The rule columns as a model wants them.
    pub fn columns(&self) -> [u8; 12] {
        self.rules.columns().map(|c| c as u8)
    }
}

/// What the judge says about one rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Ruling {
    /// Component, 0 or 1.
    pub component: usize,
    /// Its name where there are two.
    pub component_name: Option<&'static str>,
    /// What the rule governs.
    pub attribute: Attribute,
    /// What it does.
    pub kind: RuleKind,
    /// Whether it counts.
    pub counted: bool,
    /// Whether it holds in all three rows, with one parameter.
    pub holds: bool,
    /// In how many rows it holds.
    pub rows: usize,
    /// The parameter with which it holds, or comes nearest; 0 for rules that
    /// have none.
    pub step: i8,
}

impl Ruling {
    /// The rule as text: `out.size=progression:+1`, with the parameter found
    /// where it holds.
    pub fn text(&self) -> String {
        let prefix = self.component_name.map(|p| format!("{p}.")).unwrap_or_default();
        let step = Rule::step_text(self.kind, self.step);
        let step = if self.holds && !step.is_empty() { format!(":{step}") } else { String::new() };
        format!("{prefix}{}={}{step}", self.attribute, self.kind)
    }
}

/// What the judge says about nine panels.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// What was seen.
    pub reading: GridReading,
    /// The layout that was asked for.
    pub layout: Layout,
    /// Every rule, component by component and group by group.
    pub rulings: Vec<Ruling>,
    /// What cannot vary in this layout, and is not as the engine draws it: the
    /// color of an outer object that is not white.
    pub odd: Vec<(usize, Attribute)>,
    settled: Box<[Panel; 9]>,
}

impl Verdict {
    pub(super) fn of(reading: GridReading, asked: &RuleSpec) -> Self {
        let counted = asked.counted();
        let legible = reading.layout == asked.layout && reading.readable.iter().all(|&r| r);
        let mut rulings = Vec::new();
        let mut settled = Box::new(reading.panels.clone());
        let odd = if legible { odd_values(&reading.panels, asked.layout) } else { Vec::new() };
        if legible {
            for (component, rules) in asked.components.iter().enumerate() {
                let size = rules[Group::Size.index()];
                sizes::settle(&reading.unclear_sizes, component, size, &mut settled);
            }
        }
        for (component, rules) in asked.components.iter().enumerate() {
            let handed_out = asked.rules.handed_out_by_group(component);
            let found =
                legible.then(|| of_component(&settled, asked.layout, component, rules, handed_out));
            for group in Group::ALL {
                let (attribute, kind, _) = rules[group.index()];
                let nothing = RuleFit { holds: false, rows: 0, step: 0 };
                let found = found.as_ref().map_or(nothing, |f| f[group.index()].clone());
                rulings.push(Ruling {
                    component,
                    component_name: asked.layout.components()[component].prefix(),
                    attribute,
                    kind,
                    counted: counted.contains(&(component, group)),
                    holds: found.holds,
                    rows: found.rows,
                    step: found.step,
                });
            }
        }
        Self { reading, layout: asked.layout, rulings, odd, settled }
    }

    /// What the same pictures are worth when other rules are asked for.
    pub fn against(&self, asked: &RuleSpec) -> Self {
        Self::of(self.reading.clone(), asked)
    }

    /// How many of the rules that count hold, and how many count.
    pub fn marks(&self) -> (u64, u64) {
        let counted = self.rulings.iter().filter(|r| r.counted);
        counted.fold((0, 0), |(right, all), r| (right + u64::from(r.holds), all + 1))
    }

    /// The share of the rules that count which hold, in percent.
    pub fn coherence(&self) -> f64 {
        let (right, all) = self.marks();
        if all == 0 { 0.0 } else { 100.0 * right as f64 / all as f64 }
    }

    /// Whether the layout is as asked and all panels can be read.
    pub fn is_legible(&self) -> bool {
        self.reading.layout == self.layout && self.reading.readable.iter().all(|&r| r)
    }

    /// Whether everything is as asked: legible, every rule that counts holds (with
    /// its parameter where one was stated), and what cannot vary in the layout is
    /// as the engine draws it. A constant that may be noise does not count, so it
    /// is not asked.
    pub fn agrees(&self) -> bool {
        let (right, all) = self.marks();
        self.is_legible() && right == all && self.odd.is_empty()
    }

    /// What is said about a group of a component.
    pub fn ruling(&self, component: usize, group: Group) -> &Ruling {
        &self.rulings[component * Group::ALL.len() + group.index()]
    }

    /// The scenes that were read; sizes that no eye can tell are those that the
    /// rules ask for.
    pub fn panels(&self) -> &[Panel; 9] {
        &self.settled
    }

    /// The rules as found, where all hold: with their parameters.
    pub fn rules(&self) -> RuleMatrix {
        let mut rules = RuleMatrix::of(&[]);
        for r in &self.rulings {
            let row = Row::Rule(r.kind, r.holds.then_some(r.step));
            rules.set(r.component, r.attribute, row);
        }
        rules
    }

    /// One line: what is wrong, or that all is well.
    pub fn words(&self) -> String {
        if self.reading.layout != self.layout {
            return format!(
                "looks like {}, not {}",
                self.reading.layout.short(),
                self.layout.short()
            );
        }
        let bad: Vec<String> = self.reading.unreadable().map(|p| (p + 1).to_string()).collect();
        if !bad.is_empty() {
            let what = if bad.len() == 1 { "panel" } else { "panels" };
            return format!("{what} {} cannot be read", bad.join(", "));
        }
        let broken: Vec<String> =
            self.rulings.iter().filter(|r| r.counted && !r.holds).map(Ruling::text).collect();
        let mut words = if broken.is_empty() {
            "every rule holds".to_owned()
        } else {
            format!("does not hold: {}", broken.join(", "))
        };
        if !self.odd.is_empty() {
            words += &format!("; not as the engine draws it: {}", self.odd_names().join(", "));
        }
        words
    }

    /// The names of the [odd](Self::odd) values, such as `out.color`.
    pub fn odd_names(&self) -> Vec<String> {
        let name = |&(component, attribute): &(usize, Attribute)| {
            let prefix = self.layout.components()[component].prefix();
            prefix.map_or_else(|| attribute.to_string(), |prefix| format!("{prefix}.{attribute}"))
        };
        self.odd.iter().map(name).collect()
    }
}

/// Attributes of which the engine knows a single value, and that have another one here.
fn odd_values(panels: &[Panel; 9], layout: Layout) -> Vec<(usize, Attribute)> {
    let mut odd = Vec::new();
    for (component, &kind) in layout.components().iter().enumerate() {
        for attribute in [Attribute::Type, Attribute::Size, Attribute::Color] {
            let levels = Domain::Standard.range(kind, attribute);
            let is_drawn = |entity: &Entity| {
                entity.level(attribute).is_some_and(|level| levels.contains(i32::from(level)))
            };
            let all = || {
                panels.iter().flat_map(|panel| &panel.components[component].entities).all(is_drawn)
            };
            if levels.count() == 1 && !all() {
                odd.push((component, attribute));
            }
        }
    }
    odd
}
