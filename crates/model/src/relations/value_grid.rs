//! What is known of the values of panels that are written together: a whole matrix of PGM, or one
//! row of an analogy.

use genvp_puzzle::relations::{Attribute, Axis, BLACK, Relation, ValueSet, Vocabulary};

use super::sets::{ATTRIBUTES, VALUES};

/// Panels of a line.
pub(super) const STEPS: usize = 3;
/// The most panels that a grid has.
pub(super) const MOST_PANELS: usize = STEPS * STEPS;

/// How many values above and below a value are told beside it.
const WINDOW: i16 = 2;
/// Relations, and none.
const RULES: usize = 1 + Relation::ALL.len();
/// What is told about each panel: whether the attribute is known there, the values around the one
/// in question, how many it has; how many objects there are to show it on, and how many others need.
const PER_PANEL: usize = 1 + (2 * WINDOW as usize + 1) + 1 + 2 + 2;
/// What is told about the panel in question: the two values below, how many values are taken,
/// its place in its line, the attribute and its rule, the rules of all attributes, and the value.
const OWN: usize =
    WINDOW as usize + VALUES + STEPS + ATTRIBUTES + RULES + ATTRIBUTES * RULES + VALUES;

/// A relation and the lines along which it runs: a part of Z_r.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Course {
    /// The relation.
    pub relation: Relation,
    /// Along rows or columns.
    pub axis: Axis,
}

/// A panel in the order of an attribute's lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The attribute.
    pub attribute: Attribute,
    /// The line.
    pub line: usize,
    /// The panel of the line.
    pub step: usize,
}

/// The values of all attributes in the panels of a grid, as far as they are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ValueGrid {
    lines: usize,
    vocabulary: Vocabulary,
    courses: [Option<Course>; ATTRIBUTES],
    sets: [[Option<ValueSet>; MOST_PANELS]; ATTRIBUTES],
}

impl ValueGrid {
    /// A grid of which nothing is known but the courses of its relations.
    pub fn new(
        lines: usize,
        vocabulary: Vocabulary,
        courses: [Option<Course>; ATTRIBUTES],
    ) -> Self {
        Self { lines, vocabulary, courses, sets: [[None; MOST_PANELS]; ATTRIBUTES] }
    }

    /// How many numbers [`describe`](Self::describe) writes about grids of so many lines.
    pub fn width(lines: usize) -> usize {
        lines * STEPS * PER_PANEL + OWN
    }

    /// How many panels there are.
    pub fn panels(&self) -> usize {
        self.lines * STEPS
    }

    /// The course of an attribute's relation, if it follows one.
    pub fn course(&self, attribute: Attribute) -> Option<Course> {
        self.courses[attribute.index()]
    }

    /// How many values an attribute has, counted from 0. Lines may also be black.
    pub fn values(&self, attribute: Attribute) -> u8 {
        match attribute {
            Attribute::LineColor => BLACK + 1,
            _ => self.vocabulary.value_count(attribute),
        }
    }

    /// The values of an attribute in a panel, if they are known.
    pub fn get(&self, attribute: Attribute, panel: usize) -> Option<ValueSet> {
        self.sets[attribute.index()][panel]
    }

    /// Says which values an attribute has in a panel. Positions also say how many shapes there are.
    pub fn put(&mut self, attribute: Attribute, panel: usize, set: ValueSet) {
        self.sets[attribute.index()][panel] = Some(set);
        if attribute == Attribute::ShapePosition {
            let number = ValueSet::of(set.len() as u8);
            self.sets[Attribute::ShapeNumber.index()][panel] = Some(number);
        }
    }

    /// Makes values unknown.
    pub fn forget(&mut self, is_forgotten: impl Fn(Attribute, usize) -> bool) {
        for (attribute, own) in Attribute::ALL.into_iter().zip(&mut self.sets) {
            for (panel, set) in own.iter_mut().enumerate() {
                *set = set.filter(|_| !is_forgotten(attribute, panel));
            }
        }
    }

    /// All places of an attribute, line by line.
    pub fn places(&self, attribute: Attribute) -> impl Iterator<Item = Place> + use<> {
        let of_line = move |line| (0..STEPS).map(move |step| Place { attribute, line, step });
        (0..self.lines).flat_map(of_line)
    }

    /// The panel at a place.
    pub fn panel(&self, place: Place) -> usize {
        match self.course(place.attribute).map(|course| course.axis) {
            Some(Axis::Columns) => STEPS * place.step + place.line,
            _ => STEPS * place.line + place.step,
        }
    }

