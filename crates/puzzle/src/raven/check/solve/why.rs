//! Why a choice is wrong, in plain words.

use std::fmt;

use crate::raven::{
    Attribute, ComponentKind, Domain, Group, Layout, Panel, Puzzle, Rule, RuleKind,
};

use super::chance::{Rows, of_levels, of_places};
use super::component::{Objects, View, objects, share_of_matchings};
use super::seen::{LevelSet, Seen, each};
use super::{FoundRules, SeenContext, Sight};

/// A rule that a choice breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Component, 0 or 1.
    pub component: usize,
    /// Its name where there are two: `left`, `out`, ...
    pub component_name: Option<&'static str>,
    /// The rule.
    pub rule: Rule,
    /// What the rule asks for.
    pub expected: String,
    /// What the choice shows.
    pub found: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = self.component_name {
            write!(f, "{name}.")?;
        }
        write!(f, "{} asks for {}, not {}", self.rule, self.expected, self.found)
    }
}

impl FoundRules {
    /// The rules that a puzzle states, by component.
    pub fn stated(puzzle: &Puzzle) -> Vec<Self> {
        puzzle
            .rules
            .iter()
            .enumerate()
            .map(|(component, rules)| Self {
                rules: rules.0.map(Some),
                uniform: puzzle.is_uniform(component),
            })
            .collect()
    }
}

/// The rules that a choice breaks, given the rules of each component.
pub fn broken_rules(
    context: &[Panel; 8],
    choice: &Panel,
    layout: Layout,
    domain: Domain,
    sight: Sight,
    rules: &[FoundRules],
) -> Vec<Broken> {
    let question = SeenContext::new(context, layout, domain, sight);
    let choice = question.see(choice);
    let mut all = Vec::new();
    for (component, (rules, &kind)) in rules.iter().zip(layout.components()).enumerate() {
        let views = question.views(&choice, component);
        let judge = Judge { kind, domain, rules, rows: views[0].rows, views: &views };
        for group in Group::ALL {
            let Some(rule) = rules.rules[group.index()] else { continue };
            if let Some((expected, found)) = judge.broken(group, rule) {
                let component_name = kind.prefix();
                all.push(Broken { component, component_name, rule, expected, found });
            }
        }
    }
    all
}

struct Judge<'a> {
    kind: ComponentKind,
    domain: Domain,
    rules: &'a FoundRules,
    rows: Rows<'a>,
    /// The rows as read, then with each panel of the context left open.
    views: &'a [View<'a>],
}

