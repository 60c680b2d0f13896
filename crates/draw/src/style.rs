//! Colors and measures that all drawings share.

use super::picture::Rgb;

/// Inside of a panel.
pub(super) const PAPER: Rgb = Rgb::grey(255);
/// Outlines of objects.
pub(super) const INK: Rgb = Rgb::grey(0);
/// Behind cards.
pub(super) const DESK: Rgb = Rgb(243, 244, 246);
/// Frames and rules between things.
pub(super) const FRAME: Rgb = Rgb(168, 174, 182);
/// Lighter lines: edges of cards.
pub(super) const EDGE: Rgb = Rgb(222, 225, 229);
/// Words that matter.
pub(super) const TEXT: Rgb = Rgb(28, 32, 38);
/// Words that explain.
pub(super) const MUTED: Rgb = Rgb(96, 103, 112);
/// The right answer: blue is told from greys by every kind of color vision.
pub(super) const ACCENT: Rgb = Rgb(0, 114, 178);
/// The empty cell of the question.
pub(super) const EMPTY: Rgb = Rgb(236, 239, 243);

/// Side of a panel in its own units: those of the datasets' pixels.
pub const PANEL: f32 = 160.0;
/// Width of the line around a panel.
pub(super) const FRAME_WIDTH: f32 = 1.0;
/// Width of the outline of objects.
pub(super) const STROKE: f32 = 2.4;
/// Distance of lines of text as a multiple of the font size.
pub(super) const LINE: f32 = 1.45;
