//! What the originals' files leave out: along which lines a relation runs, what
//! each wrong choice breaks, what every panel shows. One JSON line per puzzle, in
//! one file per folder (`truth.jsonl`) that existing loaders pass over.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use arrayvec::ArrayVec;
use genvp_puzzle::pgm::Governed;
use genvp_puzzle::relations::{
    Attribute, Axis, BLACK, Line, LineType, Panel, Relation, Shape, ShapeType, Triple, Vocabulary,
};
use genvp_puzzle::vad::Analogy;
use genvp_puzzle::{pgm, vad};
use serde::{Deserialize, Serialize};

use super::{Format, Name};
use crate::error::InFile;
use crate::truth::FILE_NAME;
use crate::{DataError, FormatError, file, limits};

/// A puzzle of either family with its truth.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "blocks of them live for a moment")]
pub enum RelationPuzzle {
    /// A matrix.
    Pgm(pgm::Puzzle),
    /// An analogy.
    Vad(vad::Puzzle),
}

impl RelationPuzzle {
    /// Whose puzzle it is.
    pub fn format(&self) -> Format {
        match self {
            Self::Pgm(_) => Format::Pgm,
            Self::Vad(_) => Format::Vad,
        }
    }

    /// The name of its file.
    pub fn name(&self, id: u64) -> Name {
        match self {
            Self::Pgm(p) => Name::Pgm { regime: p.regime, split: p.split, id },
            Self::Vad(p) => Name::Vad { regime: p.regime, split: p.split, kind: p.kind, id },
        }
    }

    /// All panels: the question, then the choices.
    pub fn panels(&self) -> impl Iterator<Item = &Panel> {
        let (context, choices) = match self {
            Self::Pgm(p) => (p.context.as_slice(), p.choices.as_slice()),
            Self::Vad(p) => (p.context.as_slice(), p.choices.as_slice()),
        };
        context.iter().chain(choices)
    }

    /// The possible answers.
    pub fn choices(&self) -> &[Panel] {
        match self {
            Self::Pgm(p) => &p.choices,
            Self::Vad(p) => &p.choices,
        }
    }

    /// Which choice is right, counted from 0.
    pub fn target(&self) -> u8 {
        match self {
            Self::Pgm(p) => p.target,
            Self::Vad(p) => p.target,
        }
    }

    /// The triples that a file records: all of PGM's, the target row's of VAD's.
    pub fn recorded(&self) -> Vec<Triple> {
        match self {
            Self::Pgm(p) => p.structure.iter().map(|governed| governed.triple).collect(),
            Self::Vad(p) => vec![p.analogy.target_triple()],
        }
    }
}

