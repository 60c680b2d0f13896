//! From a request to puzzles.

use arrayvec::ArrayVec;

use super::choices::{self, Pattern};
use super::puzzle::{Governed, Puzzle};
use super::structure::{self, with_axis};
use super::{HeldOut, Regime};
use crate::Stream;
use crate::relations::{
    Attribute, Axis, Candidates, EmptyAnd, LineLimits, Panel, PanelPlan, Pool, Progressions,
    Relation, SpecError, Split, Triple, ValueSet, Vocabulary, draw_line, others_count,
    settle_ungoverned, tells,
};

/// What puzzles are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The regime.
    pub regime: Regime,
    /// The split.
    pub split: Split,
    /// What the regime holds out; its own list if `None`.
    pub held_out: Option<HeldOut>,
    /// The triples, with their axes where these matter; drawn if empty.
    pub structure: Vec<(Triple, Option<Axis>)>,
    /// Keep accidents: relations that hold on ungoverned attributes, and lines
    /// that do not tell OR from XOR.
    pub faithful: bool,
}

impl Request {
    /// Any puzzle of a regime and split.
    pub fn new(regime: Regime, split: Split) -> Self {
        Self { regime, split, held_out: None, structure: Vec::new(), faithful: false }
    }
}

/// Panels of the question.
const CONTEXT: usize = 8;
/// How often the panels of one structure are drawn before another one is drawn.
const DRAFTS: u32 = 400;
/// How many structures are tried for one puzzle. A structure that is possible at
/// all succeeds within its drafts nearly always, so this bound is never met by a
/// request that can be fulfilled.
const STRUCTURES: u32 = 25;

/// Makes the puzzles of one request.
#[derive(Clone, Debug)]
pub struct Maker {
    request: Request,
    held_out: HeldOut,
    legal: Vec<Triple>,
    pool: Pool,
    purpose: String,
}

impl Maker {
    /// Checks a request; an error says what cannot be had, and why.
    pub fn new(request: Request) -> Result<Self, SpecError> {
        let Request { regime, split, .. } = request;
        let held_out = request.held_out.clone().unwrap_or_else(|| HeldOut::of(regime));
        held_out.check(regime)?;
        check_structure(&request, &held_out)?;
        let faithful = if request.faithful { "/f" } else { "" };
        Ok(Self {
            held_out,
            legal: Triple::legal().collect(),
            pool: Pool::new(Vocabulary::Pgm, regime.limit(split)),
            purpose: format!("pgm/{}/{split}{faithful}", regime as u8),
            request,
        })
    }

    /// What is made.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// What the regime holds out.
    pub fn held_out(&self) -> &HeldOut {
        &self.held_out
    }

    /// Puzzle number `index` of `seed`.
    ///
    /// Unless the request is faithful, exactly one choice satisfies the
    /// structure, no two choices look alike, and with no choice in the ninth
    /// place does a relation hold that was not asked for.
    pub fn puzzle(&self, seed: u64, index: u64) -> Result<Puzzle, SpecError> {
        let mut stream = Stream::new(seed, &self.purpose, index);
        for _ in 0..STRUCTURES {
            let Some(structure) = self.structure(&mut stream) else { break };
            for _ in 0..DRAFTS {
                if let Some(puzzle) = self.draft(&structure, &mut stream) {
                    return Ok(puzzle);
                }
            }
        }
        let what = format!("{} {}", self.request.regime, self.request.split);
        Err(SpecError::Exhausted { what, tries: STRUCTURES * DRAFTS })
    }

    fn structure(&self, stream: &mut Stream) -> Option<ArrayVec<Governed, 4>> {
        let Request { regime, split, structure: stated, .. } = &self.request;
        if stated.is_empty() {
            return structure::draw(&self.legal, *regime, *split, &self.held_out, stream);
        }
        Some(stated.iter().map(|&(triple, axis)| with_axis(triple, axis, stream)).collect())
    }

