//! Puzzles of PGM and VAD.

use std::io::{Write, stdout};
use std::path::Path;

use genvp_draw::{Board, Notes, contact_sheet, puzzle, rule_lines_of};
use genvp_infer::Model;
use genvp_infer::relations::{RelationArtist, RelationImagined, RelationSampler};
use genvp_model::DeviceChoice;
use genvp_puzzle::family::Family;

use super::{Imagine, board_of_grey, took};
use crate::console::Console;
use crate::failure::{Answer, Failure};
use crate::picture_file;

impl Imagine {
    /// Imagines puzzles of a family whose strata are regimes.
    pub(super) fn relations(
        &self,
        family: &'static dyn Family,
        console: &Console,
        device: DeviceChoice,
    ) -> Result<Answer, Failure> {
        if self.layout.is_some() {
            return Err(Failure::bad(format!("{} has no layouts", family.id()))
                .hint("its puzzles are told apart by --regime"));
        }
        if self.crisp {
            return Err(Failure::bad("--crisp is for puzzles of raven"));
        }
        let (rules, regime) = (self.rule.join(" "), self.regime.as_deref());
        let sampler = RelationSampler::new(family, regime, &rules, self.seed)?;
        let name = match &self.model {
            Some(name) => name.clone(),
            None => Model::default_of(family)?.into(),
        };
        let model = Model::open(name, &crate::device::open(device, console)?)?;
        let artist = RelationArtist::new(model.genvp(), family, model.device())?;
        let artist = artist.with_sampling(self.sampling());
        let tries = if self.verified { self.tries } else { 1 };
        let progress = console.progress("imagining", self.n);
        let mut cards: Vec<(Board, Notes)> = Vec::new();
        let (mut good, mut drawings) = (0, 0);
        let mut out = stdout().lock();
        for index in 0..self.n {
            let imagined = sampler.imagine_until(&artist, index, tries)?;
            progress.add(1);
            good += u64::from(imagined.agrees());
            drawings += u64::from(imagined.tries);
            let (board, notes) = card(index, &imagined, &self.out)?;
            let stem = format!("puzzle_{}", index + 1);
            self.write(&stem, "png", picture_file::png(&puzzle(&board, &notes))?)?;
            let said = genvp_infer::json::imagined_relations(family, index, self.seed, &imagined);
            let bytes = serde_json::to_vec_pretty(&said).unwrap_or_default();
            self.write(&stem, "json", bytes)?;
            if self.json {
                writeln!(out, "{said}")?;
            } else {
                let took = if self.verified { took(imagined.tries) } else { String::new() };
                let ((right, all), words) = (imagined.marks(), imagined.words());
                writeln!(out, "puzzle {}: {right} of {all} rules, {words}{took}", index + 1)?;
            }
            cards.push((board, notes));
        }
        progress.finish();
        let heading = format!("Imagined: {}", family.id());
        let sheet = contact_sheet(&heading, &cards, cards.len().min(4));
        self.write("contact_sheet", "png", picture_file::png(&sheet)?)?;
        Ok(self.conclude(good, drawings, console))
    }
}

/// The drawing with its rules, those that do not hold marked so.
fn card(index: u64, imagined: &RelationImagined, out: &Path) -> Result<(Board, Notes), Failure> {
    let (right, all) = imagined.marks();
    let title = format!("{} · {right} of {all} rules hold", index + 1);
    let count = imagined.drawing.panels.len();
    let board = board_of_grey(count, &|panel| imagined.drawing.grey(panel), imagined.words(), out)?;
    let rules = imagined.asked.0.iter().flat_map(|&rule| {
        let mut lines = rule_lines_of(&rule.to_string());
        if !imagined.read.holds(rule) {
            let told = lines.iter_mut().flat_map(|line| &mut line.rules);
            told.for_each(|(_, how)| how.push_str(" (broken)"));
        }
        lines
    });
    let rules = rules.collect();
    Ok((board, Notes { title, answer: None, rules }))
}
