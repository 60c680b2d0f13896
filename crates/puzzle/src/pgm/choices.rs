//! Seven wrong choices beside the answer, made so that the choices alone do not tell
//! which one is right.
//!
//! A wrong choice breaks some triples and keeps the others, so right values recur.
//! Wrong values recur just as often: the values of a puzzle's triples are combined
//! such that every choice has the same part in the whole. With one triple there
//! are eight different values; with two, all pairs of two values of one and four of
//! the other; with three, all combinations of two values each; with four, half of
//! these. What is constant is kept, and what distracts is drawn anew.

use arrayvec::ArrayVec;

use super::make::OpenContext;
use super::puzzle::Governed;
use crate::Stream;
use crate::relations::{Panel, PanelPlan, Pool};

/// How often the objects of a choice are drawn before the puzzle is given up.
const TRIES: u32 = 60;

/// Which of a triple's values each choice has; 0 is the right one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pattern {
    /// By triple, then choice.
    values: [[u8; 8]; 4],
}

impl Pattern {
    /// Draws the pattern of a structure. The first choice is the right one.
    pub fn draw(structure: &[Governed], stream: &mut Stream) -> Self {
        let mut values = [[0; 8]; 4];
        let each = |value: fn(u8) -> u8| std::array::from_fn(|choice| value(choice as u8));
        match structure.len() {
            1 => values[0] = each(|choice| choice),
            2 => {
                // Sets need objects to be shown on: the fewer values these have, the easier.
                let carries = |a: usize, b: usize| {
                    let carriers = structure[b].triple.attribute.carriers();
                    carriers.contains(&structure[a].triple.attribute)
                };
                let second = if carries(0, 1) { false } else { carries(1, 0) || stream.coin() };
                values[usize::from(second)] = each(|choice| choice & 1);
                values[usize::from(!second)] = each(|choice| choice >> 1);
            }
            number => {
                for (triple, of_triple) in values.iter_mut().enumerate().take(3) {
                    *of_triple = std::array::from_fn(|choice| (choice >> triple & 1) as u8);
                }
                if number == 4 {
                    let mask = 1 + stream.below(7);
                    values[3] = std::array::from_fn(|choice| {
                        ((choice as u32 & mask).count_ones() & 1) as u8
                    });
                    let last = stream.below(4) as usize;
                    values.swap(3, last);
                }
            }
        }
        Self { values }
    }

    /// Which value of a triple a choice has.
    pub fn value(&self, triple: usize, choice: usize) -> usize {
        usize::from(self.values[triple][choice])
    }

    /// How many values of a triple there are.
    pub fn count(&self, triple: usize) -> usize {
        self.values[triple].iter().max().map_or(1, |&most| usize::from(most) + 1)
    }

    /// The triples that a choice breaks: bit `i` stands for number `i`.
    fn broken(&self, choice: usize) -> u8 {
        (0..4).fold(0, |mask, triple| mask | u8::from(self.value(triple, choice) > 0) << triple)
    }
}

/// The eight choices in their final order.
pub(super) struct Drawn {
    pub panels: [Panel; 8],
    pub target: u8,
    pub broken: [u8; 8],
}

/// Draws the choices of which `plans` say what is fixed, the right one first; `None`
/// where no eight that differ turn up.
pub(super) fn draw(
    question: &OpenContext<'_>,
    pattern: &Pattern,
    plans: &[PanelPlan],
    pool: &Pool,
    stream: &mut Stream,
) -> Option<Drawn> {
    let mut all = ArrayVec::<(Panel, u8), 8>::new();
    for (choice, plan) in plans.iter().enumerate() {
        let panel = (0..TRIES).find_map(|_| {
            let panel = plan.fill(pool, stream)?;
            let new = all.iter().all(|(other, _)| *other != panel);
            (new && !question.has_accident(&panel.all_values())).then_some(panel)
        })?;
        all.push((panel, pattern.broken(choice)));
    }
    stream.shuffle(&mut all);
    let target = all.iter().position(|(_, broken)| *broken == 0)? as u8;
    let broken = std::array::from_fn(|i| all[i].1);
    let panels: ArrayVec<Panel, 8> = all.into_iter().map(|(panel, _)| panel).collect();
    Some(Drawn { panels: panels.into_inner().ok()?, target, broken })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relations::{Axis, Triple};

    /// Every choice is in the same position: as many others share each of its values,
    /// and no two choices have the same.
    #[test]
    fn no_choice_stands_out_in_a_pattern() {
        let mut stream = Stream::new(1, "test", 0);
        let triples: Vec<Triple> = Triple::legal().collect();
        for number in 1..=4 {
            for _ in 0..50 {
                let governed = |_| Governed { triple: *stream.pick(&triples), axis: Axis::Rows };
                let structure: Vec<Governed> = (0..number).map(governed).collect();
                let pattern = Pattern::draw(&structure, &mut stream);
                let row =
                    |choice| (0..number).map(|t| pattern.value(t, choice)).collect::<Vec<_>>();
                let sharing = |choice: usize| {
                    (0..number)
                        .map(|t| (0..8).filter(|&c| row(c)[t] == row(choice)[t]).count())
                        .collect::<Vec<_>>()
                };
                for choice in 0..8 {
                    assert_eq!(sharing(choice), sharing(0), "{pattern:?}");
                    assert!((0..choice).all(|other| row(other) != row(choice)), "{pattern:?}");
                    assert_eq!(pattern.broken(choice) == 0, choice == 0);
                }
                assert!((0..number).all(|t| pattern.count(t) >= 2));
            }
        }
    }
}
