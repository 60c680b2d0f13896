//! Building the answer instead of choosing it: what a panel may hold, drawing one, and marking
//! it by the rules. Any panel that keeps them all is right, not only the one that was made.

use std::any::Any;

use genvp_draw::{Picture, bare_panel, relation_panel};
use genvp_puzzle::check::{self, FoundRules, Sight, broken_rules};
use genvp_puzzle::raven::judge::{RuleSpec, judge_scene};
use genvp_puzzle::relations::{self, Attribute as Aspect, Vocabulary};
use genvp_puzzle::{Attribute, Entity, Puzzle, RuleMatrix, pgm, vad};
use serde::Deserialize;
use serde_json::{Value, json};

use super::puzzle::panel_json;
use super::{PuzzleRef, Refusal};

/// Upright, as the datasets have it; no rule speaks about angles.
const UPRIGHT: u8 = 3;

/// Which puzzle.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    puzzle: PuzzleRef,
}

/// Which puzzle, and what was built.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Built {
    puzzle: PuzzleRef,
    panel: Panel,
}

/// A built panel: objects by component in RAVEN, shapes and lines in PGM and VAD.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Panel {
    #[serde(default)]
    components: Vec<Vec<Object>>,
    #[serde(default)]
    shapes: Vec<Shape>,
    #[serde(default)]
    lines: Vec<Line>,
}

/// An object of RAVEN, by its levels.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Object {
    slot: u8,
    shape: u8,
    size: u8,
    color: u8,
    #[serde(default = "upright")]
    angle: u8,
}

fn upright() -> u8 {
    UPRIGHT
}

/// A shape of PGM or VAD.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    position: u8,
    shape: u8,
    size: u8,
    color: u8,
}

/// A line of PGM or VAD.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    line: u8,
    color: u8,
}

