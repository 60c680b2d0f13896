//! The majority vote: how often the answer is found without the question.

use genvp_puzzle::{Attribute, Panel, Puzzle};

/// The chance that a vote among the choices finds the answer: every choice gets
/// a point for each other choice that agrees with it in an attribute of a
/// component, and one of those with the most points is taken at random.
///
/// RAVEN's wrong choices differ from the answer in one attribute each, so there
/// a vote nearly always succeeds: an accuracy on RAVEN says little by itself.
pub fn chance(puzzle: &Puzzle) -> f64 {
    let looks: Vec<Vec<u64>> = puzzle.choices.iter().map(look).collect();
    let points = |own: &Vec<u64>| -> usize {
        looks.iter().map(|other| own.iter().zip(other).filter(|(a, b)| a == b).count()).sum()
    };
    let points: Vec<usize> = looks.iter().map(points).collect();
    let most = points.iter().max().copied().unwrap_or_default();
    let tied = points.iter().filter(|&&p| p == most).count();
    if points[usize::from(puzzle.target)] == most { 1.0 / tied as f64 } else { 0.0 }
}

/// What there is to see of each component: number, slots, and the shapes, sizes
/// and colors that occur, each packed into a number.
fn look(panel: &Panel) -> Vec<u64> {
    let part = |part: &genvp_puzzle::Part| {
        let crowd = |attribute| {
            let mut levels: Vec<u8> =
                part.entities.iter().filter_map(|e| e.level(attribute)).collect();
            levels.sort_unstable();
            levels.iter().fold(1, |crowd, &level| crowd << 4 | u64::from(level))
        };
        let [shape, size, color] = [Attribute::Type, Attribute::Size, Attribute::Color].map(crowd);
        [part.number() as u64, u64::from(part.mask()), shape, size, color]
    };
    panel.parts.iter().flat_map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use genvp_puzzle::make::{Maker, Request};
    use genvp_puzzle::{Layout, Set};

    fn share(set: Set) -> f64 {
        let makers = Layout::ALL.map(|layout| Maker::new(Request::new(set, layout)).unwrap());
        let chances = makers.iter().flat_map(|m| (0..60).map(|i| chance(&m.puzzle(2, i).unwrap())));
        100.0 * chances.sum::<f64>() / 420.0
    }

    #[test]
    fn a_vote_solves_raven_but_not_iraven() {
        let (raven, iraven) = (share(Set::Raven), share(Set::IRaven));
        assert!(raven > 90.0, "{raven}");
        assert!((8.0..20.0).contains(&iraven), "{iraven}");
    }
}
