//! Drawing the value sets of a line.

use arrayvec::ArrayVec;

use super::{Attribute, Limit, LineType, Relation, Triple, ValueLine, ValueSet, Vocabulary};
use crate::Stream;

/// Sets that relations work on are drawn with at most this many values.
const MOST_DRAWN: usize = 4;
/// Positions and line types are drawn with at most this many where other sets
/// need objects to be shown on.
const MOST_CARRIERS: usize = 6;

/// How often a line is drawn anew before it is given up.
const TRIES: u32 = 64;

/// The values that each attribute may take in a puzzle.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    values: [ArrayVec<u8, 10>; 7],
}

impl Pool {
    pub fn new(vocabulary: Vocabulary, limit: Limit) -> Self {
        Self { values: Attribute::ALL.map(|attribute| limit.values(attribute, vocabulary)) }
    }

    pub fn values(&self, attribute: Attribute) -> &[u8] {
        &self.values[attribute.index()]
    }

    /// A random set of `size` values.
    pub fn set(&self, attribute: Attribute, size: usize, stream: &mut Stream) -> ValueSet {
        let mut values = self.values[attribute.index()].clone();
        stream.shuffle_front(&mut values, size);
        values.into_iter().take(size).collect()
    }

    /// A random set of one to `most` values.
    fn some_set(&self, attribute: Attribute, most: usize, stream: &mut Stream) -> ValueSet {
        let most = most.min(self.values(attribute).len()) as i32;
        let size = stream.between(1, most) as usize;
        self.set(attribute, size, stream)
    }

    /// A random single value.
    pub fn single(&self, attribute: Attribute, stream: &mut Stream) -> ValueSet {
        ValueSet::of(*stream.pick(self.values(attribute)))
    }

    /// A random set of lines that can be told from all others, with `least` to
    /// `most` members. `None` when none turns up.
    pub fn lines(&self, least: usize, most: usize, stream: &mut Stream) -> Option<ValueSet> {
        let available = self.values(Attribute::LineType).len();
        let (least, most) = (least as i32, most.max(least).min(available) as i32);
        (least <= most).then_some(())?;
        (0..TRIES)
            .map(|_| {
                let size = stream.between(least, most) as usize;
                self.set(Attribute::LineType, size, stream)
            })
            .find(|&set| LineType::are_readable(set))
    }
}

/// Whether the third panel of AND may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EmptyAnd {
    Allowed,
    Avoided,
}

/// How the sets of a line are to be drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineLimits {
    /// Whether the third panel of AND may be empty.
    pub empty: EmptyAnd,
    /// Whether other sets are shown on the objects that these sets stand for.
    pub carries: bool,
    /// How many objects each panel has to show the sets on.
    pub room: [usize; 3],
}

impl LineLimits {
    /// As many objects as one likes.
    pub fn free(empty: EmptyAnd) -> Self {
        Self { empty, carries: false, room: [usize::MAX; 3] }
    }
}

/// Draws three sets on which a relation holds, and of which none is trivial: for
/// OR neither of the first two contains the other, for XOR and AND they differ.
/// `None` when no such line turns up. Not for unions, which concern all lines.
pub(crate) fn draw_line(
    triple: Triple,
    limits: LineLimits,
    pool: &Pool,
    stream: &mut Stream,
) -> Option<ValueLine> {
    let Triple { attribute, relation } = triple;
    if relation == Relation::Progression {
        let values = pool.values(attribute);
        let start = stream.below(values.len() as u32 - 2) as usize;
        return Some([0, 1, 2].map(|step| ValueSet::of(values[start + step])));
    }
    let most = if limits.carries { MOST_CARRIERS } else { MOST_DRAWN };
    (0..TRIES).find_map(|_| {
        let a = pool.some_set(attribute, most, stream);
        let b = pool.some_set(attribute, most, stream);
        let c = relation.combined(a, b)?;
        let trivial = match relation {
            Relation::Or => a.is_subset(b) || b.is_subset(a),
            Relation::And => a == b || (c.is_empty() && limits.empty == EmptyAnd::Avoided),
            _ => a == b,
        };
        let line = [a, b, c];
        let readable =
            attribute != Attribute::LineType || line.into_iter().all(LineType::are_readable);
        let fits = line.iter().zip(limits.room).all(|(set, room)| set.len() <= room);
        (!trivial && readable && fits).then_some(line)
    })
}

