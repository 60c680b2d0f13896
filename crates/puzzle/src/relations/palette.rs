//! Grey values.

/// The ten greys of shapes, measured on real panels: evenly spaced between 9 %
/// and 91 % of white. That lines have the same ten is our decision.
pub const GREYS: [u8; 10] = [23, 46, 69, 93, 116, 139, 162, 186, 209, 232];

/// The value of lines whose grey is neither governed nor distracting: black,
/// which is none of the ten (seen in one real puzzle).
pub const BLACK: u8 = 10;

/// The grey of a color value.
///
/// # Panics
/// When the value is above [`BLACK`].
pub fn grey(value: u8) -> u8 {
    if value == BLACK { 0 } else { GREYS[usize::from(value)] }
}
