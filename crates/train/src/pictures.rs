//! Pictures of what a model draws.

use burn::tensor::Device;
use genvp_model::{AnyModel, Conditioning, Noise, PuzzleBatch, SamplingConfig, to_host};
use genvp_puzzle::{Puzzle, RuleMatrix};

use crate::error::TrainError;
use crate::feed::{Batch, ChoiceOrder, FeedShape, write};

/// Grey pixels around every panel.
const GAP: usize = 2;

/// A grey picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviewPng {
    /// Height and width in pixels.
    pub size: [usize; 2],
    /// A PNG file.
    pub png: Vec<u8>,
}

/// Two rows for each puzzle: its panels and answer, and what the model makes of them.
///
/// # Errors
/// When the puzzles do not fit the model, or the device fails.
pub fn reconstructions(
    model: &AnyModel,
    device: &Device,
    puzzles: &[&Puzzle],
) -> Result<PreviewPng, TrainError> {
    let shape = model.batch_shape();
    let side = shape.size.unwrap_or_default();
    let (panels, inputs) = (shape.puzzle.panels(), shape.puzzle.inputs());
    let pictures = FeedShape::pictures(puzzles.len(), side);
    let mut batch = Batch::new(FeedShape { resize: shape.resize, ..pictures });
    batch
        .examples()
        .zip(puzzles)
        .for_each(|(mut example, puzzle)| write(puzzle, ChoiceOrder::AnswerFirst, &mut example));
    let original = batch.pixels.clone();
    let batch = PuzzleBatch::new(&shape, batch.into_data(), device)?;
    let drawn = to_host(model.reconstruct(batch.images(), inputs)?)?;
    let mut rows = Vec::new();
    for puzzle in 0..puzzles.len() {
        let from = puzzle * inputs * side * side;
        let shown = from..from + panels * side * side;
        rows.push(&original[shown.clone()]);
        rows.push(&drawn[shown]);
    }
    Ok(sheet(&rows, side, panels))
}

/// One row for each puzzle: nine panels imagined from its rules and layout alone.
///
/// # Errors
/// When the rules do not fit the model, or the device fails.
pub fn imagined(
    model: &AnyModel,
    device: &Device,
    puzzles: &[&Puzzle],
    seed: u64,
) -> Result<PreviewPng, TrainError> {
    let shape = model.batch_shape();
    let (side, panels) = (shape.size.unwrap_or_default(), shape.puzzle.panels());
    // Rows of R behind RAVEN's never carry a rule.
    let rules = |puzzle: &&Puzzle| {
        let own = RuleMatrix::of(&puzzle.rules).columns().map(|column| column as u8);
        own.into_iter().chain(std::iter::repeat(0)).take(shape.puzzle.attributes)
    };
    let rules: Vec<u8> = puzzles.iter().flat_map(rules).collect();
    let layouts: Vec<u8> = puzzles.iter().map(|p| p.layout.index() as u8).collect();
    let spec = Conditioning::new(&shape.puzzle, &rules, Some(&layouts), device)?;
    let mut noise = Noise::seeded(seed);
    let drawn = to_host(model.imagine(&spec, SamplingConfig::default(), &mut noise)?.images)?;
    let rows: Vec<&[f32]> = drawn.chunks(panels * side * side).collect();
    Ok(sheet(&rows, side, panels))
}

/// Rows of panels on a grey sheet.
fn sheet(rows: &[&[f32]], side: usize, columns: usize) -> PreviewPng {
    let cell = side + GAP;
    let size = [rows.len() * cell + GAP, columns * cell + GAP];
    let mut grey = vec![128u8; size[0] * size[1]];
    for (row, panels) in rows.iter().enumerate() {
        for (column, panel) in panels.chunks_exact(side * side).enumerate() {
            for (y, line) in panel.chunks_exact(side).enumerate() {
                let at = (row * cell + GAP + y) * size[1] + column * cell + GAP;
                for (out, ink) in grey[at..at + side].iter_mut().zip(line) {
                    *out = 255 - (ink.clamp(0.0, 1.0) * 255.0).round() as u8;
                }
            }
        }
    }
    let png = genvp_draw::grey_png(size[1], size[0], &grey);
    PreviewPng { size, png }
}
