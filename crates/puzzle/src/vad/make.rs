//! From a request to puzzles.

use super::analogy::{Analogy, held_out_pairs, keeps_every_domain};
use super::choices::{self, ChoiceKind};
use super::puzzle::Puzzle;
use super::regime::Regime;
use crate::Stream;
use crate::relations::{
    Attribute, EmptyAnd, LineLimits, Panel, PanelPlan, Pool, Progressions, Relation, SpecError,
    Split, Triple, Vocabulary, draw_line, others_count, settle_ungoverned, tells,
};

/// What puzzles are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The regime.
    pub regime: Regime,
    /// The split.
    pub split: Split,
    /// How wrong choices are made.
    pub kind: ChoiceKind,
    /// The pairs (source, target) that [`Regime::DomainTransfer`] holds out; its
    /// own list if `None`.
    pub held_out: Option<Vec<[Attribute; 2]>>,
    /// The relation and its domains; drawn if `None`.
    pub analogy: Option<Analogy>,
    /// Keep accidents: other relations in either row, and rows that do not tell
    /// OR from XOR.
    pub faithful: bool,
}

impl Request {
    /// Any puzzle of a regime, split and kind of choices.
    pub fn new(regime: Regime, split: Split, kind: ChoiceKind) -> Self {
        Self { regime, split, kind, held_out: None, analogy: None, faithful: false }
    }
}

/// How often the panels of one analogy are drawn before another one is drawn.
const DRAFTS: u32 = 1000;
/// How many analogies are tried for one puzzle; never met by a request that can
/// be fulfilled.
const ANALOGIES: u32 = 20;

/// Makes the puzzles of one request.
#[derive(Clone, Debug)]
pub struct Maker {
    request: Request,
    held_out: Vec<[Attribute; 2]>,
    /// What may be drawn.
    analogies: Vec<Analogy>,
    pool: Pool,
    purpose: String,
}

impl Maker {
    /// Checks a request; an error says what cannot be had, and why.
    pub fn new(request: Request) -> Result<Self, SpecError> {
        let Request { regime, split, kind, .. } = request;
        let held_out = held_out(&request)?;
        let fits = |a: &Analogy| regime.refuses(split, &held_out, *a).is_none();
        let analogies = match request.analogy {
            Some(analogy) => {
                check(analogy, regime, split, &held_out)?;
                vec![analogy]
            }
            None => Analogy::legal().filter(fits).collect(),
        };
        let faithful = if request.faithful { "/f" } else { "" };
        Ok(Self {
            held_out,
            analogies,
            pool: Pool::new(Vocabulary::Vad, regime.limit(split)),
            purpose: format!("vad/{}/{split}/{}{faithful}", regime as u8, kind.name()),
            request,
        })
    }

    /// What is made.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// The pairs (source, target) that the regime holds out.
    pub fn held_out(&self) -> &[[Attribute; 2]] {
        &self.held_out
    }

    /// Puzzle number `index` of `seed`.
    ///
    /// Unless the request is faithful, the source row has one reading only, and
    /// exactly one choice completes the target row under that relation.
    pub fn puzzle(&self, seed: u64, index: u64) -> Result<Puzzle, SpecError> {
        let mut stream = Stream::new(seed, &self.purpose, index);
        for _ in 0..ANALOGIES {
            let analogy = self.analogy(&mut stream);
            for _ in 0..DRAFTS {
                if let Some(puzzle) = self.draft(analogy, &mut stream) {
                    return Ok(puzzle);
                }
            }
        }
        let Request { regime, split, .. } = self.request;
        let what = format!("{regime} {split}");
        Err(SpecError::Exhausted { what, tries: ANALOGIES * DRAFTS })
    }

    /// Draws an analogy: a target domain as often as it has analogies, then a
    /// relation by its weight, then a source domain.
    fn analogy(&self, stream: &mut Stream) -> Analogy {
        let target = stream.pick(&self.analogies).target;
        let of_target = || self.analogies.iter().filter(|a| a.target == target);
        let weights = choices::relation_weights(target);
        let weights = Relation::ALL.map(|relation| {
            let is_possible = of_target().any(|a| a.relation == relation);
            if is_possible { weights[relation as usize] } else { 0 }
        });
        let relation = Relation::ALL[stream.weighted(&weights)];
        let fitting: Vec<Analogy> =
            of_target().filter(|a| a.relation == relation).copied().collect();
        *stream.pick(&fitting)
    }

