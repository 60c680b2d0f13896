//! Panels and puzzles in plain words, for those who cannot see the picture.
//!
//! Every level has words of its own, so that a puzzle can be solved from its
//! description; the angle is left out because no rule speaks about it.

use genvp_puzzle::{ComponentKind, Domain, Entity, Layout, Panel, Puzzle};

/// A panel in words: `two small black triangles, top left and bottom right`.
pub fn panel(panel: &Panel, layout: Layout, domain: Domain) -> String {
    let components: Vec<(ComponentKind, String)> = panel
        .components
        .iter()
        .zip(layout.components())
        .map(|(component, &kind)| (kind, objects(&component.entities, kind, domain)))
        .collect();
    match components.as_slice() {
        [(ComponentKind::Out, out), (_, inner)] => format!("{out} around {inner}"),
        [(first, one), (second, two)] => {
            format!("{}: {one}; {}: {two}", place_of(*first), place_of(*second))
        }
        _ => components.into_iter().map(|(_, words)| words).collect(),
    }
}

/// The question and the choices of a puzzle in words. The answer is not said.
pub fn puzzle(puzzle: &Puzzle) -> String {
    let words = |p: &Panel| panel(p, puzzle.layout, puzzle.domain);
    let mut text = "Three rows of three panels, the last one missing.".to_owned();
    for (row, panels) in puzzle.context.chunks(3).enumerate() {
        let mut cells: Vec<String> = panels.iter().map(words).collect();
        if cells.len() < 3 {
            cells.push("the missing panel".to_owned());
        }
        text += &format!(" Row {}: {}.", row + 1, cells.join("; then "));
    }
    for (index, choice) in puzzle.choices.iter().enumerate() {
        text += &format!(" Choice {}: {}.", index + 1, words(choice));
    }
    text
}

fn place_of(kind: ComponentKind) -> &'static str {
    match kind {
        ComponentKind::Left => "left",
        ComponentKind::Right => "right",
        ComponentKind::Up => "above",
        ComponentKind::Down => "below",
        ComponentKind::Out => "outside",
        ComponentKind::InCenter | ComponentKind::InGrid => "inside",
        ComponentKind::Center | ComponentKind::GridFour | ComponentKind::GridNine => "in the panel",
    }
}

/// The objects of a component, those that look alike taken together, in order
/// of their first slot.
fn objects(entities: &[Entity], kind: ComponentKind, domain: Domain) -> String {
    let mut sorted: Vec<&Entity> = entities.iter().collect();
    sorted.sort_by_key(|e| e.slot);
    let mut groups: Vec<((u8, u8, u8), Vec<u8>)> = Vec::new();
    for entity in sorted {
        let looks = (entity.shape, entity.size, entity.color);
        match groups.iter_mut().find(|(l, _)| *l == looks) {
            Some((_, slots)) => slots.push(entity.slot),
            None => groups.push((looks, vec![entity.slot])),
        }
    }
    let slots = kind.slot_count();
    let words: Vec<String> = groups
        .into_iter()
        .map(|((shape, size, color), places)| {
            let count = places.len();
            let looks = format!(
                "{} {} {}",
                size_word(size, domain),
                color_words(color, domain),
                shape_word(shape)
            );
            let what = match count {
                1 => format!("a {looks}"),
                _ => format!("{} {looks}s", number_word(count)),
            };
            match slots {
                1 => what,
                _ if count == slots => format!("{what} in all {} places", number_word(slots)),
                _ => {
                    let names: Vec<&str> = places.iter().map(|&p| slot_name(p, slots)).collect();
                    format!("{what} {}", listed(&names))
                }
            }
        })
        .collect();
    if words.is_empty() { "nothing".to_owned() } else { words.join(", ") }
}

fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn number_word(number: usize) -> String {
    let words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    words.get(number).map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

fn shape_word(shape: u8) -> &'static str {
    match shape {
        1 => "triangle",
        2 => "square",
        3 => "pentagon",
        4 => "hexagon",
        5 => "circle",
        _ => "object",
    }
}

/// Words by value and not by level: sizes compare across the domains, and no two
/// sizes of one domain share a word.
fn size_word(level: u8, domain: Domain) -> &'static str {
    match domain.sizes().get(usize::from(level)).copied().unwrap_or(1.0) {
        s if s < 0.3 => "minute",
        s if s < 0.4 => "very tiny",
        s if s < 0.5 => "tiny",
        s if s < 0.6 => "small",
        s if s < 0.7 => "medium",
        s if s < 0.8 => "fairly large",
        s if s < 0.9 => "large",
        _ => "huge",
    }
}

fn color_words(level: u8, domain: Domain) -> String {
    match domain.colors().get(usize::from(level)).copied().unwrap_or(0) {
        255 => "white".to_owned(),
        0 => "black".to_owned(),
        grey => format!("{:.0}% grey", f32::from(255 - grey) / 2.55),
    }
}

fn slot_name(slot: u8, slots: usize) -> &'static str {
    const FOUR: [&str; 4] = ["top left", "top right", "bottom left", "bottom right"];
    const NINE: [&str; 9] = [
        "top left",
        "top middle",
        "top right",
        "middle left",
        "centre",
        "middle right",
        "bottom left",
        "bottom middle",
        "bottom right",
    ];
    let names: &[&str] = if slots == 4 { &FOUR } else { &NINE };
    names.get(usize::from(slot)).copied().unwrap_or("elsewhere")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::samples::{entity, one_panel, panel_of};

    #[test]
    fn a_panel_reads_as_a_person_would_say_it() {
        let two = panel_of(&[&[entity(3, 1, 1, 9), entity(0, 1, 1, 9)]]);
        assert_eq!(
            panel(&two, Layout::DistributeFour, Domain::Standard),
            "two small black triangles top left and bottom right"
        );
        assert_eq!(
            panel(&one_panel(Layout::OutInGrid), Layout::OutInGrid, Domain::Standard),
            "a huge white hexagon around a medium 45% grey circle top left, \
             two large black squares top right and bottom left"
        );
        assert_eq!(
            panel(&one_panel(Layout::LeftRight), Layout::LeftRight, Domain::Standard),
            "left: a huge 23% grey triangle; right: a tiny black circle"
        );
    }

    #[test]
    fn no_two_levels_share_their_words() {
        for domain in Domain::ALL {
            let sizes = 0..domain.sizes().len() as u8;
            let words: HashSet<_> = sizes.map(|level| size_word(level, domain)).collect();
            assert_eq!(words.len(), domain.sizes().len(), "{domain:?}");
            let colors = 0..domain.colors().len() as u8;
            let words: HashSet<_> = colors.map(|level| color_words(level, domain)).collect();
            assert_eq!(words.len(), domain.colors().len(), "{domain:?}");
        }
    }

    #[test]
    fn all_places_are_not_listed_one_by_one() {
        let all: Vec<_> = (0..9).map(|slot| entity(slot, 5, 3, 0)).collect();
        assert_eq!(
            panel(&panel_of(&[&all]), Layout::DistributeNine, Domain::Standard),
            "nine fairly large white circles in all nine places"
        );
    }
}
