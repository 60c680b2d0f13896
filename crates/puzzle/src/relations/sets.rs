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

/// A value as another puzzle could have it in the third panel of a line: sets
/// are made as the right ones are, so that their size does not tell them apart.
pub(crate) fn other_value(
    triple: Triple,
    limits: LineLimits,
    pool: &Pool,
    stream: &mut Stream,
) -> Option<ValueSet> {
    match triple.relation {
        Relation::Progression | Relation::Union => Some(pool.single(triple.attribute, stream)),
        _ => Some(draw_line(triple, limits, pool, stream)?[2]),
    }
}
