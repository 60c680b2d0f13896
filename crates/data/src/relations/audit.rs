//! Whether a file agrees with its name, its truth and its manifest.

use genvp_puzzle::pgm::{self, HeldOut};
use genvp_puzzle::relations::render::{self, SIDE};
use genvp_puzzle::relations::{Attribute, BLACK, Limit, Relation, SpecError, Triple, ValueSet};
use genvp_puzzle::vad;

use super::{
    Format, Name, RelationFile, RelationPlan, RelationPuzzle, TruthLine, parse_domain_pairs,
    parse_held_out,
};
use crate::{FormatError, Images};

/// What a regime holds out, as a manifest says it. Without a manifest nothing is
/// known about the lists, and what depends on them is not checked.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    pgm: Option<HeldOut>,
    vad: Option<Vec<[Attribute; 2]>>,
    /// The settings that say so.
    pub plan: Option<RelationPlan>,
}

impl Conditions {
    /// The conditions of a manifest's plan.
    ///
    /// # Errors
    /// When the list is not one that the regime could hold out.
    pub fn of(plan: RelationPlan) -> Result<Self, FormatError> {
        let wrong = |what: String| FormatError::Json { line: 1, what: format!("held_out: {what}") };
        let spec = |error: SpecError| wrong(error.to_string());
        let text = plan.held_out.join("\n");
        let mut conditions = Self::default();
        if let Some(regime) = plan.pgm_regime() {
            if HeldOut::of(regime) != HeldOut::Nothing || !text.is_empty() {
                let list = parse_held_out(&text, regime).map_err(|e| wrong(e.to_string()))?;
                list.check(regime).map_err(spec)?;
                conditions.pgm = Some(list);
            }
        } else if let Some(regime) = plan.vad_regime() {
            if regime == vad::Regime::DomainTransfer || !text.is_empty() {
                let list = parse_domain_pairs(&text).map_err(|e| wrong(e.to_string()))?;
                vad::check_held_out(regime, &list).map_err(spec)?;
                conditions.vad = Some(list);
            }
        } else {
            return Err(wrong("of no regime that is known".to_owned()));
        }
        Ok(Self { plan: Some(plan), ..conditions })
    }

    /// Whether they are those of a file's regime.
    pub(crate) fn are_of(&self, name: Name) -> bool {
        self.plan.as_ref().is_some_and(|plan| plan.is_of(name))
    }

    /// Why the triples of a file do not belong where its name says.
    fn refuses(&self, name: Name, triples: &[Triple], truth: Option<&TruthLine>) -> Option<String> {
        let belongs = |reason: String| format!("it does not belong to {}: {reason}", name.regime());
        match name {
            Name::Pgm { regime, split, .. } => {
                let needs_list = HeldOut::of(regime) != HeldOut::Nothing;
                let list = if needs_list { self.pgm.as_ref()? } else { &HeldOut::Nothing };
                regime.refuses(split, list, triples).map(belongs)
            }
            Name::Vad { regime, split, .. } => {
                // Files record one domain only; which, is not known for sure.
                let Some(TruthLine { puzzle: RelationPuzzle::Vad(puzzle), .. }) = truth else {
                    return None;
                };
                let list = match regime {
                    vad::Regime::DomainTransfer => self.vad.as_deref()?,
                    _ => &[],
                };
                let reason = regime.refuses(split, list, puzzle.analogy);
                reason.map(|reason| belongs(reason.to_owned()))
            }
        }
    }
}

/// What a file, its name, its truth and its manifest say against each other.
pub fn contradictions(
    file: &RelationFile,
    name: Option<Name>,
    truth: Option<&TruthLine>,
    conditions: &Conditions,
) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(triples) = file.triples() {
        found.extend(illegal(triples, file.format));
        found.extend(name.and_then(|name| conditions.refuses(name, triples, truth)));
    }
    if let Some(truth) = truth {
        found.extend(differences(file, truth));
        found.extend(match &truth.puzzle {
            RelationPuzzle::Pgm(puzzle) => {
                other_breaks(puzzle).or_else(|| other_distractors(puzzle))
            }
            RelationPuzzle::Vad(puzzle) => other_completions(puzzle),
        });
        found.extend(out_of_range(&truth.puzzle));
    }
    found
}

/// Triples that the authors rule out. Two relations on one attribute are not
/// among them: whether the originals have that is an open question, which the
/// statistics answer.
fn illegal(triples: &[Triple], format: Format) -> Option<String> {
    use Attribute::{ShapeNumber, ShapePosition};
    let governs = |attribute| triples.iter().any(|t| t.attribute == attribute);
    let wrong = |triple: &&Triple| match format {
        Format::Pgm => !triple.is_legal(),
        // A panel has one number of shapes, so numbers make no sets. Whether the originals have
        // progressions of positions and line types is not known.
        Format::Vad => {
            triple.relation == Relation::Union
                || triple.attribute == ShapeNumber && !triple.is_legal()
        }
    };
    if let Some(triple) = triples.iter().find(wrong) {
        return Some(format!("{format} has no {triple}"));
    }
    let repeated = (1..triples.len()).find(|&i| triples[..i].contains(&triples[i]));
    if let Some(i) = repeated {
        return Some(format!("{} is stated twice", triples[i]));
    }
    (format == Format::Pgm && governs(ShapeNumber) && governs(ShapePosition))
        .then(|| "number and position are governed together".to_owned())
}

