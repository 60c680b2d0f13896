//! What is known about every panel: the auxiliary task's targets.

use genvp_puzzle::{Attribute, Panel};

/// Shares that describe each attribute group of a component: nine slots and nine
/// numbers of objects; five shapes, six sizes, ten greys, each with "not all alike".
pub const SHARES: [usize; 4] = [9 + 9, 5 + 1, 6 + 1, 10 + 1];

/// Shares of one component.
pub const PER_COMPONENT: usize = SHARES[0] + SHARES[1] + SHARES[2] + SHARES[3];

/// Shares of a panel: two components, zeros for one that is not there.
pub const PER_PANEL: usize = 2 * PER_COMPONENT;

/// Writes the shares of a panel: 1 for taken slots and for the number of
/// objects, and for every value the share of objects that have it.
pub fn write(panel: &Panel, out: &mut [f32]) {
    out.fill(0.0);
    for (part, out) in panel.parts.iter().zip(out.chunks_exact_mut(PER_COMPONENT)) {
        let (place, out) = out.split_at_mut(SHARES[0]);
        for entity in &part.entities {
            place[usize::from(entity.slot)] = 1.0;
        }
        place[9 + part.entities.len() - 1] = 1.0;
        let mut rest = out;
        let groups = [(Attribute::Type, 1), (Attribute::Size, 0), (Attribute::Color, 0)];
        for ((attribute, first), shares) in groups.into_iter().zip(&SHARES[1..]) {
            let (own, others) = rest.split_at_mut(*shares);
            rest = others;
            for entity in &part.entities {
                let level = usize::from(entity.level(attribute).unwrap_or_default()) - first;
                own[level] += 1.0 / part.entities.len() as f32;
            }
            own[shares - 1] = f32::from(u8::from(part.shared(attribute).is_none()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use genvp_puzzle::make::{Maker, Request};
    use genvp_puzzle::{Layout, Set};

    #[test]
    fn shares_of_every_attribute_sum_to_one_where_there_is_a_component() {
        for layout in Layout::ALL {
            let maker = Maker::new(Request::new(Set::IRaven, layout)).unwrap();
            for index in 0..20 {
                let puzzle = maker.puzzle(1, index).unwrap();
                for panel in puzzle.panels() {
                    let mut out = [9.0; PER_PANEL];
                    write(panel, &mut out);
                    for (part, own) in out.chunks(PER_COMPONENT).enumerate() {
                        let there = f32::from(u8::from(part < panel.parts.len()));
                        let sum = |from: usize, to: usize| own[from..to].iter().sum::<f32>();
                        assert!((sum(9, 18) - there).abs() < 1e-5);
                        assert!((sum(18, 23) - there).abs() < 1e-5);
                        assert!((sum(24, 30) - there).abs() < 1e-5);
                        assert!((sum(31, 41) - there).abs() < 1e-5);
                        let taken = panel.parts.get(part).map_or(0, |p| p.entities.len());
                        assert_eq!(sum(0, 9) as usize, taken);
                    }
                }
            }
        }
    }
}
