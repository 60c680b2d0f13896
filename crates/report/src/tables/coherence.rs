//! How well imagined puzzles follow the rules they were asked for (paper:
//! tab:Gen_Coherence, tab:Gen_Coherence_complete, fig:confusionm_rpm), and how well drawn
//! answers do.

use std::collections::BTreeMap;

use genvp_draw::{HeatMap, Picture, heat_map};
use genvp_puzzle::{Layout, RuleKind};
use serde::Deserialize;

use super::{Figures, Ours, by_layout};
use crate::paper::Paper;
use crate::table::Table;

/// The result of `genvp eval coherence --json`, as far as the report shows it.
#[derive(Clone, Debug, Deserialize)]
pub struct Coherence {
    /// As the paper measures: judged by the model's own encoder.
    pub own_encoder: Kept,
    /// Judged by reading what was drawn.
    pub judge: Kept,
    /// Each attribute and rule, all layouts together.
    #[serde(default)]
    pub rules: Vec<OfRule>,
}

/// One attribute and rule, in percent.
#[derive(Clone, Debug, Deserialize)]
pub struct OfRule {
    /// The attribute by its key.
    pub attribute: String,
    /// The rule by its key.
    pub rule: String,
    /// By the model's own encoder.
    pub own_encoder: Option<f64>,
    /// By the judge.
    pub judge: Option<f64>,
}

/// The result of `genvp eval coherence --missing 9 --json`, as far as the report shows it.
#[derive(Clone, Debug, Deserialize)]
pub struct Answers {
    /// Rules inferred from the panels that are there.
    pub honest: Protocol,
    /// Rules inferred from the whole puzzle.
    pub leaking: Protocol,
    /// Answers to each question.
    pub samples: u64,
}

/// What was found under one protocol.
#[derive(Clone, Debug, Deserialize)]
pub struct Protocol {
    /// By the model's own encoder.
    pub own_encoder: Kept,
    /// By the judge.
    pub judge: Kept,
    /// Different right answers to a question.
    pub distinct: Kept,
    /// Percent of the questions whose rules allow four answers with four or more.
    pub four_distinct: Option<f64>,
    /// How many such questions there are.
    pub allow_four: u64,
}

/// Rules kept, in percent.
#[derive(Clone, Debug, Deserialize)]
pub struct Kept {
    /// The mean over layouts.
    pub average: Option<f64>,
    /// Each layout by the name of its folder.
    pub per_layout: BTreeMap<String, Option<f64>>,
}

impl Kept {
    fn of(&self, layout: Option<Layout>) -> Option<f64> {
        match layout {
            Some(layout) => self.per_layout.get(layout.folder()).copied().flatten(),
            None => self.average,
        }
    }
}

/// Ours, and, if they are wanted, the paper's columns.
pub fn table(ours: &Ours<Coherence>, compare: bool) -> Table {
    let mut table = Table::new("coherence", "Rules that imagined puzzles follow (%)");
    table.column("ours, own encoder").column("ours, judge (no learned part)");
    let mut columns = vec![
        Figures::Ours(Box::new(|layout| ours.number(1, |own| own.own_encoder.of(layout)))),
        Figures::Ours(Box::new(|layout| ours.number(1, |own| own.judge.of(layout)))),
    ];
    if compare {
        add_printed("coherence", &mut table, &mut columns);
    }
    by_layout(&mut table, &columns);
    table.note("A model that judges its own drawings can agree with itself on what nobody else would see; the judge reads the pixels and has no learned part.");
    table
}

/// Several answers to one question: ours, and, if it is wanted, the paper's column.
pub fn answers_table(ours: &Ours<Answers>, compare: bool) -> Table {
    let mut table = Table::new("answers", "Rules that drawn answers follow (%)");
    table.column("own encoder").column("judge").column("own encoder, leaking");
    table.column("judge, leaking").column("different right answers (how many)");
    let mut columns = vec![
        Figures::Ours(Box::new(|layout| ours.number(1, |own| own.honest.own_encoder.of(layout)))),
        Figures::Ours(Box::new(|layout| ours.number(1, |own| own.honest.judge.of(layout)))),
        Figures::Ours(Box::new(|layout| ours.number(1, |own| own.leaking.own_encoder.of(layout)))),
        Figures::Ours(Box::new(|layout| ours.number(1, |own| own.leaking.judge.of(layout)))),
        Figures::Ours(Box::new(|layout| ours.number(1, |own| own.honest.distinct.of(layout)))),
    ];
    if compare {
        add_printed("several-answers", &mut table, &mut columns);
    }
    by_layout(&mut table, &columns);
    table.note("The rules are inferred from the panels that are there; \"leaking\": from the complete puzzle. The paper does not say which it did.");
    if let Ours::Measured { result, .. } = ours {
        let (samples, honest) = (result.samples, &result.honest);
        let four = honest.four_distinct.map_or_else(String::new, |share| {
            format!(
                " Of {} questions whose rules allow four answers or more, {share:.1} % got four different right ones.",
                honest.allow_four
            )
        });
        table.note(format!("{samples} answers to each question, each drawn anew up to five times where it says the same as one before; angles do not count.{four}"));
    }
    table
}

fn add_printed<'a>(what: &str, table: &mut Table, columns: &mut Vec<Figures<'a>>) {
    if let Some(row) = Paper::get().row(what, None, "raven", "GenVP") {
        table.sourced("GenVP", format!("{} ({})", row.source, row.place));
        columns.push(Figures::Printed(row));
    }
}

/// Whose word a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// The model's own encoder's.
    OwnEncoder,
    /// The judge's.
    Judge,
}

/// Imagined puzzles by attribute and rule, as a picture (paper: fig:confusionm_rpm).
pub fn heat(coherence: &Coherence, word: Word) -> Picture {
    let mut attributes: Vec<&str> = Vec::new();
    for of in &coherence.rules {
        if !attributes.contains(&of.attribute.as_str()) {
            attributes.push(&of.attribute);
        }
    }
    let value = |attribute: &str, kind: RuleKind| {
        let own =
            coherence.rules.iter().find(|of| of.attribute == attribute && of.rule == kind.key());
        let share = own.and_then(|own| match word {
            Word::OwnEncoder => own.own_encoder,
            Word::Judge => own.judge,
        });
        share.map_or(f32::NAN, |share| share as f32)
    };
    let by = match word {
        Word::OwnEncoder => "by the model's own encoder",
        Word::Judge => "by the judge",
    };
    heat_map(&HeatMap {
        title: format!("Rules that imagined puzzles follow, {by} (%)"),
        rows: attributes.iter().map(|&attribute| attribute.to_owned()).collect(),
        columns: RuleKind::ALL.map(|kind| kind.key().to_owned()).into(),
        values: attributes.iter().map(|a| RuleKind::ALL.map(|k| value(a, k)).into()).collect(),
        range: (0.0, 100.0),
        marked: Vec::new(),
    })
}
