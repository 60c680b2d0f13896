//! What a panel shows, as Python's dictionaries (through JSON): levels as in the files.

use genvp_puzzle::family::AnyPuzzle;
use genvp_puzzle::raven::{self, Component, Domain, Entity, Layout};
use genvp_puzzle::relations::{self, BLACK, Line, LineType, Shape, ShapeType, Vocabulary};
use genvp_puzzle::{pgm, render, vad};
use serde::{Deserialize, Serialize};

/// The types of RAVEN's objects; the first is level 1.
const TYPES: [&str; 5] = ["triangle", "square", "pentagon", "hexagon", "circle"];

/// A panel of any family.
#[derive(Serialize, Deserialize)]
#[serde(tag = "family", rename_all = "lowercase", deny_unknown_fields)]
pub enum Scene {
    /// Objects in slots.
    Raven {
        /// Where they stand.
        layout: String,
        /// What the levels mean.
        #[serde(default = "standard")]
        domain: String,
        /// The objects of each component.
        components: Vec<Vec<Object>>,
    },
    /// Shapes above lines.
    Pgm {
        /// The shapes.
        shapes: Vec<ShapeScene>,
        /// The lines.
        lines: Vec<LineScene>,
    },
    /// Shapes above lines, of more types.
    Vad {
        /// The shapes.
        shapes: Vec<ShapeScene>,
        /// The lines.
        lines: Vec<LineScene>,
    },
}

fn standard() -> String {
    Domain::Standard.name().to_owned()
}

/// An object of RAVEN.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Object {
    slot: u8,
    #[serde(rename = "type")]
    kind: String,
    size: u8,
    color: u8,
    angle: u8,
}

/// A shape of PGM or VAD.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShapeScene {
    position: u8,
    #[serde(rename = "type")]
    kind: String,
    size: u8,
    color: u8,
}

/// A line of PGM or VAD.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineScene {
    #[serde(rename = "type")]
    kind: String,
    color: u8,
}

impl Scene {
    /// A panel of RAVEN.
    pub fn of_raven(panel: &raven::Panel, layout: Layout, domain: Domain) -> Self {
        let object = |entity: &Entity| Object {
            slot: entity.slot,
            kind: TYPES[usize::from(entity.shape).saturating_sub(1).min(4)].to_owned(),
            size: entity.size,
            color: entity.color,
            angle: entity.angle,
        };
        let component = |component: &Component| component.entities.iter().map(object).collect();
        Self::Raven {
            layout: layout.folder().to_owned(),
            domain: domain.name().to_owned(),
            components: panel.components.iter().map(component).collect(),
        }
    }

    /// A panel of PGM or VAD.
    pub fn of_relations(panel: &relations::Panel, vocabulary: Vocabulary) -> Self {
        let shape = |shape: &Shape| ShapeScene {
            position: shape.position,
            kind: shape.kind.name().to_owned(),
            size: shape.size,
            color: shape.color,
        };
        let line = |line: &Line| LineScene { kind: line.kind.name().to_owned(), color: line.color };
        let shapes = panel.shapes.iter().map(shape).collect();
        let lines = panel.lines.iter().map(line).collect();
        match vocabulary {
            Vocabulary::Pgm => Self::Pgm { shapes, lines },
            Vocabulary::Vad => Self::Vad { shapes, lines },
        }
    }

    /// The panels of a puzzle; `None` in families whose panels are no scenes.
    pub fn of_puzzle(puzzle: &dyn AnyPuzzle) -> Option<Vec<Self>> {
        let puzzle: &dyn std::any::Any = puzzle;
        if let Some(puzzle) = puzzle.downcast_ref::<raven::Puzzle>() {
            let scene = |panel| Self::of_raven(panel, puzzle.layout, puzzle.domain);
            return Some(puzzle.panels().map(scene).collect());
        }
        if let Some(puzzle) = puzzle.downcast_ref::<pgm::Puzzle>() {
            let scene = |panel| Self::of_relations(panel, Vocabulary::Pgm);
            return Some(puzzle.panels().map(scene).collect());
        }
        let puzzle = puzzle.downcast_ref::<vad::Puzzle>()?;
        let scene = |panel| Self::of_relations(panel, Vocabulary::Vad);
        Some(puzzle.panels().map(scene).collect())
    }

