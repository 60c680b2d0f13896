//! What a wrong choice changes in the answer.

use arrayvec::ArrayVec;

use crate::raven::{Attribute, Change, Component, Panel};

use super::Order;
use super::stated::looks;

/// The attributes in which a choice differs from the answer, component by
/// component: number, or else position; then type, size and color.
///
/// Where the number differs nothing more can be said about that component,
/// because its objects are new. Angles do not count. With `Order::Unknown`
/// objects that changed places are compared as a crowd, which misses two that
/// exchange a value.
pub fn changes(answer: &Panel, choice: &Panel, order: Order) -> ArrayVec<Change, 8> {
    let mut changes = ArrayVec::new();
    for (index, (answer, choice)) in answer.components.iter().zip(&choice.components).enumerate() {
        let component = index as u8;
        if answer.number() != choice.number() {
            changes.push(Change { component, attribute: Attribute::Number });
            continue;
        }
        let moved = answer.mask() != choice.mask();
        if moved {
            changes.push(Change { component, attribute: Attribute::Position });
        }
        for attribute in [Attribute::Type, Attribute::Size, Attribute::Color] {
            let same = match (moved, order) {
                (false, _) => levels(answer, attribute, true) == levels(choice, attribute, true),
                (true, Order::Made) => {
                    levels(answer, attribute, false) == levels(choice, attribute, false)
                }
                (true, Order::Unknown) => {
                    looks(answer, &[attribute]) == looks(choice, &[attribute])
                }
            };
            if !same {
                changes.push(Change { component, attribute });
            }
        }
    }
    changes
}

/// The levels of all objects, in the order of their slots or as made.
fn levels(component: &Component, attribute: Attribute, by_slot: bool) -> ArrayVec<Option<u8>, 9> {
    let mut entities = component.entities.clone();
    if by_slot {
        entities.sort_by_key(|e| e.slot);
    }
    entities.iter().map(|e| e.level(attribute)).collect()
}
