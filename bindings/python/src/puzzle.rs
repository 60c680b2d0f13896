//! A puzzle whose truth is known.

use std::any::Any;
use std::sync::Arc;

use genvp_data::relations::{RelationPuzzle, TruthLine};
use genvp_data::{Images, Scene as StoredScene, StoredPuzzle, encode_npz, names, truth, xml};
use genvp_draw::{Board, Notes, puzzle as draw_puzzle, rule_lines_of};
use genvp_puzzle::family::{AnyPuzzle, vote_chance};
use genvp_puzzle::raven::{self, Domain, Raven};
use genvp_puzzle::{pgm, vad};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;

use crate::arrays::array;
use crate::scene::Scene;
use crate::{error, family, picture};

/// Bits of a relation in the originals' files: two objects, five attributes, five relations.
const BITS: usize = 12;

/// A puzzle whose truth is known: made, or restored from a file.
#[pyclass(frozen, module = "genvp._core")]
pub struct KnownPuzzle(pub Arc<dyn AnyPuzzle>);

/// Set, stratum, domain and line of truth.
type Encoded = (&'static str, &'static str, &'static str, String);

impl KnownPuzzle {
    fn of<T: 'static>(&self) -> Option<&T> {
        let puzzle: &dyn Any = &*self.0;
        puzzle.downcast_ref()
    }

    fn relations(&self) -> Option<RelationPuzzle> {
        let pgm = self.of::<pgm::Puzzle>().cloned().map(RelationPuzzle::Pgm);
        pgm.or_else(|| self.of::<vad::Puzzle>().cloned().map(RelationPuzzle::Vad))
    }

    /// The board with the clean drawings.
    fn board(&self) -> PyResult<Board> {
        Board::of_scenes(&*self.0).ok_or_else(|| error::spec("this family has no clean drawings"))
    }

    fn notes(&self, title: String, with_answer: bool) -> Notes {
        if !with_answer {
            return Notes { title, ..Notes::default() };
        }
        let rules = rule_lines_of(&self.0.rules_text());
        Notes { title, answer: Some(self.0.target()), rules }
    }
}

