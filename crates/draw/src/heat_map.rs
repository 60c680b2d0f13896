//! A table of values as colored cells, such as the probabilities of rules.

use super::font::{self, CAPITAL, Weight};
use super::picture::{Anchor, Area, Mark, Paint, Picture, Rgb, Text};
use super::style::{EDGE, FRAME, LINE, MUTED, PAPER, TEXT};

/// What a heat map shows.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct HeatMap {
    /// A heading; may be empty.
    pub title: String,
    /// Labels of the rows, from the top.
    pub rows: Vec<String>,
    /// Labels of the columns, from the left.
    pub columns: Vec<String>,
    /// The values, row by row; a missing or undefined one is drawn as a dash.
    pub values: Vec<Vec<f32>>,
    /// The values of the palest and of the darkest color.
    pub range: (f32, f32),
    /// Cells (row, column) that get a thick outline, such as the true rules.
    pub marked: Vec<(usize, usize)>,
}

const CELL: (f32, f32) = (104.0, 32.0);
const GAP: f32 = 2.0;
const MARGIN: f32 = 24.0;
const TITLE: f32 = 18.0;
const SIZE: f32 = 14.0;
const BAR: f32 = 14.0;

/// Pale to dark in one hue, so that it reads in grey and to every kind of color
/// vision.
const SCALE: [Rgb; 5] = [
    Rgb(246, 249, 252),
    Rgb(198, 219, 239),
    Rgb(107, 174, 214),
    Rgb(33, 113, 181),
    Rgb(8, 48, 107),
];

/// The outline of marked cells: stands out from every blue of the scale.
const MARK: Rgb = Rgb(213, 94, 0);

impl HeatMap {
    /// Where a value lies in the range, 0 to 1; `None` if it is undefined.
    fn share(&self, value: f32) -> Option<f32> {
        let (low, high) = self.range;
        let span = if high > low { high - low } else { 1.0 };
        value.is_finite().then(|| ((value - low) / span).clamp(0.0, 1.0))
    }

    fn value(&self, row: usize, column: usize) -> Option<f32> {
        self.values.get(row)?.get(column).copied().filter(|v| v.is_finite())
    }
}

fn color(share: f32) -> Rgb {
    let at = share * (SCALE.len() - 1) as f32;
    let step = (at as usize).min(SCALE.len() - 2);
    SCALE[step].mix(SCALE[step + 1], at - step as f32)
}

/// Draws a heat map with its labels, values and color scale.
pub fn heat_map(map: &HeatMap) -> Picture {
    let (wide, high) = CELL;
    let label_width = map
        .rows
        .iter()
        .map(|label| font::width(label, SIZE, Weight::Regular))
        .fold(0.0, f32::max)
        .min(260.0)
        .ceil();
    let left = MARGIN + if label_width > 0.0 { label_width + 12.0 } else { 0.0 };
    let grid_width = map.columns.len() as f32 * (wide + GAP) - GAP;
    let bar_x = left + grid_width + 24.0;
    let width = bar_x + BAR + 8.0 + 44.0 + MARGIN;
    let heading = font::wrap(&map.title, TITLE, Weight::Bold, width - 2.0 * MARGIN);
    let heading_height =
        if heading.is_empty() { 0.0 } else { heading.len() as f32 * TITLE * LINE + 8.0 };
    let top = MARGIN + heading_height + SIZE * 1.8;
    let grid_height = (map.rows.len() as f32 * (high + GAP) - GAP).max(high);
    let mut picture = Picture::new(width, top + grid_height + MARGIN);

    super::puzzle::write_lines(&mut picture, &heading, (MARGIN, MARGIN - 4.0), TITLE);
    for (column, label) in map.columns.iter().enumerate() {
        let x = left + column as f32 * (wide + GAP) + wide / 2.0;
        let content = font::fit(label, SIZE, Weight::Regular, wide);
        picture.text(written(content, x, top - SIZE * 0.7, Anchor::Middle, MUTED));
    }
    for (row, label) in map.rows.iter().enumerate() {
        let y = top + row as f32 * (high + GAP);
        let content = font::fit(label, SIZE, Weight::Regular, label_width);
        picture.text(written(content, left - 12.0, centred(y), Anchor::End, TEXT));
        for column in 0..map.columns.len() {
            let x = left + column as f32 * (wide + GAP);
            cell(&mut picture, map, (row, column), (x, y));
        }
    }
    for &(row, column) in &map.marked {
        let x = left + column as f32 * (wide + GAP);
        let y = top + row as f32 * (high + GAP);
        let area = Area::new(x, y, wide, high).grown(-0.5);
        picture.rounded(area, 2.0, Paint::stroke(MARK, 3.0));
    }
    color_bar(&mut picture, map, Area::new(bar_x, top, BAR, grid_height));
    picture.background(PAPER);
    picture.title = if map.title.is_empty() { "Heat map".to_owned() } else { map.title.clone() };
    picture.description = described(map);
    picture
}

