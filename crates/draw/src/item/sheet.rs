//! Items laid out on pages, with the key on the last ones.

use super::page::{PaperSize, page_size};
use super::{Item, ItemSource};
use crate::{Anchor, Area, Paint, Picture, Rgb, Text, Weight, text_width, wrapped};

/// What a sheet of items looks like.
#[derive(Clone, Debug)]
pub struct ItemSheet {
    /// The heading of every page.
    pub title: String,
    /// The paper.
    pub paper: PaperSize,
    /// Items on a page: 1, 2, 4 or 6.
    pub per_page: usize,
    /// Whether the last pages hold the key.
    pub key: bool,
}

impl Default for ItemSheet {
    fn default() -> Self {
        Self { title: String::new(), paper: PaperSize::A4, per_page: 2, key: true }
    }
}

const MARGIN: f32 = 42.0;
const INK: Rgb = Rgb(24, 27, 32);
const MUTED: Rgb = Rgb(96, 103, 112);
const LINE: Rgb = Rgb(150, 156, 164);
const FAINT: Rgb = Rgb(214, 218, 223);

/// The pages of a sheet, in points.
pub fn sheet(items: &[Item], style: &ItemSheet) -> Vec<Picture> {
    let (columns, rows) = match style.per_page {
        0 | 1 => (1, 1),
        2 => (1, 2),
        3 | 4 => (2, 2),
        _ => (2, 3),
    };
    let mut pages: Vec<Picture> = Vec::new();
    for group in items.chunks(columns * rows) {
        let mut page = Page::new(style);
        let (width, height) = page.room();
        let (gap_x, gap_y) = (22.0, 16.0);
        let cell_width = (width - gap_x * (columns as f32 - 1.0)) / columns as f32;
        let cell_height = (height - gap_y * (rows as f32 - 1.0)) / rows as f32;
        for (place, item) in group.iter().enumerate() {
            let (column, row) = ((place % columns) as f32, (place / columns) as f32);
            let x = MARGIN + column * (cell_width + gap_x);
            let y = page.top + row * (cell_height + gap_y);
            draw_item(&mut page.picture, item, Area::new(x, y, cell_width, cell_height));
        }
        page.picture.description = group
            .iter()
            .map(|i| format!("{}. {}", i.name, i.alt_text()))
            .collect::<Vec<_>>()
            .join(" ");
        pages.push(page.picture);
    }
    if style.key {
        pages.extend(key_pages(items, style));
    }
    let count = pages.len();
    for (index, page) in pages.iter_mut().enumerate() {
        let y = page.height - 24.0;
        let x = page.width - MARGIN;
        write(
            page,
            &format!("{} / {count}", index + 1),
            (x, y),
            8.5,
            Weight::Regular,
            MUTED,
            Anchor::End,
        );
    }
    pages
}

struct Page {
    picture: Picture,
    top: f32,
}

impl Page {
    fn new(style: &ItemSheet) -> Self {
        let (width, height) = page_size(style.paper);
        let mut picture = Picture::new(width, height);
        picture.title =
            if style.title.is_empty() { "Items".to_owned() } else { style.title.clone() };
        picture.background(Rgb(255, 255, 255));
        let mut top = MARGIN;
        if !style.title.is_empty() {
            write(
                &mut picture,
                &style.title,
                (MARGIN, top + 12.0),
                14.0,
                Weight::Bold,
                INK,
                Anchor::Start,
            );
            top += 26.0;
        }
        Self { picture, top }
    }

    /// Width and height that are left.
    fn room(&self) -> (f32, f32) {
        (self.picture.width - 2.0 * MARGIN, self.picture.height - self.top - MARGIN - 4.0)
    }
}

fn write(
    picture: &mut Picture,
    content: &str,
    (x, y): (f32, f32),
    size: f32,
    weight: Weight,
    color: Rgb,
    anchor: Anchor,
) {
    let content = content.to_owned();
    picture.text(Text { content, x, y, size, weight, anchor, color });
}

