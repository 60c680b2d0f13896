//! The judge: whether drawn panels follow the relations that were asked for.
//!
//! It looks at pixels through the engine's reader and at values through the engine's definition of
//! relations. No part of it is learned. A panel that cannot be read makes every rule wrong.
//!
//! * In a matrix (PGM) a relation holds when it [counts](super::counts) along the stated axis, or
//!   along either where none is stated: on all three lines, at least one of which is no constant
//!   and tells OR from XOR.
//! * In an analogy (VAD) it holds when it counts in the source row alone, and
//!   [completes](super::completes) the target row.

use std::fmt;

use super::family::{StatedTriple, parse_rules};
use super::read::{PanelReading, Reader};
use super::{
    Attribute, Axis, BySide, Panel, RULES, Relation, SpecError, Triple, ValueLine, ValueSet,
    Vocabulary, completes, counts, key,
};

/// Side of the pictures that are judged.
pub const SIDE: usize = 64;

/// A panel is unreadable whose pixels are further than this from the panel that was read, drawn
/// anew: a mean difference in grey values, 0 to 255. A missing shape of middle size makes as much.
pub const MOST_ERROR: f32 = 3.0;

/// Panels of a line.
const STEPS: usize = 3;

/// Where a relation is to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// Along the rows or along the columns of a matrix.
    EitherAxis,
    /// Along this axis of a matrix.
    Axis(Axis),
    /// In the source row of an analogy.
    Source,
    /// In the target row of an analogy.
    Target,
}

/// A relation that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AskedRule {
    /// What is to be governed, and how.
    pub triple: Triple,
    /// Where.
    pub lines: Lines,
}

impl fmt::Display for AskedRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Triple { attribute, relation } = self.triple;
        let key = key(attribute);
        match self.lines {
            Lines::EitherAxis => write!(f, "{key}={relation}"),
            Lines::Axis(axis) => write!(f, "{key}={relation}:{axis}"),
            Lines::Source => write!(f, "source.{key}={relation}"),
            Lines::Target => write!(f, "target.{key}={relation}"),
        }
    }
}

/// All rules that a puzzle is asked to follow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskedRules(pub Vec<AskedRule>);

impl AskedRules {
    /// Reads rules as families write them, `shape.color=XOR:columns`, `shape.color=XOR` or
    /// `source.shape.color=XOR target.line.type=XOR`.
    ///
    /// # Errors
    /// When one is no rule.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let asked = |(row, triple, axis): StatedTriple<'_>| {
            let lines = match (row, axis) {
                (None, None) => Lines::EitherAxis,
                (None, Some(axis)) => Lines::Axis(axis),
                (Some("source"), None) => Lines::Source,
                (Some("target"), None) => Lines::Target,
                _ => return Err(SpecError::NotARule(text.to_owned())),
            };
            Ok(AskedRule { triple, lines })
        };
        parse_rules(text)?.into_iter().map(asked).collect::<Result<_, _>>().map(Self)
    }

    /// The rules of a rule matrix, of which it says the relation of each row and not where it holds.
    ///
    /// # Shapes
    /// `[K_R]`
    pub fn of_columns(columns: &[u8]) -> Self {
        let asked = |attribute: Attribute| {
            let column = usize::from(*columns.get(attribute.row())?);
            let relation = Relation::ALL.into_iter().find(|own| own.column() == column)?;
            Some(AskedRule { triple: Triple { attribute, relation }, lines: Lines::EitherAxis })
        };
        Self(Attribute::ALL.into_iter().filter_map(asked).collect())
    }

    /// The same along any axis.
    pub fn without_axes(mut self) -> Self {
        for rule in &mut self.0 {
            if let Lines::Axis(_) = rule.lines {
                rule.lines = Lines::EitherAxis;
            }
        }
        self
    }

    /// The rule matrix: the relation of each row.
    ///
    /// # Shapes
    /// `[K_R]`
    pub fn columns(&self) -> Vec<u8> {
        let mut columns = vec![0; RULES.attributes.len()];
        for AskedRule { triple, .. } in &self.0 {
            columns[triple.attribute.row()] = triple.relation.column() as u8;
        }
        columns
    }

    /// What is stated about where relations hold, for each row of the rule matrix: +1 rows, or the
    /// source row; -1 columns, or the target row; 0 nothing.
    ///
    /// # Shapes
    /// `[K_R]`
    pub fn sides(&self) -> Vec<f32> {
        let mut sides = vec![0.0; RULES.attributes.len()];
        for AskedRule { triple, lines } in &self.0 {
            sides[triple.attribute.row()] = match lines {
                Lines::EitherAxis => 0.0,
                Lines::Axis(Axis::Rows) | Lines::Source => 1.0,
                Lines::Axis(Axis::Columns) | Lines::Target => -1.0,
            };
        }
        sides
    }
}

