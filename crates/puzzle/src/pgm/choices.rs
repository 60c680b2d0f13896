//! Seven wrong choices beside the answer.
//!
//! Each breaks a random non-empty part of the structure, keeps the rest, keeps
//! what is constant and draws what distracts anew: so it was in the one real
//! puzzle whose choices were decoded.

use arrayvec::ArrayVec;

use super::make::Question;
use crate::Stream;
use crate::relations::{EmptyAnd, LineLimits, Panel, PanelPlan, Pool, other_value};

/// How often a wrong choice is drawn before the puzzle is given up.
const TRIES: u32 = 60;

/// The eight choices in their final order.
pub(super) struct Drawn {
    pub panels: [Panel; 8],
    pub target: u8,
    pub broken: [u8; 8],
}

/// Adds seven wrong choices to an answer; `None` where no seven that differ turn
/// up.
pub(super) fn draw(
    question: &Question<'_>,
    answer: Panel,
    plan: &PanelPlan,
    pool: &Pool,
    stream: &mut Stream,
) -> Option<Drawn> {
    let mut all = ArrayVec::<(Panel, u8), 8>::new();
    all.push((answer, 0));
    while !all.is_full() {
        let wrong = (0..TRIES).find_map(|_| {
            let (panel, broken) = wrong(question, plan, pool, stream)?;
            let new = all.iter().all(|(other, _)| *other != panel);
            (new && !question.has_accident(&panel.all_values())).then_some((panel, broken))
        })?;
        all.push(wrong);
    }
    stream.shuffle(&mut all);
    let target = all.iter().position(|(_, broken)| *broken == 0)? as u8;
    let broken = std::array::from_fn(|i| all[i].1);
    let panels: ArrayVec<Panel, 8> = all.into_iter().map(|(panel, _)| panel).collect();
    Some(Drawn { panels: panels.into_inner().ok()?, target, broken })
}

/// One wrong choice and the triples that it breaks.
fn wrong(
    question: &Question<'_>,
    plan: &PanelPlan,
    pool: &Pool,
    stream: &mut Stream,
) -> Option<(Panel, u8)> {
    let structure = question.structure();
    let broken = 1 + stream.below((1 << structure.len()) - 1) as u8;
    let mut plan = *plan;
    for (i, governed) in structure.iter().enumerate() {
        if broken >> i & 1 == 1 {
            let attribute = governed.triple.attribute;
            let carries =
                structure.iter().any(|g| g.triple.attribute.carriers().contains(&attribute));
            let limits = LineLimits { carries, ..LineLimits::free(EmptyAnd::Avoided) };
            let value = other_value(governed.triple, limits, pool, stream)?;
            // The first two panels of a line determine the third, so every other
            // value breaks the relation.
            (Some(value) != plan.governed(attribute)).then_some(())?;
            plan.govern(attribute, value);
        }
    }
    Some((plan.fill(pool, stream)?, broken))
}
