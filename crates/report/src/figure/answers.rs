//! Several answers for one puzzle (paper: fig:msolutions).

use genvp_draw::{Picture, panel};
use genvp_infer::complete::{Gap, Protocol};
use genvp_infer::imagine::Artist;
use genvp_infer::judge::{RuleSpec, SIDE, judge};
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::raven::FORM;
use genvp_puzzle::{Layout, RuleMatrix, Set, render};

use super::ink_panel;
use super::lay_out::{framed, grid, rule_words, side_by_side};
use crate::error::ReportError;

/// How many answers the model draws, beside the dataset's.
const DRAWN: u64 = 7;

/// The question, the dataset's answer and seven of the model's, which has seen
/// the panels of the question only; all are those of a seed, not chosen.
///
/// # Errors
/// When the model cannot draw.
pub fn answers(artist: &Artist<'_>, layout: Layout, seed: u64) -> Result<Picture, ReportError> {
    let puzzle = Maker::new(Request::new(Set::IRaven, layout))?.puzzle(seed, 2)?;
    let spec = RuleSpec::of_puzzle(&puzzle);
    let ink = |index: usize| {
        let mut ink = vec![0.0; SIDE * SIDE];
        if let Some(own) = puzzle.context.get(index) {
            render::ink_into(own, layout, puzzle.domain, SIDE, &mut ink);
        }
        ink
    };
    let last = FORM.context();
    let gap = Gap::new(std::array::from_fn(ink), std::array::from_fn(|i| i == last))?;
    let question: Vec<Picture> =
        puzzle.context.iter().map(|own| panel(own, layout, puzzle.domain)).collect();
    let answer = framed(&panel(puzzle.answer(), layout, puzzle.domain));
    let mut named = vec![("question".to_owned(), grid(&question)), ("dataset".to_owned(), answer)];
    for answer in artist.complete_several(&gap, Protocol::Honest, seed, 0..DRAWN)? {
        let drawing = answer.drawing;
        let (kept, counted) = judge(&drawing.views(), &spec).marks();
        named.push((format!("{kept} of {counted}"), framed(&ink_panel(&drawing.panels[last])?)));
    }
    let rules = rule_words(&RuleMatrix::of(&puzzle.rules), layout);
    let title = format!("{}: several answers, and how many rules the judge finds", layout.short());
    Ok(side_by_side(&title, &named, &rules))
}
