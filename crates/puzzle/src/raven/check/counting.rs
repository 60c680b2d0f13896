//! Which rules are worth asking about.

use crate::raven::{Domain, Group, Layout};

use super::Stated;
use super::hypotheses::possible;

/// The attribute groups that can carry more than one rule, by component. Number
/// and position are one group; those of a single object tell nothing, and
/// neither does the color of an outer object that is always white.
pub fn bearing(layout: Layout, domain: Domain) -> Vec<(usize, Group)> {
    let carries = |component: usize, group: Group| {
        let rules = possible(layout.components()[component], domain, group);
        let names = |i: usize| (rules[i].0.attribute, rules[i].0.kind);
        (1..rules.len()).any(|i| names(i) != names(0))
    };
    (0..layout.components().len())
        .flat_map(|component| Group::ALL.map(|group| (component, group)))
        .filter(|&(component, group)| carries(component, group))
        .collect()
}

/// The rules by which a guess or a drawing is marked: those that
/// [can carry more than one](bearing), but for a constant that is
/// [noise](Stated::is_noise).
pub fn counted(stated: &Stated<'_>, domain: Domain) -> Vec<(usize, Group)> {
    let mut groups = bearing(stated.layout, domain);
    groups.retain(|&(component, group)| !stated.is_noise(component, group));
    groups
}

/// Whether two rule matrices, by the [columns](crate::raven::RuleMatrix::columns) of
/// their rows, agree on a group of a component.
pub fn same_rule(a: &[usize; 12], b: &[usize; 12], component: usize, group: Group) -> bool {
    group.attributes().iter().all(|attribute| {
        let row = component * 6 + attribute.index();
        a[row] == b[row]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raven::make::{Maker, Request};
    use crate::raven::{RuleMatrix, Set};

    #[test]
    fn only_attributes_that_can_carry_a_rule_count() {
        let count = |layout| bearing(layout, Domain::Standard).len();
        assert_eq!(count(Layout::CenterSingle), 3, "one object: its number and place tell nothing");
        assert_eq!(count(Layout::DistributeNine), 4);
        assert_eq!(count(Layout::LeftRight), 6);
        assert_eq!(count(Layout::OutInGrid), 2 + 4, "the outer object is always white");
    }

    #[test]
    fn noise_occurs_in_grids_alone_and_rules_agree_with_themselves() {
        for layout in Layout::ALL {
            let maker = Maker::new(Request::new(Set::IRaven, layout)).unwrap();
            let mut noise = 0;
            for index in 0..40 {
                let puzzle = maker.puzzle(4, index).unwrap();
                let rules = RuleMatrix::of(&puzzle.rules).columns();
                let counted = counted(&Stated::of(&puzzle), Domain::Standard);
                noise += bearing(layout, Domain::Standard).len() - counted.len();
                assert!(!counted.is_empty());
                assert!(counted.iter().all(|&(p, g)| same_rule(&rules, &rules, p, g)));
                assert!(!counted.iter().any(|&(p, g)| same_rule(&rules, &[0; 12], p, g)));
            }
            assert_eq!(
                noise > 0,
                layout.components().iter().any(|p| p.slot_count() > 1),
                "{layout}"
            );
        }
    }
}
