//! Right answers by regime of PGM and VAD (paper: tab:pgm-vad, tab:pgm-vad-moe,
//! tab:pgm-vad-nocontrast).

mod contrast;
mod mixtures;

pub use contrast::contrast_table;
pub use mixtures::{experts_table, mixture_table};

use std::collections::BTreeMap;

use genvp_exam::{Marks, Share};
use genvp_model::MixtureKind;
use genvp_model::expert::Predictions;
use genvp_puzzle::family::{Family, Stratum};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Ours, mixture};
use crate::paper::{ByRegime, Paper};
use crate::table::{Entry, Table};

/// The best figure that others published for each regime of the originals' PGM. Of VAD no other
/// figures than the paper's could be verified.
const BEST: [(&str, f64, &str); 8] = [
    ("neutral", 99.9, "DSRF-L-RC"),
    ("interpolation", 92.1, "DSRF-L-RC"),
    ("extrapolation", 40.2, "DSRF-L-RC"),
    ("attrs.line.type", 33.4, "PredRNet"),
    ("attrs.shape.color", 19.4, "DSRF-L-RC"),
    ("attrs.pairs", 99.3, "PredRNet"),
    ("attr.rels", 48.8, "DRNet"),
    ("attr.rel.pairs", 98.9, "PredRNet"),
];

/// Percent right of a learner that sees the choices and not the question: naive Bayes, taught 15,000
/// of 20,000 puzzles of each regime's training and asked the others (docs/pgm-vad.md; of VAD, `lbc`,
/// then `normal`).
const CHOICES_ALONE: [(&str, &str, f64, f64); 13] = [
    ("pgm", "neutral", 13.0, 13.0),
    ("pgm", "interpolation", 14.0, 14.0),
    ("pgm", "extrapolation", 14.1, 14.1),
    ("pgm", "attr.rel.pairs", 12.9, 12.9),
    ("pgm", "attr.rels", 12.8, 12.8),
    ("pgm", "attrs.pairs", 13.0, 13.0),
    ("pgm", "attrs.shape.color", 13.5, 13.5),
    ("pgm", "attrs.line.type", 12.3, 12.3),
    ("vad", "novel.domain.transfer", 31.9, 24.9),
    ("vad", "novel.target.domain.line.type", 31.7, 25.6),
    ("vad", "novel.target.domain.shape.color", 32.1, 24.7),
    ("vad", "interpolation", 31.7, 25.2),
    ("vad", "extrapolation", 31.7, 25.1),
];

/// Under every table that shows figures of the originals.
const OTHER_FILES: &str = "Ours: puzzles of our engine, which are not the originals' files: their structure is the same, everything else about them is approximated (docs/pgm-vad.md). Figures of others are of the originals and not comparable.";

/// Under every table that shows what the choices alone give away.
const ALONE: &str = "choices alone: a learner that sees the choices and not the question (naive Bayes, 15,000 puzzles of the regime's training), asked 5,000; not of this run (docs/pgm-vad.md).";

/// How well a model did on one regime.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegimeMarks {
    /// The regime.
    pub regime: String,
    /// Right answers.
    pub answers: Share,
    /// Right relations of complete puzzles, over the attributes that follow one, for models that
    /// name them.
    pub relations: Option<Share>,
    /// The same over all attributes, most of which follow none.
    pub rules: Option<Share>,
    /// What a majority vote among the same choices reaches, in percent.
    pub vote: f64,
    /// What a learner reaches that sees the choices and not the question, in percent.
    pub choices_alone: Option<f64>,
    /// Right answers of each mixture of the experts, by name; that of the learned one where the model
    /// has one.
    #[serde(default)]
    pub mixtures: BTreeMap<String, Share>,
    /// Right answers of each expert alone, by name.
    #[serde(default)]
    pub experts: BTreeMap<String, Share>,
}

impl RegimeMarks {
    /// From the marks of the test of a regime, whose wrong choices are of the kind `choices`.
    pub fn of(stratum: Stratum, choices: Option<&str>, marks: &Marks) -> Self {
        let (right, asked) = marks.rules_right();
        let governed = marks.rules.iter().filter(|((_, rule), _)| *rule > 0);
        let (named, of) = governed.fold((0, 0), |(n, of), (_, m)| (n + m.right, of + m.asked));
        let known = CHOICES_ALONE
            .iter()
            .find(|(set, name, ..)| (*set, *name) == (stratum.set, stratum.name));
        let choices_alone =
            known.map(|&(_, _, lbc, normal)| if choices == Some("normal") { normal } else { lbc });
        Self {
            regime: stratum.name.to_owned(),
            answers: Share::of(marks.right, marks.asked),
            relations: (of > 0).then(|| Share::of(named, of)),
            rules: (asked > 0).then(|| Share::of(right, asked)),
            vote: 100.0 * marks.vote / marks.voted.max(1) as f64,
            choices_alone,
            mixtures: BTreeMap::new(),
            experts: BTreeMap::new(),
        }
    }

