//! Which rules a component may have, and how likely each is.
//!
//! The originals draw rules at random and throw everything away until all of
//! them leave room. Whether a rule leaves room depends on that rule alone, so
//! the distribution that this loop ends in can be drawn from directly.

use crate::Stream;
use crate::raven::{Attribute, ComponentRules, Group, PuzzleError, Rule, RuleKind};

use super::narrow::{group_range, narrow};
use super::request::Request;

/// The rules of one component that a request allows, by group, with weights.
#[derive(Clone, Debug)]
pub struct RuleTable {
    groups: [Vec<(Rule, u32)>; 4],
}

/// The rules of a group, before anything is ruled out.
fn rules_of(group: Group) -> Vec<(Attribute, RuleKind)> {
    use Attribute::{Number, NumberPosition, Position};
    use RuleKind::{Arithmetic, Constant, DistributeThree, Progression};
    match group {
        Group::NumberPosition => vec![
            (Number, Progression),
            (Position, Progression),
            (Number, Arithmetic),
            (Position, Arithmetic),
            (Number, DistributeThree),
            (Position, DistributeThree),
            (NumberPosition, Constant),
        ],
        Group::Type => {
            [Progression, DistributeThree, Constant].map(|k| (Attribute::Type, k)).into()
        }
        Group::Size => RuleKind::ALL.map(|k| (Attribute::Size, k)).into(),
        Group::Color => RuleKind::ALL.map(|k| (Attribute::Color, k)).into(),
    }
}

/// Every rule of a group is equally likely before parameters are drawn, so the
/// weight of a rule is shared by its parameters: 4 is divisible by 1, 2 and 4.
fn with_steps((attribute, kind): (Attribute, RuleKind)) -> impl Iterator<Item = (Rule, u32)> {
    let steps = kind.steps();
    let weight = 4 / steps.len() as u32;
    steps.iter().map(move |&step| (Rule { attribute, kind, step }, weight))
}

impl RuleTable {
    /// The table of `component`, or the reason why it is empty.
    pub fn new(request: &Request, component: usize) -> Result<Self, PuzzleError> {
        let kind = request.layout.components()[component];
        let group = |group: Group| {
            let range = request.domain.range(kind, group_range(group));
            let possible: Vec<(Rule, u32)> = rules_of(group)
                .into_iter()
                .flat_map(with_steps)
                .filter(|&(rule, _)| narrow(range, rule).is_some())
                .collect();
            let allowed: Vec<(Rule, u32)> = possible
                .iter()
                .copied()
                .filter(|&(rule, _)| request.rules.allows(component, rule))
                .filter(|&(rule, _)| request.held_out.is_none_or(|h| !h.excludes(component, rule)))
                .collect();
            if allowed.is_empty() {
                Err(why_not(request, component, group, &possible))
            } else {
                Ok(allowed)
            }
        };
        let [a, b, c, d] = Group::ALL.map(group);
        Ok(Self { groups: [a?, b?, c?, d?] })
    }

    /// Draws one rule of each group.
    pub fn draw(&self, stream: &mut Stream) -> ComponentRules {
        ComponentRules(std::array::from_fn(|group| {
            let rules = &self.groups[group];
            let mut at = stream.below(rules.iter().map(|&(_, weight)| weight).sum());
            let mut drawn = rules[0].0;
            for &(rule, weight) in rules {
                drawn = rule;
                if at < weight {
                    break;
                }
                at -= weight;
            }
            drawn
        }))
    }

    /// Every rule of the component with its probability within its group.
    pub fn probabilities(&self) -> Vec<(Rule, f64)> {
        self.groups
            .iter()
            .flat_map(|rules| {
                let total: u32 = rules.iter().map(|&(_, weight)| weight).sum();
                rules.iter().map(move |&(rule, w)| (rule, f64::from(w) / f64::from(total)))
            })
            .collect()
    }
}