/// One item inside an area: its name, the matrix, and the lettered choices, beside the matrix where the area is wide and beneath it otherwise.
fn draw_item(picture: &mut Picture, item: &Item, area: Area) {
    let name = 11.0;
    write(picture, &item.name, (area.x, area.y + name), name, Weight::Bold, INK, Anchor::Start);
    let top = area.y + name + 9.0;
    let (width, height) = (area.width, area.y + area.height - top);
    let wide = width > 1.25 * height;
    if wide {
        let side = height.min(width * 0.6);
        matrix(picture, item, (area.x, top), side);
        let left = area.x + side + 26.0;
        let room = (area.x + width - left, side);
        choices(picture, item, (left, top), room, 2);
    } else {
        // Three cells above, four choices in two rows beneath.
        let below = |side: f32| 2.0 * (side / 4.6 + 16.0) + 14.0;
        let mut side = width;
        while side + below(side) > height && side > 40.0 {
            side -= 1.0;
        }
        let x = area.x + (width - side) / 2.0;
        matrix(picture, item, (x, top), side);
        choices(picture, item, (x, top + side + 14.0), (side, below(side) - 14.0), 4);
    }
}

fn cell(picture: &mut Picture, area: Area) {
    let paint = Paint { fill: Some(Rgb(255, 255, 255)), stroke: Some((LINE, 0.7)) };
    picture.rounded(area, 0.0, paint);
}

fn matrix(picture: &mut Picture, item: &Item, (x, y): (f32, f32), side: f32) {
    let columns = item.puzzle.family().form().columns;
    let gap = side / 60.0;
    let own = (side - (columns as f32 - 1.0) * gap) / columns as f32;
    for (index, panel) in item.board.question.iter().enumerate() {
        let (row, column) = ((index / columns) as f32, (index % columns) as f32);
        let at = Area::new(x + column * (own + gap), y + row * (own + gap), own, own);
        cell(picture, at);
        match panel {
            Some(drawn) => picture.place(drawn, at.x, at.y, own / drawn.width),
            None => {
                let size = own * 0.5;
                let middle = (at.x + own / 2.0, at.y + (own + size * 0.711) / 2.0);
                write(picture, "?", middle, size, Weight::Bold, LINE, Anchor::Middle);
            }
        }
    }
}

fn choices(
    picture: &mut Picture,
    item: &Item,
    (x, y): (f32, f32),
    (width, height): (f32, f32),
    columns: usize,
) {
    let rows = item.board.choices.len().div_ceil(columns) as f32;
    let label = 14.0;
    let gap_x = width / 24.0;
    let by_width = (width - gap_x * (columns as f32 - 1.0)) / columns as f32;
    let own = by_width.min(height / rows - label - 2.0).max(8.0);
    // Centred, with rows and columns no further apart than a third of a choice.
    let spread = (width - own) / (columns as f32 - 1.0).max(1.0);
    let step_x = spread.min(own * 1.34);
    let x = x + (width - own - step_x * (columns as f32 - 1.0)) / 2.0;
    let spread = (height - own - label) / (rows - 1.0).max(1.0);
    let step_y = spread.min(own * 1.34 + label);
    for (index, drawn) in item.board.choices.iter().enumerate() {
        let (row, column) = ((index / columns) as f32, (index % columns) as f32);
        let at = Area::new(x + column * step_x, y + row * step_y, own, own);
        cell(picture, at);
        picture.place(drawn, at.x, at.y, own / drawn.width);
        let letter = Item::letter(index).to_string();
        let below = (at.x + own / 2.0, at.y + own + 11.0);
        write(picture, &letter, below, 9.5, Weight::Regular, INK, Anchor::Middle);
    }
}

