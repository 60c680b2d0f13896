//! How likely rows are under a rule, relative to objects drawn independently.
//!
//! Every function divides by the chance of independent draws, so 1 means "as
//! good as no rule", 0 "impossible", and no product underflows.

use crate::raven::check::hypotheses::{first_column, offset, second_column};
use crate::raven::{Attribute, ComponentKind, Domain, Rule, RuleKind};

use super::seen::{LevelSet, Seen, each};

/// The nine panels of a component, row by row.
pub(super) type Rows<'a> = [[&'a Seen; 3]; 3];

/// Sum over all levels that fit: the chance of the level sets of nine panels
/// under a rule that makes all objects of a panel alike (or of nine numbers).
pub(super) fn of_levels(
    kind: ComponentKind,
    domain: Domain,
    rule: Rule,
    sets: [[LevelSet; 3]; 3],
) -> f64 {
    if sets.iter().flatten().any(|&set| set == 0) {
        return 0.0;
    }
    match rule.kind {
        RuleKind::Constant => {
            let n = domain.range(kind, rule.attribute).count() as f64;
            product(sets.iter().map(|[a, b, c]| f64::from((a & b & c).count_ones()) / n))
        }
        RuleKind::Progression => {
            let Some(first) = first_column(kind, domain, rule) else { return 0.0 };
            let step = i32::from(rule.step);
            let fits = |[a, b, c]: &[LevelSet; 3]| {
                each(*a)
                    .filter(|&l| first.contains(l))
                    .filter(|&l| has(*b, l + step) && has(*c, l + 2 * step))
                    .count() as f64
            };
            product(sets.iter().map(|row| fits(row) / first.count() as f64))
        }
        RuleKind::Arithmetic => arithmetic(kind, domain, rule, sets),
        RuleKind::DistributeThree => {
            let n = domain.range(kind, rule.attribute).count();
            if n < 3 {
                return 0.0;
            }
            let mut ways = 0.0;
            for a in each(sets[0][0]) {
                for b in each(sets[0][1]).filter(|&b| b != a) {
                    for c in each(sets[0][2]).filter(|&c| c != a && c != b) {
                        let row = |i: usize, levels: [i32; 3]| {
                            levels.iter().zip(sets[i]).all(|(&l, set)| has(set, l))
                        };
                        let orders = [([b, c, a], [c, a, b]), ([c, a, b], [b, c, a])];
                        for (second, third) in orders {
                            ways += f64::from(u8::from(row(1, second) && row(2, third))) / 2.0;
                        }
                    }
                }
            }
            ways / (n * (n - 1) * (n - 2)) as f64
        }
    }
}

/// A product that stops at the first zero: most rules fail in the first row.
fn product(mut chances: impl Iterator<Item = f64>) -> f64 {
    chances
        .try_fold(1.0, |all, chance| if chance > 0.0 { Some(all * chance) } else { None })
        .unwrap_or(0.0)
}

fn has(set: LevelSet, level: i32) -> bool {
    (0..16).contains(&level) && set & (1 << level) != 0
}

/// The originals take care that the first two rows do not both add nothing to a
/// color, because then plus and minus look the same.
fn arithmetic(kind: ComponentKind, domain: Domain, rule: Rule, sets: [[LevelSet; 3]; 3]) -> f64 {
    let Some(first) = first_column(kind, domain, rule) else { return 0.0 };
    let sign = i32::from(rule.step);
    let offset = offset(rule.attribute);
    let row_chance = |[a, b, c]: [LevelSet; 3], guarded: bool| {
        let mut chance = 0.0;
        for x in each(a).filter(|&x| first.contains(x)) {
            let second = second_column(kind, domain, rule, x);
            let choices = second.iter().filter(|&y| !(guarded && y == 0)).count() as f64;
            for y in each(b).filter(|&y| second.contains(y) && !(guarded && y == 0)) {
                if has(c, x + sign * (y + offset)) {
                    chance += 1.0 / (first.count() as f64 * choices);
                }
            }
        }
        chance
    };
    let alarm = rule.attribute == Attribute::Color && sets[0][1] == 1;
    let guarded = [false, alarm, false];
    product(sets.into_iter().zip(guarded).map(|(row, guarded)| row_chance(row, guarded)))
}

/// How likely the places of all objects are under a rule on number or position,
/// relative to a free choice of number and slots in every panel.
pub(super) fn of_places(kind: ComponentKind, domain: Domain, rule: Rule, rows: &Rows<'_>) -> f64 {
    let slots = kind.slot_count();
    let Some(first) = first_column(kind, domain, rule) else { return 0.0 };
    let free = |panel: &Seen| 1.0 / (slots as f64 * ways(slots, panel.number()));
    let begins = |panel: &Seen| {
        let inside = first.contains(panel.number() as i32 - 1);
        f64::from(u8::from(inside)) / (first.count() as f64 * ways(slots, panel.number()))
    };
    if rule.attribute == Attribute::Number {
        let sets = rows.map(|row| row.map(|p| 1 << (p.number().max(1) - 1)));
        return of_levels(kind, domain, rule, sets) * (slots as f64).powi(9);
    }
    if rule.kind == RuleKind::DistributeThree {
        return three_places(slots, first.count(), begins(rows[0][0]) > 0.0, rows);
    }
    let row_chance = |row: &[&Seen; 3]| {
        let [a, b, c] = row.map(|p| p.mask);
        let alike = match rule.kind {
            RuleKind::Progression => {
                let next =
                    |mask| crate::raven::check::stated::rotated(mask, rule.step, slots as i32);
                b == next(a) && c == next(b)
            }
            RuleKind::Arithmetic if rule.step > 0 => c == a | b && b & !a != 0,
            RuleKind::Arithmetic => c == a & !b && a & !b != 0,
            _ => a == b && b == c,
        };
        if !alike {
            return 0.0;
        }
        let mut chance = begins(row[0]) / (free(row[0]) * free(row[1]) * free(row[2]));
        if rule.kind == RuleKind::Arithmetic {
            // The second panel is drawn again until the third shows something new.
            let one = row[0].number();
            let useless: f64 = first
                .iter()
                .map(|level| {
                    let two = level as usize + 1;
                    let inside = if rule.step > 0 {
                        ways(one, two)
                    } else {
                        two.checked_sub(one).map_or(0.0, |rest| ways(slots - one, rest))
                    };
                    inside / ways(slots, two) / first.count() as f64
                })
                .sum();
            chance *= begins(row[1]) / (1.0 - useless).max(1e-9);
        }
        chance
    };
    product(rows.iter().map(row_chance))
}

fn three_places(slots: usize, numbers: usize, possible: bool, rows: &Rows<'_>) -> f64 {
    let [[a, b, c], second, third] = rows.map(|row| row.map(|p| p.mask));
    let number = rows[0][0].number();
    let same_number = rows.iter().flatten().all(|p| p.number() == number);
    let n = ways(slots, number);
    if !possible || !same_number || n < 3.0 || a == b || b == c || a == c {
        return 0.0;
    }
    let latin =
        (second == [b, c, a] && third == [c, a, b]) || (second == [c, a, b] && third == [b, c, a]);
    let free = 1.0 / (slots as f64 * n);
    f64::from(u8::from(latin)) / (2.0 * numbers as f64 * n * (n - 1.0) * (n - 2.0)) / free.powi(9)
}

/// How many sets of `k` out of `n` there are.
pub(super) fn ways(n: usize, k: usize) -> f64 {
    if k > n {
        return 0.0;
    }
    (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product()
}