/// A made puzzle of a family whose panels can be built.
enum Board<'p> {
    Raven(&'p Puzzle),
    Pgm(&'p pgm::Puzzle),
    Vad(&'p vad::Puzzle),
}

impl<'p> Board<'p> {
    fn of(puzzle: &'p dyn Any) -> Result<Self, Refusal> {
        let raven = puzzle.downcast_ref().map(Self::Raven);
        let pgm = || puzzle.downcast_ref().map(Self::Pgm);
        let vad = || puzzle.downcast_ref().map(Self::Vad);
        raven
            .or_else(pgm)
            .or_else(vad)
            .ok_or_else(|| Refusal::impossible("panels of this family cannot be built"))
    }

    fn vocabulary(&self) -> Vocabulary {
        if matches!(self, Self::Vad(_)) { Vocabulary::Vad } else { Vocabulary::Pgm }
    }
}

/// What a panel of the puzzle may hold.
pub fn builder(request: &Question) -> Result<Value, Refusal> {
    let made = request.puzzle.make()?;
    let board = Board::of(made.puzzle.as_ref())?;
    let Board::Raven(puzzle) = board else {
        let vocabulary = board.vocabulary();
        let names = |n: u8, name: &dyn Fn(u8) -> String| {
            (0..n).map(|value| json!({ "value": value, "name": name(value) })).collect::<Vec<_>>()
        };
        let words = |aspect: Aspect| {
            let count = vocabulary.value_count(aspect);
            names(count, &|v| relations::values_in_words(aspect, relations::ValueSet::of(v)))
        };
        let mut line_colors = words(Aspect::LineColor);
        line_colors.push(json!({ "value": relations::BLACK, "name": "black" }));
        return Ok(json!({
            "shapes": {
                "positions": words(Aspect::ShapePosition), "shapes": words(Aspect::ShapeType),
                "sizes": words(Aspect::ShapeSize), "colors": words(Aspect::ShapeColor),
            },
            "lines": { "lines": words(Aspect::LineType), "colors": line_colors },
        }));
    };
    let components: Vec<Value> = puzzle
        .layout
        .components()
        .iter()
        .map(|&kind| {
            let levels = |attribute, name: &dyn Fn(usize) -> String| {
                let levels = puzzle.domain.range(kind, attribute).iter();
                levels
                    .map(|level| json!({ "value": level, "name": name(level as usize) }))
                    .collect::<Vec<_>>()
            };
            // Named as in what is said of a broken rule.
            let size = |level: usize| puzzle.domain.sizes()[level].to_string();
            let color = |level: usize| match puzzle.domain.colors()[level] {
                255 => "white".to_owned(),
                0 => "black".to_owned(),
                grey => format!("grey {grey}"),
            };
            let slots: Vec<Value> = kind
                .slots()
                .iter()
                .map(|s| json!({ "x": s.x, "y": s.y, "side": s.side }))
                .collect();
            json!({
                "name": kind.prefix(),
                "slots": slots,
                "shapes": ["triangle", "square", "pentagon", "hexagon", "circle"],
                "sizes": levels(Attribute::Size, &size),
                "colors": levels(Attribute::Color, &color),
            })
        })
        .collect();
    Ok(json!({ "components": components }))
}

/// Draws a built panel.
pub fn panel(request: &Built) -> Result<Value, Refusal> {
    let made = request.puzzle.make()?;
    let picture: Picture = match Board::of(made.puzzle.as_ref())? {
        Board::Raven(puzzle) => {
            bare_panel(&request.panel.raven(puzzle, true)?, puzzle.layout, puzzle.domain)
        }
        board => relation_panel(&request.panel.relations(board.vocabulary())?),
    };
    Ok(panel_json(&picture))
}

/// Marks a built panel.
pub fn mark(request: &Built) -> Result<Value, Refusal> {
    let made = request.puzzle.make()?;
    let (broken, is_answer): (Vec<String>, bool) = match Board::of(made.puzzle.as_ref())? {
        Board::Raven(puzzle) => mark_raven(puzzle, &request.panel)?,
        Board::Pgm(puzzle) => {
            let panel = request.panel.relations(Vocabulary::Pgm)?;
            let broken = pgm::broken(&puzzle.context, &panel, &puzzle.structure);
            (broken.iter().map(ToString::to_string).collect(), panel == *puzzle.answer())
        }
        Board::Vad(puzzle) => {
            let panel = request.panel.relations(Vocabulary::Vad)?;
            let broken = vad::broken(&puzzle.context, &panel, puzzle.analogy);
            (broken.iter().map(ToString::to_string).collect(), panel == *puzzle.answer())
        }
    };
    Ok(json!({ "right": broken.is_empty(), "broken": broken, "as_in_the_key": is_answer }))
}

/// By the checker, which says what is wrong, and by the judge, who also asks that what cannot
/// vary in the layout is as the engine draws it.
fn mark_raven(puzzle: &Puzzle, built: &Panel) -> Result<(Vec<String>, bool), Refusal> {
    let panel = built.raven(puzzle, false)?;
    let broken = broken_rules(
        &puzzle.context,
        &panel,
        puzzle.layout,
        puzzle.domain,
        Sight::Levels,
        &FoundRules::stated(puzzle),
    );
    let mut broken: Vec<String> = broken.iter().map(ToString::to_string).collect();
    let is_answer = check::visibly_equal(&panel, puzzle.answer(), puzzle.layout, puzzle.domain);
    if broken.is_empty() && !is_answer {
        let [a, b, c, d, e, f, g, h] = puzzle.context.clone();
        let asked = RuleSpec::new(puzzle.layout, RuleMatrix::of(&puzzle.rules))?;
        let verdict = judge_scene([a, b, c, d, e, f, g, h, panel], &asked);
        if !verdict.agrees() {
            broken.push(verdict.words());
        }
    }
    Ok((broken, is_answer))
}

impl Panel {
    /// The panel as a scene of RAVEN. While it is being built it may be empty.
    fn raven(&self, puzzle: &Puzzle, unfinished: bool) -> Result<genvp_puzzle::Panel, Refusal> {
        let kinds = puzzle.layout.components();
        if self.components.len() != kinds.len() || !self.shapes.is_empty() || !self.lines.is_empty()
        {
            let message = format!("panel: {} components wanted", kinds.len());
            return Err(Refusal::impossible(message));
        }
        let mut panel = genvp_puzzle::Panel::default();
        for (objects, &kind) in self.components.iter().zip(kinds) {
            let mut component = genvp_puzzle::Component::default();
            if objects.is_empty() && !unfinished {
                let name = kind.prefix().map(|name| format!(" ({name})")).unwrap_or_default();
                return Err(Refusal::impossible(format!("panel: no object is placed yet{name}")));
            }
            for object in objects {
                let Object { slot, shape, size, color, angle } = *object;
                let ranges = [
                    ("slot", slot, usize::from(slot) < kind.slot_count()),
                    ("shape", shape, within(puzzle, kind, Attribute::Type, shape)),
                    ("size", size, within(puzzle, kind, Attribute::Size, size)),
                    ("color", color, within(puzzle, kind, Attribute::Color, color)),
                    ("angle", angle, usize::from(angle) < puzzle.domain.angles().len()),
                ];
                if let Some((what, value, _)) = ranges.iter().find(|(_, _, fits)| !fits) {
                    let message = format!("panel: there is no {what} {value} in this layout");
                    return Err(Refusal::impossible(message));
                }
                if component.mask() >> slot & 1 == 1 {
                    return Err(Refusal::impossible(format!("panel: two objects in slot {slot}")));
                }
                component.entities.push(Entity { slot, shape, size, color, angle });
            }
            panel.components.push(component);
        }
        Ok(panel)
    }

    /// The panel as a scene of PGM or VAD.
    fn relations(&self, vocabulary: Vocabulary) -> Result<relations::Panel, Refusal> {
        if !self.components.is_empty() {
            return Err(Refusal::impossible("panel: shapes and lines wanted, not components"));
        }
        let below = |what: &str, value: u8, aspect: Aspect| {
            if value < vocabulary.value_count(aspect) {
                return Ok(usize::from(value));
            }
            Err(Refusal::impossible(format!("panel: there is no {what} {value} in this family")))
        };
        let mut panel = relations::Panel::default();
        for shape in &self.shapes {
            let Shape { position, size, color, .. } = *shape;
            below("position", position, Aspect::ShapePosition)?;
            below("size", size, Aspect::ShapeSize)?;
            below("color", color, Aspect::ShapeColor)?;
            let kind = vocabulary.shapes()[below("shape", shape.shape, Aspect::ShapeType)?];
            if panel.shapes.iter().any(|other| other.position == position) {
                let message = format!("panel: two shapes at position {position}");
                return Err(Refusal::impossible(message));
            }
            panel.shapes.push(relations::Shape { position, kind, size, color });
        }
        for line in &self.lines {
            let kind = vocabulary.lines()[below("line", line.line, Aspect::LineType)?];
            if line.color != relations::BLACK {
                below("color", line.color, Aspect::LineColor)?;
            }
            if panel.lines.iter().any(|other| other.kind == kind) {
                return Err(Refusal::impossible(format!("panel: the {} twice", kind.name())));
            }
            panel.lines.push(relations::Line { kind, color: line.color });
        }
        panel.shapes.sort();
        panel.lines.sort();
        Ok(panel)
    }
}

fn within(puzzle: &Puzzle, kind: genvp_puzzle::ComponentKind, what: Attribute, level: u8) -> bool {
    puzzle.domain.range(kind, what).contains(i32::from(level))
}