    /// The attributes in the order in which they are written: governed ones first, as these must
    /// fit, and of those how many objects there are before what they look like.
    pub fn order(&self) -> Vec<Attribute> {
        let is_governed = |attribute| self.course(attribute).is_some();
        let is_implied = |a| a == Attribute::ShapeNumber && is_governed(Attribute::ShapePosition);
        let mut order: Vec<Attribute> =
            Attribute::ALL.into_iter().filter(|&attribute| !is_implied(attribute)).collect();
        order.sort_by_key(|&attribute| (!is_governed(attribute), is_look(attribute)));
        order
    }

    /// How many objects there are in a panel to show an attribute on, if that is known.
    fn room(&self, attribute: Attribute, panel: usize) -> Option<usize> {
        let number = || self.get(Attribute::ShapeNumber, panel)?.single().map(usize::from);
        match attribute {
            Attribute::LineColor => self.get(Attribute::LineType, panel).map(ValueSet::len),
            Attribute::ShapeNumber | Attribute::LineType => None,
            _ => number(),
        }
    }

    /// How many objects of a panel the others of its attributes need, as far as they are known;
    /// where one of those has no value at all, there must be no object.
    fn need(&self, attribute: Attribute, panel: usize) -> Option<usize> {
        let looks: &[Attribute] = match attribute {
            Attribute::ShapeNumber | Attribute::ShapePosition => {
                &[Attribute::ShapeColor, Attribute::ShapeSize, Attribute::ShapeType]
            }
            Attribute::LineType => &[Attribute::LineColor],
            _ => &[],
        };
        let known = || looks.iter().filter_map(|&look| self.get(look, panel)).map(ValueSet::len);
        if known().any(|size| size == 0) { Some(0) } else { known().max() }
    }

    /// How many values an attribute can have in a panel, at least and at most.
    fn sizes(&self, attribute: Attribute, panel: usize) -> [usize; 2] {
        let all = usize::from(self.values(attribute));
        match (attribute, self.room(attribute, panel)) {
            (Attribute::ShapeNumber, _) => [1, 1],
            (Attribute::ShapePosition, Some(number)) => [number, number],
            (_, Some(room)) => [room.min(1), room.min(all)],
            (_, None) => match self.need(attribute, panel) {
                Some(0) => [0, 0],
                need => [need.unwrap_or(0), all],
            },
        }
    }

    /// Whether a value is there beside the lower ones that were chosen, where what is known of the
    /// panel leaves no choice.
    pub fn forced(&self, place: Place, chosen: ValueSet, value: u8) -> Option<bool> {
        let (attribute, panel) = (place.attribute, self.panel(place));
        let last = self.values(attribute) - 1;
        if attribute == Attribute::ShapeNumber {
            let [least, most] = match self.need(attribute, panel) {
                Some(0) => [0, 0],
                need => [need.unwrap_or(0) as u8, last],
            };
            return match (chosen.is_empty(), value) {
                (false, _) => Some(false),
                (true, value) if value < least => Some(false),
                (true, value) => (value >= most).then_some(value == most),
            };
        }
        let ([least, most], taken) = (self.sizes(attribute, panel), chosen.len());
        let left = usize::from(last - value) + 1;
        if taken >= most { Some(false) } else { (taken + left <= least).then_some(true) }
    }

    /// What the network is told before it says whether a value is there: for every
    /// panel, those of its own line first and then the other lines in turn, what is known of it,
    /// and what is chosen already of the panel's own lower values.
    ///
    /// # Shapes
    /// appends [`width`](Self::width) numbers
    pub fn describe(&self, place: Place, chosen: ValueSet, value: u8, out: &mut Vec<f32>) {
        for turn in 0..self.lines {
            let line = (place.line + turn) % self.lines;
            for step in 0..STEPS {
                self.describe_panel(Place { line, step, ..place }, value, out);
            }
        }
        for below in 1..=WINDOW {
            out.push(share_of(chosen, i16::from(value) - below));
        }
        one_hot(chosen.len(), VALUES, out);
        one_hot(place.step, STEPS, out);
        one_hot(place.attribute.index(), ATTRIBUTES, out);
        one_hot(self.rule(place.attribute), RULES, out);
        Attribute::ALL.into_iter().for_each(|other| one_hot(self.rule(other), RULES, out));
        one_hot(usize::from(value), VALUES, out);
    }