/// One line of truth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TruthLine {
    /// The file that it is about.
    pub name: Name,
    /// The puzzle.
    pub puzzle: RelationPuzzle,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TruthJson {
    /// The name of the npz, without its ending.
    file: String,
    target: u8,
    /// PGM: object, attribute, relation, and rows or columns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    structure: Option<Vec<[String; 4]>>,
    /// PGM: attributes without a relation whose values are drawn object by object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    distracting: Option<Vec<[String; 2]>>,
    /// PGM: which triples each choice breaks, by their places in `structure`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    broken: Option<Vec<Vec<u8>>>,
    /// VAD: the relation, and the object and attribute of either row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    analogy: Option<AnalogyTruth>,
    /// VAD: the relation that each choice completes in the target domain, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    completes: Option<Vec<Option<String>>>,
    panels: Vec<PanelTruth>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnalogyTruth {
    relation: String,
    source: [String; 2],
    target: [String; 2],
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PanelTruth {
    /// Position, type, size and color of each shape.
    shapes: Vec<[u8; 4]>,
    /// Type and color of each line.
    lines: Vec<[u8; 2]>,
}

impl TruthLine {
    /// The line, without a line break.
    pub fn encode(&self) -> String {
        let mut line = TruthJson {
            file: self.name.to_string(),
            target: self.puzzle.target(),
            structure: None,
            distracting: None,
            broken: None,
            analogy: None,
            completes: None,
            panels: self.puzzle.panels().map(panel_truth).collect(),
        };
        match &self.puzzle {
            RelationPuzzle::Pgm(puzzle) => {
                let governed = |g: &Governed| {
                    let [object, attribute] = attribute_names(g.triple.attribute);
                    let (relation, axis) = (g.triple.relation.name(), g.axis.name());
                    [object, attribute, relation.to_owned(), axis.to_owned()]
                };
                line.structure = Some(puzzle.structure.iter().map(governed).collect());
                let distracts = |a: &Attribute| puzzle.distracting[a.index()];
                let distracting = Attribute::ALL.into_iter().filter(distracts);
                line.distracting = Some(distracting.map(attribute_names).collect());
                let places = |mask: &u8| (0..8).filter(|place| mask >> place & 1 == 1).collect();
                line.broken = Some(puzzle.broken.iter().map(places).collect());
            }
            RelationPuzzle::Vad(puzzle) => {
                let Analogy { relation, source, target } = puzzle.analogy;
                line.analogy = Some(AnalogyTruth {
                    relation: relation.name().to_owned(),
                    source: attribute_names(source),
                    target: attribute_names(target),
                });
                let name = |relation: &Option<Relation>| relation.map(|r| r.name().to_owned());
                line.completes = Some(puzzle.completes.iter().map(name).collect());
            }
        }
        serde_json::to_string(&line).expect("numbers and names always make JSON")
    }

    /// Reads a line. Its number is for the message of an error.
    pub fn parse(text: &str, line: usize) -> Result<Self, FormatError> {
        let parsed: TruthJson = serde_json::from_str(text)
            .map_err(|e| FormatError::Json { line, what: why_not(text, &e) })?;
        Self::of_line(parsed).map_err(|what| FormatError::Json { line, what })
    }

    fn of_line(line: TruthJson) -> Result<Self, String> {
        let name = Name::parse(&line.file)
            .ok_or_else(|| format!("`{}` is not the name of a puzzle", line.file))?;
        let puzzle = match name {
            Name::Pgm { .. } => RelationPuzzle::Pgm(pgm_puzzle(name, line)?),
            Name::Vad { .. } => RelationPuzzle::Vad(vad_puzzle(name, line)?),
        };
        Ok(Self { name, puzzle })
    }
}

/// What is wrong with a line: other datasets have truth of another kind in a file of this name.
fn why_not(text: &str, error: &serde_json::Error) -> String {
    let object: Option<serde_json::Map<String, serde_json::Value>> =
        serde_json::from_str(text).ok();
    match object {
        Some(other) if !other.is_empty() && !other.contains_key("file") => {
            "not the truth of a puzzle of PGM or VAD".to_owned()
        }
        _ => error.to_string(),
    }
}

/// The lines of a truth file, one after another.
pub(super) struct TruthReader {
    /// The folder of the files that it speaks of.
    pub(super) folder: PathBuf,
    pub(super) path: PathBuf,
    lines: BufReader<File>,
    number: usize,
}

impl TruthReader {
    /// The truth files of a folder, the last one first: one of the whole dataset,
    /// or those of its shards.
    pub(super) fn find(folder: &Path) -> Result<Vec<PathBuf>, DataError> {
        let whole = folder.join(FILE_NAME);
        if whole.is_file() {
            return Ok(vec![whole]);
        }
        let mut found = Vec::new();
        for entry in folder.read_dir().map_err(DataError::read(folder))? {
            let name = entry.map_err(DataError::read(folder))?.file_name();
            let text = name.to_string_lossy();
            if text.starts_with("truth-") && text.ends_with(".jsonl") {
                found.push(folder.join(name));
            }
        }
        found.sort();
        found.reverse();
        Ok(found)
    }

    pub(super) fn open(path: &Path) -> Result<Self, DataError> {
        let file = file::open(path)?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Ok(Self { folder, path: path.to_owned(), lines: BufReader::new(file), number: 0 })
    }
}

impl TruthReader {
    /// Whether it is of the whole dataset, not of a shard.
    pub(super) fn is_whole(&self) -> bool {
        self.path.ends_with(FILE_NAME)
    }
}

impl Iterator for TruthReader {
    type Item = Result<TruthLine, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.number += 1;
        let mut text = String::new();
        let mut bounded = self.lines.by_ref().take(limits::TRUTH_LINE_BYTES);
        match bounded.read_line(&mut text) {
            Ok(0) => None,
            Ok(_) if bounded.limit() == 0 && !text.ends_with('\n') => {
                let what = format!("more than {} bytes long", limits::TRUTH_LINE_BYTES);
                Some(Err(FormatError::Json { line: self.number, what }).in_file(&self.path))
            }
            Ok(_) => Some(TruthLine::parse(text.trim_end(), self.number).in_file(&self.path)),
            Err(source) => Some(Err(DataError::Read { path: self.path.clone(), source })),
        }
    }
}

fn attribute_names(attribute: Attribute) -> [String; 2] {
    [attribute.object().name().to_owned(), attribute.name().to_owned()]
}

fn panel_truth(panel: &Panel) -> PanelTruth {
    PanelTruth {
        shapes: panel
            .shapes
            .iter()
            .map(|s| [s.position, s.kind.value(), s.size, s.color])
            .collect(),
        lines: panel.lines.iter().map(|l| [l.kind.value(), l.color]).collect(),
    }
}

fn pgm_puzzle(name: Name, line: TruthJson) -> Result<pgm::Puzzle, String> {
    let Name::Pgm { regime, split, .. } = name else { return Err("not PGM".to_owned()) };
    let (Some(structure), Some(distracting), Some(broken)) =
        (line.structure, line.distracting, line.broken)
    else {
        return Err("structure, distracting and broken are wanted".to_owned());
    };
    if line.analogy.is_some() || line.completes.is_some() {
        return Err("analogy and completes are VAD's".to_owned());
    }
    let mut governed = ArrayVec::<Governed, 4>::new();
    for [object, attribute, relation, axis] in &structure {
        let triple = Triple::parse(object, attribute, relation).map_err(|e| e.to_string())?;
        let axis = Axis::parse(axis).ok_or_else(|| format!("`{axis}` is not rows or columns"))?;
        governed.try_push(Governed { triple, axis }).map_err(|_| "more than 4 triples")?;
    }
    if governed.is_empty() {
        return Err("no triples".to_owned());
    }
    let mut distracts = [false; 7];
    for [object, attribute] in &distracting {
        let attribute = Attribute::parse(object, attribute).map_err(|e| e.to_string())?;
        distracts[attribute.index()] = true;
    }
    let mask = |places: &Vec<u8>| {
        places.iter().try_fold(0u8, |mask, &place| {
            let known = usize::from(place) < governed.len();
            known.then(|| mask | 1 << place).ok_or_else(|| format!("there is no triple {place}"))
        })
    };
    let broken: Vec<u8> = broken.iter().map(mask).collect::<Result<_, _>>()?;
    let broken = broken
        .try_into()
        .map_err(|found: Vec<u8>| format!("broken triples of {} choices, wanted 8", found.len()))?;
    let (context, choices) = panels(line.panels, Format::Pgm.vocabulary())?;
    let target = target(line.target, 8)?;
    Ok(pgm::Puzzle {
        regime,
        split,
        structure: governed,
        distracting: distracts,
        context,
        choices,
        target,
        broken,
    })
}

fn vad_puzzle(name: Name, line: TruthJson) -> Result<vad::Puzzle, String> {
    let Name::Vad { regime, split, kind, .. } = name else { return Err("not VAD".to_owned()) };
    let (Some(analogy), Some(completes)) = (line.analogy, line.completes) else {
        return Err("analogy and completes are wanted".to_owned());
    };
    if line.structure.is_some() || line.distracting.is_some() || line.broken.is_some() {
        return Err("structure, distracting and broken are PGM's".to_owned());
    }
    let relation = |name: &str| Relation::parse(name).map_err(|e| e.to_string());
    let domain = |[object, attribute]: &[String; 2]| {
        Attribute::parse(object, attribute).map_err(|e| e.to_string())
    };
    let analogy = Analogy {
        relation: relation(&analogy.relation)?,
        source: domain(&analogy.source)?,
        target: domain(&analogy.target)?,
    };
    if !analogy.is_legal() {
        return Err(format!("{analogy} is no analogy of ours"));
    }
    let completes: Vec<Option<Relation>> = completes
        .iter()
        .map(|name| name.as_deref().map(relation).transpose())
        .collect::<Result<_, _>>()?;
    if completes.contains(&Some(Relation::Union)) {
        return Err(format!("no choice of VAD completes a {}", Relation::Union));
    }
    let completes = completes
        .try_into()
        .map_err(|found: Vec<_>| format!("completions of {} choices, wanted 4", found.len()))?;
    let (context, choices) = panels(line.panels, Format::Vad.vocabulary())?;
    let target = target(line.target, 4)?;
    Ok(vad::Puzzle { regime, split, kind, analogy, context, choices, target, completes })
}

fn target(target: u8, choices: u8) -> Result<u8, String> {
    if target < choices {
        return Ok(target);
    }
    Err(format!("target {target}, wanted 0 to {}", choices - 1))
}

/// The panels of the question and the choices.
fn panels<const N: usize, const C: usize>(
    given: Vec<PanelTruth>,
    vocabulary: Vocabulary,
) -> Result<([Panel; N], [Panel; C]), String> {
    let found = given.len();
    let wanted = || format!("{found} panels, wanted {}", N + C);
    let mut panels: Vec<Panel> =
        given.iter().map(|panel| panel_of(panel, vocabulary)).collect::<Result<_, _>>()?;
    if found != N + C {
        return Err(wanted());
    }
    let choices = panels.split_off(N).try_into().map_err(|_| wanted())?;
    Ok((panels.try_into().map_err(|_| wanted())?, choices))
}

fn panel_of(given: &PanelTruth, vocabulary: Vocabulary) -> Result<Panel, String> {
    let mut panel = Panel::default();
    for &[position, kind, size, color] in &given.shapes {
        let kind =
            ShapeType::ALL.get(usize::from(kind)).filter(|k| vocabulary.shapes().contains(k));
        let after = panel.shapes.last().is_none_or(|last| last.position < position);
        match kind {
            Some(&kind) if after && position < 9 && size < 10 && color < 10 => {
                panel.shapes.push(Shape { position, kind, size, color });
            }
            _ => return Err(format!("no shape {:?}", [position, size, color])),
        }
    }
    for &[kind, color] in &given.lines {
        let known = LineType::ALL.get(usize::from(kind)).filter(|k| vocabulary.lines().contains(k));
        let after = panel.lines.last().is_none_or(|last| last.kind.value() < kind);
        match known {
            Some(&kind) if after && (color < 10 || color == BLACK) => {
                panel.lines.push(Line { kind, color });
            }
            _ => return Err(format!("no line {kind} of color {color}")),
        }
    }
    Ok(panel)
}
