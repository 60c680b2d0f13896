//! What a panel shows as yes-or-no numbers, for models that are taught it: what stands at each
//! of the nine places, and which line has which grey.

use super::{BLACK, GREYS, Line, LineType, Panel, Shape, ShapeType};

/// Places where shapes stand.
pub const PLACES: usize = 9;
/// Types of shapes.
pub const TYPES: usize = ShapeType::ALL.len();
/// Sizes of shapes.
pub const SIZES: usize = 10;
/// Greys of shapes.
pub const COLORS: usize = GREYS.len();
/// Numbers of a place: whether a shape stands there, then its type, its size and its grey.
pub const PER_PLACE: usize = 1 + TYPES + SIZES + COLORS;
/// Types of lines.
pub const LINE_TYPES: usize = LineType::ALL.len();
/// Numbers of a line type: a line of each grey, and of black.
pub const PER_LINE: usize = BLACK as usize + 1;
/// Numbers of a panel: all places, then all line types.
pub const CODES: usize = PLACES * PER_PLACE + LINE_TYPES * PER_LINE;

/// Writes what a panel shows: 1 for what is there, else 0.
///
/// # Panics
/// When `out` is not [`CODES`] long, or a value of the panel does not exist.
pub fn write(panel: &Panel, out: &mut [f32]) {
    assert_eq!(out.len(), CODES, "the numbers of a panel");
    out.fill(0.0);
    let (places, lines) = out.split_at_mut(PLACES * PER_PLACE);
    for shape in &panel.shapes {
        let own = &mut places[usize::from(shape.position) * PER_PLACE..][..PER_PLACE];
        own[0] = 1.0;
        own[1 + usize::from(shape.kind.value())] = 1.0;
        own[1 + TYPES + usize::from(shape.size)] = 1.0;
        own[1 + TYPES + SIZES + usize::from(shape.color)] = 1.0;
    }
    for line in &panel.lines {
        lines[usize::from(line.kind.value()) * PER_LINE + usize::from(line.color)] = 1.0;
    }
}

/// What a panel shows whose numbers are these: objects that are likelier there than not, each with
/// its likeliest values.
///
/// # Panics
/// When there are not [`CODES`] numbers.
pub fn read(codes: &[f32]) -> Panel {
    assert_eq!(codes.len(), CODES, "the numbers of a panel");
    let likeliest = |of: &[f32]| {
        let best = |best: usize, at: usize| if of[at] > of[best] { at } else { best };
        (0..of.len()).fold(0, best)
    };
    let (places, lines) = codes.split_at(PLACES * PER_PLACE);
    let mut panel = Panel::default();
    for (position, own) in places.chunks_exact(PER_PLACE).enumerate() {
        let (kind, looks) = own[1..].split_at(TYPES);
        let (size, color) = looks.split_at(SIZES);
        if own[0] > 0.5 {
            panel.shapes.push(Shape {
                position: position as u8,
                kind: ShapeType::ALL[likeliest(kind)],
                size: likeliest(size) as u8,
                color: likeliest(color) as u8,
            });
        }
    }
    for (kind, own) in lines.chunks_exact(PER_LINE).enumerate() {
        let color = likeliest(own);
        if own[color] > 0.5 {
            panel.lines.push(Line { kind: LineType::ALL[kind], color: color as u8 });
        }
    }
    panel
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::Generator;
    use crate::pgm::{Maker, Regime, Request};
    use crate::relations::{Attribute, Split, ValueSet};

    #[test]
    fn the_numbers_say_which_values_every_attribute_has() {
        let maker = Maker::new(Request::new(Regime::Neutral, Split::Train)).unwrap();
        let mut out = vec![9.0; CODES];
        for index in 0..50 {
            let puzzle = Maker::puzzle(&maker, 3, index).unwrap();
            for panel in puzzle.panels() {
                write(panel, &mut out);
                assert_eq!(read(&out), *panel);
                let (places, lines) = out.split_at(PLACES * PER_PLACE);
                let at_some_place = |from: usize, count: usize| -> ValueSet {
                    let shows =
                        |value: &usize| places.chunks(PER_PLACE).any(|own| own[from + value] > 0.0);
                    (0..count).filter(shows).map(|value| value as u8).collect()
                };
                assert_eq!(at_some_place(1, TYPES), panel.values(Attribute::ShapeType));
                assert_eq!(at_some_place(1 + TYPES, SIZES), panel.values(Attribute::ShapeSize));
                assert_eq!(
                    at_some_place(1 + TYPES + SIZES, COLORS),
                    panel.values(Attribute::ShapeColor)
                );
                let taken: ValueSet =
                    (0..9u8).filter(|&k| places[usize::from(k) * PER_PLACE] > 0.0).collect();
                assert_eq!(taken, panel.values(Attribute::ShapePosition));
                let kinds: ValueSet = (0..10u8)
                    .filter(|&k| lines[usize::from(k) * PER_LINE..][..PER_LINE].contains(&1.0))
                    .collect();
                assert_eq!(kinds, panel.values(Attribute::LineType));
            }
        }
        // The seam gives the same.
        let puzzle = Generator::puzzle(&maker, 3, 0).unwrap();
        let mut same = vec![9.0; CODES];
        puzzle.codes_into(15, &mut same);
        write(&Maker::puzzle(&maker, 3, 0).unwrap().choices[7], &mut out);
        assert_eq!(same, out);
    }
}
