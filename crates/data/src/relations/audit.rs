//! Whether a file agrees with its name, its truth and its manifest.

use genvp_puzzle::pgm::{self, HeldOut};
use genvp_puzzle::relations::render::{self, SIDE};
use genvp_puzzle::relations::{Attribute, BLACK, Limit, Relation, Triple, ValueSet};
use genvp_puzzle::vad;

use super::{
    Format, Name, RelationFile, RelationPlan, RelationPuzzle, Truth, parse_domain_pairs,
    parse_held_out,
};

/// What a regime holds out, as a manifest says it. Without a manifest nothing is
/// known about the lists, and what depends on them is not checked.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    pgm: Option<HeldOut>,
    vad: Option<Vec<[Attribute; 2]>>,
}

impl Conditions {
    /// The conditions of a manifest's plan.
    pub fn of(plan: &RelationPlan) -> Self {
        let text = plan.held_out.join("\n");
        let regime = plan.pgm_regime();
        Self {
            pgm: regime.and_then(|regime| parse_held_out(&text, regime).ok()),
            vad: parse_domain_pairs(&text).ok(),
        }
    }

    /// Why the triples of a file do not belong where its name says.
    fn refuses(&self, name: Name, triples: &[Triple], truth: Option<&Truth>) -> Option<String> {
        let belongs = |reason: String| format!("it does not belong to {}: {reason}", name.regime());
        match name {
            Name::Pgm { regime, split, .. } => {
                let needs_list = HeldOut::of(regime) != HeldOut::Nothing;
                let list = if needs_list { self.pgm.as_ref()? } else { &HeldOut::Nothing };
                regime.refuses(split, list, triples).map(belongs)
            }
            Name::Vad { regime, split, .. } => {
                // Files record one domain only; which, is not known for sure.
                let Some(Truth { puzzle: RelationPuzzle::Vad(puzzle), .. }) = truth else {
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
    truth: Option<&Truth>,
    conditions: &Conditions,
) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(triples) = file.triples() {
        found.extend(illegal(triples, file.format));
        found.extend(name.and_then(|name| conditions.refuses(name, triples, truth)));
    }
    if let Some(truth) = truth {
        found.extend(differences(file, truth));
        found.extend(other_breaks(&truth.puzzle));
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
        Format::Vad => triple.relation == Relation::Union,
    };
    if let Some(triple) = triples.iter().find(wrong) {
        return Some(format!("{format} has no {triple}"));
    }
    (format == Format::Pgm && governs(ShapeNumber) && governs(ShapePosition))
        .then(|| "number and position are governed together".to_owned())
}

/// A choice that breaks other relations than the truth says.
fn other_breaks(puzzle: &RelationPuzzle) -> Option<String> {
    let RelationPuzzle::Pgm(puzzle) = puzzle else { return None };
    let broken = pgm::audit(puzzle).broken;
    let choice = (0..8).find(|&choice| broken[choice] != puzzle.broken[choice])?;
    Some(format!("choice {} breaks other relations than the truth says", choice + 1))
}

/// Whether file and truth say the same.
fn differences(file: &RelationFile, truth: &Truth) -> Option<String> {
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
    let mut drawn = vec![0; SIDE * SIDE];
    let wrong = puzzle.panels().enumerate().find(|(index, panel)| {
        render::panel_into(panel, &mut drawn);
        drawn != file.images.panel(*index)
    })?;
    Some(format!("panel {} is not the picture of its scene", wrong.0 + 1))
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
