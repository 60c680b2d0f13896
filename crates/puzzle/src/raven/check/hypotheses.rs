//! Every rule that a component could have, with what the generating process
//! says about it: how likely it is and where its rows begin.

use crate::raven::{Attribute, ComponentKind, Domain, Group, Levels, Rule, RuleKind};

/// The rules of a group that leave room in a component, with probabilities that
/// add up to one: attribute and kind are drawn first, then the parameter, and
/// what leaves no room is drawn again.
pub(super) fn possible(kind: ComponentKind, domain: Domain, group: Group) -> Vec<(Rule, f64)> {
    let mut rules = Vec::new();
    for &attribute in group.attributes() {
        for rule_kind in RuleKind::ALL {
            let constant = rule_kind == RuleKind::Constant;
            let exists = match attribute {
                Attribute::NumberPosition => constant,
                Attribute::Number | Attribute::Position => !constant,
                Attribute::Type => rule_kind != RuleKind::Arithmetic,
                Attribute::Size | Attribute::Color => true,
            };
            let steps = rule_kind.steps();
            for &step in steps.iter().filter(|_| exists) {
                let rule = Rule { attribute, kind: rule_kind, step };
                if first_column(kind, domain, rule).is_some() {
                    rules.push((rule, 1.0 / steps.len() as f64));
                }
            }
        }
    }
    let total: f64 = rules.iter().map(|(_, weight)| weight).sum();
    for (_, weight) in &mut rules {
        *weight /= total;
    }
    rules
}

/// The levels that the first panel of a row is drawn from, such that the rule
/// never leaves the range of its attribute (for position: of the number of
/// objects). `None` where there are none.
pub(super) fn first_column(kind: ComponentKind, domain: Domain, rule: Rule) -> Option<Levels> {
    let range = domain.range(kind, rule.attribute);
    let Levels { lo, hi } = range;
    let reach = 2 * i32::from(rule.step).abs();
    let plus = rule.step > 0;
    let levels = match (rule.kind, rule.attribute) {
        (RuleKind::Constant, _) => range,
        (RuleKind::DistributeThree, _) if range.count() < 3 => return None,
        (RuleKind::DistributeThree, Attribute::Position) => Levels::new(lo, hi - 1),
        (RuleKind::DistributeThree, _) => range,
        (RuleKind::Progression, Attribute::Position) => Levels::new(lo, hi - reach),
        (RuleKind::Progression, _) if plus => Levels::new(lo, hi - reach),
        (RuleKind::Progression, _) => Levels::new(lo + reach, hi),
        (RuleKind::Arithmetic, Attribute::Position) if plus => Levels::new(lo, hi - 1),
        (RuleKind::Arithmetic, Attribute::Position) => Levels::new((hi + 2) / 2 - 1, hi - 1),
        (RuleKind::Arithmetic, Attribute::Color) if range.count() < 2 => return None,
        (RuleKind::Arithmetic, attribute) => {
            let offset = offset(attribute);
            if plus { Levels::new(lo, hi - lo - offset) } else { Levels::new(2 * lo + offset, hi) }
        }
    };
    (levels.count() > 0).then_some(levels)
}

/// The levels that the second panel of an arithmetic row is drawn from when the
/// first shows `first`, for number, size and color.
pub(super) fn second_column(kind: ComponentKind, domain: Domain, rule: Rule, first: i32) -> Levels {
    let Levels { lo, hi } = domain.range(kind, rule.attribute);
    let offset = offset(rule.attribute);
    if rule.step > 0 {
        Levels::new(lo, hi - offset - first)
    } else {
        Levels::new(lo, first - lo - offset)
    }
}

/// The number that level 0 stands for in sums: colors count from zero, numbers
/// and sizes from one.
pub(super) fn offset(attribute: Attribute) -> i32 {
    i32::from(attribute != Attribute::Color)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chance(kind: ComponentKind, attribute: Attribute, rule: RuleKind) -> f64 {
        possible(kind, Domain::Standard, attribute.group())
            .iter()
            .filter(|(r, _)| r.attribute == attribute && r.kind == rule)
            .map(|(_, p)| p)
            .sum()
    }

    #[test]
    fn rules_are_as_likely_as_in_the_originals() {
        use RuleKind::{Arithmetic, Constant, DistributeThree, Progression};
        for (kind, attribute, rule, expected) in [
            (ComponentKind::Center, Attribute::NumberPosition, Constant, 1.0),
            (ComponentKind::Center, Attribute::Type, Progression, 1.0 / 3.0),
            (ComponentKind::GridFour, Attribute::Number, Progression, 1.0 / 12.0),
            (ComponentKind::GridFour, Attribute::Position, Progression, 1.0 / 12.0),
            (ComponentKind::GridFour, Attribute::Position, DistributeThree, 1.0 / 6.0),
            (ComponentKind::GridNine, Attribute::Position, Arithmetic, 1.0 / 7.0),
            (ComponentKind::Out, Attribute::Size, Progression, 1.0 / 5.0),
            (ComponentKind::Out, Attribute::Size, Arithmetic, 0.0),
            (ComponentKind::Out, Attribute::Color, Constant, 1.0),
            (ComponentKind::InGrid, Attribute::Size, Arithmetic, 2.0 / 7.0),
        ] {
            let found = chance(kind, attribute, rule);
            assert!((found - expected).abs() < 1e-12, "{kind:?} {attribute} {rule}: {found}");
        }
    }
}