    /// Draws the panel, 160 pixels a side.
    ///
    /// # Errors
    /// When there is no such object, in words.
    pub fn draw_into(&self, out: &mut [u8]) -> Result<(), String> {
        match self {
            Self::Raven { layout, domain, components } => {
                let (layout, domain, panel) = raven_panel(layout, domain, components)?;
                render::panel_into(&panel, layout, domain, out);
            }
            Self::Pgm { shapes, lines } => {
                relations::render::panel_into(
                    &relation_panel(shapes, lines, Vocabulary::Pgm)?,
                    out,
                );
            }
            Self::Vad { shapes, lines } => {
                relations::render::panel_into(
                    &relation_panel(shapes, lines, Vocabulary::Vad)?,
                    out,
                );
            }
        }
        Ok(())
    }
}

fn raven_panel(
    layout: &str,
    domain: &str,
    components: &[Vec<Object>],
) -> Result<(Layout, Domain, raven::Panel), String> {
    let layout = Layout::parse(layout).ok_or_else(|| format!("there is no layout `{layout}`"))?;
    let domain = Domain::parse(domain).ok_or_else(|| format!("there is no domain `{domain}`"))?;
    let kinds = layout.components();
    if components.len() != kinds.len() {
        let (found, wanted) = (components.len(), kinds.len());
        return Err(format!("{found} components: {layout} has {wanted}"));
    }
    let mut panel = raven::Panel::default();
    for (objects, kind) in components.iter().zip(kinds) {
        let mut component = Component::default();
        for object in objects {
            let shape = place(&TYPES, &object.kind)? as u8 + 1;
            within("slot", object.slot, kind.slot_count())?;
            within("size", object.size, domain.sizes().len())?;
            within("color", object.color, domain.colors().len())?;
            within("angle", object.angle, domain.angles().len())?;
            if component.mask() >> object.slot & 1 == 1 {
                return Err(format!("two objects in slot {}", object.slot));
            }
            let Object { slot, size, color, angle, .. } = *object;
            component.entities.push(Entity { slot, shape, size, color, angle });
        }
        panel.components.push(component);
    }
    Ok((layout, domain, panel))
}

fn relation_panel(
    shapes: &[ShapeScene],
    lines: &[LineScene],
    vocabulary: Vocabulary,
) -> Result<relations::Panel, String> {
    let mut panel = relations::Panel::default();
    for shape in shapes {
        let names: Vec<_> = vocabulary.shapes().iter().map(|kind| kind.name()).collect();
        let kind = ShapeType::ALL[place(&names, &shape.kind)?];
        within("position", shape.position, 9)?;
        within("size", shape.size, 10)?;
        within("color", shape.color, 10)?;
        if panel.shapes.iter().any(|other| other.position == shape.position) {
            return Err(format!("two shapes in position {}", shape.position));
        }
        let ShapeScene { position, size, color, .. } = *shape;
        panel.shapes.push(Shape { position, kind, size, color });
    }
    for line in lines {
        let names: Vec<_> = vocabulary.lines().iter().map(|kind| kind.name()).collect();
        let kind = LineType::ALL[place(&names, &line.kind)?];
        within("color", line.color, usize::from(BLACK) + 1)?;
        if panel.lines.iter().any(|other| other.kind == kind) {
            return Err(format!("two lines `{}`", line.kind));
        }
        panel.lines.push(Line { kind, color: line.color });
    }
    panel.shapes.sort();
    panel.lines.sort();
    Ok(panel)
}

fn place(names: &[&str], name: &str) -> Result<usize, String> {
    let known = || format!("there is no type `{name}`: known are {}", names.join(", "));
    names.iter().position(|own| *own == name).ok_or_else(known)
}

fn within(what: &str, level: u8, count: usize) -> Result<(), String> {
    if usize::from(level) < count {
        return Ok(());
    }
    Err(format!("{what} {level}, wanted 0 to {}", count - 1))
}