/// Says why nothing is left of a group.
fn why_not(
    request: &Request,
    component: usize,
    group: Group,
    possible: &[(Rule, u32)],
) -> PuzzleError {
    let layout = request.layout;
    let kind = layout.components()[component];
    let prefix = kind.prefix().map(|p| format!("{p}.")).unwrap_or_default();
    let impossible =
        |rule: String, reason: String| PuzzleError::Impossible { rule, layout, reason };
    let Some((attribute, rule, step)) = request.rules.stated(component, group) else {
        let attribute = group.attributes()[0];
        return impossible(
            format!("{prefix}{attribute}=none"),
            "every component has a rule on number/position, type, size and color".to_owned(),
        );
    };
    let step_text = step.map(|s| Rule::step_text(rule, s)).filter(|s| !s.is_empty());
    let text = match &step_text {
        Some(step) => format!("{prefix}{attribute}={rule}:{step}"),
        None => format!("{prefix}{attribute}={rule}"),
    };
    let reason = if !rules_of(group).contains(&(attribute, rule)) {
        format!("there is no {rule} on {attribute}")
    } else if group == Group::NumberPosition && kind.slot_count() == 1 {
        "there is one object in one place, so number and position never change".to_owned()
    } else if request
        .held_out
        .is_some_and(|h| possible.iter().any(|&(r, _)| h.excludes(component, r) && r.kind == rule))
    {
        "the held-out set leaves this rule out".to_owned()
    } else {
        let others: Vec<String> = possible
            .iter()
            .filter(|(r, _)| r.attribute == attribute && r.kind == rule)
            .map(|(r, _)| format!("{rule}:{}", Rule::step_text(rule, r.step)))
            .collect();
        let range = request.domain.range(kind, group_range(group));
        let values = range.count();
        if others.is_empty() {
            format!("{}, too few for it", levels_text(attribute, values))
        } else {
            format!(
                "it would leave the range ({}); possible here: {}",
                levels_text(attribute, values),
                others.join(", ")
            )
        }
    };
    impossible(text, reason)
}

fn levels_text(attribute: Attribute, values: usize) -> String {
    let plural = if values == 1 { "" } else { "s" };
    format!("{attribute} has {values} value{plural} here")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raven::{Layout, RuleMatrix, Set};

    fn reason(layout: Layout, text: &str) -> String {
        let mut request = Request::new(Set::IRaven, layout);
        request.rules = RuleMatrix::parse(text, layout).unwrap();
        let components = 0..layout.components().len();
        let error = components.map(|p| RuleTable::new(&request, p)).find_map(Result::err);
        error.expect("impossible").to_string()
    }

    #[test]
    fn impossible_rules_are_refused_with_the_reason() {
        let says = |layout, text, component: &str| {
            let message = reason(layout, text);
            assert!(message.contains(component), "{text}: {message}");
        };
        says(Layout::CenterSingle, "type=arithmetic", "there is no arithmetic on type");
        says(Layout::CenterSingle, "number=progression", "one object in one place");
        says(Layout::OutInCenter, "out.color=progression", "color has 1 value here, too few");
        says(Layout::OutInGrid, "in.size=progression:+2", "progression:-1, progression:+1");
        says(Layout::DistributeFour, "number=progression:-2", "leave the range");
        says(Layout::CenterSingle, "size=none", "every component has a rule");
    }

    /// Facts B2: the conditional distribution that the originals' rejection
    /// loop converges to.
    #[test]
    fn rule_probabilities_are_those_of_the_rejection_loop() {
        let probability = |layout, component, attribute, kind| -> f64 {
            let table = RuleTable::new(&Request::new(Set::Raven, layout), component).unwrap();
            table
                .probabilities()
                .iter()
                .filter(|(r, _)| r.attribute == attribute && r.kind == kind)
                .map(|(_, p)| p)
                .sum()
        };
        use Attribute::*;
        use RuleKind::*;
        for (layout, component, attribute, kind, wanted) in [
            (Layout::CenterSingle, 0, NumberPosition, Constant, 1.0),
            (Layout::DistributeFour, 0, Number, Progression, 1.0 / 12.0),
            (Layout::DistributeFour, 0, Position, Progression, 1.0 / 12.0),
            (Layout::DistributeFour, 0, Position, Arithmetic, 1.0 / 6.0),
            (Layout::DistributeNine, 0, Number, Progression, 1.0 / 7.0),
            (Layout::OutInCenter, 0, Size, Progression, 0.2),
            (Layout::OutInCenter, 0, Size, Arithmetic, 0.0),
            (Layout::OutInCenter, 0, Size, DistributeThree, 0.4),
            (Layout::OutInCenter, 0, Color, Constant, 1.0),
            (Layout::OutInGrid, 1, Size, Progression, 1.0 / 7.0),
            (Layout::OutInGrid, 1, Size, Arithmetic, 2.0 / 7.0),
            (Layout::LeftRight, 1, Type, DistributeThree, 1.0 / 3.0),
            (Layout::UpDown, 0, Color, Arithmetic, 0.25),
        ] {
            let found = probability(layout, component, attribute, kind);
            assert!(
                (found - wanted).abs() < 1e-12,
                "{layout} {component} {attribute} {kind}: {found}"
            );
        }
    }
}
