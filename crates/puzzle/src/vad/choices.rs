//! Three wrong choices beside the answer.

use arrayvec::ArrayVec;

use super::Analogy;
use crate::Stream;
use crate::relations::{
    Attribute, Candidates, EmptyAnd, LineLimits, Panel, PanelPlan, Pool, Relation, Triple,
    ValueSet, any_completes, completes, draw_line, draw_overlapping,
};

/// How wrong choices are made. The names are the authors'; what they mean was
/// not published in detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChoiceKind {
    /// Two of them complete the target row under other relations, and one repeats
    /// what the row shows: without the source row, three answers are equally likely.
    /// (Numbers follow no other relation than a progression: there they have random
    /// values.)
    Lbc,
    /// They have random values of the target domain, none of which need complete the
    /// row: whoever sees the target row can often tell the answer.
    Normal,
}

impl ChoiceKind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Lbc, Self::Normal];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lbc => "lbc",
            Self::Normal => "normal",
        }
    }

    /// Finds a kind by its name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == text)
    }
}

/// How often the objects of a choice are drawn before the puzzle is given up.
const TRIES: u32 = 60;

/// The values of the target domain.
pub(super) struct TargetValues {
    /// In the first two panels of the target row.
    pub row: [ValueSet; 2],
    /// In the choices, the right one first.
    pub choices: ArrayVec<ValueSet, 8>,
}

/// What the first two panels of a target row are, in a puzzle of `lbc` choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowForm {
    /// One value and the next one: progression, AND (nothing) and OR or XOR (both)
    /// complete it in three ways.
    Steps,
    /// Two sets that overlap: OR, XOR and AND complete it in three ways.
    Sets,
}

/// How often each relation governs a puzzle of a target domain, in the order of
/// [`Relation::ALL`]. Where the domain can follow a progression and relations between
/// sets, half of the rows are then [`RowForm::Steps`], and in either form each of the
/// three completions is right equally often.
pub(super) fn relation_weights(domain: Attribute) -> [u32; 5] {
    let progression = Triple { attribute: domain, relation: Relation::Progression };
    if progression.is_legal() { [2, 3, 3, 4, 0] } else { [0, 1, 1, 1, 0] }
}

impl RowForm {
    fn of(triple: Triple, stream: &mut Stream) -> Self {
        let Triple { attribute, relation } = triple;
        let progression = Triple { attribute, relation: Relation::Progression };
        let is_steps = progression.is_legal()
            && match relation {
                Relation::Progression | Relation::Union => true,
                Relation::And => stream.coin(),
                Relation::Or | Relation::Xor => stream.below(3) == 0,
            };
        if is_steps { Self::Steps } else { Self::Sets }
    }

    /// The first two panels. They do not depend on the relation.
    fn draw(self, domain: Attribute, pool: &Pool, stream: &mut Stream) -> Option<[ValueSet; 2]> {
        match self {
            Self::Steps => {
                let values = pool.values(domain);
                let start = stream.below(values.len() as u32 - 2) as usize;
                Some([start, start + 1].map(|at| ValueSet::of(values[at])))
            }
            Self::Sets => draw_overlapping(domain, pool, stream),
        }
    }
}

/// Draws the values of the target domain; `None` where no four that differ turn up.
///
/// For `lbc`, the row and the four values do not depend on the relation that makes
/// one of them right, so that only the source row tells it. (A number can follow
/// nothing but a progression: there the target row tells the answer, and other
/// values stand in for completions.)
pub(super) fn values(
    analogy: Analogy,
    kind: ChoiceKind,
    pool: &Pool,
    stream: &mut Stream,
) -> Option<TargetValues> {
    let triple = analogy.target_triple();
    match kind {
        ChoiceKind::Lbc if relations_of(analogy.target).count() > 1 => lbc(triple, pool, stream),
        _ => random(triple, pool, stream),
    }
}

/// The relations that a domain can follow.
fn relations_of(domain: Attribute) -> impl Iterator<Item = Relation> {
    let legal = move |r: &Relation| {
        *r != Relation::Union && Triple { attribute: domain, relation: *r }.is_legal()
    };
    Relation::ALL.into_iter().filter(legal)
}

