//! The puzzles that a model is asked: fresh ones, or those of a folder.

use std::path::Path;

use genvp_data::folder::{self, Found};
use genvp_data::{Split, StoredPuzzle};
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::{Layout, Puzzle, Set, render};
use rayon::prelude::*;

use crate::error::ReportError;

/// A puzzle to be solved.
#[derive(Clone, Debug)]
pub enum Question {
    /// A made one.
    Made(Box<Puzzle>),
    /// One of a folder, which is read when it is asked.
    Stored(Box<Found>),
}

/// A question as the model sees it, and what it is marked by.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    /// Sixteen panels, ink = 1, paper = 0.
    pub pixels: Vec<f32>,
    /// Which choice is right.
    pub target: u8,
    /// The scene with its rules, where it is known.
    pub puzzle: Option<Puzzle>,
}

impl Question {
    /// `n` fresh puzzles of a request.
    ///
    /// # Errors
    /// When they cannot be made.
    pub fn fresh(request: &Request, n: u64, seed: u64) -> Result<Vec<Self>, ReportError> {
        let maker = Maker::new(request.clone())?;
        let made = (0..n).into_par_iter().map(|index| maker.puzzle(seed, index));
        Ok(made.map(|p| p.map(|p| Self::Made(Box::new(p)))).collect::<Result<_, _>>()?)
    }

    /// The puzzles of a folder, by layout: at most `n` of each, those of one
    /// split, or of all where none is named.
    ///
    /// # Errors
    /// When the folder cannot be read, or holds none.
    pub fn stored(
        path: &Path,
        layouts: &[Layout],
        split: Option<Split>,
        n: Option<u64>,
    ) -> Result<Vec<(Layout, Vec<Self>)>, ReportError> {
        let mut sheets: Vec<(Layout, Vec<Self>)> =
            layouts.iter().map(|&layout| (layout, Vec::new())).collect();
        for found in folder::walk(path)? {
            if split.is_some_and(|split| found.split.is_some_and(|own| own != split)) {
                continue;
            }
            let sheet = sheets.iter_mut().find(|(layout, _)| found.layout == Some(*layout));
            if let Some((_, questions)) = sheet
                && n.is_none_or(|n| (questions.len() as u64) < n)
            {
                questions.push(Self::Stored(Box::new(found)));
            }
        }
        sheets.retain(|(_, questions)| !questions.is_empty());
        if sheets.is_empty() {
            let split = split.map_or("whole", Split::name).to_owned();
            return Err(ReportError::NoPuzzles { path: path.to_owned(), split });
        }
        Ok(sheets)
    }

    /// Draws or reads it at the model's size; at 0, for models that look at no pixels, without
    /// panels.
    pub(crate) fn open(&self, side: usize) -> Result<Opened, ReportError> {
        let mut pixels = vec![0f32; 16 * side * side];
        let area = (side * side).max(1);
        match self {
            Self::Made(puzzle) => {
                for (panel, out) in puzzle.panels().zip(pixels.chunks_exact_mut(area)) {
                    render::ink_into(panel, puzzle.layout, puzzle.domain, side, out);
                }
                Ok(Opened { pixels, target: puzzle.target, puzzle: Some((**puzzle).clone()) })
            }
            Self::Stored(found) => {
                let stored = StoredPuzzle::read(&found.npz, found.domain)?;
                let target = stored
                    .target
                    .ok_or_else(|| ReportError::NoTarget { path: found.npz.clone() })?;
                for (index, out) in pixels.chunks_exact_mut(area).enumerate() {
                    let panel = stored.images.panel(index);
                    render::resize_area(panel, stored.images.side(), side, out);
                }
                // The kind of wrong choices plays no part in votes and rules.
                let restored = stored.scene.and_then(|scene| scene.restore(Set::Raven, target));
                Ok(Opened { pixels, target, puzzle: restored.map(|restored| restored.puzzle) })
            }
        }
    }
}
