//! What a trained model can do.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use genvp_infer::complete::{Gap, Protocol, likely_rules, verdict};
use genvp_infer::imagine::{Artist, Drawing, ImagineError, Progress, RuleSampler};
use genvp_infer::judge::{self, RuleSpec, Verdict};
use genvp_infer::{InferError, RuleTable, Solution, Solver, Weights, json};
use genvp_model::{DeviceChoice, SamplingConfig};
use genvp_puzzle::family::Family;
use genvp_puzzle::{Layout, RuleMatrix, resize_area};
use numpy::PyReadonlyArray4;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rayon::prelude::*;
use serde_json::Value;

use crate::arrays::{Panels, array};
use crate::{error, family, threads};

/// A trained model. In a box: parts of it are aligned to more bytes than Python's objects are.
#[pyclass(frozen, module = "genvp._core")]
pub struct Model(Box<genvp_infer::Model>);

/// The names of the models in the box.
#[pyfunction]
pub fn model_names() -> Vec<&'static str> {
    genvp_infer::Model::names()
}

/// The name of the box's model for puzzles of a family.
#[pyfunction]
pub fn default_model(family: &str) -> PyResult<&'static str> {
    genvp_infer::Model::solver_of(family::by_id(family)?).map_err(error::model)
}

/// The bytes of a weights file, or of the weights in the box of that name.
#[pyfunction]
pub fn weights_bytes(py: Python<'_>, name: PathBuf) -> PyResult<Bound<'_, PyBytes>> {
    let weights = py.detach(|| Weights::find(&name)).map_err(error::model)?;
    Ok(PyBytes::new(py, weights.bytes()))
}

/// What a model says of a puzzle.
#[pyclass(frozen, get_all, module = "genvp._core")]
pub struct Answer {
    /// The chosen candidate, counted from 0.
    answer: usize,
    /// Every candidate's score `[choices]`, float32.
    scores: Py<PyAny>,
    /// The rules of the puzzle that each candidate completes `[choices, attributes, rules]`, float32.
    rule_probabilities: Py<PyAny>,
    /// The rules of the puzzle as completed by the answer, in words.
    rules: String,
    /// The layout, where it is sure.
    layout: Option<&'static str>,
    /// How sure the answer is, how likely by the scores alone, and how well the panels are known.
    confidence: Option<(f32, f32, f32)>,
    /// What every expert said, if that was asked for: its name, and the rules that each
    /// candidate completes.
    experts: Option<Vec<(String, Py<PyAny>)>>,
    /// For each candidate the rules that it loses against the answer, in words; none if experts
    /// were not asked for.
    lost: Vec<Vec<String>>,
}

fn table_array(py: Python<'_>, tables: &[RuleTable]) -> PyResult<Py<PyAny>> {
    let space = tables.first().map(RuleTable::space);
    let (attributes, rules) = space.map_or((0, 0), |s| (s.attributes.len(), s.rules.len()));
    let cells = tables.iter().flat_map(RuleTable::cells).copied();
    Ok(array(py, cells.collect::<Vec<f32>>(), [tables.len(), attributes, rules])?.unbind())
}

impl Answer {
    fn of(py: Python<'_>, solution: &Solution) -> PyResult<Self> {
        let scores: Vec<f32> = solution.scores.iter().map(|score| score.active).collect();
        let experts = solution.named_experts().into_iter();
        let experts = experts.map(|(name, own)| Ok((name, table_array(py, &own)?)));
        let (count, with_experts) = (scores.len(), solution.experts.is_some());
        let explained = if with_experts { count } else { 0 };
        Ok(Self {
            answer: solution.answer,
            scores: array(py, scores, [count])?.unbind(),
            rule_probabilities: table_array(py, &solution.candidates)?,
            rules: solution.rules_text(),
            layout: solution.layout().map(Layout::folder),
            confidence: solution.confidence.map(|c| (c.value, c.chance, c.trust)),
            experts: with_experts.then(|| experts.collect::<PyResult<_>>()).transpose()?,
            lost: (0..explained).map(|choice| solution.lost_texts(choice)).collect(),
        })
    }
}

/// Puzzles that a thread takes between two looks at Ctrl-C.
const BLOCK: usize = 2 * Solver::BATCH;

#[pymethods]
impl Model {
    /// The model in the box of that name, or the one in the file of that name.
    #[new]
    fn new(py: Python<'_>, name: PathBuf) -> PyResult<Self> {
        let load = || {
            let (device, _) = DeviceChoice::Cpu.open()?;
            genvp_infer::Model::open(name, &device)
        };
        let model = py.detach(load).map_err(|error: InferError| error::model(error))?;
        Ok(Self(Box::new(model)))
    }

    /// Its name.
    #[getter]
    fn name(&self) -> String {
        self.0.card().name().to_owned()
    }

    /// Its card, for people.
    #[getter]
    fn card(&self) -> String {
        self.0.card().to_string()
    }

    /// Its card, as JSON.
    #[getter]
    fn card_json(&self) -> String {
        self.0.card().to_json().to_string()
    }

    /// How many panels its puzzles come with.
    #[getter]
    fn inputs(&self) -> usize {
        self.0.config().puzzle().inputs()
    }

    /// The family of puzzles that it is for: `raven`, `pgm` or `vad`.
    #[getter]
    fn family(&self) -> Option<&'static str> {
        self.0.family().map(Family::id)
    }

    /// Answers puzzles from their pixels.
    fn solve(
        &self,
        py: Python<'_>,
        panels: PyReadonlyArray4<'_, u8>,
        confidence: bool,
        experts: bool,
    ) -> PyResult<Vec<Answer>> {
        let panels = Panels::of(panels)?;
        if panels.panels != self.inputs() {
            let (found, name, wanted) = (panels.panels, self.name(), self.inputs());
            return Err(error::array(format!("{found} panels: {name} is for {wanted}")));
        }
        let solver = Solver::new(&self.0).map_err(error::model)?;
        let solver = solver.with_confidence(confidence).with_experts(experts);
        let puzzles: Vec<&[u8]> = panels.puzzles()?.collect();
        let side = panels.side;
        let mut answers = Vec::with_capacity(puzzles.len());
        for block in puzzles.chunks(threads::block(BLOCK)) {
            let solved = threads::work(py, || {
                let mut ink = vec![0.0; block.len() * solver.inks()];
                ink.par_chunks_mut(solver.inks())
                    .zip(block)
                    .for_each(|(out, own)| solver.write_ink(own, side, out));
                solver.solve_ink(ink)
            })?;
            for solution in solved.map_err(error::model)? {
                answers.push(Answer::of(py, &solution)?);
            }
            py.check_signals()?;
        }
        Ok(answers)
    }

    /// Draws puzzles `first` to `first + n` of a seed from rules: what was asked, the nine panels
    /// `[9, side, side]`, and what the judge says, as JSON.
    #[allow(clippy::too_many_arguments, reason = "python/genvp/_model.py names them")]
    fn imagine(
        &self,
        py: Python<'_>,
        layout: &str,
        rules: &str,
        first: u64,
        n: u64,
        seed: u64,
        tries: u32,
        temperature: f32,
    ) -> PyResult<Vec<(String, Py<PyAny>, String)>> {
        let layout = parse_layout(layout)?;
        let rules = RuleMatrix::parse(rules, layout).map_err(error::spec)?;
        if !(0.0..=10.0).contains(&temperature) {
            return Err(error::spec(format!("a temperature of {temperature}: wanted 0 to 10")));
        }
        let sampler = RuleSampler::new(layout, rules, seed).map_err(error::spec)?;
        let sampling = SamplingConfig { temperature, ..SamplingConfig::default() };
        let artist = Artist::new(self.0.genvp(), self.0.device()).map_err(error::model)?;
        let artist = artist.with_sampling(sampling);
        let imagined = threads::interruptible(py, |stop| {
            let until = Until(stop);
            let draw = |index| sampler.imagine_while(&artist, index, tries, &until);
            (first..first.saturating_add(n)).map(draw).collect::<Result<Vec<_>, _>>()
        })?;
        let said = imagined.map_err(error::model)?.into_iter().map(|own| {
            let panels = drawing_array(py, &own.drawing)?;
            let text = own.asked.rules.text(layout);
            Ok((text, panels, verdict_json(&own.verdict).to_string()))
        });
        said.collect()
    }

    /// Draws what could stand in the missing panels of nine: each answer's panels, the rules that
    /// it followed, and what the judge says of these, as JSON.
    fn complete(
        &self,
        py: Python<'_>,
        panels: PyReadonlyArray4<'_, u8>,
        missing: Vec<usize>,
        layout: &str,
        n: u64,
        seed: u64,
    ) -> PyResult<Vec<(Py<PyAny>, String, String)>> {
        let layout = parse_layout(layout)?;
        let views = nine(&Panels::of(panels)?)?;
        let mut gone = [false; 9];
        for panel in missing {
            let Some(gone) = gone.get_mut(panel) else {
                return Err(error::spec(format!("panel {panel} is missing: they are 0 to 8")));
            };
            *gone = true;
        }
        let gap = Gap::new(views, gone).map_err(error::spec)?;
        let artist = Artist::new(self.0.genvp(), self.0.device()).map_err(error::model)?;
        let completed = threads::interruptible(py, |stop| {
            let answers =
                artist.complete_while(&gap, Protocol::Honest, seed, 0..n, &Until(stop))?;
            let judged = answers.into_iter().map(|answer| {
                let rules = likely_rules(&answer.rules, layout)?;
                let said = verdict(&answer.drawing, layout, rules)?;
                Ok((answer.drawing, rules, said))
            });
            judged.collect::<Result<Vec<_>, ImagineError>>()
        })?;
        let said = completed.map_err(error::model)?.into_iter().map(|(drawing, rules, said)| {
            let panels = drawing_array(py, &drawing)?;
            Ok((panels, rules.text(layout), verdict_json(&said).to_string()))
        });
        said.collect()
    }
}