fn lbc(triple: Triple, pool: &Pool, stream: &mut Stream) -> Option<TargetValues> {
    let Triple { attribute, relation } = triple;
    let [a, b] = RowForm::of(triple, stream).draw(attribute, pool, stream)?;
    let mut choices = ArrayVec::<ValueSet, 8>::new();
    for relation in [relation].into_iter().chain(relations_of(attribute)) {
        let value = completion(relation, [a, b]).filter(|value| !choices.contains(value));
        choices.extend(value);
    }
    let shared = a & b;
    let mut fillers: ArrayVec<ValueSet, 4> = [a, b, a ^ shared, b ^ shared].into_iter().collect();
    fillers.retain(|filler| !choices.contains(filler));
    choices.push(*stream.pick(&fillers));
    (choices.len() == 4).then_some(TargetValues { row: [a, b], choices })
}

fn random(triple: Triple, pool: &Pool, stream: &mut Stream) -> Option<TargetValues> {
    let limits = LineLimits::free(EmptyAnd::Allowed);
    let candidates = Candidates::new(triple, 4, pool, || relations_of(triple.attribute).collect());
    let own = |stream: &mut Stream| {
        let [a, b, c] = draw_line(triple, limits, pool, stream)?;
        Some((c, [a, b]))
    };
    let (choices, row) = candidates.draw(limits, pool, stream, own)?;
    Some(TargetValues { row, choices })
}

/// The value with which a relation completes two panels.
fn completion(relation: Relation, [a, b]: [ValueSet; 2]) -> Option<ValueSet> {
    relation.combined(a, b).or_else(|| {
        let (a, b) = (a.single()?, b.single()?);
        (a < b && 2 * b - a < 16).then(|| ValueSet::of(2 * b - a))
    })
}

/// The four choices in their final order.
pub(super) struct Drawn {
    pub panels: [Panel; 4],
    pub target: u8,
    pub completes: [Option<Relation>; 4],
}

/// Draws the choices of which `plans` say what is fixed, the right one first; `None`
/// where no four that differ turn up, or where a relation would hold in another
/// domain than the target's.
pub(super) fn draw(
    analogy: Analogy,
    row: [&Panel; 2],
    plans: &[PanelPlan],
    faithful: bool,
    pool: &Pool,
    stream: &mut Stream,
) -> Option<Drawn> {
    let mut all = ArrayVec::<Panel, 4>::new();
    let others = || Attribute::ALL.into_iter().filter(|&attribute| attribute != analogy.target);
    for plan in plans {
        let panel = (0..TRIES).find_map(|_| {
            let panel = plan.fill(pool, stream)?;
            let line = |attribute| [row[0], row[1], &panel].map(|p| p.values(attribute));
            let accident = || others().any(|other| any_completes(other, &line(other)));
            (!all.contains(&panel) && (faithful || !accident())).then_some(panel)
        })?;
        all.push(panel);
    }
    let mut order = [0, 1, 2, 3];
    stream.shuffle(&mut order);
    let panels = order.map(|i| all[i].clone());
    let target = order.iter().position(|&i| i == 0)? as u8;
    let completes = panels.each_ref().map(|panel| completed(analogy, [row[0], row[1], panel]));
    Some(Drawn { panels, target, completes })
}

/// The relation under which the last panel of a row completes it in the target
/// domain: the analogy's own, or else the first one that does.
pub(super) fn completed(analogy: Analogy, row: [&Panel; 3]) -> Option<Relation> {
    let line = row.map(|panel| panel.values(analogy.target));
    let own = [analogy.relation].into_iter();
    own.chain(relations_of(analogy.target)).find(|&relation| completes(relation, &line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relations::{Limit, Vocabulary};

    /// Whoever sees the target row and the choices, and not the source row, has three
    /// equally likely answers: in either form of row, each of the three completions is
    /// right as often as the others.
    #[test]
    fn the_target_row_leaves_three_answers_equally_likely() {
        let pool = Pool::new(Vocabulary::Vad, Limit::None);
        let mut stream = Stream::new(1, "test", 0);
        let domain = Attribute::ShapeColor;
        let mut right = [[0u32; 3]; 2];
        for _ in 0..12_000 {
            let relation = Relation::ALL[stream.weighted(&relation_weights(domain))];
            let triple = Triple { attribute: domain, relation };
            let found = lbc(triple, &pool, &mut stream).expect("values");
            let [a, b] = found.row;
            let is_steps = a.single().is_some() && b.single().is_some();
            let first = if is_steps { Relation::Progression } else { Relation::Xor };
            let three = [first, Relation::Or, Relation::And].map(|r| completion(r, [a, b]));
            let place = three.iter().position(|value| *value == Some(found.choices[0]));
            right[usize::from(is_steps)][place.expect("one of three")] += 1;
        }
        for counts in right {
            // 2,000 each, within five standard deviations.
            assert!(counts.iter().all(|n| (1_800..2_200).contains(n)), "{right:?}");
        }
    }
}
