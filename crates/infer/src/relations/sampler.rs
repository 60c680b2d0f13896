//! What to imagine, and drawing until the judge agrees.

use genvp_puzzle::family::{Family, FamilyError, Generator, PuzzleSpec, Stratum};
use genvp_puzzle::relations::judge::{AskedRules, JudgedPanels};

use super::{RelationArtist, RelationDrawing};
use crate::imagine::ImagineError;

/// Samples the rules of puzzles of a regime: the stated ones, or those of the engine's puzzles.
pub struct RelationSampler {
    generator: Box<dyn Generator>,
    stated: Option<AskedRules>,
    seed: u64,
    /// Whether the axes of the engine's puzzles are asked for too.
    axes: bool,
}

/// A drawing with what was asked and what the judge reads in it.
#[derive(Clone, Debug)]
pub struct RelationImagined {
    /// What was asked.
    pub asked: AskedRules,
    /// What was drawn.
    pub drawing: RelationDrawing,
    /// What the judge reads.
    pub read: JudgedPanels,
    /// How many drawings it took; 1 where the first was taken.
    pub tries: u32,
}

impl RelationImagined {
    /// How many of the asked rules hold, and how many there are.
    pub fn marks(&self) -> (usize, usize) {
        let rules = &self.asked.0;
        (rules.iter().filter(|&&rule| self.read.holds(rule)).count(), rules.len())
    }

    /// Whether all hold.
    pub fn agrees(&self) -> bool {
        self.read.keeps(&self.asked)
    }

    /// What the judge says, in words.
    pub fn words(&self) -> String {
        let unreadable = self.read.unreadable().count();
        if unreadable > 0 {
            return format!("{unreadable} panels cannot be read");
        }
        let (right, all) = self.marks();
        if right == all { "every rule holds".into() } else { format!("{} broken", all - right) }
    }
}

impl RelationSampler {
    /// Samples the rules of a regime of a family. Stated rules are all that a puzzle has; where
    /// there are none, each puzzle has those of one of the engine's.
    ///
    /// # Errors
    /// When the family has no such regime, or no puzzles with these rules in it.
    pub fn new(
        family: &'static dyn Family,
        regime: Option<&str>,
        rules: &str,
        seed: u64,
    ) -> Result<Self, ImagineError> {
        let spec =
            PuzzleSpec { rules: rules.to_owned(), ..PuzzleSpec::new(stratum(family, regime)?) };
        let generator = family.generator(&spec)?;
        let stated = AskedRules::parse(rules).map_err(FamilyError::from)?;
        let stated = Some(stated).filter(|rules| !rules.0.is_empty());
        Ok(Self { generator, stated, seed, axes: false })
    }

    /// Also asks for the axes of the engine's puzzles.
    pub fn with_axes(self) -> Self {
        Self { axes: true, ..self }
    }

    /// The seed of the rules and of the drawings.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The rules of sample number `index`.
    ///
    /// # Errors
    /// When no puzzle with these rules can be made.
    pub fn sample(&self, index: u64) -> Result<AskedRules, ImagineError> {
        if let Some(stated) = &self.stated {
            return Ok(stated.clone());
        }
        let rules = self.generator.puzzle(self.seed, index)?.rules_text();
        let rules = AskedRules::parse(&rules).map_err(FamilyError::from)?;
        Ok(if self.axes { rules } else { rules.without_axes() })
    }

    /// Draws sample number `index` until the judge agrees, at most `tries` times; the drawing that
    /// keeps most rules is kept where it never does.
    ///
    /// # Errors
    /// When no puzzle with these rules can be made, or the model fails.
    pub fn imagine_until(
        &self,
        artist: &RelationArtist<'_>,
        index: u64,
        tries: u32,
    ) -> Result<RelationImagined, ImagineError> {
        let asked = self.sample(index)?;
        let mut best: Option<RelationImagined> = None;
        for attempt in 0..tries.max(1) {
            // The attempts of one sample must not meet those of the next.
            let sample = index.wrapping_add(u64::from(attempt) << 32);
            let drawing = artist.draw(&asked, self.seed, sample)?;
            let read = artist.read(&drawing.panels);
            let own = RelationImagined { asked: asked.clone(), drawing, read, tries: attempt + 1 };
            let agrees = own.agrees();
            if best.as_ref().is_none_or(|best| own.marks() > best.marks()) {
                best = Some(own);
            }
            if agrees {
                break;
            }
        }
        let mut best = best.expect("one drawing at least is made");
        if !best.agrees() {
            best.tries = tries.max(1);
        }
        Ok(best)
    }
}

/// A regime of a family by its name; without one its first, which its model in the box learned.
///
/// # Errors
/// When there is none of that name.
fn stratum(family: &'static dyn Family, regime: Option<&str>) -> Result<Stratum, ImagineError> {
    let strata = family.strata();
    let wanted = regime.unwrap_or(strata[0].name);
    let found = strata.iter().copied().find(|stratum| stratum.name == wanted);
    found.ok_or_else(|| {
        let known: Vec<&str> = strata.iter().map(|stratum| stratum.name).collect();
        ImagineError::Family(FamilyError::Unknown {
            family: family.id(),
            what: "regime",
            found: wanted.to_owned(),
            known: known.join(", "),
        })
    })
}
