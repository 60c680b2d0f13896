//! A puzzle's file of any family, as audits, statistics and pictures see it.

use std::path::Path;

use genvp_puzzle::family::{AnyPuzzle, Family, RuleLabels, Sheet, Split, family_of_file};
use genvp_puzzle::pgm::{self, Pgm};
use genvp_puzzle::raven::Raven;
use genvp_puzzle::relations::read::LEAST_CONFIDENCE;
use genvp_puzzle::vad::{self, ChoiceKind, Vad};
use genvp_puzzle::{Domain, Layout, RuleMatrix, Set, render};

use crate::inputs::PuzzleSource;
use crate::relations::{self, Conditions, Format, Name, RelationFile, RelationPuzzle, Stated};
use crate::{DataError, Note, Scene, StoredPuzzle, limits};

/// What a file says about its puzzle.
#[derive(Debug)]
pub struct PuzzleFile {
    /// Panels, target and stratum.
    pub sheet: Sheet,
    /// The whole puzzle, where the file says enough.
    pub puzzle: Option<Box<dyn AnyPuzzle>>,
    /// The rules in the family's text form, with their parameters where the whole
    /// puzzle is known, by name where the file says no more.
    pub rules: Option<String>,
    /// The same as numbers, in files of RAVEN.
    pub labels: Option<RuleLabels>,
    /// What the file states, in families whose files name their relations.
    pub stated: Option<Stated>,
    /// What contradicts itself in the file.
    pub contradictions: Vec<String>,
    /// Whether the pixels are known to show the whole puzzle. They are not where panels
    /// have another size than the originals' and are no averages of our drawing.
    pub is_drawn_as_stated: bool,
    /// What was left out or reinterpreted.
    pub notes: Vec<Note>,
}

impl PuzzleFile {
    /// The same file with its whole puzzle and rules, where they are known.
    fn with_puzzle(self, puzzle: Option<Box<dyn AnyPuzzle>>) -> Self {
        let rules = puzzle.as_ref().map(|puzzle| puzzle.rules_text()).or(self.rules);
        Self { puzzle, rules, ..self }
    }
}

/// How the files of a family are read.
pub trait FileFormat: Sync {
    /// The family.
    fn family(&self) -> &'static dyn Family;

    /// How files that name their relations are kept: counting those takes no pixels.
    fn relations(&self) -> Option<Format> {
        None
    }

    /// Reads panels, target and notes: all that solving takes.
    ///
    /// # Errors
    /// When the file cannot be read, or is not what it should be.
    fn pixels(&self, source: &PuzzleSource) -> Result<PuzzleFile, DataError>;

    /// Reads panels, target and notes for a model of this family. Inside, the family of a file that
    /// is another's.
    ///
    /// # Errors
    /// When the file cannot be read, or is not what it should be.
    fn for_model(
        &self,
        source: &PuzzleSource,
    ) -> Result<Result<PuzzleFile, &'static dyn Family>, DataError> {
        let format = source.format()?;
        let file = format.pixels(source)?;
        let is_own = format.family().id() == self.family().id();
        Ok(is_own.then_some(file).ok_or(format.family()))
    }

    /// Reads everything, and restores the whole puzzle where the file says enough.
    ///
    /// # Errors
    /// When the file cannot be read, or is not what it should be.
    fn whole(&self, source: &PuzzleSource) -> Result<PuzzleFile, DataError>;
}

/// The formats of all families, one line each. What cannot be told is the first one's.
pub fn formats() -> &'static [&'static dyn FileFormat] {
    &[&RavenFiles, &PgmFiles, &VadFiles]
}

/// The format of a family.
pub(crate) fn format_named(family: &str) -> &'static dyn FileFormat {
    let found = formats().iter().copied().find(|format| format.family().id() == family);
    found.unwrap_or(formats()[0])
}

/// The format of a file: by its name, or else by its members and the shape of its `image`.
/// (Sixteen panels that say nothing more are RAVEN's.)
pub(crate) fn format_of(
    path: &Path,
    content: Option<&[u8]>,
) -> Result<&'static dyn FileFormat, DataError> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    // What is no npz at all is said by whoever reads it.
    let by_content = |bytes: &[u8]| Format::certain_of_npz(bytes).ok().flatten().map(Format::name);
    let known = match (family_of_file(&stem), content) {
        (Some(family), _) => Some(family.id()),
        (None, Some(bytes)) => by_content(bytes),
        (None, None) if path.extension().is_some_and(|e| e == "npz") && path.is_file() => {
            let bytes = crate::file::read_bounded(path, "npz", limits::NPZ_BYTES)?;
            by_content(&bytes)
        }
        (None, None) => None,
    };
    Ok(known.map_or(formats()[0], format_named))
}

/// The npz and xml files, pictures and tables of RAVEN.
struct RavenFiles;