/// A choice that breaks other relations than the truth says.
fn other_breaks(puzzle: &pgm::Puzzle) -> Option<String> {
    let broken = pgm::audit(puzzle).broken;
    let choice = (0..broken.len()).find(|&choice| broken[choice] != puzzle.broken[choice])?;
    Some(format!("choice {} breaks other relations than the truth says", choice + 1))
}

/// A choice that completes another relation than the truth says.
fn other_completions(puzzle: &vad::Puzzle) -> Option<String> {
    let completes = vad::audit(puzzle).completes;
    let choice =
        (0..completes.len()).find(|&choice| completes[choice] != puzzle.completes[choice])?;
    Some(format!("choice {} completes another relation than the truth says", choice + 1))
}

/// An attribute that is governed and said to distract, or that is neither and changes
/// nevertheless. The number of shapes follows positions that are governed.
fn other_distractors(puzzle: &pgm::Puzzle) -> Option<String> {
    let governs = |attribute| puzzle.structure.iter().any(|g| g.triple.attribute == attribute);
    Attribute::ALL.into_iter().find_map(|attribute| {
        let distracts = puzzle.distracting[attribute.index()];
        let follows = attribute == Attribute::ShapeNumber && governs(Attribute::ShapePosition);
        if governs(attribute) || follows {
            return distracts.then(|| format!("{attribute} is governed, but said to distract"));
        }
        let mut shown = puzzle.panels().map(|panel| panel.values(attribute));
        let first = shown.by_ref().find(|values| !values.is_empty())?;
        let changes = shown.any(|values| !values.is_empty() && values != first);
        (changes && !distracts).then(|| format!("{attribute} changes, but is not said to distract"))
    })
}

/// Whether pictures show the panels of a puzzle: pixel by pixel at the originals' size,
/// to within a grey value as averages of it.
pub fn is_drawn(images: &Images, puzzle: &RelationPuzzle) -> bool {
    if images.panels() != puzzle.format().panels() {
        return false;
    }
    let side = images.side();
    if side == SIDE {
        return other_panel(images, puzzle).is_none();
    }
    let mut ink = vec![0f32; side * side];
    puzzle.panels().enumerate().all(|(index, panel)| {
        render::ink_into(panel, side, &mut ink);
        let grey = ink.iter().map(|&ink| 255.0 * (1.0 - ink));
        grey.zip(images.panel(index)).all(|(drawn, &found)| (drawn - f32::from(found)).abs() <= 1.0)
    })
}

/// The first panel, counted from 0, that is not the picture of its scene at the
/// originals' size.
fn other_panel(images: &Images, puzzle: &RelationPuzzle) -> Option<usize> {
    let mut drawn = vec![0; SIDE * SIDE];
    let mut panels = puzzle.panels().enumerate();
    let wrong = panels.find(|(index, panel)| {
        render::panel_into(panel, &mut drawn);
        drawn != images.panel(*index)
    })?;
    Some(wrong.0)
}

/// Whether file and truth say the same.
fn differences(file: &RelationFile, truth: &TruthLine) -> Option<String> {
    let puzzle = &truth.puzzle;
    if file.format != puzzle.format() {
        return Some(format!("its truth is of {}", puzzle.format()));
    }
    if file.target != Some(puzzle.target()) {
        return Some("target and truth name different choices".to_owned());
    }
    if file.triples() != Some(puzzle.recorded().as_slice()) {
        return Some("relation_structure and truth name different relations".to_owned());
    }
    if file.images.side() != SIDE {
        return None;
    }
    let wrong = other_panel(&file.images, puzzle)?;
    Some(format!("panel {} is not the picture of its scene", wrong + 1))
}

/// Whether a color or size occurs that the regime keeps for another split.
fn out_of_range(puzzle: &RelationPuzzle) -> Option<String> {
    let limit = match puzzle {
        RelationPuzzle::Pgm(p) => p.regime.limit(p.split),
        RelationPuzzle::Vad(p) => p.regime.limit(p.split),
    };
    if limit == Limit::None {
        return None;
    }
    let vocabulary = puzzle.format().vocabulary();
    let black = ValueSet::of(BLACK);
    puzzle.panels().enumerate().find_map(|(index, panel)| {
        let outside = Attribute::ALL.into_iter().find(|&attribute| {
            let values = panel.values(attribute);
            // Lines of no other color are black, in every split.
            let values = if attribute == Attribute::LineColor && values.contains(BLACK) {
                values ^ black
            } else {
                values
            };
            !limit.allows(attribute, values, vocabulary)
        })?;
        Some(format!("panel {} has a {outside} of another split", index + 1))
    })
}
