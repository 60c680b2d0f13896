//! The rule matrix that each of the eight completions teaches.

use super::check::{self, Order, Stated};
use super::{Attribute, Group, Puzzle, RuleMatrix};

/// The rule of every attribute of a completed puzzle, 0 for none.
pub type Labels = [u8; RuleMatrix::ATTRIBUTES];

/// R for the answer, R⁻ for the wrong choices, in the order of the choices.
///
/// In R⁻ the row of every attribute that the choice changes is none; a change
/// of number or position clears the row that is active in that group. So is
/// every row whose rule the choice no longer obeys: a RAVEN choice with another
/// number of objects has all of them new, and breaks other rules on the way.
pub fn of_choices(puzzle: &Puzzle) -> [Labels; 8] {
    let right = RuleMatrix::of(&puzzle.rules).columns().map(|column| column as u8);
    let stated = Stated::of(puzzle);
    let [.., seventh, eighth] = &puzzle.context;
    std::array::from_fn(|choice| {
        let mut labels = right;
        if choice == usize::from(puzzle.target) {
            return labels;
        }
        for change in &puzzle.changes[choice] {
            clear(&mut labels, usize::from(change.component), change.attribute.group());
        }
        let ninth = &puzzle.choices[choice];
        for component in 0..puzzle.rules.len() {
            let row = [seventh, eighth, ninth].map(|panel| &panel.components[component]);
            for group in Group::ALL {
                if !check::holds(&stated, component, group, 2, row, Order::Unknown) {
                    clear(&mut labels, component, group);
                }
            }
        }
        labels
    })
}

/// A group has one active row, so clearing all of them clears that one.
fn clear(labels: &mut Labels, component: usize, group: Group) {
    for attribute in group.attributes() {
        labels[component * Attribute::ALL.len() + attribute.index()] = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raven::make::{Maker, Request};
    use crate::raven::{Layout, Set};

    fn puzzles() -> impl Iterator<Item = Puzzle> {
        let kinds = [Set::Raven, Set::IRaven].into_iter().flat_map(|set| {
            Layout::ALL.map(|layout| Maker::new(Request::new(set, layout)).unwrap())
        });
        kinds
            .flat_map(|maker| (0..60).map(move |i| maker.puzzle(5, i).unwrap()).collect::<Vec<_>>())
    }

    #[test]
    fn the_answer_teaches_the_puzzles_own_rules() {
        for puzzle in puzzles() {
            let labels = of_choices(&puzzle)[usize::from(puzzle.target)];
            assert_eq!(labels.map(usize::from), RuleMatrix::of(&puzzle.rules).columns());
            let active = labels.iter().filter(|&&l| l != 0).count();
            assert_eq!(active, 4 * puzzle.rules.len());
        }
    }

    #[test]
    fn every_wrong_choice_clears_what_it_changes_and_what_it_breaks_and_nothing_else() {
        let mut beyond_changes = 0;
        for puzzle in puzzles() {
            let all = of_choices(&puzzle);
            let right = all[usize::from(puzzle.target)];
            let stated = Stated::of(&puzzle);
            for (choice, labels) in
                all.iter().enumerate().filter(|(c, _)| *c != usize::from(puzzle.target))
            {
                for component in 0..puzzle.rules.len() {
                    for group in Group::ALL {
                        let rule = puzzle.rules[component].of(group);
                        let row = component * 6 + rule.attribute.index();
                        let changed = puzzle.changes[choice].iter().any(|c| {
                            usize::from(c.component) == component && c.attribute.group() == group
                        });
                        let panels =
                            [&puzzle.context[6], &puzzle.context[7], &puzzle.choices[choice]];
                        let holds = check::holds(
                            &stated,
                            component,
                            group,
                            2,
                            panels.map(|p| &p.components[component]),
                            Order::Unknown,
                        );
                        assert_eq!(labels[row] == 0, changed || !holds);
                        assert!(labels[row] == 0 || labels[row] == right[row]);
                        beyond_changes += u32::from(!changed && !holds);
                    }
                }
                assert_ne!(*labels, right, "a wrong choice obeys all rules");
            }
        }
        assert!(beyond_changes > 0, "RAVEN's changes of number break other rules too");
    }

    #[test]
    fn only_changes_of_number_break_more_than_they_name() {
        let mut named_but_unbroken = 0;
        for puzzle in puzzles() {
            let right = RuleMatrix::of(&puzzle.rules).columns();
            for (choice, labels) in of_choices(&puzzle).iter().enumerate() {
                let groups = |component: usize| {
                    puzzle.changes[choice]
                        .iter()
                        .filter(move |c| usize::from(c.component) == component)
                };
                for component in 0..puzzle.rules.len() {
                    let cleared = (component * 6..component * 6 + 6)
                        .filter(|&row| usize::from(labels[row]) != right[row])
                        .count();
                    let number = groups(component).any(|c| c.attribute == Attribute::Number);
                    let mut named: Vec<Group> =
                        groups(component).map(|c| c.attribute.group()).collect();
                    named.dedup();
                    named_but_unbroken += usize::from(number);
                    if !number {
                        assert_eq!(cleared, named.len());
                    }
                }
            }
        }
        assert!(named_but_unbroken > 0);
    }
}