    /// One draw of all panels; `None` where sets do not fit together or where a
    /// relation holds by accident.
    fn draft(&self, structure: &[Governed], stream: &mut Stream) -> Option<Puzzle> {
        let pattern = Pattern::draw(structure, stream);
        let (plans, distracting) = self.plans(structure, &pattern, stream)?;
        let (question_plans, choice_plans) = plans.split_at(CONTEXT);
        let mut panels = ArrayVec::<Panel, 8>::new();
        for plan in question_plans {
            panels.push(plan.fill(&self.pool, stream)?);
        }
        let context: [Panel; 8] = panels.into_inner().ok()?;
        let question = OpenContext::new(structure, &context, self.request.faithful);
        let drawn = choices::draw(&question, &pattern, choice_plans, &self.pool, stream)?;
        Some(Puzzle {
            regime: self.request.regime,
            split: self.request.split,
            structure: structure.iter().copied().collect(),
            distracting,
            context,
            choices: drawn.panels,
            target: drawn.target,
            broken: drawn.broken,
        })
    }

    /// What is fixed in each panel of the question and in each choice, the right one
    /// first, and which attributes distract.
    fn plans(
        &self,
        structure: &[Governed],
        pattern: &Pattern,
        stream: &mut Stream,
    ) -> Option<([PanelPlan; 16], [bool; 7])> {
        let mut plans = [PanelPlan::default(); 16];
        // How many objects there are comes before what they look like.
        let is_look = |number: &usize| !structure[*number].triple.attribute.carriers().is_empty();
        let numbers = 0..structure.len();
        let carriers = numbers.clone().filter(|number| !is_look(number));
        for number in carriers.chain(numbers.filter(is_look)) {
            let count = pattern.count(number);
            let (sets, values) = self.governed_sets(structure, number, count, &plans, stream)?;
            let attribute = structure[number].triple.attribute;
            for (plan, set) in plans.iter_mut().zip(sets) {
                plan.govern(attribute, set);
            }
            for (choice, plan) in plans[CONTEXT..].iter_mut().enumerate() {
                plan.govern(attribute, values[pattern.value(number, choice)]);
            }
        }
        let distracting = settle_ungoverned(&mut plans, &self.pool, stream)?;
        Some((plans, distracting))
    }

    /// The sets of a governed attribute in the panels of the question, and `count`
    /// values for the choices, the right one first.
    fn governed_sets(
        &self,
        structure: &[Governed],
        number: usize,
        count: usize,
        plans: &[PanelPlan; 16],
        stream: &mut Stream,
    ) -> Option<([ValueSet; CONTEXT], ArrayVec<ValueSet, 8>)> {
        let Governed { triple, axis } = structure[number];
        let Triple { attribute, relation } = triple;
        let carries = structure.iter().any(|g| g.triple.attribute.carriers().contains(&attribute));
        let room = |panel: usize| match panel < CONTEXT {
            true => plans[panel].room(attribute),
            // Every value must fit into every choice.
            false => plans[CONTEXT..].iter().map(|p| p.room(attribute)).min().unwrap_or(0),
        };
        let limits = |line: usize| {
            let room = [0, 1, 2].map(|step| room(axis.panel(line, step)));
            LineLimits { empty: EmptyAnd::Avoided, carries, room }
        };
        let (pool, last) = (&self.pool, limits(2));
        let candidates = Candidates::new(triple, count, pool, || self.rivals(structure, number));
        let mut lines = [[ValueSet::EMPTY; 3]; 3];
        let values;
        if relation == Relation::Union {
            let own = |stream: &mut Stream| Some((pool.single(attribute, stream), ()));
            (values, ()) = candidates.draw(last, pool, stream, own)?;
            let mut others: ArrayVec<u8, 10> = pool.values(attribute).iter().copied().collect();
            others.retain(|value| ValueSet::of(*value) != values[0]);
            stream.shuffle_front(&mut others, 2);
            let members = [ValueSet::of(others[0]), ValueSet::of(others[1]), values[0]];
            lines = [members; 3];
            lines[..2].iter_mut().for_each(|line| stream.shuffle(line));
            // Three equal lines would be constant across.
            (lines[0] != lines[1] || lines[0] != lines[2]).then_some(())?;
        } else {
            for (line, sets) in lines[..2].iter_mut().enumerate() {
                *sets = draw_line(triple, limits(line), pool, stream)?;
            }
            let own = |stream: &mut Stream| {
                let line = draw_line(triple, last, pool, stream)?;
                Some((line[2], line))
            };
            (values, lines[2]) = candidates.draw(last, pool, stream, own)?;
        }
        // The two complete lines must show which of the two it is.
        if matches!(relation, Relation::Xor | Relation::Or)
            && !self.request.faithful
            && !lines[..2].iter().any(tells)
        {
            return None;
        }
        let mut sets = [ValueSet::EMPTY; 9];
        for (number, line) in lines.iter().enumerate() {
            for (step, &set) in line.iter().enumerate() {
                sets[axis.panel(number, step)] = set;
            }
        }
        Some((std::array::from_fn(|panel| sets[panel]), values))
    }

