//! Answers for the missing panels of a puzzle, several of them.
//!
//! Two protocols, because the paper leaves open what its model was shown:
//!
//! * **honest**: the missing panels are blank when the rules are inferred;
//! * **leaking**: the rules are those of the whole puzzle, missing panels
//!   included, as one gets by encoding the complete puzzle.
//!
//! What was drawn is judged by the rules that were followed and by those of the
//! complete puzzle.

use genvp_model::to_host;
use genvp_puzzle::check::visibly_equal;
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::raven::{FORM, Grid};
use genvp_puzzle::{Attribute, Domain, Group, Layout, Row, Rule, RuleMatrix, Set};

use crate::imagine::{Artist, Drawing, ImagineError, Progress, noise};
use crate::judge::{self, RuleSpec, Verdict, read_grid};

/// A puzzle with some panels missing.
#[derive(Clone, Debug)]
pub struct Gap {
    /// The panels at the judge's size, ink = 1; those missing may hold
    /// anything: they are not read.
    pub panels: Grid<Vec<f32>>,
    /// Which panels are missing.
    pub missing: Grid<bool>,
}

/// A model's answer.
#[derive(Clone, Debug)]
pub struct Completion {
    /// The puzzle with the missing panels drawn and the others as they were.
    pub drawing: Drawing,
    /// The rules that were followed: a share for every cell of the rule matrix.
    pub rules: Vec<f32>,
    /// What the model decided on for the missing panels: the signs of their Z_o.
    signs: Vec<bool>,
}

/// How often an answer that was given before is drawn again.
const TRIES: u64 = 6;

impl Gap {
    /// Checks which panels are missing.
    ///
    /// # Errors
    /// When none or all are.
    pub fn new(panels: Grid<Vec<f32>>, missing: Grid<bool>) -> Result<Self, ImagineError> {
        match missing.iter().filter(|&&m| m).count() {
            0 => Err(ImagineError::Missing("no panel is missing".to_owned())),
            n if n == missing.len() => Err(ImagineError::Missing(
                "all panels are missing: that is a puzzle to imagine, not to complete".to_owned(),
            )),
            _ => Ok(Self { panels, missing }),
        }
    }

    /// Reads `9` or `3,7`: the missing panels counted from 1.
    ///
    /// # Errors
    /// When a piece is not the number of a panel, or all are named.
    pub fn parse(text: &str) -> Result<Grid<bool>, ImagineError> {
        let mut missing = Grid::<bool>::default();
        for piece in text.split(',') {
            let panel: usize =
                piece.trim().parse().ok().filter(|p| (1..=missing.len()).contains(p)).ok_or_else(
                    || {
                        let (piece, last) = (piece.trim(), FORM.panels());
                        let message =
                            format!("`{piece}` is not a panel: they are 1 to {last}, row by row");
                        ImagineError::Missing(message)
                    },
                )?;
            missing[panel - 1] = true;
        }
        Self::new(std::array::from_fn(|_| Vec::new()), missing).map(|gap| gap.missing)
    }

    fn views(&self) -> Grid<&[f32]> {
        std::array::from_fn(|i| self.panels[i].as_slice())
    }

    /// The puzzle with a sample's panels in the gaps.
    fn filled(&self, drawn: Drawing) -> Drawing {
        let panel = |i: usize| {
            if self.missing[i] { drawn.panels[i].clone() } else { self.panels[i].clone() }
        };
        Drawing { panels: std::array::from_fn(panel), decoded: None }
    }
}

/// From what the model infers the rules that it follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// From the panels that are there.
    Honest,
    /// From the whole puzzle, those missing included.
    Leaking,
}

