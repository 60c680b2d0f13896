//! Three wrong choices beside the answer.

use arrayvec::ArrayVec;

use super::Analogy;
use crate::Stream;
use crate::relations::{
    Attribute, EmptyAnd, LineLimits, LineType, Panel, PanelPlan, Pool, Relation, Triple, ValueSet,
    counts, other_value,
};

/// How wrong choices are made. The names are the authors'; what they mean was
/// not published in detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChoiceKind {
    /// They complete the target row under other relations as far as there are
    /// any, so that the source row has to be looked at.
    Lbc,
    /// They have random values of the target domain.
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

/// How often a wrong choice is drawn before the puzzle is given up.
const TRIES: u32 = 60;

/// The target row while its choices are made.
pub(super) struct TargetRow<'a> {
    pub analogy: Analogy,
    pub first: &'a Panel,
    pub second: &'a Panel,
    /// What is fixed in the third panel.
    pub plan: &'a PanelPlan,
    pub faithful: bool,
}

/// The four choices in their final order.
pub(super) struct Drawn {
    pub panels: [Panel; 4],
    pub target: u8,
    pub completes: [Option<Relation>; 4],
}

/// Adds three wrong choices to an answer; `None` where no three that differ turn
/// up.
pub(super) fn draw(
    row: &TargetRow<'_>,
    answer: Panel,
    kind: ChoiceKind,
    pool: &Pool,
    stream: &mut Stream,
) -> Option<Drawn> {
    let domain = row.analogy.target;
    let right = answer.values(domain);
    let mut all = ArrayVec::<Panel, 4>::new();
    all.push(answer);
    let mut values = ArrayVec::<ValueSet, 4>::new();
    values.push(right);
    if kind == ChoiceKind::Lbc {
        for value in row.other_completions(pool) {
            if !all.is_full()
                && !values.contains(&value)
                && let Some(panel) = (0..TRIES).find_map(|_| row.panel(value, pool, stream))
            {
                all.push(panel);
                values.push(value);
            }
        }
    }
    let triple = row.analogy.target_triple();
    while !all.is_full() {
        let (panel, value) = (0..TRIES).find_map(|_| {
            let value = other_value(triple, LineLimits::free(EmptyAnd::Allowed), pool, stream)?;
            (!values.contains(&value)).then_some(())?;
            Some((row.panel(value, pool, stream)?, value))
        })?;
        all.push(panel);
        values.push(value);
    }
    let mut order = [0, 1, 2, 3];
    stream.shuffle(&mut order);
    let panels = order.map(|i| all[i].clone());
    let target = order.iter().position(|&i| i == 0)? as u8;
    let completes = panels.each_ref().map(|panel| row.completed_by(panel));
    Some(Drawn { panels, target, completes })
}

impl TargetRow<'_> {
    /// The values with which the other relations of the domain would complete the
    /// row.
    fn other_completions(&self, pool: &Pool) -> ArrayVec<ValueSet, 4> {
        let domain = self.analogy.target;
        let [a, b] = [self.first, self.second].map(|panel| panel.values(domain));
        let allowed: ValueSet = pool.values(domain).iter().copied().collect();
        Relation::ALL
            .into_iter()
            .filter(|&relation| {
                relation != self.analogy.relation
                    && relation != Relation::Union
                    && Triple { attribute: domain, relation }.is_legal()
            })
            .filter_map(|relation| match relation.combined(a, b) {
                Some(set) => Some(set),
                None => {
                    let (a, b) = (a.single()?, b.single()?);
                    (a < b && 2 * b - a < 16).then(|| ValueSet::of(2 * b - a))
                }
            })
            .filter(|set| {
                let readable = domain != Attribute::LineType || LineType::are_readable(*set);
                readable && set.is_subset(allowed)
            })
            .collect()
    }

    /// A panel with this value in the target domain; `None` where it cannot be
    /// drawn or where the relation would hold after all, in whatever domain.
    fn panel(&self, value: ValueSet, pool: &Pool, stream: &mut Stream) -> Option<Panel> {
        let mut plan = *self.plan;
        plan.govern(self.analogy.target, value);
        let panel = plan.fill(pool, stream)?;
        let holds_after_all = !self.faithful
            && Attribute::ALL.into_iter().any(|attribute| {
                let line = [self.first, self.second, &panel].map(|p| p.values(attribute));
                Triple { attribute, relation: self.analogy.relation }.is_legal()
                    && counts(self.analogy.relation, &[line])
            });
        (!holds_after_all).then_some(panel)
    }

    /// The relation that a choice completes in the target domain.
    fn completed_by(&self, choice: &Panel) -> Option<Relation> {
        let domain = self.analogy.target;
        let line = [self.first, self.second, choice].map(|panel| panel.values(domain));
        let legal = |&r: &Relation| {
            r != Relation::Union && Triple { attribute: domain, relation: r }.is_legal()
        };
        let own = self.analogy.relation;
        let others = Relation::ALL.into_iter().filter(|&r| r != own);
        [own].into_iter().chain(others).filter(legal).find(|&r| counts(r, &[line]))
    }
}
