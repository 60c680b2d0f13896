//! The evidence for a candidate in one component, summed over all rules.
//!
//! Given the rule on number and position and whether the component is uniform,
//! type, size and color are independent of each other, with one exception: when
//! positions are dealt anew, an object takes all its constant looks along.

use crate::raven::check::hypotheses::possible;
use crate::raven::{ComponentKind, Domain, Group, Rule, RuleKind};

use super::FoundRules;
use super::chance::{Rows, of_levels, of_places};
use super::seen::{LOOKS, LevelSet, Seen, range};

/// One component in four is uniform.
const UNIFORM: f64 = 0.25;

/// The chance that a group follows no rule at all. It keeps a misread panel from
/// ruling out everything.
const NOTHING: f64 = 1e-6;

/// What can be true of a component.
pub(super) struct ComponentSolver {
    kind: ComponentKind,
    domain: Domain,
    places: Vec<(Rule, f64)>,
    looks: Vec<Vec<(Rule, f64)>>,
}

/// The nine panels of a component as they may really be, with the probability
/// that they are. The first view is what was read; in others, looks of a panel
/// that may have been misread are left open.
pub(super) struct View<'a> {
    pub(super) weight: f64,
    pub(super) rows: Rows<'a>,
}

impl View<'_> {
    fn common(&self, look: usize) -> [[LevelSet; 3]; 3] {
        self.rows.map(|row| row.map(|p| p.common[look]))
    }

    fn iid(&self, look: usize) -> f64 {
        self.rows.iter().flatten().map(|p| p.iid[look]).product()
    }
}

/// What becomes of objects from panel to panel.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Objects {
    /// They stay, or move on by so many slots.
    Kept(i8),
    /// They go anywhere.
    Dealt,
    /// They are replaced by others.
    Renewed,
}

pub(super) fn objects(rule: Option<Rule>) -> Objects {
    match rule {
        None => Objects::Renewed,
        Some(rule) if rule.rebuilds_objects() => Objects::Renewed,
        Some(rule) if rule.kind == RuleKind::DistributeThree => Objects::Dealt,
        Some(rule) => Objects::Kept(rule.step),
    }
}

/// The chances of one look, each already multiplied by its prior.
struct Look {
    governed: Vec<(Rule, f64)>,
    governed_sum: f64,
    constant: Option<Rule>,
    constant_prior: f64,
    all_alike: f64,
}

impl ComponentSolver {
    /// `angles` says whether angles are looked at: they follow no rule, but
    /// objects take them along.
    pub(super) fn new(kind: ComponentKind, domain: Domain, angles: bool) -> Self {
        let mut looks: Vec<_> = [Group::Type, Group::Size, Group::Color]
            .map(|group| possible(kind, domain, group))
            .into();
        if angles {
            looks.push(Vec::new());
        }
        Self { kind, domain, places: possible(kind, domain, Group::NumberPosition), looks }
    }

