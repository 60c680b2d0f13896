//! Rules that occur together in a component.

use std::fmt;

use crate::raven::{Attribute, ComponentRules, PuzzleError, RuleKind};

/// One or more rules of one component, such as `size=arithmetic+color=progression`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combination(Vec<(Attribute, RuleKind)>);

impl Combination {
    /// Reads `ATTRIBUTE=RULE`, several of them joined by `+`.
    ///
    /// # Errors
    /// With the piece that names no rule, or says something about an attribute twice.
    pub fn parse(text: &str) -> Result<Self, PuzzleError> {
        let mut rules: Vec<(Attribute, RuleKind)> = Vec::new();
        for piece in text.split('+') {
            let not_a_rule = || PuzzleError::NotARule(piece.to_owned());
            let (attribute, kind) = piece.trim().split_once('=').ok_or_else(not_a_rule)?;
            let attribute = Attribute::parse(attribute).ok_or_else(not_a_rule)?;
            let kind = RuleKind::parse(kind).ok_or_else(not_a_rule)?;
            if rules.iter().any(|(other, _)| other.group() == attribute.group()) {
                return Err(PuzzleError::Twice(attribute.key().to_owned()));
            }
            rules.push((attribute, kind));
        }
        Ok(Self(rules))
    }

    /// Whether some component follows all of these rules.
    pub fn occurs_in(&self, rules: &[ComponentRules]) -> bool {
        rules.iter().any(|component| {
            self.0.iter().all(|&(attribute, kind)| {
                let own = component.of(attribute.group());
                own.attribute == attribute && own.kind == kind
            })
        })
    }
}

impl fmt::Display for Combination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules: Vec<String> =
            self.0.iter().map(|(a, k)| format!("{}={}", a.key(), k.key())).collect();
        f.write_str(&rules.join("+"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raven::make::{Maker, Request};
    use crate::raven::{Group, Layout, Set};

    #[test]
    fn what_is_written_is_read_back_and_nonsense_is_refused() {
        for text in ["size=arithmetic", "type=progression+color=distribute-three"] {
            assert_eq!(Combination::parse(text).unwrap().to_string(), text);
        }
        for text in
            ["", "size", "size=sideways", "shade=constant", "number=constant+position=constant"]
        {
            assert!(Combination::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_combination_occurs_where_one_component_follows_all_of_it() {
        let maker = Maker::new(Request::new(Set::IRaven, Layout::LeftRight)).unwrap();
        let both = Combination::parse("size=constant+color=arithmetic").unwrap();
        let found = (0..300).filter(|&index| {
            let puzzle = maker.puzzle(1, index).unwrap();
            let kinds = |group| puzzle.rules.iter().map(move |component| component.of(group).kind);
            let wanted = kinds(Group::Size)
                .zip(kinds(Group::Color))
                .any(|pair| pair == (RuleKind::Constant, RuleKind::Arithmetic));
            assert_eq!(both.occurs_in(&puzzle.rules), wanted);
            wanted
        });
        assert!(found.count() > 5);
    }
}