impl PuzzleFile {
    /// What a file of RAVEN says of its pixels and target; its layout is that of its
    /// scene, or else of its folder.
    pub(crate) fn of_raven(stored: StoredPuzzle, folder: Option<Layout>, domain: Domain) -> Self {
        let layout = stored.scene.as_ref().map(|scene| scene.layout).or(folder);
        let side = stored.images.side();
        let labels = stored.rules().map(|rules| {
            RuleLabels::new(Raven.rule_space(), &rules.columns().map(|column| column as u8))
        });
        let sheet = Sheet {
            target: stored.target.map(usize::from),
            stratum: layout.map(|layout| Raven::stratum(Set::Raven, layout)),
            domain: (domain != Domain::Standard).then(|| domain.name()),
            ..Sheet::new(Raven.form(), side, stored.images.into_pixels())
        };
        let notes = stored.notes;
        Self {
            sheet,
            puzzle: None,
            rules: None,
            labels,
            stated: None,
            contradictions: Vec::new(),
            is_drawn_as_stated: true,
            notes,
        }
    }
}

impl FileFormat for RavenFiles {
    fn family(&self) -> &'static dyn Family {
        &Raven
    }

    fn pixels(&self, source: &PuzzleSource) -> Result<PuzzleFile, DataError> {
        Ok(PuzzleFile::of_raven(source.read_pixels()?, source.layout, source.domain))
    }

    /// Sixteen panels may be anybody's, and reading which they are takes as long as reading them:
    /// all are taken. They are counted by the name of their folder.
    fn for_model(
        &self,
        source: &PuzzleSource,
    ) -> Result<Result<PuzzleFile, &'static dyn Family>, DataError> {
        let mut file = self.pixels(source)?;
        file.sheet.stratum = source.stratum();
        Ok(Ok(file))
    }

    fn whole(&self, source: &PuzzleSource) -> Result<PuzzleFile, DataError> {
        let stored = source.read()?;
        let layout = source.layout.or(stored.scene.as_ref().map(|scene| scene.layout));
        let named = stored.rules();
        let rules = layout.and_then(|layout| Some(named?.text(layout)));
        let (Some(scene), Some(target)) = (&stored.scene, stored.target) else {
            let file = PuzzleFile::of_raven(stored, source.layout, source.domain);
            return Ok(PuzzleFile { rules, ..file });
        };
        let mut contradictions = Vec::from_iter(other_pixels(&stored, scene));
        if stored.matrix_rules().is_some_and(|rules| rules != scene.rules) {
            contradictions.push("meta_matrix and xml state different rules".to_owned());
        }
        let restored = scene.restore(Set::Raven, target);
        if restored.is_none() {
            contradictions.push("the xml does not state a rule for every attribute".to_owned());
        }
        let found = restored.as_ref().map(|restored| RuleMatrix::of(&restored.puzzle.rules));
        let rules = layout.and_then(|layout| Some(found?.text(layout))).or(rules);
        let puzzle = restored.map(|restored| Box::new(restored.puzzle) as Box<dyn AnyPuzzle>);
        Ok(PuzzleFile {
            puzzle,
            rules,
            contradictions,
            ..PuzzleFile::of_raven(stored, source.layout, source.domain)
        })
    }
}

/// The first panel whose pixels are not those of the scene.
fn other_pixels(stored: &StoredPuzzle, scene: &Scene) -> Option<String> {
    if stored.images.side() != render::SIDE {
        return None;
    }
    let mut drawn = vec![0; render::SIDE * render::SIDE];
    let wrong = scene.panels.iter().enumerate().find(|(index, panel)| {
        render::panel_into(panel, scene.layout, scene.domain, &mut drawn);
        drawn != stored.images.panel(*index)
    })?;
    Some(format!("panel {} is not the picture of its scene", wrong.0 + 1))
}

/// The npz files of PGM.
struct PgmFiles;

/// The npz files of VAD.
struct VadFiles;

fn relation_file(
    format: Format,
    source: &PuzzleSource,
) -> Result<(RelationFile, Option<Name>, PuzzleFile), DataError> {
    let family = format.family();
    let mut file = source.read_relations(format)?;
    let stem = source.path.file_stem().unwrap_or_default().to_string_lossy();
    let name = Name::parse(&stem);
    let of_regime = |name: Name| {
        let regime = name.regime();
        family.strata().into_iter().find(|stratum| stratum.name == regime)
    };
    let pixels = file.images.pixels().to_vec();
    let sheet = Sheet {
        target: file.target.map(usize::from),
        stratum: name.and_then(of_regime),
        ..Sheet::new(family.form(), file.images.side(), pixels)
    };
    let notes = std::mem::take(&mut file.notes);
    let stated = Some(Stated::of(&file, name, source.truth.as_deref()));
    let is_drawn_as_stated =
        truth_of(source).is_none_or(|puzzle| relations::is_drawn(&file.images, puzzle));
    let found = PuzzleFile {
        sheet,
        puzzle: None,
        rules: None,
        labels: None,
        stated,
        contradictions: Vec::new(),
        is_drawn_as_stated,
        notes,
    };
    Ok((file, name, found))
}

fn truth_of(source: &PuzzleSource) -> Option<&RelationPuzzle> {
    source.truth.as_ref().map(|truth| &truth.puzzle)
}

