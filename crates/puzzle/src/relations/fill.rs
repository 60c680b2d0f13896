//! From the sets that a panel must show to its objects.

use arrayvec::ArrayVec;

use super::scene::{Line, LineType, Panel, Shape, ShapeType};
use super::sets::Pool;
use super::{Attribute, BLACK, ValueSet};
use crate::Stream;

/// Lines of a panel are drawn with at most this many types when nothing governs them.
const MOST_FREE_LINES: usize = 4;

/// What is fixed about a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fixed {
    /// A relation asks for exactly this set.
    Governed(ValueSet),
    /// The same in every panel, as far as there are objects to show it.
    Constant(ValueSet),
    /// Any values, drawn object by object.
    Distracting,
}

impl Fixed {
    fn set(self) -> Option<ValueSet> {
        match self {
            Self::Governed(set) | Self::Constant(set) => Some(set),
            Self::Distracting => None,
        }
    }

    fn governed(self) -> Option<ValueSet> {
        match self {
            Self::Governed(set) => Some(set),
            _ => None,
        }
    }
}

/// What is fixed about each attribute of a panel, in the order of
/// [`Attribute::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PanelPlan([Fixed; 7]);

impl Default for PanelPlan {
    /// Nothing is fixed.
    fn default() -> Self {
        Self([Fixed::Distracting; 7])
    }
}

/// How many objects the governed sets of some attributes ask for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    /// One of the sets is empty: no object at all.
    Nothing,
    /// At least so many.
    AtLeast(usize),
}

const SHAPE_LOOKS: [Attribute; 3] =
    [Attribute::ShapeColor, Attribute::ShapeSize, Attribute::ShapeType];

impl PanelPlan {
    /// Asks for exactly this set.
    pub fn govern(&mut self, attribute: Attribute, set: ValueSet) {
        self.0[attribute.index()] = Fixed::Governed(set);
    }

    /// The set that is asked for, if the attribute is governed.
    pub fn governed(&self, attribute: Attribute) -> Option<ValueSet> {
        self.get(attribute).governed()
    }

    /// How many objects there are to show an attribute on, as far as a governed
    /// set says so.
    pub fn room(&self, attribute: Attribute) -> usize {
        let objects = |&carrier: &Attribute| match (carrier, self.governed(carrier)?) {
            (Attribute::ShapeNumber, number) => number.single().map(usize::from),
            (_, set) => Some(set.len()),
        };
        attribute.carriers().iter().filter_map(objects).min().unwrap_or(usize::MAX)
    }

    fn get(&self, attribute: Attribute) -> Fixed {
        self.0[attribute.index()]
    }

    fn need(&self, looks: &[Attribute]) -> Option<Need> {
        let sizes = looks.iter().filter_map(|&a| self.get(a).governed()).map(ValueSet::len);
        let (mut least, mut empty) = (0, false);
        for size in sizes {
            least = least.max(size);
            empty |= size == 0;
        }
        match (empty, least) {
            (false, least) => Some(Need::AtLeast(least)),
            (true, 0) => Some(Need::Nothing),
            (true, _) => None,
        }
    }

    /// A panel that shows exactly the governed sets; `None` where they ask for
    /// more objects than there are, or where no readable set of lines turned up.
    pub fn fill(&self, pool: &Pool, stream: &mut Stream) -> Option<Panel> {
        Some(Panel { shapes: self.shapes(pool, stream)?, lines: self.lines(pool, stream)? })
    }

    fn shapes(&self, pool: &Pool, stream: &mut Stream) -> Option<ArrayVec<Shape, 9>> {
        let positions = self.positions(pool, stream)?;
        let number = positions.len();
        let [colors, sizes, kinds] = {
            let mut values = |look| self.values(look, number, pool, stream);
            [values(SHAPE_LOOKS[0])?, values(SHAPE_LOOKS[1])?, values(SHAPE_LOOKS[2])?]
        };
        let shape = |(i, position)| Shape {
            position,
            kind: ShapeType::ALL[usize::from(kinds[i])],
            size: sizes[i],
            color: colors[i],
        };
        Some(positions.iter().enumerate().map(shape).collect())
    }

    /// Where shapes stand.
    fn positions(&self, pool: &Pool, stream: &mut Stream) -> Option<ValueSet> {
        use Attribute::{ShapeNumber, ShapePosition};
        let count = |set: ValueSet| set.single().map(usize::from);
        let governed = match self.get(ShapePosition).governed() {
            Some(set) => Some(set.len()),
            None => self.get(ShapeNumber).governed().and_then(count),
        };
        let least = match self.need(&SHAPE_LOOKS)? {
            Need::Nothing => {
                return governed.is_none_or(|number| number == 0).then_some(ValueSet::EMPTY);
            }
            Need::AtLeast(least) => least,
        };
        let positions = match (self.get(ShapePosition).set(), self.get(ShapeNumber).set()) {
            (Some(positions), _) => positions,
            (None, Some(number)) => pool.set(ShapePosition, count(number)?, stream),
            (None, None) => {
                let number = stream.between(least as i32, 9) as usize;
                pool.set(ShapePosition, number, stream)
            }
        };
        (positions.len() >= least).then_some(positions)
    }