/// Drawing goes on until Ctrl-C was pressed.
struct Until<'s>(&'s AtomicBool);

impl Progress for Until<'_> {
    fn is_over(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

fn parse_layout(name: &str) -> PyResult<Layout> {
    Layout::parse(name).ok_or_else(|| {
        let known = Layout::ALL.map(Layout::short).join(", ");
        error::spec(format!("there is no layout `{name}`: known are {known}"))
    })
}

fn drawing_array(py: Python<'_>, drawing: &Drawing) -> PyResult<Py<PyAny>> {
    let pixels: Vec<u8> = (0..9).flat_map(|panel| drawing.grey(panel)).collect();
    Ok(array(py, pixels, [9, judge::SIDE, judge::SIDE])?.unbind())
}

/// Nine panels as the judge sees them: ink of its own size.
fn nine(panels: &Panels<'_>) -> PyResult<[Vec<f32>; 9]> {
    if (panels.count, panels.panels) != (1, 9) {
        return Err(error::array("nine panels are wanted"));
    }
    let (side, pixels) = (panels.side, panels.pixels()?);
    Ok(std::array::from_fn(|panel| {
        let mut ink = vec![0.0; judge::SIDE * judge::SIDE];
        let grey = &pixels[panel * side * side..(panel + 1) * side * side];
        resize_area(grey, side, judge::SIDE, &mut ink);
        ink
    }))
}

/// Whether nine panels of a completed RAVEN puzzle keep the rules, as JSON.
#[pyfunction]
pub fn judge_panels(
    py: Python<'_>,
    panels: PyReadonlyArray4<'_, u8>,
    layout: &str,
    rules: &str,
) -> PyResult<String> {
    let layout = parse_layout(layout)?;
    let rules = RuleMatrix::parse(rules, layout).map_err(error::spec)?;
    let asked = RuleSpec::new(layout, rules).map_err(error::spec)?;
    let ink = nine(&Panels::of(panels)?)?;
    let views = std::array::from_fn(|panel| ink[panel].as_slice());
    let verdict = threads::work(py, || judge::judge(&views, &asked))?;
    Ok(verdict_json(&verdict).to_string())
}

/// A verdict as one object, with its words.
fn verdict_json(verdict: &Verdict) -> Value {
    let mut said = json::verdict(verdict);
    said["words"] = verdict.words().into();
    said
}
