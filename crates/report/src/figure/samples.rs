//! Three puzzles that the model imagines from the same rules (paper: fig:cs_rpm,
//! fig:lr_rpm, fig:d4_rpm, fig:d9_rpm).

use genvp_draw::Picture;
use genvp_infer::imagine::{Artist, RuleSampler};
use genvp_infer::judge::judge;
use genvp_puzzle::{Layout, RuleMatrix};

use super::ink_panel;
use super::lay_out::{grid, rule_words, side_by_side};
use crate::error::ReportError;

/// The layouts that the paper shows.
pub const SAMPLED: [Layout; 4] =
    [Layout::CenterSingle, Layout::LeftRight, Layout::DistributeFour, Layout::DistributeNine];

/// The picture of a layout; rules and samples are those of a seed, not chosen.
///
/// # Errors
/// When the model cannot draw.
pub fn samples(artist: &Artist<'_>, layout: Layout, seed: u64) -> Result<Picture, ReportError> {
    let spec = RuleSampler::new(layout, RuleMatrix::free(), seed)?.sample(1)?;
    let mut named = Vec::new();
    for sample in 0..3 {
        let drawing = artist.draw(&spec, seed, sample)?;
        let drawn =
            drawing.panels.iter().map(|ink| ink_panel(ink)).collect::<Result<Vec<_>, _>>()?;
        let (kept, counted) = judge(&drawing.views(), &spec).marks();
        named.push((format!("sample {}: {kept} of {counted} rules", sample + 1), grid(&drawn)));
    }
    let rules = rule_words(&spec.rules, layout);
    Ok(side_by_side(&format!("{}: three samples", layout.short()), &named, &rules))
}
