//! Right answers by regime of PGM and VAD (paper: tab:pgm-vad, tab:pgm-vad-moe,
//! tab:pgm-vad-nocontrast).

use genvp_exam::{Marks, Share};
use genvp_puzzle::family::{Family, Stratum};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::Ours;
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

/// Under every table that shows figures of the originals.
const OTHER_FILES: &str = "Ours: puzzles of our engine, which are not the originals' files: their structure is the same, everything else about them is approximated (docs/pgm-vad.md). Figures of others are of the originals and not comparable.";

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
    /// Right answers of the weighted average of the experts.
    pub weighted_avg: Option<Share>,
    /// Right answers of the learned mixture, where the model has one.
    pub learned_mixture: Option<Share>,
}

impl RegimeMarks {
    /// From marks that compare mixtures; `has_learned` says whether the model has a learned one.
    pub fn of(stratum: Stratum, marks: &Marks, has_learned: bool) -> Self {
        let (right, asked) = marks.rules_right();
        let governed = marks.rules.iter().filter(|((_, rule), _)| *rule > 0);
        let (named, of) = governed.fold((0, 0), |(n, of), (_, m)| (n + m.right, of + m.asked));
        let compared = marks.mixtures.iter().any(|&count| count > 0);
        let mixture = |index: usize| Share::of(marks.mixtures[index], marks.asked);
        Self {
            regime: stratum.name.to_owned(),
            answers: Share::of(marks.right, marks.asked),
            relations: (of > 0).then(|| Share::of(named, of)),
            rules: (asked > 0).then(|| Share::of(right, asked)),
            vote: 100.0 * marks.vote / marks.voted.max(1) as f64,
            weighted_avg: compared.then(|| mixture(0)),
            learned_mixture: (compared && has_learned).then(|| mixture(5)),
        }
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
    table.column("vote").column("guessing");
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
    if compare {
        table.note(OTHER_FILES);
    }
    table
}

/// Weighted average and learned mixture, and, if they are wanted, the paper's rows.
pub fn mixture_table(family: &dyn Family, ours: &Ours<Vec<RegimeMarks>>, compare: bool) -> Table {
    let id = family.id();
    let mut table = Table::new(
        &format!("{id}-mixtures"),
        format!("Right answers by mixture of the experts, {} (%)", id.to_uppercase()),
    );
    table.column("weighted-avg").column("nn");
    let printed: Vec<&ByRegime> =
        Paper::get().regime_rows("mixture", id).filter(|_| compare).collect();
    for row in &printed {
        let condition = row.condition.as_deref().unwrap_or_default();
        table.sourced(format!("{condition}, {}", row.who), row.source.clone());
    }
    for regime in &Paper::get().regimes[id] {
        let own = |all: &Vec<RegimeMarks>| all.iter().find(|own| own.regime == *regime).cloned();
        let learned = match ours {
            Ours::Measured { result, .. }
                if own(result).is_some_and(|own| own.learned_mixture.is_none()) =>
            {
                Entry::missing("this model has none")
            }
            _ => ours.share(|all| own(all)?.learned_mixture),
        };
        let mut entries = vec![ours.share(|all| own(all)?.weighted_avg), learned];
        entries.extend(printed.iter().map(|row| Entry::printed(row.of(regime), 1, &row.place)));
        table.row(regime.clone(), entries);
    }
    if compare {
        table.note(OTHER_FILES);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use genvp_puzzle::pgm::Pgm;
    use genvp_puzzle::vad::Vad;

    #[test]
    fn every_regime_has_its_row_with_ours_the_vote_and_the_printed_figures() {
        for family in [&Pgm as &dyn Family, &Vad] {
            let marks = Marks {
                asked: 200,
                right: 150,
                voted: 200,
                vote: 25.0,
                mixtures: [150, 0, 0, 0, 0, 160],
                ..Marks::default()
            };
            let all: Vec<RegimeMarks> =
                family.strata().iter().map(|&s| RegimeMarks::of(s, &marks, true)).collect();
            let ours = Ours::new(all, "genvp eval x");
            let text = table(family, &ours, true).to_text();
            for stratum in family.strata() {
                let line = text.lines().find(|line| line.trim_start().starts_with(stratum.name));
                let line = line.unwrap_or_else(|| panic!("{}: {text}", stratum.name));
                assert!(line.contains("75.0") && line.contains("12.5"), "{line}");
            }
            assert!(text.contains("not the originals' files"), "{text}");
            let mixtures = mixture_table(family, &ours, true).to_text();
            assert!(mixtures.contains("80.0") && mixtures.contains("weighted-avg, GenVP"));
            let without = table(family, &Ours::new(Vec::new(), "genvp eval x"), false).to_text();
            assert!(!without.contains("GenVP"), "{without}");
        }
    }
}
