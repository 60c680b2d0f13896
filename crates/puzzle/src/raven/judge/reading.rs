//! From pixels to scenes, and how far to trust them.

use crate::raven::read::{self, Reading};
use crate::raven::{Domain, Layout, Panel};

use super::{SIDE, outer};

/// The least share of a picture's ink (squared) that its scene must explain. A
/// lone small and white object under a noise of standard deviation 0.1 explains 0.3.
const LEAST_EXPLAINED: f32 = 0.2;
/// The largest mean squared error: three times what that noise leaves, and a
/// quarter of what no picture at all leaves.
const LARGEST_ERROR: f32 = 0.03;
/// The least confidence of the reader: below it another object fits as well.
const LEAST_CONFIDENCE: f32 = 0.02;

/// Nine panels as the judge sees them.
#[derive(Clone, Debug)]
pub struct GridReading {
    /// The layout that explains all nine together best.
    pub layout: Layout,
    /// The scenes, row by row.
    pub panels: [Panel; 9],
    /// From 0 to 1 for every panel, as the reader says: how well the scene
    /// matches, and how clearly it beats the next best one.
    pub confidence: [f32; 9],
    /// Whether a panel can be read at all.
    pub readable: [bool; 9],
    /// The size levels that an object may have when its pixels do not tell.
    pub unclear_sizes: Vec<UnclearSize>,
}

/// An object whose pixels are the same for several size levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnclearSize {
    /// Panel, 0 to 8.
    pub panel: usize,
    /// Component, 0 or 1.
    pub component: usize,
    /// The object's slot.
    pub slot: u8,
    /// All levels that it may have, as a bit mask.
    pub levels: u16,
}

impl GridReading {
    /// Scenes that are known.
    pub fn of_scene(layout: Layout, panels: [Panel; 9]) -> Self {
        Self {
            layout,
            panels,
            confidence: [1.0; 9],
            readable: [true; 9],
            unclear_sizes: Vec::new(),
        }
    }

    /// The lowest confidence of a panel.
    pub fn least_confidence(&self) -> f32 {
        self.confidence.iter().copied().fold(1.0, f32::min)
    }

    /// The panels that cannot be read, counted from 0.
    pub fn unreadable(&self) -> impl Iterator<Item = usize> + '_ {
        (0..9).filter(|&panel| !self.readable[panel])
    }
}

/// Reads nine pictures of `SIDE * SIDE` values each, ink = 1 and paper = 0.
pub fn read_grid(panels: &[&[f32]; 9], domain: Domain) -> GridReading {
    let reading = read::puzzle_ink(panels, SIDE, domain);
    let unclear = reading.panels.iter().enumerate().flat_map(|(panel, reading)| {
        reading.sightings.iter().filter(|s| s.ambiguous_size()).map(move |s| UnclearSize {
            panel,
            component: usize::from(s.component),
            slot: s.entity.slot,
            levels: s.possible_sizes,
        })
    });
    GridReading {
        layout: reading.layout,
        unclear_sizes: unclear.collect(),
        readable: std::array::from_fn(|i| is_readable(panels[i], &reading.panels[i])),
        confidence: std::array::from_fn(|i| reading.panels[i].confidence),
        panels: std::array::from_fn(|i| {
            let mut panel = reading.panels[i].panel.clone();
            outer::recolor(panels[i], reading.layout, domain, &mut panel);
            panel
        }),
    }
}

fn is_readable(ink: &[f32], reading: &Reading) -> bool {
    let energy = ink.iter().map(|x| x * x).sum::<f32>() / ink.len().max(1) as f32;
    reading.residual <= LARGEST_ERROR
        && reading.residual <= (1.0 - LEAST_EXPLAINED) * energy
        && reading.confidence >= LEAST_CONFIDENCE
}
