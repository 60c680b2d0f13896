//! Drawing the triples of a puzzle.

use arrayvec::ArrayVec;

use super::{Governed, HeldOut, Regime};
use crate::Stream;
use crate::relations::{Axis, Split, Triple};

/// How often a puzzle has one, two, three and four triples, in percent. The
/// distribution of the originals is unpublished; these fit their mean of about
/// 1.4 and the accuracies that the authors give by number of triples.
pub const TRIPLE_COUNT_WEIGHTS: [u32; 4] = [68, 27, 4, 1];

/// How many structures are drawn before a request is given up. The rarest
/// condition is met by more than one in fifty.
const TRIES: u32 = 5_000;

/// Draws the triples of a puzzle and their axes. The number of triples is drawn
/// first, so that a regime's condition does not change its distribution.
pub(super) fn draw(
    legal: &[Triple],
    regime: Regime,
    split: Split,
    held_out: &HeldOut,
    stream: &mut Stream,
) -> Option<ArrayVec<Governed, 4>> {
    let least = regime.least_triples();
    let number = least + stream.weighted(&TRIPLE_COUNT_WEIGHTS[least - 1..]);
    for _ in 0..TRIES {
        let triples: ArrayVec<Triple, 4> = (0..number).map(|_| *stream.pick(legal)).collect();
        let compatible =
            (1..number).all(|i| (0..i).all(|j| triples[i].conflict(triples[j]).is_none()));
        if compatible && regime.refuses(split, held_out, &triples).is_none() {
            return Some(triples.iter().map(|&t| with_axis(t, None, stream)).collect());
        }
    }
    None
}

/// A triple along the given axis, or along a random one.
pub(super) fn with_axis(triple: Triple, axis: Option<Axis>, stream: &mut Stream) -> Governed {
    let drawn = if stream.coin() { Axis::Rows } else { Axis::Columns };
    Governed { triple, axis: axis.unwrap_or(drawn) }
}
