//! Pictures for people: clean vector drawings and contact sheets.
//!
//! Every drawing is a [`Picture`], a short list of shapes, texts and images with
//! a description in words, which becomes [SVG](Picture::svg) or
//! [PNG](Picture::png), or a page of a [PDF](pdf()). The panels of a puzzle, as scenes or as pixels, are laid
//! out by a [`Board`]; [`puzzle()`], [`contact_sheet()`] and [`terminal()`] show it, and
//! [`item`] prints it with its key.

pub mod alt_text;
mod board;
mod contact_sheet;
mod error;
mod font;
mod heat_map;
mod image;
pub mod item;
mod panel;
mod pdf;
mod picture;
mod png;
mod puzzle;
mod raster;
mod relation_panel;
mod rule_lines;
#[cfg(test)]
mod samples;
mod strip;
mod style;
mod svg;
mod terminal;
#[cfg(test)]
mod tests;

pub use board::Board;
pub use contact_sheet::contact_sheet;
pub use error::DrawError;
pub use font::{Weight, width as text_width, wrap as wrapped};
pub use heat_map::{HeatMap, heat_map};
pub use image::GreyImage;
pub use panel::{bare_panel, image_panel, panel};
pub use pdf::{PdfError, pdf};
pub use picture::{Anchor, Area, Mark, Paint, Picture, Rgb, Text};
pub use png::grey as grey_png;
pub use puzzle::{Notes, puzzle};
pub use raster::Raster;
pub use relation_panel::relation_panel;
pub use rule_lines::{RuleLine, rule_lines, rule_lines_of};
pub use strip::strip;
pub use style::PANEL;
pub use svg::base64;
pub use terminal::{TerminalStyle, terminal};
