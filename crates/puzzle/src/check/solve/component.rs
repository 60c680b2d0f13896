//! The evidence for a candidate in one component, summed over all rules.
//!
//! Given the rule on number and position and whether the component is uniform,
//! type, size and color are independent of each other, with one exception: when
//! positions are dealt anew, an object takes all its constant looks along.

use crate::check::hypotheses::possible;
use crate::check::stated::rebuilds;
use crate::{Domain, Group, PartKind, Rule, RuleKind};

use super::FoundRules;
use super::chance::{Rows, of_levels, of_places};
use super::seen::{ANGLE, LOOKS, Seen, range};

/// One component in four is uniform.
const UNIFORM: f64 = 0.25;

/// The chance that a group follows no rule at all. It keeps a misread panel from
/// ruling out everything.
const NOTHING: f64 = 1e-6;

/// What can be true of a component.
pub(super) struct Component {
    kind: PartKind,
    domain: Domain,
    places: Vec<(Rule, f64)>,
    looks: Vec<Vec<(Rule, f64)>>,
}

/// What becomes of objects from panel to panel.
#[derive(Clone, Copy, PartialEq)]
enum Objects {
    /// They stay, or move on by so many slots.
    Kept(i8),
    /// They go anywhere.
    Dealt,
    /// They are replaced by others.
    Renewed,
}

