//! Writing a scene as the originals do: one line, attributes in alphabetical
//! order, no trailing line break.

use std::fmt::Write;

use genvp_puzzle::render::annotate;
use genvp_puzzle::{Entity, Group, PartKind, Set, Slot};

use crate::Scene;

/// The text of a puzzle's xml. I-RAVEN adds what each choice changes.
///
/// # Panics
/// When a level or slot is not one of the scene's domain and layout, or an
/// I-RAVEN scene does not know its changes.
pub fn encode(scene: &Scene, set: Set) -> String {
    let mut text = String::with_capacity(64 << 10);
    text.push_str("<Data><Panels>");
    for panel in &scene.panels {
        put(&mut text, format_args!("<Panel><Struct name=\"{}\">", scene.layout.structure_name()));
        for (id, (&kind, part)) in scene.layout.parts().iter().zip(&panel.parts).enumerate() {
            put(
                &mut text,
                format_args!("<Component id=\"{id}\" name=\"{}\">", kind.component_name()),
            );
            put(&mut text, format_args!("<Layout Number=\"{}\" Position=\"[", part.number()));
            for (index, slot) in kind.slots().iter().enumerate() {
                text.push_str(if index == 0 { "" } else { ", " });
                put_slot(&mut text, slot);
            }
            put(
                &mut text,
                format_args!(
                    "]\" Uniformity=\"{}\" name=\"{}\">",
                    scene.uniformity[id],
                    kind.layout_name()
                ),
            );
            for entity in &part.entities {
                put_entity(&mut text, kind, entity, scene);
            }
            text.push_str("</Layout></Component>");
        }
        text.push_str("</Struct></Panel>");
    }
    text.push_str("</Panels>");
    put_rules(&mut text, scene);
    if set == Set::IRaven {
        put_changes(&mut text, scene);
    }
    text.push_str("</Data>");
    text
}

fn put(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("writing to a String cannot fail");
}

/// Whole numbers stay whole: `[0.5, 0.5, 1, 1]`.
fn put_slot(text: &mut String, slot: &Slot) {
    let Slot { y, x, side } = slot;
    put(text, format_args!("[{y}, {x}, {side}, {side}]"));
}

fn put_entity(text: &mut String, kind: PartKind, entity: &Entity, scene: &Scene) {
    let Entity { slot, shape, size, color, angle } = entity;
    put(
        text,
        format_args!(
            "<Entity Angle=\"{angle}\" Color=\"{color}\" Size=\"{size}\" Type=\"{shape}\" bbox=\""
        ),
    );
    put_slot(text, &kind.slots()[usize::from(*slot)]);
    let annotation = annotate(kind, entity, scene.domain);
    text.push_str("\" mask=\"");
    text.push_str(&annotation.mask);
    // The debug form of a float keeps the ".0" that Python's does.
    let [y, x, height, width] = annotation.real_bbox;
    put(text, format_args!("\" real_bbox=\"[{y:?}, {x:?}, {height:?}, {width:?}]\" />"));
}

fn put_rules(text: &mut String, scene: &Scene) {
    text.push_str("<Rules>");
    for part in 0..scene.layout.parts().len() {
        put(text, format_args!("<Rule_Group id=\"{part}\">"));
        for group in Group::ALL {
            if let Some((attribute, kind, _)) = scene.rules.stated(part, group) {
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

fn put_changes(text: &mut String, scene: &Scene) {
    let changes = scene.changes.as_ref().expect("an I-RAVEN scene knows its changes");
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
                    change.part,
                    change.attribute.name()
                ),
            );
        }
        text.push_str("</Candidate>");
    }
    text.push_str("</Modified_attributes>");
}
