//! A panel of PGM or VAD in the clean style, and in words.

use genvp_puzzle::relations::render::corners;
use genvp_puzzle::relations::{
    Attribute, Line, LineType, Panel, Shape, ValueSet, grey, position_name, values_in_words,
};

use super::picture::{Mark, Paint, Picture, Rgb};
use super::style::{INK, PANEL};

/// Width of a line.
const STROKE: f32 = 3.0;
/// Width of a shape's outline.
const OUTLINE: f32 = 1.0;

/// A panel without frame: the lines, and the shapes above them.
pub fn relation_panel(panel: &Panel) -> Picture {
    let mut picture = Picture::new(PANEL, PANEL);
    picture.description = words(panel);
    picture.marks.extend(panel.lines.iter().map(line));
    picture.marks.extend(panel.shapes.iter().map(shape));
    picture
}

fn line(line: &Line) -> Mark {
    let color = Rgb::grey(grey(line.color));
    // Round ends stay inside the panel, on the line itself.
    let (near, far, middle) = (STROKE / 2.0, PANEL - STROKE / 2.0, PANEL / 2.0);
    let (before, after) = (middle - near, middle + near);
    let points = match line.kind {
        LineType::DiagonalDown => [(near, near), (far, far)],
        LineType::DiagonalUp => [(near, far), (far, near)],
        LineType::Vertical => [(middle, near), (middle, far)],
        LineType::Horizontal => [(near, middle), (far, middle)],
        LineType::UpperLeft => [(near, before), (before, near)],
        LineType::UpperRight => [(after, near), (far, before)],
        LineType::LowerRight => [(far, after), (after, far)],
        LineType::LowerLeft => [(before, far), (near, after)],
        LineType::Diamond => {
            let points = vec![(middle, 0.0), (PANEL, middle), (middle, PANEL), (0.0, middle)];
            return Mark::Polygon { points, paint: Paint::stroke(color, STROKE) };
        }
        LineType::Circle => {
            let paint = Paint::stroke(color, STROKE);
            return Mark::Circle { x: middle, y: middle, radius: PANEL / 5.0, paint };
        }
    };
    Mark::Line { points: points.to_vec(), color, width: STROKE }
}

fn shape(shape: &Shape) -> Mark {
    let place = |index: u8| PANEL * (0.25 + 0.25 * f32::from(index));
    let (x, y) = (place(shape.position % 3), place(shape.position / 3));
    let radius = PANEL * (0.035 + 0.0085 * f32::from(shape.size));
    let paint = Paint { fill: Some(Rgb::grey(grey(shape.color))), stroke: Some((INK, OUTLINE)) };
    let corners = corners(shape.kind);
    if corners.is_empty() {
        return Mark::Circle { x, y, radius, paint };
    }
    let unit = radius / 65536.0;
    let points = corners.iter().map(|[dx, dy]| (x + *dx as f32 * unit, y + *dy as f32 * unit));
    Mark::Polygon { points: points.collect(), paint }
}

/// A panel in words: `grey 3 star of size 5, top left; black diagonal down`.
pub fn words(panel: &Panel) -> String {
    let color = |attribute, value| values_in_words(attribute, ValueSet::of(value));
    let shapes = panel.shapes.iter().map(|shape| {
        let grey = color(Attribute::ShapeColor, shape.color);
        let (kind, place) = (shape.kind.name(), position_name(shape.position));
        format!("{grey} {kind} of size {}, {place}", shape.size)
    });
    let lines = panel.lines.iter().map(|line| {
        format!("{} line: {}", color(Attribute::LineColor, line.color), line.kind.name())
    });
    let all: Vec<String> = shapes.chain(lines).collect();
    if all.is_empty() { "nothing".to_owned() } else { all.join("; ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use genvp_puzzle::relations::ShapeType;
    use genvp_puzzle::relations::render::panels;

    /// The clean drawing and the datasets' pixels show the same thing.
    #[test]
    fn clean_panels_look_like_the_pixels() {
        for (index, kind) in ShapeType::ALL.into_iter().enumerate() {
            let mut panel = Panel::default();
            let (size, color) = (index as u8, (7 * index % 10) as u8);
            panel.lines.push(Line { kind: LineType::ALL[index], color });
            panel.shapes.push(Shape { position: (index % 9) as u8, kind, size, color });
            let mut picture = relation_panel(&panel);
            picture.background(Rgb::grey(255));
            let drawn = picture.raster(1.0).expect("a picture").grey();
            let difference: u64 =
                drawn.iter().zip(panels([&panel])).map(|(a, b)| u64::from(a.abs_diff(b))).sum();
            let mean = difference as f64 / drawn.len() as f64;
            assert!(mean < 1.0, "{kind:?} {:?}: {mean}", LineType::ALL[index]);
        }
    }

    #[test]
    fn a_panel_is_told_in_words() {
        let mut panel = Panel::default();
        assert_eq!(words(&panel), "nothing");
        panel.shapes.push(Shape { position: 0, kind: ShapeType::Star, size: 5, color: 3 });
        panel.lines.push(Line { kind: LineType::Vertical, color: genvp_puzzle::relations::BLACK });
        assert_eq!(words(&panel), "grey 3 star of size 5, top left; black line: vertical");
    }
}
