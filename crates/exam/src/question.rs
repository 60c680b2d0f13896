//! A puzzle that a model is asked: a fresh one, or one of a folder.

use std::any::Any;
use std::sync::Arc;

use genvp_data::StoredPuzzle;
use genvp_data::folder::StoredFile;
use genvp_model::BatchShape;
use genvp_puzzle::Set;
use genvp_puzzle::family::{AnyPuzzle, Truth};

use crate::error::ExamError;

/// A puzzle to be solved.
#[derive(Clone, Debug)]
pub enum Question {
    /// A made one, of any family.
    Made(Arc<dyn AnyPuzzle>),
    /// One of a folder of RAVEN's, which is read when it is asked.
    Stored(Box<StoredFile>),
}

/// A question as a model sees it, and what it is marked by.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The context and then the choices, ink = 1, paper = 0.
    pub pixels: Vec<f32>,
    /// Which choice is right.
    pub target: usize,
    /// Its rules and the vote among its choices, where they are known.
    pub truth: Option<Truth>,
}

impl Question {
    /// The made puzzle, if it is one of this family.
    pub fn made<P: AnyPuzzle>(&self) -> Option<&P> {
        match self {
            Self::Made(puzzle) => {
                let puzzle: &dyn Any = &**puzzle;
                puzzle.downcast_ref()
            }
            Self::Stored(_) => None,
        }
    }

    /// Draws or reads it as a model with batches of this shape sees it; without panels for models
    /// that look at no pixels.
    ///
    /// # Errors
    /// When its file cannot be read, or does not say which choice is right.
    pub fn open(&self, shape: &BatchShape) -> Result<Opened, ExamError> {
        let (side, resize) = (shape.size.unwrap_or_default(), shape.resize);
        let area = (side * side).max(1);
        match self {
            Self::Made(puzzle) => {
                let panels = puzzle.family().form().inputs();
                let mut pixels = vec![0f32; panels * side * side];
                for (panel, out) in pixels.chunks_exact_mut(area).enumerate() {
                    resize.draw_into(&**puzzle, panel, side, out);
                }
                Ok(Opened { pixels, target: puzzle.target(), truth: Some(puzzle.truth()) })
            }
            Self::Stored(found) => {
                let stored = StoredPuzzle::read(&found.npz, found.domain)?;
                let target =
                    stored.target.ok_or_else(|| ExamError::NoTarget { path: found.npz.clone() })?;
                let mut pixels = vec![0f32; stored.images.panels() * side * side];
                for (index, out) in pixels.chunks_exact_mut(area).enumerate() {
                    let panel = stored.images.panel(index);
                    resize.ink_into(panel, stored.images.side(), side, out);
                }
                // The kind of wrong choices plays no part in votes and rules.
                let restored = stored.scene.and_then(|scene| scene.restore(Set::Raven, target));
                let truth = restored.map(|restored| restored.puzzle.truth());
                Ok(Opened { pixels, target: usize::from(target), truth })
            }
        }
    }
}