/// The key: the answer of each item, its rules, and what each wrong choice
/// breaks.
fn key_pages(items: &[Item], style: &ItemSheet) -> Vec<Picture> {
    let title = match style.title.as_str() {
        "" => "Answer key".to_owned(),
        title => format!("{title} · Answer key"),
    };
    let mut key = KeyPages::new(ItemSheet { title, ..style.clone() });
    for item in items {
        let lines = key_lines(item, key.page.room().0);
        key.make_room(lines.len());
        key.head(item);
        key.body(&lines);
        key.rule_off();
    }
    key.finish(items)
}

/// The height of a line of the key.
const KEY_LINE: f32 = 12.0;

/// The pages of a key as they fill from the top.
struct KeyPages {
    style: ItemSheet,
    full: Vec<Picture>,
    page: Page,
    y: f32,
}

impl KeyPages {
    fn new(style: ItemSheet) -> Self {
        let page = Page::new(&style);
        let y = page.top + 4.0;
        Self { style, full: Vec::new(), page, y }
    }

    /// Turns the page where an item of so many lines would not fit on what is left of it.
    fn make_room(&mut self, lines: usize) {
        let high = lines as f32 * KEY_LINE + 22.0;
        let bottom = self.page.picture.height - MARGIN - 10.0;
        if self.y + high > bottom && self.y > self.page.top + 5.0 {
            let next = Page::new(&self.style);
            self.full.push(std::mem::replace(&mut self.page, next).picture);
            self.y = self.page.top + 4.0;
        }
    }

    /// The answer on the left; on the right where the item comes from.
    fn head(&mut self, item: &Item) {
        let (picture, y) = (&mut self.page.picture, self.y + 10.0);
        let answer = format!("{}: {}", item.name, item.key());
        write(picture, &answer, (MARGIN, y), 11.0, Weight::Bold, INK, Anchor::Start);
        let made = match item.source {
            ItemSource::Engine => "made by rules",
            ItemSource::Model => "imagined by the model, checked by the judge",
        };
        let note = format!("{} · {made} · seed {} · number {}", item.kind(), item.seed, item.index);
        let right = picture.width - MARGIN;
        write(picture, &note, (right, y), 8.0, Weight::Regular, MUTED, Anchor::End);
        self.y += 14.0;
    }

    /// Lines with their indents; those of wrong choices are indented and muted.
    fn body(&mut self, lines: &[(f32, String)]) {
        for (indent, line) in lines {
            self.y += KEY_LINE;
            let color = if *indent > 0.0 { MUTED } else { INK };
            let at = (MARGIN + indent, self.y);
            write(&mut self.page.picture, line, at, 8.5, Weight::Regular, color, Anchor::Start);
        }
    }

    fn rule_off(&mut self) {
        self.y += 8.0;
        let (width, _) = self.page.room();
        self.page.picture.rect(Area::new(MARGIN, self.y, width, 0.6), FAINT);
        self.y += 6.0;
    }

    fn finish(mut self, items: &[Item]) -> Vec<Picture> {
        let answers = items.iter().map(|item| format!("{}: {}.", item.name, item.key()));
        self.page.picture.description = answers.collect::<Vec<_>>().join(" ");
        self.full.push(self.page.picture);
        self.full
    }
}

fn key_lines(item: &Item, width: f32) -> Vec<(f32, String)> {
    let size = 8.5;
    let mut lines: Vec<(f32, String)> =
        wrapped(&format!("Rules: {}", item.rules()), size, Weight::Regular, width)
            .into_iter()
            .map(|line| (0.0, line))
            .collect();
    for (choice, why) in item.broken().iter().enumerate() {
        if choice == item.puzzle.target() {
            continue;
        }
        let text = format!("{}  {}", Item::letter(choice), why.join("; "));
        let indent = 10.0;
        let hang = text_width("H  ", size, Weight::Regular);
        for (index, line) in
            wrapped(&text, size, Weight::Regular, width - indent - hang).into_iter().enumerate()
        {
            lines.push((if index == 0 { indent } else { indent + hang }, line));
        }
    }
    lines
}