    fn describe_panel(&self, place: Place, value: u8, out: &mut Vec<f32>) {
        let (attribute, panel) = (place.attribute, self.panel(place));
        let known = self.get(attribute, panel);
        out.push(if known.is_some() { 1.0 } else { -1.0 });
        for shift in -WINDOW..=WINDOW {
            out.push(known.map_or(0.0, |set| share_of(set, i16::from(value) + shift)));
        }
        let part = |count: usize| count as f32 / MOST_PANELS as f32;
        out.push(known.map_or(0.0, |set| part(set.len())));
        for objects in [self.room(attribute, panel), self.need(attribute, panel)] {
            out.push(if objects.is_some() { 1.0 } else { 0.0 });
            out.push(objects.map_or(0.0, part));
        }
    }

    /// The column of an attribute's relation in the rule matrix.
    fn rule(&self, attribute: Attribute) -> usize {
        self.course(attribute).map_or(0, |course| course.relation.column())
    }
}

/// Whether an attribute says what objects look like, and not how many there are.
pub(super) fn is_look(attribute: Attribute) -> bool {
    use Attribute::{LineColor, ShapeColor, ShapeSize, ShapeType};
    matches!(attribute, ShapeColor | ShapeSize | ShapeType | LineColor)
}

/// +1 for a member, else -1; no set has values below 0.
fn share_of(set: ValueSet, value: i16) -> f32 {
    let is_member = u8::try_from(value).is_ok_and(|value| set.contains(value));
    if is_member { 1.0 } else { -1.0 }
}

fn one_hot(place: usize, width: usize, out: &mut Vec<f32>) {
    out.extend((0..width).map(|at| f32::from(u8::from(at == place))));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(values: &[u8]) -> ValueSet {
        values.iter().copied().collect()
    }

    fn grid(courses: &[(Attribute, Relation, Axis)]) -> ValueGrid {
        let mut all = [None; ATTRIBUTES];
        for &(attribute, relation, axis) in courses {
            all[attribute.index()] = Some(Course { relation, axis });
        }
        ValueGrid::new(3, Vocabulary::Pgm, all)
    }

    #[test]
    fn governed_attributes_come_first_and_positions_imply_the_number() {
        use Attribute::{ShapeColor, ShapeNumber, ShapePosition};
        let order = grid(&[(ShapeColor, Relation::Xor, Axis::Rows)]).order();
        assert_eq!(order[..2], [ShapeColor, ShapeNumber]);
        let order = grid(&[
            (ShapeColor, Relation::Xor, Axis::Rows),
            (ShapePosition, Relation::Or, Axis::Columns),
        ])
        .order();
        assert_eq!((order[0], order[1], order.len()), (ShapePosition, ShapeColor, 6));
    }

    #[test]
    fn what_no_panel_can_show_is_not_offered() {
        let mut grid = grid(&[]);
        let place = |attribute| Place { attribute, line: 0, step: 0 };
        grid.put(Attribute::ShapeColor, 0, set(&[1, 2, 3]));
        let number = place(Attribute::ShapeNumber);
        assert_eq!(grid.forced(number, ValueSet::EMPTY, 2), Some(false));
        assert_eq!(grid.forced(number, ValueSet::EMPTY, 3), None);
        assert_eq!(grid.forced(number, ValueSet::EMPTY, 9), Some(true));
        assert_eq!(grid.forced(number, set(&[4]), 5), Some(false));
        grid.put(Attribute::ShapeNumber, 0, set(&[4]));
        let position = place(Attribute::ShapePosition);
        assert_eq!(grid.forced(position, set(&[0, 1, 2, 3]), 4), Some(false));
        assert_eq!(grid.forced(position, set(&[0]), 6), Some(true));
        assert_eq!(grid.forced(position, set(&[0]), 5), None);
        grid.put(Attribute::ShapePosition, 0, ValueSet::EMPTY);
        assert_eq!(grid.forced(place(Attribute::ShapeSize), ValueSet::EMPTY, 0), Some(false));
    }

    #[test]
    fn a_column_is_described_as_a_row_of_the_transposed_grid_is() {
        let attribute = Attribute::LineType;
        let described = |axis| {
            let mut grid = grid(&[(attribute, Relation::And, axis)]);
            for place in grid.places(attribute).take(5) {
                let panel = grid.panel(place);
                grid.put(attribute, panel, set(&[place.line as u8, place.step as u8]));
            }
            let mut out = Vec::new();
            grid.describe(Place { attribute, line: 1, step: 2 }, set(&[0]), 3, &mut out);
            out
        };
        assert_eq!(described(Axis::Rows), described(Axis::Columns));
        assert_eq!(described(Axis::Rows).len(), ValueGrid::width(3));
    }
}
