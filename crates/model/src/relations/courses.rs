//! Z_r: along which lines the relation of each attribute runs.
//!
//! The rule matrix says which relation an attribute follows. What it leaves open is discrete here: in a
//! matrix whether the relation runs along rows or columns, in an analogy whether the attribute is
//! that of the source row or of the target row. p(Z_r|R) is even; q(Z_r|Z_o, R) is certain, as it
//! can be seen in the values.

use genvp_puzzle::relations::{Attribute, Axis, Relation, ValueSet, Vocabulary, holds};

use super::chance::Chance;
use super::sets::ATTRIBUTES;
use super::value_grid::{Course, MOST_PANELS, STEPS, ValueGrid};
use crate::config::PuzzleConfig;
use crate::error::ModelError;

/// The values of all attributes in all panels of a puzzle, as far as they are known.
pub(super) type PuzzleValues = [[Option<ValueSet>; MOST_PANELS]; ATTRIBUTES];

/// Which relation each attribute of a puzzle follows.
pub(super) type Relations = [Option<Relation>; ATTRIBUTES];

/// For each row of the rule matrix +1 (rows, or the source row), -1 (columns, or the target row), or
/// 0 (not said, or no relation).
pub(super) type Sides<'a> = &'a [f32];

/// The relations that a rule matrix names.
///
/// # Shapes
/// `rules` `[K_R]`, the rule of each attribute
pub(super) fn relations_of(rules: &[u8]) -> Relations {
    Attribute::ALL.map(|attribute| {
        let column = usize::from(rules[attribute.row()]);
        Relation::ALL.into_iter().find(|relation| relation.column() == column)
    })
}

/// How the panels of puzzles hang together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// One matrix with relations along rows and columns.
    Matrix,
    /// A source row and a target row.
    Analogy,
}

impl Form {
    pub fn of(puzzle: &PuzzleConfig) -> Self {
        if puzzle.rows == puzzle.columns { Self::Matrix } else { Self::Analogy }
    }

    /// Lines of a grid whose values are written together.
    pub fn lines(self) -> usize {
        match self {
            Self::Matrix => STEPS,
            Self::Analogy => 1,
        }
    }

    /// Panels of a puzzle.
    pub fn panels(self) -> usize {
        self.grids() * self.lines() * STEPS
    }

    /// Grids of a puzzle.
    fn grids(self) -> usize {
        match self {
            Self::Matrix => 1,
            Self::Analogy => 2,
        }
    }

    fn vocabulary(self) -> Vocabulary {
        match self {
            Self::Matrix => Vocabulary::Pgm,
            Self::Analogy => Vocabulary::Vad,
        }
    }

    /// How many types of lines there are.
    pub fn line_types(self) -> usize {
        usize::from(self.vocabulary().value_count(Attribute::LineType))
    }

    /// p(Z_r|R): a side for each relation of a puzzle, at random where none is stated.
    ///
    /// # Errors
    /// When an analogy does not have one relation in two attributes, one for each row.
    pub fn draw(
        self,
        relations: &Relations,
        stated: Sides<'_>,
        chance: &mut Chance<'_>,
    ) -> Result<[f32; ATTRIBUTES], ModelError> {
        let stated = |attribute: Attribute| stated.get(attribute.row()).copied().unwrap_or(0.0);
        let side = |chance: &mut Chance<'_>| if chance.unit() < 0.5 { 1.0 } else { -1.0 };
        let mut sides = [0.0; ATTRIBUTES];
        let governed = Attribute::ALL.into_iter().filter(|a| relations[a.index()].is_some());
        match self {
            Self::Matrix => {
                for attribute in governed {
                    let drawn = side(chance);
                    let stated = stated(attribute);
                    sides[attribute.index()] = if stated == 0.0 { drawn } else { stated.signum() };
                }
            }
            Self::Analogy => {
                let governed: Vec<Attribute> = governed.collect();
                let [first, second] = governed[..] else { return Err(NO_ANALOGY) };
                if relations[first.index()] != relations[second.index()] {
                    return Err(NO_ANALOGY);
                }
                let drawn = side(chance);
                let said = stated(first) - stated(second);
                let own = if said == 0.0 { drawn } else { said.signum() };
                sides[first.index()] = own;
                sides[second.index()] = -own;
            }
        }
        Ok(sides)
    }

    /// q(Z_r|Z_o, R): the sides on which relations hold, as far as whole lines are known.
    pub fn find(self, relations: &Relations, values: &PuzzleValues) -> [f32; ATTRIBUTES] {
        let mut sides = Attribute::ALL.map(|attribute| {
            let own = &values[attribute.index()];
            let Some(relation) = relations[attribute.index()] else { return 0.0 };
            match self {
                Self::Matrix => {
                    let fit = |axis| fit(relation, axis, own);
                    if fit(Axis::Columns) > fit(Axis::Rows) { -1.0 } else { 1.0 }
                }
                Self::Analogy => {
                    let row = |row: usize| telling(relation, line(own, Axis::Rows, row));
                    row(0) - row(1)
                }
            }
        });
        if self == Self::Analogy {
            only_one_each(&mut sides, relations);
        }
        sides
    }

