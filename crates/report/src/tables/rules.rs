//! Rules of complete puzzles (paper: tab:Gen_Coherence, "test acc", and our
//! own counterpart of fig:confusionm_rpm).

use std::collections::BTreeMap;

use genvp_draw::{HeatMap, Picture, heat_map};
use genvp_exam::{Marks, RuleMarks, Share};
use genvp_puzzle::{Attribute, Layout, RuleKind, RuleMatrix};
use serde::{Deserialize, Serialize};

use super::{Figures, Ours, by_layout, share_of};
use crate::paper::Paper;
use crate::scores::Scores;
use crate::table::{Entry, Table};

/// How well a model tells the rules of complete puzzles.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Telling {
    /// Right rules by layout.
    #[serde(flatten)]
    pub scores: Scores,
    /// Right rules by attribute and kind.
    pub per_rule: BTreeMap<String, BTreeMap<String, Share>>,
    /// How often each kind (row) was said to be none or another kind (column).
    pub confusion: BTreeMap<String, BTreeMap<String, u64>>,
}

/// The name of what a rule's row may be said to be.
fn said_name(column: usize) -> &'static str {
    RuleKind::ALL.into_iter().find(|kind| kind.column() == column).map_or("none", RuleKind::key)
}

impl Telling {
    /// From the marks of each layout.
    pub fn of(marks: &BTreeMap<Layout, Marks>) -> Self {
        let counts = marks.iter().map(|(&layout, own)| {
            let (right, asked) = own.rules_right();
            (layout, right, asked)
        });
        let mut telling = Self { scores: Scores::of(counts), ..Self::default() };
        for ((attribute, kind), own) in by_rule(marks.values()) {
            let of_attribute = telling.per_rule.entry(attribute.key().to_owned()).or_default();
            of_attribute.insert(kind.key().to_owned(), Share::of(own.right, own.asked));
            let of_kind = telling.confusion.entry(kind.key().to_owned()).or_default();
            for (column, &count) in own.said.iter().enumerate() {
                *of_kind.entry(said_name(column).to_owned()).or_default() += count;
            }
        }
        telling
    }
}

/// The marks by attribute and kind of rule, whatever the component.
fn by_rule<'a>(
    marks: impl Iterator<Item = &'a Marks>,
) -> BTreeMap<(Attribute, RuleKind), RuleMarks> {
    let mut all: BTreeMap<_, RuleMarks> = BTreeMap::new();
    for (&(row, rule), own) in marks.flat_map(|marks| &marks.rules) {
        if let Some(kind) = RuleKind::ALL.into_iter().find(|kind| kind.column() == rule) {
            all.entry((Attribute::of_row(row), kind)).or_default().add(own);
        }
    }
    all
}

/// Ours by layout, and, if it is wanted, the paper's column.
pub fn by_layout_table(ours: &Ours<Telling>, compare: bool) -> Table {
    let mut table = Table::new("rules", "Right rules of complete puzzles (%)");
    table.column("ours");
    let mut columns =
        vec![Figures::Ours(Box::new(|layout| ours.share(|own| share_of(&own.scores, layout))))];
    if compare && let Some(row) = Paper::get().row("rules", None, "raven", "GenVP") {
        table.sourced(&row.who, format!("{} ({})", row.source, row.place));
        columns.push(Figures::Printed(row));
    }
    by_layout(&mut table, &columns);
    table.note("Ours counts attributes that can carry more than one rule; number and position count once, and a constant that is noise does not count. What the paper counts it does not say.");
    table
}

/// The attributes in the order of tables.
const ATTRIBUTES: [Attribute; 6] = Attribute::ALL;

/// Ours by attribute and kind of rule.
pub fn by_rule_table(ours: &Ours<Telling>) -> Table {
    let mut table = Table::new("rules-by-rule", "Right rules by attribute and rule (%)");
    for kind in RuleKind::ALL {
        table.column(kind.key());
    }
    for attribute in ATTRIBUTES {
        let entry = |kind: RuleKind| match ours {
            Ours::Measured { result, command } => {
                match result.per_rule.get(attribute.key()).and_then(|own| own.get(kind.key())) {
                    Some(share) => Entry::share(Some(*share), Some(command)),
                    None => Entry::text("–"),
                }
            }
            Ours::Missing(why) => Entry::missing(why.clone()),
        };
        table.row(attribute.key(), RuleKind::ALL.map(entry).into());
    }
    table
}

/// Right rules by attribute and rule, as a picture.
pub fn heat(telling: &Telling) -> Picture {
    let value = |attribute: Attribute, kind: RuleKind| {
        let share = telling.per_rule.get(attribute.key()).and_then(|own| own.get(kind.key()));
        share.map_or(f32::NAN, |share| share.percent as f32)
    };
    heat_map(&HeatMap {
        title: "Right rules of complete puzzles (%)".to_owned(),
        rows: ATTRIBUTES.map(|attribute| attribute.key().to_owned()).into(),
        columns: RuleKind::ALL.map(|kind| kind.key().to_owned()).into(),
        values: ATTRIBUTES.map(|a| RuleKind::ALL.map(|kind| value(a, kind)).into()).into(),
        range: (0.0, 100.0),
        marked: Vec::new(),
    })
}

/// What each kind of rule was taken for, as a picture: rows are true.
pub fn confusion(telling: &Telling) -> Picture {
    let said: Vec<&str> = (0..RuleMatrix::RULES).map(said_name).collect();
    let row = |kind: RuleKind| -> Vec<f32> {
        let own = telling.confusion.get(kind.key());
        let count = |name: &&str| own.and_then(|own| own.get(*name)).copied().unwrap_or(0) as f32;
        let total: f32 = said.iter().map(count).sum();
        said.iter().map(|name| 100.0 * count(name) / total).collect()
    };
    heat_map(&HeatMap {
        title: "What true rules (rows) are taken for (%)".to_owned(),
        rows: RuleKind::ALL.map(|kind| kind.key().to_owned()).into(),
        columns: said.iter().map(|name| (*name).to_owned()).collect(),
        values: RuleKind::ALL.map(row).into(),
        range: (0.0, 100.0),
        marked: RuleKind::ALL.iter().enumerate().map(|(row, kind)| (row, kind.column())).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn telling() -> Telling {
        let mut marks = Marks::default();
        let own = |asked, right| RuleMarks { asked, right, said: vec![asked / 10, 0, right, 0, 0] };
        let (size, progression) = (Attribute::Size.index(), RuleKind::Progression.column());
        marks.rules.insert((size, progression), own(30, 24));
        marks.rules.insert((Attribute::ALL.len() + size, progression), own(10, 6));
        Telling::of(&BTreeMap::from([(Layout::CenterSingle, marks)]))
    }

    #[test]
    fn rules_are_counted_by_layout_and_by_rule() {
        let telling = telling();
        assert_eq!(telling.scores.share(Layout::CenterSingle), Some(Share::of(30, 40)));
        assert_eq!(telling.per_rule["size"]["progression"], Share::of(30, 40));
        assert_eq!(telling.confusion["progression"]["none"], 4);
        assert_eq!(telling.confusion["progression"]["progression"], 30);
    }

    #[test]
    fn the_papers_wrong_average_stands_beside_the_right_one() {
        let text = by_layout_table(&Ours::new(telling(), "genvp eval rules"), true).to_text();
        assert!(text.contains("prints 99.8; its columns average 98.9"), "{text}");
    }

    #[test]
    fn pictures_say_in_words_what_they_show() {
        for picture in [heat(&telling()), confusion(&telling())] {
            assert!(picture.svg().contains("<title"), "{}", picture.svg());
        }
    }
}
