//! A puzzle, one that the model imagines from the same rules, and the rules
//! (paper: fig:gen quali).

use genvp_draw::{Picture, panel};
use genvp_infer::imagine::Artist;
use genvp_infer::judge::{RuleSpec, judge};
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::{Layout, RuleMatrix, Set};

use super::ink_panel;
use super::lay_out::{grid, rule_words, side_by_side};
use crate::error::ReportError;

/// The picture of a layout; puzzle and sample are those of a seed, not chosen.
///
/// # Errors
/// When the model cannot draw.
pub fn imagined(artist: &Artist<'_>, layout: Layout, seed: u64) -> Result<Picture, ReportError> {
    let puzzle = Maker::new(Request::new(Set::IRaven, layout))?.puzzle(seed, 0)?;
    let complete = puzzle.context.iter().chain([puzzle.answer()]);
    let original: Vec<Picture> = complete.map(|own| panel(own, layout, puzzle.domain)).collect();
    let spec = RuleSpec::of_puzzle(&puzzle);
    let drawing = artist.draw(&spec, seed, 0)?;
    let drawn = drawing.panels.iter().map(|ink| ink_panel(ink)).collect::<Result<Vec<_>, _>>()?;
    let (kept, counted) = judge(&drawing.views(), &spec).marks();
    let named = [
        ("original".to_owned(), grid(&original)),
        (format!("imagined: judge finds {kept} of {counted} rules"), grid(&drawn)),
    ];
    let rules = rule_words(&RuleMatrix::of(&puzzle.rules), layout);
    Ok(side_by_side(layout.short(), &named, &rules))
}
