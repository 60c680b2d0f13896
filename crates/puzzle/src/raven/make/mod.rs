//! From rules to scenes and choices.
//!
//! A [`Request`] says what is wanted; [`Maker::new`] checks once that it can be
//! had; [`Maker::puzzle`] then makes puzzle number `index` of a seed, the same
//! one on every machine and thread.

mod choices;
mod narrow;
mod request;
mod rows;
mod rule_table;

pub use request::{HeldOut, Request};

use arrayvec::ArrayVec;

use crate::Stream;
use crate::raven::check;
use crate::raven::{ComponentRules, Panel, Puzzle, PuzzleError, Rule};
use narrow::Narrowed;
use rows::ComponentRows;
use rule_table::RuleTable;

/// How many whole puzzles are drawn before a request is given up. One in a
/// hundred is refused at worst (O-IG, whose small squares can look alike), so
/// this bound is never met by a request that can be fulfilled. Rivals cost one
/// in a hundred more; only stated rules that always have some would exhaust it.
const MOST_TRIES: u32 = 1000;

/// Makes the puzzles of one request.
#[derive(Clone, Debug)]
pub struct Maker {
    request: Request,
    tables: ArrayVec<RuleTable, 2>,
    purpose: String,
}

impl Maker {
    /// Checks a request; an error says which rule cannot hold, and why.
    pub fn new(request: Request) -> Result<Self, PuzzleError> {
        request.check_uniform()?;
        request.check_handed_out()?;
        let tables = (0..request.layout.components().len())
            .map(|component| RuleTable::new(&request, component))
            .collect::<Result<_, _>>()?;
        let purpose = request.purpose();
        Ok(Self { request, tables, purpose })
    }

    /// What is made.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// Puzzle number `index` of `seed`.
    ///
    /// Unless the request is faithful to the originals' faults, exactly one
    /// choice satisfies all rules and no two choices look alike. Whether other
    /// rules may fit too is for [`Request::no_rivals`] to say.
    pub fn puzzle(&self, seed: u64, index: u64) -> Result<Puzzle, PuzzleError> {
        let mut stream = Stream::new(seed, &self.purpose, index);
        for _ in 0..MOST_TRIES {
            if let Some(puzzle) = self.draw(&mut stream)
                && (self.request.faithful || is_sound(&puzzle))
                && (!self.request.no_rivals || check::rivals(&puzzle).is_empty())
            {
                return Ok(puzzle);
            }
        }
        Err(PuzzleError::Exhausted { layout: self.request.layout, tries: MOST_TRIES })
    }

    /// The probability of each (rule, parameter) of a component, as drawn.
    pub fn rule_probabilities(&self, component: usize) -> Vec<(Rule, f64)> {
        self.tables[component].probabilities()
    }

    /// One draw of rules, scenes and choices; `None` where RAVEN-FAIR's tree of
    /// changes cannot be completed.
    fn draw(&self, stream: &mut Stream) -> Option<Puzzle> {
        let request = &self.request;
        let components = request.layout.components();
        let mut rules = ArrayVec::<ComponentRules, 2>::new();
        let mut rows = ArrayVec::<ComponentRows, 2>::new();
        let mut uniformity = [0u8; 2];
        let mut latin = [[None; 4]; 2];
        for (component, &kind) in components.iter().enumerate() {
            let component_rules = self.tables[component].draw(stream);
            uniformity[component] = if request.uniform { 3 } else { stream.below(4) as u8 };
            let narrowed = Narrowed::new(request.domain, kind, &component_rules, request.uniform)
                .expect("the table holds only rules that leave room");
            let drawn = ComponentRows::draw(
                &component_rules,
                &narrowed,
                uniformity[component] == 3,
                &request.rules.handed_out_by_group(component),
                stream,
            );
            latin[component] = drawn.latin;
            rules.push(component_rules);
            rows.push(drawn);
        }
        let panel = |index: usize| Panel {
            components: rows.iter().map(|r| r.panels[index / 3][index % 3].clone()).collect(),
        };
        let mut puzzle = Puzzle {
            set: request.set,
            layout: request.layout,
            domain: request.domain,
            rules,
            latin,
            uniformity,
            context: std::array::from_fn(panel),
            choices: std::array::from_fn(|_| Panel::default()),
            target: 0,
            changes: Default::default(),
        };
        puzzle.choices[0] = panel(8);
        choices::complete(&mut puzzle, request.uniform, stream).then_some(puzzle)
    }
}

/// Gives a puzzle whose choice 0 is the answer seven wrong choices of its set, in
/// random order, such that exactly one choice is right and no two look alike.
/// `None` where that cannot be had.
pub fn with_choices(puzzle: Puzzle, seed: u64, index: u64) -> Option<Puzzle> {
    let mut stream = Stream::new(seed, "choices", index);
    (0..MOST_TRIES).find_map(|_| {
        let mut puzzle = puzzle.clone();
        let complete = choices::complete(&mut puzzle, false, &mut stream);
        (complete && is_sound(&puzzle)).then_some(puzzle)
    })
}

/// Whether the target alone satisfies all rules and no two choices look alike.
fn is_sound(puzzle: &Puzzle) -> bool {
    let right = check::satisfied(puzzle);
    let alone = (0..8).all(|choice| right[choice] == (choice == usize::from(puzzle.target)));
    alone
        && (1..8).all(|i| {
            (0..i).all(|j| {
                let (a, b) = (&puzzle.choices[i], &puzzle.choices[j]);
                !check::visibly_equal(a, b, puzzle.layout, puzzle.domain)
            })
        })
}

#[cfg(test)]
mod tests;
