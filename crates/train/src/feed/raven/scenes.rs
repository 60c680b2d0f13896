//! Panels that no puzzle need have, for teaching how to draw.
//!
//! A decoder that only ever saw the engine's puzzles knows which values come
//! together: objects that are all alike also lie at the same angle. What it is to
//! draw when it imagines is freer. Here every panel keeps its slots; everything
//! else is drawn anew, so that each value is seen beside all values of the others.

use genvp_puzzle::{Attribute, Domain, Layout, Panel, Puzzle, Stream};

/// How often the objects of a component become alike in an attribute (they stay as
/// the puzzle has them otherwise), and are all turned the same way.
const ALIKE: f32 = 0.75;
const SAME_ANGLE: f32 = 0.25;

/// Draws everything but the slots of all panels anew. The rules of the puzzle hold no longer.
pub fn free(puzzle: &mut Puzzle, stream: &mut Stream) {
    let (layout, domain) = (puzzle.layout, puzzle.domain);
    for panel in puzzle.context.iter_mut().chain(&mut puzzle.choices) {
        free_panel(panel, layout, domain, stream);
    }
}

fn free_panel(panel: &mut Panel, layout: Layout, domain: Domain, stream: &mut Stream) {
    for (component, &kind) in panel.components.iter_mut().zip(layout.components()) {
        for attribute in [Attribute::Type, Attribute::Size, Attribute::Color] {
            let levels = domain.range(kind, attribute);
            let level = stream.between(levels.lo, levels.hi) as u8;
            if stream.unit() < ALIKE {
                component.entities.iter_mut().for_each(|entity| entity.set_level(attribute, level));
            }
        }
        let angles = domain.angles().len() as u32;
        let (shared, same) = (stream.below(angles) as u8, stream.unit() < SAME_ANGLE);
        for entity in &mut component.entities {
            entity.angle = if same { shared } else { stream.below(angles) as u8 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use genvp_puzzle::Set;
    use genvp_puzzle::make::{Maker, Request};

    #[test]
    fn slots_stay_and_values_stay_in_range() {
        for layout in Layout::ALL {
            let maker = Maker::new(Request::new(Set::IRaven, layout)).unwrap();
            let mut changed = 0;
            for index in 0..20 {
                let puzzle = maker.puzzle(1, index).unwrap();
                let mut freed = puzzle.clone();
                free(&mut freed, &mut Stream::new(2, "test", index));
                for (panel, old) in freed.panels().zip(puzzle.panels()) {
                    changed += usize::from(panel != old);
                    for ((component, old), &kind) in
                        panel.components.iter().zip(&old.components).zip(layout.components())
                    {
                        assert_eq!(component.mask(), old.mask());
                        for entity in &component.entities {
                            for attribute in [Attribute::Type, Attribute::Size, Attribute::Color] {
                                let levels = freed.domain.range(kind, attribute);
                                let level = i32::from(entity.level(attribute).unwrap());
                                assert!((levels.lo..=levels.hi).contains(&level));
                            }
                        }
                    }
                }
            }
            assert!(changed > 200, "{changed} of 320 panels of {layout:?} changed");
        }
    }
}
