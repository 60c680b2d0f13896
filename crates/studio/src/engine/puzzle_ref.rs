//! Which puzzle: everything that it takes to make it again.

use std::sync::Arc;

use genvp_draw::item::{Item, ItemSource};
use genvp_puzzle::family::{AnyPuzzle, Family, Generator, PuzzleSpec, Stratum, family_of_set};
use serde::{Deserialize, Serialize};

use super::Refusal;

/// The longest rule text that is looked at; the longest that a puzzle has is below 300.
const RULES_BYTES: usize = 1024;

/// How many puzzles are looked at for one of the wanted difficulty. The rarest that the page
/// offers (three or four relations in PGM's neutral regime) is one in sixty.
const MOST_TRIES: u64 = 1000;

/// Which puzzle: a pure function of these words and numbers.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleRef {
    /// The set: `iraven`, `raven`, `raven-fair`, `pgm`, `vad`.
    pub set: String,
    /// The layout (`3x3` or a folder name) or the regime.
    pub kind: String,
    /// Rules that must hold, in the command's words; what is not named is drawn.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rules: String,
    /// How wrong choices are made, in VAD: `lbc` or `normal`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choices: Option<String>,
    /// Leave out puzzles in which other rules single out another choice.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_rivals: bool,
    /// The seed.
    pub seed: u64,
    /// The number of the puzzle.
    #[serde(default)]
    pub index: u64,
}

/// A made puzzle with its family and what it was made from.
#[derive(Debug)]
pub struct Made {
    /// The puzzle.
    pub puzzle: Arc<dyn AnyPuzzle>,
    /// What makes it again.
    pub reference: PuzzleRef,
}

impl PuzzleRef {
    /// The family and what its generator is asked for.
    ///
    /// # Errors
    /// When there is no such set, layout or regime.
    pub fn spec(&self) -> Result<(&'static dyn Family, PuzzleSpec), Refusal> {
        let (family, stratum) = stratum(&self.set, &self.kind)?;
        if self.rules.len() > RULES_BYTES {
            let message = format!("rules of more than {RULES_BYTES} bytes");
            return Err(Refusal::impossible(message));
        }
        let (rules, choices) = (self.rules.clone(), self.choices.clone());
        let no_rivals = self.no_rivals;
        Ok((family, PuzzleSpec { rules, choices, no_rivals, ..PuzzleSpec::new(stratum) }))
    }

    fn generator(&self) -> Result<Box<dyn Generator>, Refusal> {
        let (family, spec) = self.spec()?;
        Ok(family.generator(&spec)?)
    }

    /// Makes the puzzle.
    ///
    /// # Errors
    /// When it cannot be made; the refusal says why.
    pub fn make(&self) -> Result<Made, Refusal> {
        let puzzle = Arc::from(self.generator()?.puzzle(self.seed, self.index)?);
        Ok(Made { puzzle, reference: self.clone() })
    }

    /// The first puzzle from this one on that has so many rules that change something. `go_on`
    /// is asked before each that is looked at.
    ///
    /// # Errors
    /// When none can be made, none turns up in a bounded number of tries, or `go_on` refuses.
    pub fn make_with_active_rules(
        &self,
        least: usize,
        most: usize,
        go_on: &dyn Fn() -> Result<(), Refusal>,
    ) -> Result<Made, Refusal> {
        let generator = self.generator()?;
        for index in self.index..self.index.saturating_add(MOST_TRIES) {
            go_on()?;
            let puzzle = generator.puzzle(self.seed, index)?;
            let active = active_rules(&puzzle.rules_text());
            if (least..=most).contains(&active) {
                let reference = Self { index, ..self.clone() };
                return Ok(Made { puzzle: Arc::from(puzzle), reference });
            }
        }
        Err(Refusal::impossible(format!(
            "no puzzle with {least} to {most} changing rules among {MOST_TRIES}"
        ))
        .hint("ask for another range, or for other rules"))
    }
}

impl Made {
    /// The puzzle as an item: with its drawing, key and words.
    ///
    /// # Errors
    /// When the family has no clean drawing.
    pub fn item(&self, name: String) -> Result<Item, Refusal> {
        let PuzzleRef { seed, index, .. } = self.reference;
        Item::new(name, self.puzzle.clone(), ItemSource::Engine, (seed, index))
            .ok_or_else(|| Refusal::impossible("this family has no clean drawings"))
    }
}

/// How many rules of a text change something.
pub(super) fn active_rules(rules: &str) -> usize {
    rules.split(' ').filter(|rule| !rule.ends_with("=constant")).count()
}

/// A layout or regime of a set by its short or long name.
pub(super) fn stratum(set: &str, kind: &str) -> Result<(&'static dyn Family, Stratum), Refusal> {
    let family = family_of_set(set).ok_or_else(|| {
        Refusal::impossible(format!("there is no set `{}`", clipped(set)))
            .hint("known are raven, iraven, raven-fair, pgm and vad")
    })?;
    let strata = family.strata().into_iter().filter(|stratum| stratum.set == set);
    let strata: Vec<Stratum> = strata.collect();
    let named = |s: &&Stratum| s.name == kind || family.short_name(**s) == kind;
    let found = strata.iter().find(named).copied().ok_or_else(|| {
        let known: Vec<&str> = strata.iter().map(|s| family.short_name(*s)).collect();
        let what = if family.has_layouts() { "layout" } else { "regime" };
        Refusal::impossible(format!("{set} has no {what} `{}`", clipped(kind)))
            .hint(format!("known are {}", known.join(", ")))
    })?;
    Ok((family, found))
}

/// The first characters of what somebody sent, for messages.
pub(super) fn clipped(text: &str) -> String {
    const MOST: usize = 40;
    let mut short: String = text.chars().take(MOST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