impl Judge<'_> {
    fn choice(&self) -> &Seen {
        self.rows[2][2]
    }

    /// What is asked for and what is found; `None` where the rule holds.
    fn broken(&self, group: Group, rule: Rule) -> Option<(String, String)> {
        match rule.attribute {
            Attribute::Number => {
                let number = self.choice().number();
                let wanted: Vec<usize> =
                    (1..=self.kind.slot_count()).filter(|&n| self.number_fits(rule, n)).collect();
                let words = wanted.iter().map(|&n| count(n)).collect();
                (!wanted.contains(&number)).then(|| (either(words), count(number)))
            }
            Attribute::NumberPosition | Attribute::Position => {
                let fits = |mask: u16| {
                    let panel = Seen { mask, ..self.choice().clone() };
                    of_places(self.kind, self.domain, rule, &self.with(&panel)) > 0.0
                };
                if fits(self.choice().mask) {
                    return None;
                }
                let wanted = (1..1u16 << self.kind.slot_count()).find(|&mask| fits(mask));
                let words = wanted.map_or("something else".to_owned(), |mask| self.places(mask));
                Some((words, self.places(self.choice().mask)))
            }
            _ if rule.kind == RuleKind::Constant => self.broken_constant(group),
            _ => {
                let look = group.index() - 1;
                let wanted = self.levels_that_fit(rule, look);
                (wanted & self.choice().common[look] == 0).then(|| {
                    let words = each(wanted).map(|l| self.word(rule.attribute, l)).collect();
                    (either(words), self.shown(rule.attribute, look, self.choice()))
                })
            }
        }
    }

    fn with<'b>(&'b self, choice: &'b Seen) -> Rows<'b> {
        let mut rows = self.rows;
        rows[2][2] = choice;
        rows
    }

    fn number_fits(&self, rule: Rule, number: usize) -> bool {
        let set = |n: usize| 1 << (n.max(1) - 1);
        let mut sets = self.rows.map(|row| row.map(|p| set(p.number())));
        sets[2][2] = set(number);
        of_levels(self.kind, self.domain, rule, sets) > 0.0
    }

    /// The levels that complete the third row; where none does, those that
    /// would if one panel of the context was misread.
    fn levels_that_fit(&self, rule: Rule, look: usize) -> LevelSet {
        let fitting = |view: &View<'_>| {
            let mut sets = view.rows.map(|row| row.map(|p| p.common[look]));
            let mut fits = |level: &i32| {
                sets[2][2] = 1 << level;
                of_levels(self.kind, self.domain, rule, sets) > 0.0
            };
            let range = self.domain.range(self.kind, rule.attribute);
            range.iter().filter(|level| fits(level)).fold(0, |set, level| set | 1 << level)
        };
        match fitting(&self.views[0]) {
            0 => self.views.iter().map(fitting).fold(0, |all, set| all | set),
            set => set,
        }
    }

    fn broken_constant(&self, group: Group) -> Option<(String, String)> {
        let attribute = group.attributes()[0];
        let look = group.index() - 1;
        let [seventh, eighth, choice] = self.rows[2];
        let pair = || (self.shown(attribute, look, eighth), self.shown(attribute, look, choice));
        if self.rules.uniform {
            let kept = seventh.common[look] & eighth.common[look];
            return (kept != 0 && kept & choice.common[look] == 0).then(pair);
        }
        // With another number of objects it is the rule on number that is broken.
        if self.rules.is_noise(group) || eighth.number() != choice.number() {
            return None;
        }
        let slots = self.kind.slot_count() as i32;
        let kept = match objects(self.rules.rules[0]) {
            Objects::Kept(step)
                if crate::raven::check::stated::rotated(eighth.mask, step, slots)
                    == choice.mask =>
            {
                eighth.slots().all(|slot| {
                    let next = (slot as i32 + i32::from(step)).rem_euclid(slots) as usize;
                    eighth.levels[look][slot] & choice.levels[look][next] != 0
                })
            }
            _ => {
                // Objects take along what is constant about them: type, then
                // size, then color, is blamed for a mixture that never was.
                let together = (0..=look)
                    .filter(|&l| {
                        self.rules.rules[l + 1].is_some_and(|r| r.kind == RuleKind::Constant)
                    })
                    .fold(0, |set, l| set | 1 << l);
                share_of_matchings(eighth, choice, 1 << look) > 0.0
                    && (share_of_matchings(eighth, choice, together) > 0.0
                        || share_of_matchings(eighth, choice, together & !(1 << look)) == 0.0)
            }
        };
        (!kept).then(|| {
            let (expected, found) = pair();
            if expected == found {
                (format!("the same objects ({expected})"), "the same on other objects".to_owned())
            } else {
                (expected, found)
            }
        })
    }

    /// The values of all objects of a panel: one word where they are alike, else
    /// slot by slot.
    fn shown(&self, attribute: Attribute, look: usize, panel: &Seen) -> String {
        if let Some(level) = each(panel.common[look]).next().filter(|_| panel.mask != 0) {
            return self.word(attribute, level);
        }
        let words: Vec<String> = panel
            .slots()
            .filter_map(|slot| each(panel.levels[look][slot]).next())
            .map(|level| self.word(attribute, level))
            .collect();
        listed(words)
    }

    fn word(&self, attribute: Attribute, level: i32) -> String {
        let index = level as usize;
        let unknown = || format!("level {level}");
        match attribute {
            Attribute::Type => ["nothing", "triangle", "square", "pentagon", "hexagon", "circle"]
                .get(index)
                .map_or_else(unknown, |name| (*name).to_owned()),
            Attribute::Size => {
                self.domain.sizes().get(index).map_or_else(unknown, |size| format!("{size}"))
            }
            Attribute::Color => match self.domain.colors().get(index) {
                Some(255) => "white".to_owned(),
                Some(0) => "black".to_owned(),
                Some(grey) => format!("grey {grey}"),
                None => unknown(),
            },
            _ => unknown(),
        }
    }

    fn places(&self, mask: u16) -> String {
        let names: &[&str] = match self.kind.slot_count() {
            4 => &["top left", "top right", "bottom left", "bottom right"],
            9 => &[
                "top left",
                "top middle",
                "top right",
                "middle left",
                "middle",
                "middle right",
                "bottom left",
                "bottom middle",
                "bottom right",
            ],
            _ => &["in the middle"],
        };
        let taken = names.iter().enumerate().filter(|(slot, _)| mask & (1 << slot) != 0);
        let words: Vec<String> = taken.map(|(_, name)| (*name).to_owned()).collect();
        listed(words)
    }
}

fn count(number: usize) -> String {
    match number {
        1 => "1 object".to_owned(),
        n => format!("{n} objects"),
    }
}

fn listed(mut words: Vec<String>) -> String {
    match words.pop() {
        None => "nothing".to_owned(),
        Some(last) if words.is_empty() => last,
        Some(last) => format!("{} and {last}", words.join(", ")),
    }
}

fn either(words: Vec<String>) -> String {
    if words.is_empty() { "something else".to_owned() } else { words.join(" or ") }
}