/// A cell of the map with its value, the upper left corner at `(x, y)`.
fn cell(picture: &mut Picture, map: &HeatMap, (row, column): (usize, usize), (x, y): (f32, f32)) {
    let (wide, high) = CELL;
    let value = map.value(row, column);
    let shade = value.and_then(|v| map.share(v)).map_or(PAPER, color);
    let content = value.map_or_else(|| "–".to_owned(), |v| format!("{v:.2}"));
    let content = font::fit(&content, SIZE, Weight::Regular, wide);
    let ink = if shade.luma() < 140 { PAPER } else { TEXT };
    picture.rect(Area::new(x, y, wide, high), shade);
    picture.text(written(content, x + wide / 2.0, centred(y), Anchor::Middle, ink));
}

fn written(content: String, x: f32, y: f32, anchor: Anchor, color: Rgb) -> Text {
    Text { content, x, y, size: SIZE, weight: Weight::Regular, anchor, color }
}

/// The base line of words in the middle of a cell that begins at `y`.
fn centred(y: f32) -> f32 {
    y + (CELL.1 + SIZE * CAPITAL) / 2.0
}

fn color_bar(picture: &mut Picture, map: &HeatMap, area: Area) {
    let steps = 48;
    let step = area.height / steps as f32;
    picture.rounded(area.grown(0.5), 0.0, Paint::stroke(FRAME, 1.0));
    for index in 0..steps {
        let shade = color(1.0 - (index as f32 + 0.5) / steps as f32);
        picture.rect(Area::new(area.x, area.y + index as f32 * step, area.width, step), shade);
    }
    let (low, high) = map.range;
    for share in [0.0, 0.5, 1.0] {
        let y = area.y + (1.0 - share) * area.height;
        let right = area.x + area.width;
        let points = vec![(right, y), (right + 4.0, y)];
        picture.marks.push(Mark::Line { points, color: EDGE, width: 1.0 });
        let content = format!("{:.2}", low + (high - low) * share);
        picture.text(Text {
            content: font::fit(&content, 12.0, Weight::Regular, 44.0),
            x: right + 8.0,
            y: y + 12.0 * CAPITAL / 2.0,
            size: 12.0,
            weight: Weight::Regular,
            anchor: Anchor::Start,
            color: MUTED,
        });
    }
}

/// The largest value of every row, which is what a map is looked at for.
fn described(map: &HeatMap) -> String {
    let rows: Vec<String> = map
        .rows
        .iter()
        .enumerate()
        .filter_map(|(row, label)| {
            let best = (0..map.columns.len())
                .filter_map(|column| Some((column, map.value(row, column)?)))
                .max_by(|a, b| a.1.total_cmp(&b.1))?;
            Some(format!("{label}: {} {:.2}.", map.columns[best.0], best.1))
        })
        .collect();
    format!("Largest value of each row. {}", rows.join(" "))
}
