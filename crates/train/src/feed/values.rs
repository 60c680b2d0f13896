//! What is known about every panel: the codes its blocks of Z_o are to be.

use genvp_model::ValueKind;
use genvp_puzzle::{Attribute, Layout, Panel};

/// The attribute groups of a component: number/position, type, size, color.
const KINDS: [ValueKind; 4] = [
    ValueKind::Places { slots: 9 },
    ValueKind::Named { values: 5 },
    ValueKind::Ordered { values: 6 },
    ValueKind::Ordered { values: 10 },
];

/// Shares of one component: nine slots, "at least 2" to "at least 9" and seven layouts;
/// five shapes, four steps; six sizes; ten greys; "not all alike" after each of these.
pub const PER_COMPONENT: usize = (17 + 7) + (9 + 1) + (6 + 1) + (10 + 1);

/// Shares of a panel: two components, zeros for one that is not there.
pub const PER_PANEL: usize = 2 * PER_COMPONENT;

/// Writes the shares of a panel: the codes of its values; where objects differ,
/// the mean of their codes.
pub fn write(panel: &Panel, layout: Layout, out: &mut [f32]) {
    out.fill(0.0);
    for (part, out) in panel.components.iter().zip(out.chunks_exact_mut(PER_COMPONENT)) {
        let (place, mut rest) = out.split_at_mut(KINDS[0].width(Layout::ALL.len()));
        let mask: usize = part.entities.iter().map(|entity| 1 << entity.slot).sum();
        let (code, layouts) = place.split_at_mut(KINDS[0].value_width());
        KINDS[0].write(mask - 1, code);
        layouts[layout.index()] = 1.0;
        let groups = [(Attribute::Type, 1), (Attribute::Size, 0), (Attribute::Color, 0)];
        for ((attribute, first), kind) in groups.into_iter().zip(&KINDS[1..]) {
            let width = kind.value_width();
            let (own, others) = rest.split_at_mut(width + 1);
            rest = others;
            let mut code = vec![0.0; width];
            for entity in &part.entities {
                let level = usize::from(entity.level(attribute).unwrap_or_default()) - first;
                kind.write(level, &mut code);
                let share = 1.0 / part.entities.len() as f32;
                own.iter_mut().zip(&code).for_each(|(own, code)| *own += share * code);
            }
            own[width] = f32::from(u8::from(part.shared(attribute).is_none()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use genvp_model::Preset;
    use genvp_puzzle::Set;
    use genvp_puzzle::make::{Maker, Request};

    #[test]
    fn the_shipped_preset_codes_the_same_values() {
        let preset = Preset::named("cpu-64").unwrap();
        assert_eq!(preset.model.values.unwrap().groups, KINDS);
    }

    #[test]
    fn what_is_written_is_what_is_there() {
        for layout in Layout::ALL {
            let maker = Maker::new(Request::new(Set::IRaven, layout)).unwrap();
            for index in 0..20 {
                let puzzle = maker.puzzle(1, index).unwrap();
                for panel in puzzle.panels() {
                    let mut out = [9.0; PER_PANEL];
                    write(panel, layout, &mut out);
                    for (part, own) in out.chunks(PER_COMPONENT).enumerate() {
                        let there = f32::from(u8::from(part < panel.components.len()));
                        let sum = |from: usize, to: usize| own[from..to].iter().sum::<f32>();
                        let taken = panel.components.get(part).map_or(0, |p| p.entities.len());
                        assert_eq!(sum(0, 9) as usize, taken);
                        assert_eq!(sum(9, 17) as usize, taken.saturating_sub(1));
                        assert!((sum(17, 24) - there).abs() < 1e-5, "one layout");
                        assert!((sum(24, 29) - there).abs() < 1e-5, "shapes are shares of one");
                        for ladder in [34..40, 41..51] {
                            assert!((own[ladder.start] - there).abs() < 1e-5);
                            let steps = own[ladder].windows(2);
                            assert!(steps.into_iter().all(|p| p[0] >= p[1] - 1e-5));
                        }
                        if let Some(there) = panel.components.get(part) {
                            let alike = there.shared(Attribute::Color).is_some();
                            assert_eq!(own[51] == 0.0, alike);
                        }
                    }
                }
            }
        }
    }
}
