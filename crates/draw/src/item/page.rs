//! Sizes of paper.

/// A sheet of paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum PaperSize {
    /// 210 x 297 mm.
    #[default]
    A4,
    /// 8.5 x 11 inches.
    Letter,
}

impl PaperSize {
    /// Finds a paper by its name.
    pub fn parse(text: &str) -> Option<Self> {
        match text.to_ascii_lowercase().as_str() {
            "a4" => Some(Self::A4),
            "letter" => Some(Self::Letter),
            _ => None,
        }
    }
}

/// Width and height in points (1/72 inch), which are the units of a page.
pub fn page_size(paper: PaperSize) -> (f32, f32) {
    match paper {
        PaperSize::A4 => (595.28, 841.89),
        PaperSize::Letter => (612.0, 792.0),
    }
}
