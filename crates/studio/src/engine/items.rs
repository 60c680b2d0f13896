//! Collections of items as files.

use genvp_draw::item::{self, File, Item, ItemSheet, PaperSize};
use genvp_draw::pdf;
use serde::Deserialize;

use super::{PuzzleRef, Refusal, Steps};

/// The most items of one export.
const MOST: usize = 200;
/// The longest title.
const TITLE_BYTES: usize = 200;

/// What to write.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExportRequest {
    /// The items, in order.
    pub items: Vec<PuzzleRef>,
    /// As what.
    pub format: ItemFormat,
    /// The heading of sheets.
    #[serde(default)]
    pub title: String,
    /// The paper of sheets.
    #[serde(default)]
    pub paper: PaperName,
    /// Items on a page of a sheet: 1, 2, 4 or 6.
    #[serde(default = "two")]
    pub per_page: usize,
    /// Whether sheets end with the key.
    #[serde(default = "yes")]
    pub key: bool,
}

fn two() -> usize {
    2
}

fn yes() -> bool {
    true
}

/// The formats of items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ItemFormat {
    /// Pages to print, with the key.
    Pdf,
    /// The same pages as vector drawings.
    Sheet,
    /// A vector drawing of each item.
    Svg,
    /// A picture of each item.
    Png,
    /// The key with rules and what wrong choices break.
    Csv,
    /// A timeline of jsPsych.
    Jspsych,
    /// Conditions for PsychoPy.
    Psychopy,
    /// Questions for Moodle.
    Moodle,
    /// The originals' array files; the engine alone does not write them.
    Npz,
}

/// Papers by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PaperName {
    /// 210 x 297 mm.
    #[default]
    A4,
    /// 8.5 x 11 inches.
    Letter,
}

impl ExportRequest {
    /// Makes the items, in so many steps.
    ///
    /// # Errors
    /// When there are none or too many, one cannot be made, or `steps` refuses to go on.
    pub fn make(&self, steps: &Steps<'_>) -> Result<Vec<Item>, Refusal> {
        if self.items.is_empty() || self.items.len() > MOST {
            let message = format!("items: {} of them, not 1 to {MOST}", self.items.len());
            return Err(Refusal::impossible(message));
        }
        if self.title.len() > TITLE_BYTES {
            return Err(Refusal::impossible(format!("title: more than {TITLE_BYTES} bytes")));
        }
        if ![1, 2, 4, 6].contains(&self.per_page) {
            let message = format!("per_page: {}, not 1, 2, 4 or 6", self.per_page);
            return Err(Refusal::impossible(message));
        }
        let item = |(index, reference): (usize, &PuzzleRef)| {
            steps(index as u64, self.items.len() as u64)?;
            reference.make()?.item(format!("Item {}", index + 1))
        };
        self.items.iter().enumerate().map(item).collect()
    }
}

/// Writes items.
///
/// # Errors
/// When an item cannot be made, the format is not one that the engine writes alone, or `steps`
/// refuses to go on.
pub fn export_in_steps(request: &ExportRequest, steps: &Steps<'_>) -> Result<Vec<File>, Refusal> {
    let items = request.make(steps)?;
    let count = items.len() as u64;
    steps(count, count)?;
    let failed = |error: genvp_draw::DrawError| Refusal::new(500, error.to_string());
    Ok(match request.format {
        ItemFormat::Pdf => {
            let title = if request.title.is_empty() { "Items" } else { request.title.as_str() };
            let bytes = pdf(title, &pages(&items, request))
                .map_err(|error| Refusal::new(500, error.to_string()))?;
            vec![File::new("items.pdf", bytes)]
        }
        ItemFormat::Sheet => pages(&items, request)
            .iter()
            .enumerate()
            .map(|(page, picture)| File::new(format!("page_{}.svg", page + 1), picture.svg()))
            .collect(),
        ItemFormat::Svg => item::svg(&items),
        ItemFormat::Png => item::png(&items).map_err(failed)?,
        ItemFormat::Csv => vec![File::new("items.csv", item::csv(&items))],
        ItemFormat::Jspsych => item::jspsych(&items),
        ItemFormat::Psychopy => item::psychopy(&items).map_err(failed)?,
        ItemFormat::Moodle => vec![item::moodle(&items).map_err(failed)?],
        ItemFormat::Npz => {
            return Err(Refusal::impossible("npz files are written by the program, not by a page")
                .hint("run `genvp serve` or `genvp item export --format npz`"));
        }
    })
}

fn pages(items: &[Item], request: &ExportRequest) -> Vec<genvp_draw::Picture> {
    let paper = match request.paper {
        PaperName::A4 => PaperSize::A4,
        PaperName::Letter => PaperSize::Letter,
    };
    let (title, per_page, key) = (request.title.clone(), request.per_page, request.key);
    item::sheet(items, &ItemSheet { title, paper, per_page, key })
}