    /// With each mixture and each expert alone, which the marks compare; `has_learned` says whether the
    /// model has a learned mixture.
    #[must_use]
    pub fn compared(self, marks: &Marks, predictions: &Predictions, has_learned: bool) -> Self {
        let kinds = MixtureKind::ALL.into_iter().zip(marks.mixtures);
        let kinds = kinds.filter(|(kind, _)| has_learned || *kind != MixtureKind::Nn);
        let share = |right: u64| Share::of(right, marks.asked);
        let mixtures = kinds.map(|(kind, right)| (mixture::name(kind).to_owned(), share(right)));
        let experts = predictions.kinds().into_iter().zip(&marks.experts);
        let experts = experts.filter(|(kind, _)| predictions.sees_candidate(*kind));
        let experts = experts.map(|(kind, &right)| (Predictions::name(kind), share(right)));
        Self { mixtures: mixtures.collect(), experts: experts.collect(), ..self }
    }
}

/// All regimes, for programs.
pub fn json(regimes: &[RegimeMarks]) -> Value {
    let of = |own: &RegimeMarks| (own.regime.clone(), json!(own));
    Value::Object(regimes.iter().map(of).collect::<Map<String, Value>>())
}

/// Right answers and rules, and, if they are wanted, the paper's rows.
pub fn table(family: &dyn Family, ours: &Ours<Vec<RegimeMarks>>, compare: bool) -> Table {
    let id = family.id();
    let mut table = Table::new(
        &format!("{id}-regimes"),
        format!("Right answers by regime, {} (%)", id.to_uppercase()),
    );
    table.column("answers").column("relations").column("all rules");
    table.column("vote").column("choices alone").column("guessing");
    let printed: Vec<&ByRegime> =
        Paper::get().regime_rows("solving", id).filter(|_| compare).collect();
    for row in &printed {
        table.sourced(row.who.clone(), row.source.clone());
    }
    let best = compare && id == "pgm";
    if best {
        table.sourced("best of others", "their authors");
    }
    for regime in &Paper::get().regimes[id] {
        let own = |all: &Vec<RegimeMarks>| all.iter().find(|own| own.regime == *regime).cloned();
        let mut entries = vec![
            ours.share(|all| Some(own(all)?.answers)),
            ours.share(|all| own(all)?.relations),
            ours.share(|all| own(all)?.rules),
            ours.number(1, |all| Some(own(all)?.vote)),
            Entry::printed(alone(ours, regime), 1, "docs/pgm-vad.md"),
            Entry::number(Some(100.0 / family.form().choices as f64), 1, None),
        ];
        entries.extend(printed.iter().map(|row| Entry::printed(row.of(regime), 1, &row.place)));
        if best {
            let found = BEST.iter().find(|(name, ..)| name == regime);
            entries.push(match found {
                Some((_, value, who)) => Entry::text(format!("{value:.1} ({who})")),
                None => Entry::empty(),
            });
        }
        table.row(regime.clone(), entries);
    }
    table.note(ALONE);
    if compare {
        table.summary("mean", means(ours, id, &printed, best));
        table.note(OTHER_FILES);
        table.note("mean: recomputed from the column; the paper prints none.");
    }
    table
}

/// The regime's part of a result.
fn of_regime<'a>(all: &'a [RegimeMarks], regime: &str) -> Option<&'a RegimeMarks> {
    all.iter().find(|own| own.regime == regime)
}

fn alone(ours: &Ours<Vec<RegimeMarks>>, regime: &str) -> Option<f64> {
    match ours {
        Ours::Measured { result, .. } => of_regime(result, regime)?.choices_alone,
        Ours::Missing(_) => None,
    }
}

/// The means of the columns, where every regime was measured.
fn means(
    ours: &Ours<Vec<RegimeMarks>>,
    family: &str,
    printed: &[&ByRegime],
    best: bool,
) -> Vec<Entry> {
    let count = Paper::get().regimes[family].len();
    let mean = |read: &dyn Fn(&RegimeMarks) -> Option<Share>| {
        ours.share(|all| {
            let shares: Vec<Share> = all.iter().filter_map(read).collect();
            Share::mean(&shares).filter(|_| shares.len() == count)
        })
    };
    let mut entries = vec![
        mean(&|own| Some(own.answers)),
        mean(&|own| own.relations),
        mean(&|own| own.rules),
        ours.number(1, |all| {
            let votes: f64 = all.iter().map(|own| own.vote).sum();
            (all.len() == count).then(|| votes / count as f64)
        }),
        Entry::empty(),
        Entry::empty(),
    ];
    entries.extend(printed.iter().map(|row| recomputed(row)));
    if best {
        let all: f64 = BEST.iter().map(|(_, value, _)| value).sum();
        entries.push(Entry::printed(Some(all / BEST.len() as f64), 1, "their authors"));
    }
    entries
}

/// The mean of a printed row.
fn recomputed(row: &ByRegime) -> Entry {
    let mean = row.values.iter().sum::<f64>() / row.values.len().max(1) as f64;
    Entry::printed(Some(mean), 1, &row.place)
}

#[cfg(test)]
mod tests;
