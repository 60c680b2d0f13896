//! What a pair of files, npz and xml, holds of one puzzle.

use std::path::Path;

use genvp_puzzle::{Domain, Puzzle, RuleMatrix, Set};

use super::{Scene, members, meta, xml};
use crate::{DataError, Images, Note};

/// A puzzle as it is kept. Only the panels must be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPuzzle {
    /// The sixteen panels.
    pub images: Images,
    /// Which choice is right, 0 to 7.
    pub target: Option<u8>,
    /// What the originals' solver answered; RAVEN-FAIR lists all best choices.
    pub predict: Option<Vec<u8>>,
    /// One row per rule: four of the first component, four of the second.
    pub meta_matrix: Option<[[u8; 9]; 8]>,
    /// The rows of `meta_matrix` joined by "or".
    pub meta_target: Option<[u8; 9]>,
    /// Which nodes the layout's tree has.
    pub meta_structure: Option<[u8; 21]>,
    /// The layout's tree as words.
    pub structure: Option<Vec<String>>,
    /// What is drawn, and by which rules.
    pub scene: Option<Scene>,
    /// What was left out or reinterpreted.
    pub notes: Vec<Note>,
}

impl StoredPuzzle {
    /// A puzzle of which nothing is known but its panels.
    pub fn of_images(images: Images) -> Self {
        Self {
            images,
            target: None,
            predict: None,
            meta_matrix: None,
            meta_target: None,
            meta_structure: None,
            structure: None,
            scene: None,
            notes: Vec::new(),
        }
    }

    /// A made puzzle with its panels drawn.
    pub fn of_puzzle(puzzle: &Puzzle, images: Images) -> Self {
        let scene = Scene::of(puzzle);
        Self {
            target: Some(puzzle.target),
            predict: Some(vec![puzzle.target]),
            ..Self::of_scene(scene, images)
        }
    }

    /// A scene with its panels drawn; the right choice is not known.
    pub fn of_scene(scene: Scene, images: Images) -> Self {
        let matrix = meta::matrix(scene.layout, &scene.rules);
        Self {
            meta_matrix: Some(matrix),
            meta_target: Some(meta::target(&matrix)),
            meta_structure: Some(meta::structure_bits(scene.layout)),
            structure: Some(meta::structure_words(scene.layout)),
            scene: Some(scene),
            ..Self::of_images(images)
        }
    }

    /// Reads an npz, and the xml of the same name where there is one. `domain`
    /// says what the levels in the xml mean.
    pub fn read(path: &Path, domain: Domain) -> Result<Self, DataError> {
        let mut puzzle = members::read(path)?;
        let beside = path.with_extension("xml");
        if beside.is_file() {
            puzzle.scene = Some(xml::read(&beside, domain)?);
        }
        Ok(puzzle)
    }

    /// The bytes of the npz as the programs of `set` write them. Members that
    /// are not known are left out.
    pub fn encode_npz(&self, set: Set) -> Vec<u8> {
        members::encode(self, set)
    }

    /// The rules by name, without parameters: of the scene, or else of
    /// `meta_matrix`.
    pub fn rules(&self) -> Option<RuleMatrix> {
        self.scene.as_ref().map(|scene| scene.rules).or_else(|| self.matrix_rules())
    }

    /// The rules that `meta_matrix` states.
    pub fn matrix_rules(&self) -> Option<RuleMatrix> {
        self.meta_matrix.as_ref().map(meta::rules)
    }
}