fn objects(rule: Option<Rule>) -> Objects {
    match rule {
        None => Objects::Renewed,
        Some(rule) if rebuilds(rule) => Objects::Renewed,
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

impl Component {
    /// `angles` says whether angles are looked at: they follow no rule, but
    /// objects take them along.
    pub(super) fn new(kind: PartKind, domain: Domain, angles: bool) -> Self {
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
    pub(super) fn evidence(&self, rows: &Rows<'_>) -> f64 {
        let looks = self.look_chances(rows);
        let total: f64 = self.weigh(rows, &looks).map(|(_, _, weight)| weight).sum();
        total / self.ruleless(rows[2][2])
    }

    /// The explanation with the largest weight.
    pub(super) fn best(&self, rows: &Rows<'_>) -> FoundRules {
        let looks = self.look_chances(rows);
        let (place, uniform, _) = self
            .weigh(rows, &looks)
            .max_by(|a, b| a.2.total_cmp(&b.2))
            .unwrap_or((None, false, 0.0));
        let mut rules = [place, None, None, None];
        let constants = self.likeliest_constants(rows, &looks, objects(place), uniform);
        for (look, rule) in looks.iter().take(ANGLE).zip(&mut rules[1..]).zip(constants) {
            let ((look, rule), constant) = (look, rule);
            let governed =
                look.governed.iter().max_by(|a, b| a.1.total_cmp(&b.1)).filter(|g| g.1 > NOTHING);
            *rule = if constant { look.constant } else { governed.map(|g| g.0) };
        }
        FoundRules { rules, uniform }
    }

    fn look_chances(&self, rows: &Rows<'_>) -> Vec<Look> {
        let chances = |(look, rules): (usize, &Vec<(Rule, f64)>)| {
            let sets = rows.map(|row| row.map(|p| p.common[look]));
            let iid: f64 = rows.iter().flatten().map(|p| p.iid[look]).product();
            let mut found = Look {
                governed: Vec::new(),
                governed_sum: 0.0,
                constant: None,
                constant_prior: 0.0,
                all_alike: 0.0,
            };
            for &(rule, prior) in rules {
                if rule.kind == RuleKind::Constant {
                    found.constant = Some(rule);
                    found.constant_prior = prior;
                    continue;
                }
                let chance = of_levels(self.kind, self.domain, rule, sets);
                if chance > 0.0 {
                    found.governed.push((rule, prior * chance / iid));
                    found.governed_sum += prior * chance / iid;
                }
            }
            if look == ANGLE {
                found.constant_prior = 1.0;
            }
            let n = range(self.kind, self.domain, look).count() as f64;
            found.all_alike = sets
                .iter()
                .map(|[a, b, c]| f64::from((a & b & c).count_ones()) / n)
                .product::<f64>()
                / iid;
            found
        };
        self.looks.iter().enumerate().map(chances).collect()
    }

    /// Every rule on places (`None`: no rule) with and without uniformity.
    fn weigh<'a>(
        &'a self,
        rows: &'a Rows<'_>,
        looks: &'a [Look],
    ) -> impl Iterator<Item = (Option<Rule>, bool, f64)> + 'a {
        let places = self
            .places
            .iter()
            .map(|&(rule, prior)| {
                (Some(rule), prior * of_places(self.kind, self.domain, rule, rows))
            })
            .chain([(None, NOTHING)])
            .filter(|&(_, weight)| weight > 0.0);
        places.flat_map(move |(rule, weight)| {
            let objects = objects(rule);
            [true, false].map(|uniform| {
                let prior = if uniform { UNIFORM } else { 1.0 - UNIFORM };
                let looks = self.looks_chance(rows, looks, objects, uniform);
                (rule, uniform, weight * prior * looks)
            })
        })
    }

    fn looks_chance(
        &self,
        rows: &Rows<'_>,
        looks: &[Look],
        objects: Objects,
        uniform: bool,
    ) -> f64 {
        if objects == Objects::Dealt && !uniform {
            return (0..1 << looks.len()).map(|set| dealt(rows, looks, set)).sum();
        }
        looks
            .iter()
            .enumerate()
            .map(|(index, look)| {
                let constant = self.constant_chance(rows, index, look, objects, uniform);
                look.governed_sum + look.constant_prior * constant + NOTHING
            })
            .product()
    }

    fn constant_chance(
        &self,
        rows: &Rows<'_>,
        index: usize,
        look: &Look,
        objects: Objects,
        uniform: bool,
    ) -> f64 {
        match objects {
            _ if uniform => look.all_alike,
            Objects::Kept(step) => self.kept(rows, index, step),
            Objects::Dealt => dealt_chance(rows, 1 << index),
            Objects::Renewed => 1.0,
        }
    }

    /// The chance that every object keeps a look while it moves on by `step`.
    fn kept(&self, rows: &Rows<'_>, look: usize, step: i8) -> f64 {
        let slots = self.kind.slot_count() as i32;
        let n = range(self.kind, self.domain, look).count() as f64;
        let mut chance = 1.0;
        for [a, b, c] in rows {
            for slot in a.slots() {
                let after =
                    |steps: i32| (slot as i32 + steps * i32::from(step)).rem_euclid(slots) as usize;
                let (b, c) = (b.levels[look][after(1)], c.levels[look][after(2)]);
                chance *= f64::from((a.levels[look][slot] & b & c).count_ones()) / n;
            }
            chance /= a.iid[look] * b.iid[look] * c.iid[look];
        }
        chance
    }

    fn likeliest_constants(
        &self,
        rows: &Rows<'_>,
        looks: &[Look],
        objects: Objects,
        uniform: bool,
    ) -> [bool; 3] {
        if objects == Objects::Dealt && !uniform {
            let best = (0..1u32 << looks.len())
                .max_by(|&a, &b| dealt(rows, looks, a).total_cmp(&dealt(rows, looks, b)))
                .unwrap_or(0);
            return std::array::from_fn(|look| best & (1 << look) != 0);
        }
        std::array::from_fn(|index| {
            let look = &looks[index];
            let constant =
                look.constant_prior * self.constant_chance(rows, index, look, objects, uniform);
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

/// The chance of all looks when slots are dealt anew and those in `set` are
/// constant.
fn dealt(rows: &Rows<'_>, looks: &[Look], set: u32) -> f64 {
    let mut chance = 1.0;
    for (index, look) in looks.iter().enumerate() {
        chance *=
            if set & (1 << index) != 0 { look.constant_prior } else { look.governed_sum + NOTHING };
    }
    chance * dealt_chance(rows, set)
}

fn dealt_chance(rows: &Rows<'_>, set: u32) -> f64 {
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
fn share_of_matchings(from: &Seen, to: &Seen, set: u32) -> f64 {
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