/// What the members of a file, its name, its truth and its manifest say against
/// each other.
fn contradictions(file: &RelationFile, name: Option<Name>, source: &PuzzleSource) -> Vec<String> {
    let none = Conditions::default();
    let conditions = source.conditions.as_deref().unwrap_or(&none);
    relations::contradictions(file, name, source.truth.as_deref(), conditions)
}

impl FileFormat for PgmFiles {
    fn family(&self) -> &'static dyn Family {
        &Pgm
    }

    fn relations(&self) -> Option<Format> {
        Some(Format::Pgm)
    }

    fn pixels(&self, source: &PuzzleSource) -> Result<PuzzleFile, DataError> {
        Ok(relation_file(Format::Pgm, source)?.2)
    }

    fn whole(&self, source: &PuzzleSource) -> Result<PuzzleFile, DataError> {
        let (file, name, mut found) = relation_file(Format::Pgm, source)?;
        found.contradictions = contradictions(&file, name, source);
        if let Some(RelationPuzzle::Pgm(puzzle)) = truth_of(source) {
            return Ok(found.with_puzzle(Some(Box::new(puzzle.clone()))));
        }
        let (Some(triples), Some(target)) = (file.triples(), file.target) else {
            return Ok(found);
        };
        // What the name does not say plays no part in an audit.
        let (regime, split) = match name {
            Some(Name::Pgm { regime, split, .. }) => (regime, split),
            _ => (pgm::Regime::Neutral, Split::Train),
        };
        let puzzle = Pgm::restore(&found.sheet, regime, split, triples, target)
            .map_err(|error| DataError::Family { path: source.path.clone(), source: error })?;
        Ok(found.with_puzzle(puzzle.map(|puzzle| Box::new(puzzle) as Box<dyn AnyPuzzle>)))
    }
}

impl FileFormat for VadFiles {
    fn family(&self) -> &'static dyn Family {
        &Vad
    }

    fn relations(&self) -> Option<Format> {
        Some(Format::Vad)
    }

    fn pixels(&self, source: &PuzzleSource) -> Result<PuzzleFile, DataError> {
        Ok(relation_file(Format::Vad, source)?.2)
    }

    fn whole(&self, source: &PuzzleSource) -> Result<PuzzleFile, DataError> {
        let (file, name, mut found) = relation_file(Format::Vad, source)?;
        found.contradictions = contradictions(&file, name, source);
        if let Some(RelationPuzzle::Vad(puzzle)) = truth_of(source) {
            return Ok(found.with_puzzle(Some(Box::new(puzzle.clone()))));
        }
        let (Some([triple, ..]), Some(target)) = (file.triples(), file.target) else {
            return Ok(found);
        };
        let (regime, split, kind) = match name {
            Some(Name::Vad { regime, split, kind, .. }) => (regime, split, kind),
            _ => (vad::Regime::Interpolation, Split::Train, ChoiceKind::Lbc),
        };
        let puzzle = Vad::restore(&found.sheet, regime, split, kind, *triple, target)
            .map_err(|error| DataError::Family { path: source.path.clone(), source: error })?;
        let is_unknown = found.contradictions.is_empty() && !triple.is_legal();
        if puzzle.is_none() && is_unknown && is_drawn_by_us(&found.sheet) {
            found.contradictions.push(format!("no puzzle that is drawn as this one has {triple}"));
        }
        // Files name one domain. Pixels show both, where a source row follows the relation.
        let shown = puzzle.as_ref().filter(|puzzle| vad::audit(puzzle).is_shown);
        if let (Some(stated), Some(puzzle)) = (&mut found.stated, shown) {
            stated.domains = Some([puzzle.analogy.source, puzzle.analogy.target]);
        }
        Ok(found.with_puzzle(puzzle.map(|puzzle| Box::new(puzzle) as Box<dyn AnyPuzzle>)))
    }
}

/// Whether the panels of VAD are drawn as ours, so that what they show is known.
fn is_drawn_by_us(sheet: &Sheet) -> bool {
    let confidence = Vad.solve(sheet, false).ok().and_then(|solved| solved.confidence);
    confidence.is_some_and(|confidence| confidence >= LEAST_CONFIDENCE)
}

/// The npz of a made puzzle, as the originals of its family write it; `None` in
/// families that have none.
pub fn encode_npz(puzzle: &dyn AnyPuzzle) -> Option<Vec<u8>> {
    let puzzle: &dyn std::any::Any = puzzle;
    if let Some(puzzle) = puzzle.downcast_ref::<genvp_puzzle::Puzzle>() {
        let images = crate::Images::new(render::SIDE, render::puzzle(puzzle));
        return Some(StoredPuzzle::of_puzzle(puzzle, images).encode_npz(puzzle.set));
    }
    let pgm = puzzle.downcast_ref::<pgm::Puzzle>().cloned().map(RelationPuzzle::Pgm);
    let vad = || puzzle.downcast_ref::<vad::Puzzle>().cloned().map(RelationPuzzle::Vad);
    pgm.or_else(vad).map(|puzzle| RelationFile::of_puzzle(&puzzle).encode())
}