    fn lines(&self, pool: &Pool, stream: &mut Stream) -> Option<ArrayVec<Line, 10>> {
        let governed = self.get(Attribute::LineType).governed();
        let kinds = match (self.need(&[Attribute::LineColor])?, self.get(Attribute::LineType)) {
            (Need::Nothing, _) => {
                governed.is_none_or(ValueSet::is_empty).then_some(ValueSet::EMPTY)?
            }
            (Need::AtLeast(least), Fixed::Distracting) => {
                pool.lines(least.max(1), MOST_FREE_LINES, stream)?
            }
            (Need::AtLeast(least), fixed) => fixed.set().filter(|kinds| kinds.len() >= least)?,
        };
        let colors = self.values(Attribute::LineColor, kinds.len(), pool, stream)?;
        let line =
            |(kind, &color): (u8, &u8)| Line { kind: LineType::ALL[usize::from(kind)], color };
        Some(kinds.iter().zip(&colors).map(line).collect())
    }

    /// A value for each of `number` objects, such that a fixed set is shown
    /// completely.
    fn values(
        &self,
        attribute: Attribute,
        number: usize,
        pool: &Pool,
        stream: &mut Stream,
    ) -> Option<ArrayVec<u8, 10>> {
        let Some(set) = self.get(attribute).set() else {
            return Some((0..number).map(|_| *stream.pick(pool.values(attribute))).collect());
        };
        if number == 0 {
            return self
                .get(attribute)
                .governed()
                .is_none_or(ValueSet::is_empty)
                .then(ArrayVec::new);
        }
        if let Some(value) = set.single() {
            return Some((0..number).map(|_| value).collect());
        }
        let members: ArrayVec<u8, 16> = set.iter().collect();
        if members.is_empty() || members.len() > number {
            return None;
        }
        let mut values: ArrayVec<u8, 10> = members.iter().copied().collect();
        while values.len() < number {
            values.push(*stream.pick(&members));
        }
        stream.shuffle(&mut values);
        Some(values)
    }
}

/// Decides for every attribute that nothing governs whether it distracts (with
/// probability one half) or is constant, and draws the constants. Returns which
/// ones distract; `None` where no readable set of lines turned up.
///
/// The number of shapes follows the positions where these are governed; a
/// governed number leaves positions free; a number that distracts makes
/// positions distract. Constant lines are black.
pub(crate) fn settle_ungoverned(
    plans: &mut [PanelPlan],
    pool: &Pool,
    stream: &mut Stream,
) -> Option<[bool; 7]> {
    use Attribute::{LineColor, LineType, ShapeNumber, ShapePosition};
    let most = |attribute: Attribute, plans: &[PanelPlan]| {
        plans.iter().filter_map(|p| p.governed(attribute)).map(ValueSet::len).max()
    };
    let constant = |attribute: Attribute, set: ValueSet, plans: &mut [PanelPlan]| {
        plans.iter_mut().for_each(|p| p.0[attribute.index()] = Fixed::Constant(set));
    };
    let mut distracting = [false; 7];
    let objects = SHAPE_LOOKS.iter().filter_map(|&look| most(look, plans)).max().unwrap_or(0);
    for look in SHAPE_LOOKS {
        if most(look, plans).is_none() {
            distracting[look.index()] = stream.coin();
            if !distracting[look.index()] {
                constant(look, pool.single(look, stream), plans);
            }
        }
    }
    match (most(ShapeNumber, plans), most(ShapePosition, plans)) {
        (None, None) => {
            let [number_distracts, position_distracts] = [stream.coin(), stream.coin()];
            distracting[ShapeNumber.index()] = number_distracts;
            distracting[ShapePosition.index()] = number_distracts || position_distracts;
            if !number_distracts {
                let number = stream.between(objects as i32, 9) as usize;
                constant(ShapeNumber, ValueSet::of(number as u8), plans);
                if !position_distracts {
                    constant(ShapePosition, pool.set(ShapePosition, number, stream), plans);
                }
            }
        }
        (Some(_), None) => distracting[ShapePosition.index()] = true,
        _ => {}
    }
    if most(LineType, plans).is_none() {
        distracting[LineType.index()] = stream.coin();
        if !distracting[LineType.index()] {
            let least = most(LineColor, plans).unwrap_or(0);
            constant(LineType, pool.lines(least, MOST_FREE_LINES, stream)?, plans);
        }
    }
    if most(LineColor, plans).is_none() {
        distracting[LineColor.index()] = stream.coin();
        if !distracting[LineColor.index()] {
            constant(LineColor, ValueSet::of(BLACK), plans);
        }
    }
    Some(distracting)
}
