//! Puzzles of PGM and VAD.

use std::io::{Write, stdout};

use genvp_data::inputs::PuzzleSource;
use genvp_draw::{Board, Notes, contact_sheet, puzzle};
use genvp_infer::Model;
use genvp_infer::imagine::ImagineError;
use genvp_infer::relations::{RelationAnswer, RelationAnswers, RelationArtist, RelationTask};
use genvp_model::DeviceChoice;
use genvp_puzzle::family::Family;
use serde_json::{Value, json};

use super::Complete;
use crate::commands::imagine::board_of_grey;
use crate::console::Console;
use crate::failure::{Answer, Failure};
use crate::picture_file;

impl Complete {
    /// Completes a puzzle of a family whose strata are regimes.
    pub(super) fn relations(
        &self,
        source: &PuzzleSource,
        family: &'static dyn Family,
        console: &Console,
        device: DeviceChoice,
    ) -> Result<Answer, Failure> {
        let panels = family.form().panels();
        let missing = self.missing.clone().unwrap_or_else(|| panels.to_string());
        let places = parse_panels(&missing, panels)?;
        let file = source.format()?.pixels(source)?;
        let task = RelationTask::new(&file.sheet, family, &places)?;
        let name = match &self.model {
            Some(name) => name.clone(),
            None => Model::default_of(family)?.into(),
        };
        let model = Model::open(name, &crate::device::open(device, console)?)?;
        let artist = RelationArtist::new(model.genvp(), family, model.device())?;
        let progress = console.progress("completing", 2 * self.samples);
        let done =
            RelationAnswers::new(&artist, task, self.seed, self.samples, &|| progress.add(1))?;
        progress.finish();
        let said = self.said(&done, family, &missing);
        self.write_relations(&done, &missing, &said)?;
        self.report_relations(&done, &said)?;
        let note = format!("{} answers in {}", done.honest.len(), self.out.display());
        console.note(&note);
        Ok(Answer::Yes)
    }

    /// Everything as one object.
    fn said(&self, done: &RelationAnswers, family: &dyn Family, missing: &str) -> Value {
        let rules = &done.task.rules;
        let answer = |answer: &RelationAnswer| {
            json!({
                "followed_rules": answer.followed.to_string(),
                "judged_by_puzzle_rules": genvp_infer::json::judged_relations(&answer.read, rules),
                "same_as_file": answer.same,
            })
        };
        let protocol = |answers: &[RelationAnswer]| {
            json!({
                "puzzle_rules": kept(done, answers), "n": answers.len(),
                "same_as_file": answers.iter().filter(|answer| answer.same).count(),
            })
        };
        json!({
            "file": self.file.display().to_string(),
            "family": family.id(),
            "missing": missing,
            "rules": rules.to_string(),
            "rules_from": "exact solver",
            "protocols": { "honest": protocol(&done.honest), "leaking": protocol(&done.leaking) },
            "samples": done.honest.iter().map(answer).collect::<Vec<_>>(),
        })
    }

    fn write_relations(
        &self,
        done: &RelationAnswers,
        missing: &str,
        said: &Value,
    ) -> Result<(), Failure> {
        let mut cards: Vec<(Board, Notes)> = Vec::new();
        for (index, answer) in done.honest.iter().enumerate() {
            let (right, all) = marks(done, answer);
            let title = format!("{} · {right} of {all} rules hold", index + 1);
            let words = format!("{right} of {all} rules hold");
            let (count, grey) = (done.task.panels.len(), |i| answer.drawing.grey(i));
            let board = board_of_grey(count, &grey, words, &self.out)?;
            let notes = Notes { title, ..Notes::default() };
            let bytes = picture_file::png(&puzzle(&board, &notes))?;
            let path = self.out.join(format!("answer_{}.png", index + 1));
            genvp_data::write_file(&path, &bytes, self.force)?;
            cards.push((board, notes));
        }
        let heading = format!("Panel {missing} missing: {}", done.task.rules);
        let sheet = contact_sheet(&heading, &cards, 4);
        let path = self.out.join("contact_sheet.png");
        genvp_data::write_file(&path, &picture_file::png(&sheet)?, self.force)?;
        let bytes = serde_json::to_vec_pretty(said).unwrap_or_default();
        Ok(genvp_data::write_file(&self.out.join("answers.json"), &bytes, self.force)?)
    }

    fn report_relations(&self, done: &RelationAnswers, said: &Value) -> Result<(), Failure> {
        let mut out = stdout().lock();
        if self.json {
            writeln!(out, "{said}")?;
            return Ok(());
        }
        writeln!(out, "rules: {}", done.task.rules)?;
        for (index, answer) in done.honest.iter().enumerate() {
            let (right, all) = marks(done, answer);
            let same = if answer.same { ", as in the file" } else { "" };
            writeln!(out, "answer {}: {right} of {all} rules{same}", index + 1)?;
        }
        for (name, answers) in [("honest", &done.honest), ("leaking", &done.leaking)] {
            let (share, n) = (kept(done, answers), answers.len());
            let same = answers.iter().filter(|answer| answer.same).count();
            writeln!(
                out,
                "{name:<8} {share:.1} % of the puzzle's rules hold; {same} of {n} as in the file"
            )?;
        }
        Ok(())
    }
}

/// Which panels are named, counted from 0.
fn parse_panels(text: &str, panels: usize) -> Result<Vec<usize>, ImagineError> {
    let place = |piece: &str| {
        let number: Option<usize> = piece.trim().parse().ok();
        number.filter(|number| (1..=panels).contains(number)).map(|number| number - 1).ok_or_else(
            || {
                let piece = piece.trim();
                ImagineError::Missing(format!(
                    "`{piece}` is not a panel: they are 1 to {panels}, row by row"
                ))
            },
        )
    };
    text.split(',').map(place).collect()
}

/// How many rules of the puzzle an answer keeps, and how many there are.
fn marks(done: &RelationAnswers, answer: &RelationAnswer) -> (usize, usize) {
    let rules = &done.task.rules.0;
    (rules.iter().filter(|&&rule| answer.read.holds(rule)).count(), rules.len())
}

/// Percent of the puzzle's rules that answers keep.
fn kept(done: &RelationAnswers, answers: &[RelationAnswer]) -> f64 {
    let all = answers.iter().map(|answer| marks(done, answer));
    let (right, asked) = all.fold((0, 0), |sum, own| (sum.0 + own.0, sum.1 + own.1));
    100.0 * right as f64 / asked.max(1) as f64
}