#[pymethods]
impl KnownPuzzle {
    /// The family: `raven`, `pgm` or `vad`.
    #[getter]
    fn family(&self) -> &'static str {
        self.0.family().id()
    }

    /// The set, such as `iraven`.
    #[getter]
    fn set(&self) -> &'static str {
        self.0.stratum().set
    }

    /// The layout or regime, as folders are named.
    #[getter]
    fn stratum(&self) -> &'static str {
        self.0.stratum().name
    }

    /// Which values attributes take: `standard` or the name of a shifted set.
    #[getter]
    fn domain(&self) -> &'static str {
        self.of::<raven::Puzzle>().map_or(Domain::Standard, |puzzle| puzzle.domain).name()
    }

    /// Which choice is right, counted from 0.
    #[getter]
    fn target(&self) -> usize {
        self.0.target()
    }

    /// The rules in words.
    #[getter]
    fn rules(&self) -> String {
        self.0.rules_text()
    }

    /// The rule number of each attribute `[attributes]`, uint8; 0 is none.
    #[getter]
    fn rule_labels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let labels = self.0.truth().rules.as_slice().to_vec();
        let count = labels.len();
        array(py, labels, [count])
    }

    /// For each choice the rules that still hold with it `[choices, attributes]`, uint8.
    #[getter]
    fn choice_labels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let choices = self.0.truth().choices;
        let count = choices.len();
        let labels: Vec<u8> = choices.iter().flat_map(|own| own.as_slice()).copied().collect();
        let width = labels.len() / count.max(1);
        array(py, labels, [count, width])
    }

    /// The rules as the members of the originals' files that auxiliary losses use: `meta_matrix`
    /// (PGM and VAD: `relation_structure_encoded`), a row for each rule, and `meta_target`, which
    /// VAD does not have; both uint8.
    fn meta<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Option<Bound<'py, PyAny>>)> {
        if let Some(puzzle) = self.of::<raven::Puzzle>() {
            let nothing = Images::new(0, Vec::new());
            let stored = StoredPuzzle::of_puzzle(puzzle, nothing);
            let matrix = stored.meta_matrix.unwrap_or_default();
            let target = stored.meta_target.unwrap_or_default();
            let matrix = array(py, matrix.as_flattened().to_vec(), [matrix.len(), 9])?;
            return Ok((matrix, Some(array(py, target.to_vec(), [target.len()])?)));
        }
        let puzzle = self.relations().ok_or_else(|| error::spec("this family has no rules"))?;
        let rows = if matches!(puzzle, RelationPuzzle::Pgm(_)) { 4 } else { 1 };
        let triples: Vec<u16> = puzzle.recorded().iter().map(|triple| triple.bits()).collect();
        let bits = |row: u16| (0..BITS).map(move |bit| (row >> bit & 1) as u8);
        let matrix = triples.iter().copied().chain(std::iter::repeat(0)).take(rows).flat_map(bits);
        let matrix = array(py, matrix.collect(), [rows, BITS])?;
        let joined = triples.iter().fold(0, |all, row| all | row);
        let target = matches!(puzzle, RelationPuzzle::Pgm(_))
            .then(|| array(py, bits(joined).collect::<Vec<u8>>(), [BITS]));
        Ok((matrix, target.transpose()?))
    }

    /// For each choice the rules that it breaks, in words; nothing for the answer.
    #[getter]
    fn broken(&self) -> Vec<Vec<String>> {
        self.0.broken()
    }

    /// The chance that a vote among the choices finds the answer.
    #[getter]
    fn vote(&self) -> f64 {
        vote_chance(&self.0.truth().vote, self.0.target())
    }

    /// What every panel shows, as a JSON list.
    #[getter]
    fn scenes(&self) -> PyResult<String> {
        let scenes =
            Scene::of_puzzle(&*self.0).ok_or_else(|| error::spec("this family has no scenes"))?;
        serde_json::to_string(&scenes).map_err(error::data)
    }

    /// The question and the choices in plain words.
    #[getter]
    fn alt_text(&self) -> PyResult<String> {
        Ok(self.board()?.description)
    }

    /// The bytes of its npz, as the originals of its set are written.
    fn npz<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = encode_npz(&*self.0).ok_or_else(|| error::spec("this family has no files"))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Its xml, in families that have one.
    fn xml(&self) -> Option<String> {
        self.of::<raven::Puzzle>().map(|puzzle| xml::encode(&StoredScene::of(puzzle), puzzle.set))
    }

    /// The name of its file, without the ending, as puzzle number `index` of a dataset.
    fn file_stem(&self, index: u64) -> String {
        self.relations().map_or_else(|| names::stem(index), |own| own.name(index).to_string())
    }

    /// A clean drawing as an SVG.
    fn svg(&self, title: String, answer: bool) -> PyResult<String> {
        Ok(draw_puzzle(&self.board()?, &self.notes(title, answer)).svg())
    }

    /// A clean drawing as a PNG.
    fn png<'py>(
        &self,
        py: Python<'py>,
        title: String,
        answer: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        picture::png(py, &draw_puzzle(&self.board()?, &self.notes(title, answer)))
    }

    /// Whether it is what it claims to be, as JSON.
    fn audit(&self) -> String {
        let audit = self.0.audit();
        json!({
            "sound": audit.is_sound(self.0.target()),
            "untrue": audit.untrue,
            "right": audit.right,
            "equal_choices": audit.twins,
            "rivals": audit.rivals,
            "unneeded": audit.unneeded,
            "unshown": audit.unshown,
        })
        .to_string()
    }

    /// Draws all panels `[panels, size, size]`, uint8.
    fn draw<'py>(&self, py: Python<'py>, size: usize) -> PyResult<Bound<'py, PyAny>> {
        picture::check_size(size)?;
        let mut pixels = vec![0; self.0.family().form().inputs() * size * size];
        picture::draw_into(&*self.0, size, &mut pixels);
        array(py, pixels, [self.0.family().form().inputs(), size, size])
    }

    /// What [`decode_puzzle`] makes it of again: set, stratum, domain and its line of truth.
    fn encode(&self) -> PyResult<Encoded> {
        let line = match (self.of::<raven::Puzzle>(), self.relations()) {
            (Some(puzzle), _) => truth::encode(0, puzzle),
            (None, Some(puzzle)) => TruthLine { name: puzzle.name(0), puzzle }.encode(),
            (None, None) => return Err(error::spec("this family has no text form")),
        };
        Ok((self.set(), self.stratum(), self.domain(), line))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Encoded)> {
        let decode = py.import("genvp._core")?.getattr("decode_puzzle")?;
        Ok((decode, self.encode()?))
    }

    fn __eq__(&self, other: &Self) -> PyResult<bool> {
        Ok(self.encode()? == other.encode()?)
    }

    fn __hash__(&self) -> PyResult<u64> {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.encode()?.hash(&mut hasher);
        Ok(hasher.finish())
    }
}

/// A puzzle from what [`KnownPuzzle::encode`] gave.
#[pyfunction]
pub fn decode_puzzle(set: &str, stratum: &str, domain: &str, line: &str) -> PyResult<KnownPuzzle> {
    let (family, stratum) = family::stratum(set, stratum)?;
    let puzzle: Arc<dyn AnyPuzzle> = match (family.id(), Raven::layout(stratum)) {
        ("raven", Some(layout)) => {
            let set = raven::Set::parse(stratum.set).unwrap_or(raven::Set::Raven);
            let domain = Domain::parse(domain)
                .ok_or_else(|| error::spec(format!("there is no domain `{domain}`")))?;
            Arc::new(truth::parse(line, 1, set, layout, domain).map_err(error::data)?.1)
        }
        _ => match TruthLine::parse(line, 1).map_err(error::data)?.puzzle {
            RelationPuzzle::Pgm(puzzle) => Arc::new(puzzle),
            RelationPuzzle::Vad(puzzle) => Arc::new(puzzle),
        },
    };
    Ok(KnownPuzzle(puzzle))
}