    /// The chance of nine panels, relative to independent draws of everything
    /// in the first eight and to a ruleless candidate in the ninth.
    pub(super) fn evidence(&self, views: &[View<'_>]) -> f64 {
        let looks = self.look_chances(views);
        let total: f64 = self.weigh(views, &looks).map(|(_, _, weight)| weight).sum();
        total / self.ruleless(views[0].rows[2][2])
    }

    /// The explanation with the largest weight.
    pub(super) fn best(&self, views: &[View<'_>]) -> FoundRules {
        let looks = self.look_chances(views);
        let (place, uniform, _) = self
            .weigh(views, &looks)
            .max_by(|a, b| a.2.total_cmp(&b.2))
            .unwrap_or((None, false, 0.0));
        let mut rules = [place, None, None, None];
        let constants = self.likeliest_constants(views, &looks, objects(place), uniform);
        for (index, constant) in constants.into_iter().enumerate() {
            let governed = looks[index].governed.iter().max_by(|a, b| a.1.total_cmp(&b.1));
            rules[index + 1] = if constant {
                looks[index].constant
            } else {
                governed.filter(|g| g.1 > NOTHING).map(|g| g.0)
            };
        }
        FoundRules { rules, uniform }
    }

    fn look_chances(&self, views: &[View<'_>]) -> Vec<Look> {
        self.looks
            .iter()
            .enumerate()
            .map(|(look, rules)| {
                let constant = rules.iter().find(|r| r.0.kind == RuleKind::Constant);
                let mut found = Look {
                    governed: Vec::new(),
                    governed_sum: 0.0,
                    constant: constant.map(|r| r.0),
                    // An angle follows no rule: it is always carried along.
                    constant_prior: constant.map_or(1.0, |r| r.1),
                    all_alike: 0.0,
                };
                let chance = |rule: Rule| -> f64 {
                    let of_view = |view: &View<'_>| {
                        of_levels(self.kind, self.domain, rule, view.common(look)) / view.iid(look)
                    };
                    views.iter().map(|view| view.weight * of_view(view)).sum()
                };
                for &(rule, prior) in rules.iter().filter(|r| r.0.kind != RuleKind::Constant) {
                    let weight = prior * chance(rule);
                    if weight > 0.0 {
                        found.governed.push((rule, weight));
                        found.governed_sum += weight;
                    }
                }
                let n = range(self.kind, self.domain, look).count() as f64;
                for view in views {
                    let alike = view.common(look).map(|[a, b, c]| (a & b & c).count_ones());
                    let chance: f64 = alike.iter().map(|&levels| f64::from(levels) / n).product();
                    found.all_alike += view.weight * chance / view.iid(look);
                }
                found
            })
            .collect()
    }

    /// Every rule on places (`None`: no rule) with and without uniformity.
    fn weigh<'a>(
        &'a self,
        views: &'a [View<'_>],
        looks: &'a [Look],
    ) -> impl Iterator<Item = (Option<Rule>, bool, f64)> + 'a {
        let places = self
            .places
            .iter()
            .map(|&(rule, prior)| {
                (Some(rule), prior * of_places(self.kind, self.domain, rule, &views[0].rows))
            })
            .chain([(None, NOTHING)])
            .filter(|&(_, weight)| weight > 0.0);
        places.flat_map(move |(rule, weight)| {
            let objects = objects(rule);
            [true, false].map(|uniform| {
                let prior = if uniform { UNIFORM } else { 1.0 - UNIFORM };
                let looks = self.looks_chance(views, looks, objects, uniform);
                (rule, uniform, weight * prior * looks)
            })
        })
    }

    fn looks_chance(
        &self,
        views: &[View<'_>],
        looks: &[Look],
        objects: Objects,
        uniform: bool,
    ) -> f64 {
        if objects == Objects::Dealt && !uniform {
            return (0..1 << looks.len()).map(|set| dealt(views, looks, set)).sum();
        }
        looks
            .iter()
            .enumerate()
            .map(|(index, look)| {
                let constant = self.constant_chance(views, index, look, objects, uniform);
                look.governed_sum + look.constant_prior * constant + NOTHING
            })
            .product()
    }

    fn constant_chance(
        &self,
        views: &[View<'_>],
        index: usize,
        look: &Look,
        objects: Objects,
        uniform: bool,
    ) -> f64 {
        match objects {
            _ if uniform => look.all_alike,
            Objects::Kept(step) => {
                views.iter().map(|v| v.weight * self.kept(&v.rows, index, step)).sum()
            }
            Objects::Dealt => {
                views.iter().map(|v| v.weight * dealt_chance(&v.rows, 1 << index)).sum()
            }
            Objects::Renewed => 1.0,
        }
    }

    /// The chance that every object keeps a look while it moves on by `step`.
    fn kept(&self, rows: &Rows<'_>, look: usize, step: i8) -> f64 {
        let slots = self.kind.slot_count();
        let n = range(self.kind, self.domain, look).count() as f64;
        let mut chance = 1.0;
        for row in rows {
            for left in levels_kept(slots, row, look, step) {
                chance *= f64::from(left.count_ones()) / n;
            }
            chance /= row.iter().map(|p| p.iid[look]).product::<f64>();
        }
        chance
    }

    fn likeliest_constants(
        &self,
        views: &[View<'_>],
        looks: &[Look],
        objects: Objects,
        uniform: bool,
    ) -> [bool; 3] {
        if objects == Objects::Dealt && !uniform {
            let best = (0..1u32 << looks.len())
                .max_by(|&a, &b| dealt(views, looks, a).total_cmp(&dealt(views, looks, b)))
                .unwrap_or(0);
            return std::array::from_fn(|look| best & (1 << look) != 0);
        }
        std::array::from_fn(|index| {
            let look = &looks[index];
            let constant =
                look.constant_prior * self.constant_chance(views, index, look, objects, uniform);
            let governed = look.governed.iter().map(|g| g.1).fold(NOTHING, f64::max);
            constant > governed
        })
    }

    /// The chance of a candidate as one who knows no rules would draw it, in
    /// units of independent draws: half of the time the objects of a panel are
    /// alike in a look.
    ///
    /// Candidates are compared by how much likelier the rules make them, not by
    /// how likely they are: otherwise fewer objects would always be better.
    fn ruleless(&self, panel: &Seen) -> f64 {
        (0..self.looks.len())
            .map(|look| {
                let n = range(self.kind, self.domain, look).count() as f64;
                let alike = f64::from(panel.common[look].count_ones()) / n / panel.iid[look];
                0.5 * alike + 0.5
            })
            .product()
    }
}

/// The levels that each object of a row can have kept while it moved on by
/// `step`.
fn levels_kept(
    slots: usize,
    [a, b, c]: &[&Seen; 3],
    look: usize,
    step: i8,
) -> impl Iterator<Item = LevelSet> {
    a.slots().map(move |slot| {
        let after =
            |steps: i32| (slot as i32 + steps * i32::from(step)).rem_euclid(slots as i32) as usize;
        a.levels[look][slot] & b.levels[look][after(1)] & c.levels[look][after(2)]
    })
}

/// Whether every object of a row can have kept a look.
pub(super) fn kept(slots: usize, row: &[&Seen; 3], look: usize, step: i8) -> bool {
    levels_kept(slots, row, look, step).all(|left| left != 0)
}

/// The chance of all looks when slots are dealt anew and those in `set` are
/// constant.
fn dealt(views: &[View<'_>], looks: &[Look], set: u32) -> f64 {
    let mut chance = 1.0;
    for (index, look) in looks.iter().enumerate() {
        chance *=
            if set & (1 << index) != 0 { look.constant_prior } else { look.governed_sum + NOTHING };
    }
    chance * views.iter().map(|v| v.weight * dealt_chance(&v.rows, set)).sum::<f64>()
}

pub(super) fn dealt_chance(rows: &Rows<'_>, set: u32) -> f64 {
    if set == 0 {
        return 1.0;
    }
    let mut chance = 1.0;
    for [a, b, c] in rows {
        for (from, to) in [(a, b), (b, c)] {
            chance *= share_of_matchings(from, to, set);
            for look in (0..LOOKS).filter(|look| set & (1 << look) != 0) {
                chance /= to.iid[look];
            }
        }
    }
    chance
}

/// Of all ways to find the objects of one panel among those of the next, the
/// share in which none changes a look of `set`.
pub(super) fn share_of_matchings(from: &Seen, to: &Seen, set: u32) -> f64 {
    let n = from.number();
    if n != to.number() {
        return 0.0;
    }
    let fits = |a: usize, b: usize| {
        (0..LOOKS)
            .filter(|look| set & (1 << look) != 0)
            .all(|look| from.levels[look][a] & to.levels[look][b] != 0)
    };
    // counts[taken]: ways to place the objects seen so far on the taken ones.
    let mut counts = vec![0.0; 1 << n];
    counts[0] = 1.0;
    for (placed, a) in from.slots().enumerate() {
        let free: Vec<usize> =
            to.slots().enumerate().filter(|&(_, b)| fits(a, b)).map(|f| f.0).collect();
        if free.is_empty() {
            return 0.0;
        }
        for taken in (0..1usize << n).rev().filter(|t| t.count_ones() as usize == placed) {
            let ways: f64 = counts[taken];
            if ways > 0.0 {
                for index in free.iter().filter(|&&index| taken & (1 << index) == 0) {
                    counts[taken | 1 << index] += ways;
                }
            }
        }
    }
    let all: f64 = (1..=n).map(|k| k as f64).product();
    counts[(1 << n) - 1] / all
}