impl fmt::Display for AskedRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&rules.join(" "))
    }
}

/// The panels of a complete puzzle as they were read.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedPanels {
    /// Panel by panel, row by row.
    pub readings: Vec<PanelReading>,
}

impl JudgedPanels {
    /// Reads panels of `SIDE * SIDE` values: ink = 1, paper = 0.
    ///
    /// # Panics
    /// When a panel has another size.
    pub fn read(panels: &[&[f32]], vocabulary: Vocabulary) -> Self {
        static PGM: BySide<Reader> = BySide::new();
        static VAD: BySide<Reader> = BySide::new();
        let readers = match vocabulary {
            Vocabulary::Pgm => &PGM,
            Vocabulary::Vad => &VAD,
        };
        let reader = readers.of(SIDE, |side| Reader::new(side, vocabulary));
        Self { readings: panels.iter().map(|panel| reader.ink(panel)).collect() }
    }

    /// Panels that show exactly this.
    pub fn of_scene(panels: impl IntoIterator<Item = Panel>) -> Self {
        let reading = |panel| PanelReading { panel, error: 0.0 };
        Self { readings: panels.into_iter().map(reading).collect() }
    }

    /// The panels that cannot be read, counted from 0.
    pub fn unreadable(&self) -> impl Iterator<Item = usize> {
        let errors = self.readings.iter().map(|reading| reading.error);
        errors.enumerate().filter(|(_, error)| *error > MOST_ERROR).map(|(panel, _)| panel)
    }

    /// Whether every panel can be read.
    pub fn is_legible(&self) -> bool {
        self.unreadable().next().is_none()
    }

    /// Whether a rule holds.
    pub fn holds(&self, rule: AskedRule) -> bool {
        let Triple { attribute, relation } = rule.triple;
        let values: Vec<ValueSet> =
            self.readings.iter().map(|reading| reading.panel.values(attribute)).collect();
        let along = |axis| axis_lines(&values, axis).is_some_and(|lines| counts(relation, &lines));
        self.is_legible()
            && match rule.lines {
                Lines::EitherAxis => Axis::ALL.into_iter().any(along),
                Lines::Axis(axis) => along(axis),
                Lines::Source => line(&values, 0).is_some_and(|row| counts(relation, &[row])),
                Lines::Target => line(&values, 1).is_some_and(|row| completes(relation, &row)),
            }
    }

    /// Whether all rules hold.
    pub fn keeps(&self, rules: &AskedRules) -> bool {
        rules.0.iter().all(|&rule| self.holds(rule))
    }

    /// Relations of a matrix that hold without having been asked for, along either axis.
    pub fn unasked(&self, rules: &AskedRules) -> Vec<AskedRule> {
        let is_asked = |triple: &Triple| rules.0.iter().any(|rule| rule.triple == *triple);
        let asked_of = |a: Attribute| rules.0.iter().any(|rule| rule.triple.attribute == a);
        Triple::legal()
            .filter(|triple| !is_asked(triple) && !asked_of(triple.attribute))
            .map(|triple| AskedRule { triple, lines: Lines::EitherAxis })
            .filter(|&rule| self.holds(rule))
            .collect()
    }
}

