//! Writing a scene as the originals do: one line, attributes in alphabetical
//! order, no trailing line break.

use genvp_puzzle::{Group, Set};

use super::entity_text::{behind_color, put, slots};
use crate::{Changes, Scene};

/// The text of a puzzle's xml. I-RAVEN adds what each choice changes, where that
/// is known.
///
/// # Panics
/// When a level or slot is not one of the scene's domain and layout.
pub fn encode(scene: &Scene, set: Set) -> String {
    let mut text = String::with_capacity(64 << 10);
    text.push_str("<Data><Panels>");
    for panel in &scene.panels {
        put_all(&mut text, &["<Panel><Struct name=\"", scene.layout.structure_name(), "\">"]);
        for (id, (&kind, component)) in
            scene.layout.components().iter().zip(&panel.components).enumerate()
        {
            put_all(
                &mut text,
                &[
                    "<Component id=\"",
                    digit(id as u8),
                    "\" name=\"",
                    kind.component_name(),
                    "\"><Layout Number=\"",
                    digit(component.number() as u8),
                    "\" Position=\"",
                    slots(kind),
                    "\" Uniformity=\"",
                    digit(scene.uniformity[id]),
                    "\" name=\"",
                    kind.layout_name(),
                    "\">",
                ],
            );
            for entity in &component.entities {
                put_all(
                    &mut text,
                    &[
                        "<Entity Angle=\"",
                        digit(entity.angle),
                        "\" Color=\"",
                        digit(entity.color),
                        behind_color(kind, entity, scene.domain),
                    ],
                );
            }
            text.push_str("</Layout></Component>");
        }
        text.push_str("</Struct></Panel>");
    }
    text.push_str("</Panels>");
    put_rules(&mut text, scene);
    if let (Set::IRaven, Some(changes)) = (set, &scene.changes) {
        put_changes(&mut text, changes);
    }
    text.push_str("</Data>");
    text
}

fn put_all(text: &mut String, pieces: &[&str]) {
    for piece in pieces {
        text.push_str(piece);
    }
}

/// Levels have one digit in every domain.
fn digit(level: u8) -> &'static str {
    const DIGITS: &str = "0123456789";
    let at = usize::from(level);
    &DIGITS[at..=at]
}

fn put_rules(text: &mut String, scene: &Scene) {
    text.push_str("<Rules>");
    for component in 0..scene.layout.components().len() {
        put(text, format_args!("<Rule_Group id=\"{component}\">"));
        for group in Group::ALL {
            if let Some((attribute, kind, _)) = scene.rules.stated(component, group) {
                put(
                    text,
                    format_args!("<Rule attr=\"{}\" name=\"{}\" />", attribute.name(), kind.name()),
                );
            }
        }
        text.push_str("</Rule_Group>");
    }
    text.push_str("</Rules>");
}

fn put_changes(text: &mut String, changes: &Changes) {
    text.push_str("<Modified_attributes>");
    for (id, changes) in changes.iter().enumerate() {
        if changes.is_empty() {
            put(text, format_args!("<Candidate id=\"{id}\" />"));
            continue;
        }
        put(text, format_args!("<Candidate id=\"{id}\">"));
        for change in changes {
            put(
                text,
                format_args!(
                    "<Attribute component_id=\"{}\" name=\"{}\" />",
                    change.component,
                    change.attribute.name()
                ),
            );
        }
        text.push_str("</Candidate>");
    }
    text.push_str("</Modified_attributes>");
}
