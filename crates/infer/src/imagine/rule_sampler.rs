//! What to imagine, and drawing until the judge agrees.

use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::{Layout, RuleMatrix, Set};

use super::{Artist, Drawing, ImagineError, Progress};
use crate::judge::{RuleSpec, Verdict, judge};

/// Samples complete rule matrices: the stated rules, and the others drawn as the engine draws them.
#[derive(Clone, Debug)]
pub struct RuleSampler {
    maker: Maker,
    stated: RuleMatrix,
    seed: u64,
}

/// A drawing with what was asked and what the judge says.
#[derive(Clone, Debug)]
pub struct Imagined {
    /// What was asked.
    pub asked: RuleSpec,
    /// What was drawn.
    pub drawing: Drawing,
    /// What the judge says.
    pub verdict: Verdict,
    /// How many drawings it took; 1 where the first was taken.
    pub tries: u32,
}

impl RuleSampler {
    /// Samples for a layout in which the stated rules hold.
    ///
    /// # Errors
    /// When they cannot hold there, or not together.
    pub fn new(layout: Layout, stated: RuleMatrix, seed: u64) -> Result<Self, ImagineError> {
        let request = Request { rules: stated, ..Request::new(Set::IRaven, layout) };
        Ok(Self { maker: Maker::new(request)?, stated, seed })
    }

    /// Sample number `index`: every group of every component has a rule. Only
    /// parameters that were stated are asked for.
    ///
    /// # Errors
    /// When no puzzle with these rules can be made.
    pub fn sample(&self, index: u64) -> Result<RuleSpec, ImagineError> {
        let puzzle = self.maker.puzzle(self.seed, index)?;
        let mut rules = RuleMatrix::from_columns(&RuleMatrix::of(&puzzle.rules).columns());
        for component in 0..puzzle.layout.components().len() {
            for attribute in genvp_puzzle::Attribute::ALL {
                if let row @ genvp_puzzle::Row::Rule(..) = self.stated.row(component, attribute) {
                    rules.set(component, attribute, row);
                }
                let handed_out = self.stated.handed_out(component, attribute);
                rules.set_handed_out(component, attribute, handed_out);
            }
        }
        Ok(RuleSpec::new(puzzle.layout, rules)?)
    }

    /// Draws sample number `index` once.
    ///
    /// # Errors
    /// When no puzzle with these rules can be made, or the model fails.
    pub fn imagine(&self, artist: &Artist<'_>, index: u64) -> Result<Imagined, ImagineError> {
        self.imagine_until(artist, index, 1)
    }

    /// Draws sample number `index` until the judge agrees, at most `tries` times;
    /// the best drawing is kept where it never does.
    ///
    /// # Errors
    /// When no puzzle with these rules can be made, or the model fails.
    pub fn imagine_until(
        &self,
        artist: &Artist<'_>,
        index: u64,
        tries: u32,
    ) -> Result<Imagined, ImagineError> {
        self.imagine_while(artist, index, tries, &())
    }

    /// Like [`imagine_until`](Self::imagine_until), with progress and cancellation.
    ///
    /// # Errors
    /// As for [`imagine_until`](Self::imagine_until), and when it was given up.
    pub fn imagine_while(
        &self,
        artist: &Artist<'_>,
        index: u64,
        tries: u32,
        progress: &dyn Progress,
    ) -> Result<Imagined, ImagineError> {
        let asked = self.sample(index)?;
        let mut best: Option<Imagined> = None;
        for attempt in 0..tries.max(1) {
            progress.check()?;
            // The attempts of one sample must not meet those of the next.
            let sample = index.wrapping_add(u64::from(attempt) << 32);
            let drawing = artist.draw(&asked, self.seed, sample)?;
            let verdict = judge(&drawing.views(), &asked);
            let better = best.as_ref().is_none_or(|b| rank(&verdict) > rank(&b.verdict));
            if better {
                let asked = asked.clone();
                best = Some(Imagined { asked, drawing, verdict, tries: attempt + 1 });
            }
            if best.as_ref().is_some_and(|b| b.verdict.agrees()) {
                break;
            }
        }
        let mut best = best.expect("one drawing at least is made");
        if !best.verdict.agrees() {
            best.tries = tries.max(1);
        }
        Ok(best)
    }
}

/// Legible drawings first, then those that keep more rules, then those with nothing odd, then
/// the clearer.
fn rank(verdict: &Verdict) -> (bool, u64, bool, f32) {
    let clear = verdict.reading.least_confidence();
    (verdict.is_legible(), verdict.marks().0, verdict.odd.is_empty(), clear)
}