/// Two sets that share something and of which neither contains the other, so that
/// OR, XOR and AND make three different sets of them. `None` when none turn up.
pub(crate) fn draw_overlapping(
    attribute: Attribute,
    pool: &Pool,
    stream: &mut Stream,
) -> Option<[ValueSet; 2]> {
    (0..TRIES).find_map(|_| {
        let a = pool.some_set(attribute, MOST_DRAWN, stream);
        let b = pool.some_set(attribute, MOST_DRAWN, stream);
        let overlaps = !(a & b).is_empty() && !a.is_subset(b) && !b.is_subset(a);
        let is_readable = attribute != Attribute::LineType || LineType::are_readable(a | b);
        (overlaps && is_readable).then_some([a, b])
    })
}

/// The third panel of a line that follows a relation, as [`draw_line`] makes it.
/// Unions concern all lines: any single value can be the third of one.
fn draw_third(
    triple: Triple,
    limits: LineLimits,
    pool: &Pool,
    stream: &mut Stream,
) -> Option<ValueSet> {
    match triple.relation {
        Relation::Union => Some(pool.single(triple.attribute, stream)),
        _ => Some(draw_line(triple, limits, pool, stream)?[2]),
    }
}

/// What the values of the choices are drawn like.
#[derive(Clone, Debug)]
pub(crate) struct Candidates {
    attribute: Attribute,
    relations: ArrayVec<Relation, 5>,
    count: usize,
}

impl Candidates {
    /// `count` different values for the choices of a puzzle in which `triple` holds.
    ///
    /// They are third values of lines that follow the same relation. Where some
    /// relation of the attribute has fewer different ones, they follow any of
    /// `relations`, which are those that the attribute could have followed instead:
    /// then neither their kind nor how often one recurs tells the right one.
    pub fn new(
        triple: Triple,
        count: usize,
        pool: &Pool,
        relations: impl FnOnce() -> ArrayVec<Relation, 5>,
    ) -> Self {
        let Triple { attribute, relation } = triple;
        let values = pool.values(attribute).len();
        let has_enough = |relation: &Relation| match relation {
            Relation::Progression => values >= count + 2,
            Relation::Union => values >= count,
            _ => true,
        };
        let mut legal =
            Relation::ALL.into_iter().filter(|&relation| Triple { attribute, relation }.is_legal());
        let relations = match legal.all(|relation| has_enough(&relation)) {
            true => ArrayVec::from_iter([relation]),
            false => relations(),
        };
        Self { attribute, relations, count }
    }

    /// Draws different values, the right one first, and what `own` says of it: it
    /// draws a right value, which has its turn among the others at random. So every
    /// value is as likely as any other to be the right one.
    pub fn draw<T>(
        &self,
        limits: LineLimits,
        pool: &Pool,
        stream: &mut Stream,
        mut own: impl FnMut(&mut Stream) -> Option<(ValueSet, T)>,
    ) -> Option<(ArrayVec<ValueSet, 8>, T)> {
        let turn = stream.below(self.count as u32) as usize;
        let mut values = ArrayVec::<ValueSet, 8>::new();
        let mut right = None;
        while values.len() < self.count {
            let value = (0..TRIES).find_map(|_| {
                let (value, about) = if values.len() == turn {
                    let (value, about) = own(stream)?;
                    (value, Some(about))
                } else {
                    let relation = *stream.pick(&self.relations);
                    let triple = Triple { attribute: self.attribute, relation };
                    (draw_third(triple, limits, pool, stream)?, None)
                };
                (!values.contains(&value)).then_some((value, about))
            });
            let (value, about) = value?;
            values.push(value);
            right = about.or(right);
        }
        values.swap(0, turn);
        Some((values, right?))
    }
}