    fn draft(&self, analogy: Analogy, stream: &mut Stream) -> Option<Puzzle> {
        let Request { regime, split, kind, faithful, .. } = self.request;
        let pool = &self.pool;
        let [a, b, c] = self.source_row(analogy.source_triple(), stream)?;
        let values = choices::values(analogy, kind, pool, stream)?;
        let mut plans = [PanelPlan::default(); 6];
        for (plan, &set) in plans.iter_mut().zip(values.row.iter().chain(&values.choices)) {
            plan.govern(analogy.target, set);
        }
        settle_ungoverned(&mut plans, pool, stream)?;
        let [first, second] = [plans[0].fill(pool, stream)?, plans[1].fill(pool, stream)?];
        let row = [&first, &second];
        let drawn = choices::draw(analogy, row, &plans[2..], faithful, pool, stream)?;
        Some(Puzzle {
            regime,
            split,
            kind,
            analogy,
            context: [a, b, c, first, second],
            choices: drawn.panels,
            target: drawn.target,
            completes: drawn.completes,
        })
    }

    /// Three panels that follow a triple and no other; any increase would be another
    /// progression.
    fn source_row(&self, triple: Triple, stream: &mut Stream) -> Option<[Panel; 3]> {
        let Triple { attribute, relation } = triple;
        let faithful = self.request.faithful;
        let sets = draw_line(triple, LineLimits::free(EmptyAnd::Allowed), &self.pool, stream)?;
        if matches!(relation, Relation::Xor | Relation::Or) && !faithful && !tells(&sets) {
            return None;
        }
        let mut plans = [PanelPlan::default(); 3];
        for (plan, set) in plans.iter_mut().zip(sets) {
            plan.govern(attribute, set);
        }
        settle_ungoverned(&mut plans, &self.pool, stream)?;
        let panels = [
            plans[0].fill(&self.pool, stream)?,
            plans[1].fill(&self.pool, stream)?,
            plans[2].fill(&self.pool, stream)?,
        ];
        let accident = Attribute::ALL.into_iter().any(|other| {
            let line = panels.each_ref().map(|panel| panel.values(other));
            let stated = (other == attribute).then_some(relation);
            others_count(other, stated, &[line], Progressions::Any, false)
        });
        (faithful || !accident).then_some(panels)
    }
}

fn check(
    analogy: Analogy,
    regime: Regime,
    split: Split,
    held_out: &[[Attribute; 2]],
) -> Result<(), SpecError> {
    let outside = |reason: &str| SpecError::OutsideRegime {
        structure: analogy.to_string(),
        regime: regime.name(),
        split,
        reason: reason.to_owned(),
    };
    for triple in [analogy.source_triple(), analogy.target_triple()] {
        if !triple.is_legal() {
            return Err(SpecError::IllegalTriple(triple));
        }
    }
    if !analogy.is_legal() {
        return Err(outside("an analogy has two domains and no union"));
    }
    regime.refuses(split, held_out, analogy).map_or(Ok(()), |reason| Err(outside(reason)))
}

/// The list of what is held out, checked.
fn held_out(request: &Request) -> Result<Vec<[Attribute; 2]>, SpecError> {
    match (&request.held_out, request.regime) {
        (None, Regime::DomainTransfer) => Ok(held_out_pairs()),
        (None, _) => Ok(Vec::new()),
        (Some(list), regime) => check_held_out(regime, list).map(|()| list.clone()),
    }
}

/// Checks that a regime can hold these pairs of domains out: that some relation leads
/// from one to the other, and that training is left with every domain.
pub fn check_held_out(regime: Regime, pairs: &[[Attribute; 2]]) -> Result<(), SpecError> {
    let error = |reason: String| Err(SpecError::HeldOut { regime: regime.name(), reason });
    if regime != Regime::DomainTransfer {
        return error("it has no list of what is held out".to_owned());
    }
    if pairs.is_empty() {
        return error("the list of domains is empty".to_owned());
    }
    for (i, pair) in pairs.iter().enumerate() {
        let name = format!("{} to {}", pair[0], pair[1]);
        if !Analogy::legal().any(|a| [a.source, a.target] == *pair) {
            return error(format!("no relation leads from {name}"));
        }
        if pairs[..i].contains(pair) {
            return error(format!("{name} is listed twice"));
        }
    }
    let kept = Analogy::legal().map(|a| [a.source, a.target]).filter(|pair| !pairs.contains(pair));
    if !keeps_every_domain(kept) {
        return error("some domain would be no source or no target in training".to_owned());
    }
    Ok(())
}