impl Artist<'_> {
    /// Draws the missing panels: sample number `index` of `seed`. Under the honest
    /// protocol what stands in the missing panels is not looked at.
    ///
    /// # Errors
    /// When the model cannot complete, or its device fails.
    pub fn complete(
        &self,
        gap: &Gap,
        protocol: Protocol,
        seed: u64,
        index: u64,
    ) -> Result<Completion, ImagineError> {
        let blank = vec![0.0; judge::SIDE * judge::SIDE];
        let views = gap.views();
        let shown =
            std::array::from_fn(|i| if gap.missing[i] { blank.as_slice() } else { views[i] });
        let (images, present) = (self.canvas(&shown), gap.missing.map(|missing| !missing));
        let (sampling, mut noise) = (self.sampling(), noise(seed, "complete", index));
        let rules = match protocol {
            Protocol::Honest => None,
            Protocol::Leaking => Some(self.own_rules(&views)?.map(|column| column as u8)),
        };
        let rules = rules.as_ref().map(|rules| rules.as_slice());
        let completed = self.genvp().complete(images, &present, rules, sampling, &mut noise)?;
        let rules = to_host(completed.rules)?;
        let relevant = self.genvp().config().latent().map_or(0, |latent| latent.relevant);
        let z_o = to_host(completed.z.narrow(2, 0, relevant))?;
        let missing = (0..FORM.panels()).filter(|&panel| gap.missing[panel]);
        let numbers = missing.flat_map(|panel| &z_o[panel * relevant..(panel + 1) * relevant]);
        let signs = numbers.map(|&number| number > 0.0).collect();
        Ok(Completion { drawing: gap.filled(self.drawing(completed.images)?), rules, signs })
    }

    /// Several answers, different ones where the model can think of them: one that says the same
    /// as another before it is drawn again, up to six times in all. Nothing is rejected for any
    /// other reason; where the first answer comes out the same every time, the others are drawn once.
    ///
    /// # Errors
    /// As for [`complete`](Self::complete).
    pub fn complete_several(
        &self,
        gap: &Gap,
        protocol: Protocol,
        seed: u64,
        samples: std::ops::Range<u64>,
    ) -> Result<Vec<Completion>, ImagineError> {
        self.complete_while(gap, protocol, seed, samples, &())
    }

    /// Like [`complete`](Self::complete), with progress and cancellation.
    ///
    /// # Errors
    /// As for [`complete`](Self::complete), and when it was given up.
    pub fn complete_while(
        &self,
        gap: &Gap,
        protocol: Protocol,
        seed: u64,
        samples: std::ops::Range<u64>,
        progress: &dyn Progress,
    ) -> Result<Vec<Completion>, ImagineError> {
        let mut answers: Vec<Completion> = Vec::new();
        let mut tries = TRIES;
        for sample in samples {
            progress.check()?;
            let mut answer = self.complete(gap, protocol, seed, sample)?;
            let is_new = |answer: &Completion, answers: &[Completion]| {
                answers.iter().all(|other| other.signs != answer.signs)
            };
            let mut attempt = 1;
            while attempt < tries && !is_new(&answer, &answers) {
                progress.check()?;
                // Far from the numbers of other samples.
                answer = self.complete(gap, protocol, seed, sample + (attempt << 40))?;
                attempt += 1;
            }
            if !is_new(&answer, &answers) && answers.len() == 1 {
                tries = 1;
            }
            answers.push(answer);
            progress.answered();
        }
        Ok(answers)
    }
}

/// The most likely rules that a model's probabilities state for a layout: one
/// that exists there for every group of every component.
///
/// # Errors
/// Never for the layouts there are.
pub fn likely_rules(probabilities: &[f32], layout: Layout) -> Result<RuleMatrix, ImagineError> {
    let maker = Maker::new(Request::new(Set::IRaven, layout))?;
    let chance = |component: usize, rule: &Rule| {
        let row = component * Attribute::ALL.len() + rule.attribute.index();
        let cell = row * RuleMatrix::RULES + rule.kind.column();
        probabilities.get(cell).copied().unwrap_or(0.0)
    };
    let mut rules = RuleMatrix::of(&[]);
    for component in 0..layout.components().len() {
        let possible = maker.rule_probabilities(component);
        for group in Group::ALL {
            let own = possible.iter().map(|(rule, _)| rule);
            let own = own.filter(|rule| rule.attribute.group() == group);
            let best = own.max_by(|a, b| chance(component, a).total_cmp(&chance(component, b)));
            if let Some(rule) = best {
                rules.set(component, rule.attribute, Row::Rule(rule.kind, None));
            }
        }
    }
    Ok(rules)
}

/// Judges a completed puzzle against rules.
///
/// # Errors
/// When the rules leave a group open.
pub fn verdict(
    drawing: &Drawing,
    layout: Layout,
    rules: RuleMatrix,
) -> Result<Verdict, ImagineError> {
    Ok(judge::judge(&drawing.views(), &RuleSpec::new(layout, rules)?))
}

/// Whether the drawn panels show what stood in the gaps, to one who takes no
/// notice of angles.
pub fn same_panel(gap: &Gap, drawing: &Drawing) -> bool {
    let (was, is) =
        (read_grid(&gap.views(), Domain::Standard), read_grid(&drawing.views(), Domain::Standard));
    let same =
        |i: usize| visibly_equal(&was.panels[i], &is.panels[i], was.layout, Domain::Standard);
    was.layout == is.layout
        && (0..FORM.panels()).filter(|&i| gap.missing[i]).all(|i| is.readable[i] && same(i))
}