    /// The relations that the attribute of a triple could follow in its place. Where
    /// the split leaves no other, all that are legal.
    fn rivals(&self, structure: &[Governed], number: usize) -> ArrayVec<Relation, 5> {
        let Request { regime, split, .. } = self.request;
        let attribute = structure[number].triple.attribute;
        let legal = Relation::ALL.into_iter().map(|relation| Triple { attribute, relation });
        let legal: ArrayVec<Triple, 5> = legal.filter(|triple| triple.is_legal()).collect();
        let mut triples: ArrayVec<Triple, 4> = structure.iter().map(|g| g.triple).collect();
        let mut fits = |triple: &Triple| {
            triples[number] = *triple;
            let others = triples.iter().enumerate().filter(|(other, _)| *other != number);
            others.map(|(_, other)| triple.conflict(*other)).all(|reason| reason.is_none())
                && regime.refuses(split, &self.held_out, &triples).is_none()
        };
        let fitting: ArrayVec<Relation, 5> =
            legal.iter().filter(|triple| fits(triple)).map(|triple| triple.relation).collect();
        match fitting.len() {
            0 | 1 => legal.iter().map(|triple| triple.relation).collect(),
            _ => fitting,
        }
    }
}

fn check_structure(request: &Request, held_out: &HeldOut) -> Result<(), SpecError> {
    let Request { regime, split, structure, .. } = request;
    let triples: Vec<Triple> = structure.iter().map(|&(triple, _)| triple).collect();
    if triples.is_empty() {
        return Ok(());
    }
    let least = regime.least_triples();
    if !(least..=4).contains(&triples.len()) {
        let found = triples.len();
        return Err(SpecError::TripleCount { regime: regime.name(), found, least });
    }
    for (i, &first) in triples.iter().enumerate() {
        if !first.is_legal() {
            return Err(SpecError::IllegalTriple(first));
        }
        for &second in &triples[i + 1..] {
            if let Some(reason) = first.conflict(second) {
                return Err(SpecError::Conflict { first, second, reason });
            }
        }
    }
    if let Some(reason) = regime.refuses(*split, held_out, &triples) {
        let names: Vec<String> = triples.iter().map(ToString::to_string).collect();
        return Err(SpecError::OutsideRegime {
            structure: names.join(", "),
            regime: regime.name(),
            split: *split,
            reason,
        });
    }
    Ok(())
}

/// The context of a puzzle as sets of values, and what was stated about it.
pub(super) struct OpenContext<'a> {
    structure: &'a [Governed],
    /// By attribute, then panel; the ninth is left open.
    values: [[ValueSet; 9]; 7],
    faithful: bool,
}

impl<'a> OpenContext<'a> {
    fn new(structure: &'a [Governed], context: &[Panel; 8], faithful: bool) -> Self {
        let mut values = [[ValueSet::EMPTY; 9]; 7];
        for (at, panel) in context.iter().enumerate() {
            for (attribute, set) in panel.all_values().into_iter().enumerate() {
                values[attribute][at] = set;
            }
        }
        Self { structure, values, faithful }
    }

    /// Whether a relation that was not stated counts when a panel with these
    /// values is put into the ninth place.
    pub fn has_accident(&self, choice: &[ValueSet; 7]) -> bool {
        !self.faithful
            && Attribute::ALL.into_iter().any(|attribute| {
                let mut matrix = self.values[attribute.index()];
                matrix[8] = choice[attribute.index()];
                Axis::ALL.into_iter().any(|axis| {
                    let stated = self
                        .structure
                        .iter()
                        .find(|g| g.triple.attribute == attribute && g.axis == axis)
                        .map(|g| g.triple.relation);
                    let lines = axis.lines(&matrix);
                    others_count(attribute, stated, &lines, Progressions::Any, true)
                })
            })
    }
}
