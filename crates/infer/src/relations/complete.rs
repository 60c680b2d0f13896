//! A puzzle of PGM or VAD with a panel missing: several answers, judged by the rules of the puzzle.

use genvp_puzzle::family::{Family, FamilyError, Sheet};
use genvp_puzzle::relations::judge::{AskedRules, JudgedPanels, SIDE};
use genvp_puzzle::resize_area;

use super::{RelationArtist, RelationDrawing};
use crate::complete::Protocol;
use crate::imagine::{ImagineError, Progress};

/// The puzzle that is to be completed.
#[derive(Clone, Debug)]
pub struct RelationTask {
    /// Its panels with the right choice in the last place, at the judge's size: ink = 1.
    pub panels: Vec<Vec<f32>>,
    /// Which of them are missing.
    pub missing: Vec<bool>,
    /// The rules of the complete puzzle, as the exact solver finds them.
    pub rules: AskedRules,
}

/// An answer with what the judge reads in it.
#[derive(Clone, Debug)]
pub struct RelationAnswer {
    /// The puzzle with the missing panel drawn and the others as they were.
    pub drawing: RelationDrawing,
    /// The rules that the model followed.
    pub followed: AskedRules,
    /// What the judge reads.
    pub read: JudgedPanels,
    /// Whether the drawn panel shows what stood there.
    pub same: bool,
}

/// The answers to a question under both protocols.
#[derive(Clone, Debug)]
pub struct RelationAnswers {
    /// What was asked.
    pub task: RelationTask,
    /// Answers whose rules were inferred from the panels that are there.
    pub honest: Vec<RelationAnswer>,
    /// Answers whose rules are those that the model sees in the complete puzzle.
    pub leaking: Vec<RelationAnswer>,
}

impl RelationTask {
    /// A puzzle without one of its panels, counted from 0. The last panel is the choice that the
    /// sheet calls right; where it says nothing, the one that the exact solver finds.
    ///
    /// # Errors
    /// When there is no such panel, or the sheet is none of the family.
    pub fn new(
        sheet: &Sheet,
        family: &'static dyn Family,
        missing: &[usize],
    ) -> Result<Self, ImagineError> {
        let form = family.form();
        let [place] = missing else {
            let message = format!("one panel of a puzzle of {} can be missing", family.id());
            return Err(ImagineError::Missing(message));
        };
        if *place >= form.panels() {
            let message = format!("panels of {} are 1 to {}", family.id(), form.panels());
            return Err(ImagineError::Missing(message));
        }
        let exact = family.solve(sheet, false)?;
        let answer = sheet.target.unwrap_or(exact.answer).min(form.choices - 1);
        let ink = |panel: usize| {
            let own = if panel < form.context() { panel } else { form.context() + answer };
            let mut out = vec![0.0; SIDE * SIDE];
            resize_area(sheet.panel(own), sheet.side, SIDE, &mut out);
            out
        };
        Ok(Self {
            panels: (0..form.panels()).map(ink).collect(),
            missing: (0..form.panels()).map(|panel| panel == *place).collect(),
            rules: AskedRules::parse(&exact.rules).map_err(FamilyError::from)?,
        })
    }
}

impl RelationAnswers {
    /// Draws and judges `samples` answers under each protocol; `progress` is told after each.
    ///
    /// # Errors
    /// When the model cannot complete, its device fails, or it was given up.
    pub fn new(
        artist: &RelationArtist<'_>,
        task: RelationTask,
        seed: u64,
        samples: u64,
        progress: &dyn Progress,
    ) -> Result<Self, ImagineError> {
        let answers = |protocol| -> Result<Vec<RelationAnswer>, ImagineError> {
            let one = |sample| {
                progress.check()?;
                let answer = task.answer(artist, protocol, seed, sample)?;
                progress.answered();
                Ok(answer)
            };
            (0..samples).map(one).collect()
        };
        let (honest, leaking) = (answers(Protocol::Honest)?, answers(Protocol::Leaking)?);
        Ok(Self { task, honest, leaking })
    }
}

impl RelationTask {
    /// Answer number `sample` of a seed.
    fn answer(
        &self,
        artist: &RelationArtist<'_>,
        protocol: Protocol,
        seed: u64,
        sample: u64,
    ) -> Result<RelationAnswer, ImagineError> {
        let present: Vec<bool> = self.missing.iter().map(|missing| !missing).collect();
        let rules = match protocol {
            Protocol::Honest => None,
            Protocol::Leaking => Some(artist.own_rules(&self.panels)?),
        };
        let (drawn, followed) =
            artist.fill(&self.panels, &present, rules.as_deref(), seed, sample)?;
        let panels = self.panels.iter().zip(drawn.panels).zip(&present);
        let panels = panels.map(|((was, is), &there)| if there { was.clone() } else { is });
        let drawing = RelationDrawing { panels: panels.collect(), decoded: drawn.decoded };
        let (was, read) = (artist.read(&self.panels), artist.read(&drawing.panels));
        let same = was.readings.iter().zip(&read.readings).all(|(a, b)| a.panel == b.panel);
        Ok(RelationAnswer { drawing, followed: AskedRules::of_columns(&followed), read, same })
    }
}