    /// The grids of a puzzle whose values are known as far as they are told.
    pub fn grids_of(
        self,
        relations: &Relations,
        sides: &[f32; ATTRIBUTES],
        values: &PuzzleValues,
    ) -> Vec<ValueGrid> {
        let grid = |number: usize| {
            let courses = std::array::from_fn(|attribute| {
                let (relation, side) = (relations[attribute]?, sides[attribute]);
                match self {
                    Self::Matrix if side < 0.0 => Some(Course { relation, axis: Axis::Columns }),
                    Self::Analogy if (side > 0.0) != (number == 0) || side == 0.0 => None,
                    _ => Some(Course { relation, axis: Axis::Rows }),
                }
            });
            let mut grid = ValueGrid::new(self.lines(), self.vocabulary(), courses);
            let panels = grid.panels();
            for (attribute, own) in Attribute::ALL.into_iter().zip(values) {
                for (panel, set) in own[number * panels..][..panels].iter().enumerate() {
                    set.iter().for_each(|&set| grid.put(attribute, panel, set));
                }
            }
            grid
        };
        (0..self.grids()).map(grid).collect()
    }
}

const NO_ANALOGY: ModelError = ModelError::Cannot {
    what: "imagine an analogy whose rules are not one relation in two attributes",
};

/// Where the rows of an analogy do not tell source from target, the first attribute is the source.
fn only_one_each(sides: &mut [f32; ATTRIBUTES], relations: &Relations) {
    let governed: Vec<usize> = (0..ATTRIBUTES).filter(|&a| relations[a].is_some()).collect();
    if let [first, second] = governed[..] {
        let own = if sides[first] < sides[second] { -1.0 } else { 1.0 };
        (sides[first], sides[second]) = (own, -own);
    }
}

/// A line of an attribute's values, where all of it is known.
fn line(
    values: &[Option<ValueSet>; MOST_PANELS],
    axis: Axis,
    line: usize,
) -> Option<[ValueSet; STEPS]> {
    let panel = |step: usize| match axis {
        Axis::Rows => STEPS * line + step,
        Axis::Columns => STEPS * step + line,
    };
    Some([values[panel(0)]?, values[panel(1)]?, values[panel(2)]?])
}

/// How much a line speaks for a relation.
fn telling(relation: Relation, line: Option<[ValueSet; STEPS]>) -> f32 {
    match line {
        Some(line) if !holds(relation, &line) => -1.0,
        Some(line) if line[0] != line[1] => 1.0,
        _ => 0.0,
    }
}

/// How much all lines along an axis speak for a relation.
fn fit(relation: Relation, axis: Axis, values: &[Option<ValueSet>; MOST_PANELS]) -> f32 {
    (0..STEPS).map(|number| telling(relation, line(values, axis, number))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::Noise;
    use genvp_puzzle::pgm::{Maker, Regime, Request};
    use genvp_puzzle::relations::Split;

    #[test]
    fn the_axis_of_every_relation_is_seen_in_the_values() {
        let maker = Maker::new(Request::new(Regime::Neutral, Split::Train)).unwrap();
        for index in 0..50 {
            let puzzle = maker.puzzle(4, index).unwrap();
            let mut values = [[None; MOST_PANELS]; ATTRIBUTES];
            let panels = puzzle.context.iter().chain([puzzle.answer()]);
            for (place, panel) in panels.enumerate() {
                for (own, set) in values.iter_mut().zip(panel.all_values()) {
                    own[place] = Some(set);
                }
            }
            let mut relations = [None; ATTRIBUTES];
            for governed in &puzzle.structure {
                relations[governed.triple.attribute.index()] = Some(governed.triple.relation);
            }
            for whole in [true, false] {
                if !whole {
                    values.iter_mut().for_each(|own| own[8] = None);
                }
                let sides = Form::Matrix.find(&relations, &values);
                for governed in &puzzle.structure {
                    let side = if governed.axis == Axis::Rows { 1.0 } else { -1.0 };
                    assert_eq!(sides[governed.triple.attribute.index()], side, "{index}");
                }
            }
        }
    }

    #[test]
    fn an_analogy_has_one_relation_in_two_attributes() {
        let mut relations = [None; ATTRIBUTES];
        relations[0] = Some(Relation::Xor);
        let mut noise = Noise::seeded(1);
        let mut draw = |relations: &Relations, stated: Sides<'_>| {
            Form::Analogy.draw(relations, stated, &mut Chance(&mut noise))
        };
        assert!(draw(&relations, &[]).is_err());
        relations[3] = Some(Relation::Xor);
        let mut stated = [0.0; 10];
        stated[Attribute::ALL[3].row()] = 1.0;
        let sides = draw(&relations, &stated).unwrap();
        assert_eq!((sides[0], sides[3]), (-1.0, 1.0));
        relations[3] = Some(Relation::Or);
        assert!(draw(&relations, &[]).is_err());
    }
}
