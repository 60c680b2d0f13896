//! From pixels back to scenes.
//!
//! Lines are measured first, at places where nothing else can have ink: far from
//! every shape of the largest size and from every other line. Then each of the
//! nine places is compared with every shape on top of those lines. On panels
//! that [`render`] draws, 160 pixels wide, the comparison is exact
//! and stops at the first shape that explains every pixel; otherwise the nearest
//! template wins, so small deviations of stroke, position and grey are forgiven.
//!
//! What cannot be told apart: in VAD, a diamond from its four sides (which no
//! puzzle of ours shows together). Below 160 pixels the smallest shapes become a
//! few grey dots: the types and sizes of real panels, which are not drawn as
//! ours, should not be trusted there.

mod lines;
mod shapes;

use arrayvec::ArrayVec;

use lines::Probes;
use shapes::Templates;

use super::render::{self, SIDE};
use super::{Line, Panel, Vocabulary};
use crate::resize_ink;

/// A panel and how well it explains the pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelReading {
    /// What was seen.
    pub panel: Panel,
    /// Mean difference in grey values, 0 to 255, between the pixels and the panel
    /// drawn anew; 0 for panels of 160 pixels that we drew.
    pub error: f32,
}

/// How far readings must be trusted to prove anything about a file.
pub const LEAST_CONFIDENCE: f32 = 0.9;

/// How far readings can be trusted, 0 to 1: all the way where the panels drawn
/// anew have the very pixels, half where the worst of them is one grey value off
/// on average, as panels are that somebody else drew.
pub fn confidence(readings: &[PanelReading]) -> f32 {
    let worst = readings.iter().map(|reading| reading.error).fold(0.0, f32::max);
    1.0 / (1.0 + worst)
}

/// Reads panels of one side.
pub struct Reader {
    side: usize,
    vocabulary: Vocabulary,
    probes: Probes,
    templates: Templates,
}

impl Reader {
    /// A reader of panels of `side * side` pixels.
    ///
    /// # Panics
    /// When the side is not 40 to 640: smaller panels do not show the shapes,
    /// and larger ones should be averaged.
    pub fn new(side: usize, vocabulary: Vocabulary) -> Self {
        assert!((40..=640).contains(&side), "a side of 40 to 640 pixels, not {side}");
        Self {
            side,
            vocabulary,
            probes: Probes::new(side),
            templates: Templates::new(side, vocabulary),
        }
    }

    /// Side of the panels in pixels.
    pub fn side(&self) -> usize {
        self.side
    }

    /// Reads grey pixels, 255 = paper. At sides other than 160 they are taken for
    /// an average over areas.
    ///
    /// # Panics
    /// When there are not `side * side` pixels.
    pub fn panel(&self, grey: &[u8]) -> PanelReading {
        let pixels: Vec<f32> = grey.iter().map(|&g| f32::from(g)).collect();
        let mut panel = Panel { lines: self.lines(&pixels), ..Panel::default() };
        if self.side != SIDE {
            return self.with_shapes(panel, &pixels);
        }
        let mut below = vec![255; SIDE * SIDE];
        render::ORIGINAL.lines_into(&panel, &mut below);
        match (0..9)
            .map(|at| shapes::exact(grey, &below, at, self.vocabulary))
            .collect::<Option<Vec<_>>>()
        {
            Some(found) => {
                panel.shapes = found.into_iter().flatten().collect();
                let error = self.error(&panel, &pixels);
                PanelReading { panel, error }
            }
            None => self.with_shapes(panel, &pixels),
        }
    }

    /// Reads ink, 1 = black, as a model sees and draws it.
    ///
    /// # Panics
    /// When there are not `side * side` pixels.
    pub fn ink(&self, ink: &[f32]) -> PanelReading {
        let pixels: Vec<f32> = ink.iter().map(|&v| 255.0 * (1.0 - v.clamp(0.0, 1.0))).collect();
        let panel = Panel { lines: self.lines(&pixels), ..Panel::default() };
        self.with_shapes(panel, &pixels)
    }

    fn lines(&self, pixels: &[f32]) -> ArrayVec<Line, 10> {
        assert_eq!(pixels.len(), self.side * self.side, "a panel of {0}x{0}", self.side);
        self.probes.lines(pixels, self.vocabulary)
    }

    /// Adds the nearest shapes to the lines that were read.
    fn with_shapes(&self, mut panel: Panel, pixels: &[f32]) -> PanelReading {
        panel.shapes = self.templates.nearest(pixels, &panel);
        let error = self.error(&panel, pixels);
        PanelReading { panel, error }
    }

    fn error(&self, panel: &Panel, pixels: &[f32]) -> f32 {
        let drawn: Vec<f32> = render::panels([panel]).into_iter().map(f32::from).collect();
        let mut at_side = vec![0.0; self.side * self.side];
        resize_ink(&drawn, SIDE, self.side, &mut at_side);
        let sum: f32 = at_side.iter().zip(pixels).map(|(a, b)| (a - b).abs()).sum();
        sum / pixels.len() as f32
    }
}