/// A row of panels.
fn line(values: &[ValueSet], row: usize) -> Option<ValueLine> {
    values.get(STEPS * row..)?.get(..STEPS)?.try_into().ok()
}

/// The lines of a matrix.
fn axis_lines(values: &[ValueSet], axis: Axis) -> Option<[ValueLine; STEPS]> {
    let matrix: &[ValueSet; STEPS * STEPS] = values.try_into().ok()?;
    Some(axis.lines(matrix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::{AnyPuzzle, Family, PuzzleSpec};
    use crate::pgm::Pgm;
    use crate::vad::Vad;

    fn drawn(puzzle: &dyn AnyPuzzle, vocabulary: Vocabulary) -> JudgedPanels {
        let form = puzzle.family().form();
        let target = form.context() + puzzle.target();
        let mut panels = vec![vec![0.0; SIDE * SIDE]; form.panels()];
        for (place, panel) in panels.iter_mut().enumerate() {
            puzzle.ink_into(if place < form.context() { place } else { target }, SIDE, panel);
        }
        let views: Vec<&[f32]> = panels.iter().map(Vec::as_slice).collect();
        JudgedPanels::read(&views, vocabulary)
    }

    #[test]
    fn rules_of_drawn_puzzles_hold_and_those_of_others_rarely_do() {
        for (family, vocabulary) in
            [(&Pgm as &dyn Family, Vocabulary::Pgm), (&Vad, Vocabulary::Vad)]
        {
            let generator = family.generator(&PuzzleSpec::new(family.strata()[0])).unwrap();
            let (mut others, mut asked) = (0, 0);
            for index in 0..40 {
                let puzzle = generator.puzzle(6, index).unwrap();
                let read = drawn(&*puzzle, vocabulary);
                let rules = AskedRules::parse(&puzzle.rules_text()).unwrap();
                assert!(read.is_legible() && read.keeps(&rules), "{index}: {rules}");
                assert_eq!(rules.to_string(), puzzle.rules_text());
                let other = generator.puzzle(6, 1000 + index).unwrap().rules_text();
                let other = AskedRules::parse(&other).unwrap().without_axes();
                asked += other.0.len();
                others += other.0.iter().filter(|&&rule| read.holds(rule)).count();
            }
            assert!(4 * others < asked, "{others} of {asked}");
        }
    }

    #[test]
    fn a_broken_panel_breaks_the_rule_and_an_unreadable_one_all() {
        let generator = Pgm.generator(&PuzzleSpec::new(Pgm.strata()[0])).unwrap();
        let puzzle = generator.puzzle(6, 1).unwrap();
        let rules = AskedRules::parse(&puzzle.rules_text()).unwrap();
        let mut read = drawn(&*puzzle, Vocabulary::Pgm);
        read.readings[8].panel = Panel::default();
        assert!(!read.keeps(&rules));
        let mut read = drawn(&*puzzle, Vocabulary::Pgm);
        read.readings[0].error = 2.0 * MOST_ERROR;
        assert!(rules.0.iter().all(|&rule| !read.holds(rule)));
        assert_eq!(read.unreadable().collect::<Vec<_>>(), [0]);
    }

    #[test]
    fn rules_say_what_they_are_and_where_they_run() {
        let rules = AskedRules::parse("shape.color=XOR:columns line.type=OR").unwrap();
        assert_eq!((rules.columns()[0], rules.columns()[9]), (2, 3));
        assert_eq!((rules.sides()[0], rules.sides()[9]), (-1.0, 0.0));
        assert_eq!(rules.clone().without_axes().to_string(), "shape.color=XOR line.type=OR");
        assert_eq!(AskedRules::of_columns(&rules.columns()), rules.without_axes());
        let analogy = AskedRules::parse("source.shape.size=AND target.line.type=AND").unwrap();
        assert_eq!(
            analogy.0.iter().map(|rule| rule.lines).collect::<Vec<_>>(),
            [Lines::Source, Lines::Target]
        );
        assert!(AskedRules::parse("middle.shape.size=AND").is_err());
    }
}
