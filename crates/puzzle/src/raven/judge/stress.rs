//! The judge's own error rate: puzzles of the engine, whose rules are known to
//! hold, made soft and noisy as a model's drawings are.

use crate::Stream;
use crate::raven::make::{Maker, Request};
use crate::raven::read::blur;
use crate::raven::{Attribute, Layout, Panel, Puzzle, PuzzleError, Set, render};

use super::{RuleSpec, SIDE, Verdict, judge, judge_scene};

/// How a picture is spoilt before it is judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spoil {
    /// Standard deviation of a Gaussian blur, in pixels at 64 px.
    pub blur: f32,
    /// Standard deviation of noise on every pixel's ink.
    pub noise: f32,
}

impl Spoil {
    /// Nothing, three blurs, three noises.
    pub const ALL: [Self; 7] = [
        Self { blur: 0.0, noise: 0.0 },
        Self { blur: 0.5, noise: 0.0 },
        Self { blur: 1.0, noise: 0.0 },
        Self { blur: 1.5, noise: 0.0 },
        Self { blur: 0.0, noise: 0.02 },
        Self { blur: 0.0, noise: 0.05 },
        Self { blur: 0.0, noise: 0.1 },
    ];

    /// Spoils a picture.
    pub fn apply(self, picture: &[f32], stream: &mut Stream) -> Vec<f32> {
        let mut picture = blur(picture.to_vec(), self.blur);
        if self.noise > 0.0 {
            picture.iter_mut().for_each(|ink| *ink += self.noise * stream.normal());
        }
        picture
    }
}

/// Marks of a judge: how many rules were said to hold, and of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Rules that hold.
    pub right: u64,
    /// Rules that count.
    pub asked: u64,
}

impl Marks {
    /// Adds a verdict.
    pub fn add(&mut self, verdict: &Verdict) {
        let (right, asked) = verdict.marks();
        self.right += right;
        self.asked += asked;
    }

    /// Adds one rule.
    pub fn mark(&mut self, right: bool) {
        self.right += u64::from(right);
        self.asked += 1;
    }

    /// Adds other marks.
    pub fn join(&mut self, other: Self) {
        self.right += other.right;
        self.asked += other.asked;
    }

    /// In percent; 0 where nothing counts.
    pub fn percent(self) -> f64 {
        if self.asked == 0 { 0.0 } else { 100.0 * self.right as f64 / self.asked as f64 }
    }
}

/// What the judge says about one puzzle of the engine.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// The puzzle's own rules, all of which hold.
    pub own: Marks,
    /// The rules of another puzzle of the layout: what holds by chance.
    pub other: Marks,
    /// Whether a wrong choice in the last place is caught; `None` where it breaks
    /// no rule that counts.
    pub broken: Option<bool>,
    /// The lowest confidence of a panel.
    pub confidence: f32,
    /// Whether some panel holds objects of a component that are not all alike.
    pub unlike: bool,
}

/// The nine panels of a puzzle as a model would draw them at its best.
pub fn pictures(puzzle: &Puzzle) -> [Vec<f32>; 9] {
    let draw = |panel: &Panel| {
        let mut ink = vec![0.0; SIDE * SIDE];
        render::ink_into(panel, puzzle.layout, puzzle.domain, SIDE, &mut ink);
        ink
    };
    std::array::from_fn(|i| draw(puzzle.context.get(i).unwrap_or_else(|| puzzle.answer())))
}

/// The nine panels of a puzzle whose choice is filled in.
pub fn nine(puzzle: &Puzzle) -> [Panel; 9] {
    std::array::from_fn(|i| puzzle.context.get(i).unwrap_or_else(|| puzzle.answer()).clone())
}

/// Tries the judge on puzzle number `index` of a layout and seed.
///
/// # Errors
/// When the puzzle cannot be made.
pub fn trial(layout: Layout, spoil: Spoil, seed: u64, index: u64) -> Result<Trial, PuzzleError> {
    let maker = Maker::new(Request::new(Set::Raven, layout))?;
    let puzzle = maker.puzzle(seed, index)?;
    // Far from every index that is used for puzzles.
    let other = maker.puzzle(seed, index + (1 << 40))?;
    let mut stream = Stream::new(seed, "judge stress", index);
    let clean = pictures(&puzzle);
    let spoilt: [Vec<f32>; 9] = std::array::from_fn(|i| spoil.apply(&clean[i], &mut stream));
    let verdict =
        judge(&std::array::from_fn(|i| spoilt[i].as_slice()), &RuleSpec::of_puzzle(&puzzle));
    let mut wrong = puzzle.clone();
    wrong.target = (puzzle.target + 1 + stream.below(7) as u8) % 8;
    let last = spoil.apply(&pictures(&wrong)[8], &mut stream);
    let with_wrong: [&[f32]; 9] =
        std::array::from_fn(|i| if i < 8 { spoilt[i].as_slice() } else { last.as_slice() });
    let (mut own, mut by_chance) = (Marks::default(), Marks::default());
    own.add(&verdict);
    let confidence = verdict.reading.least_confidence();
    by_chance.add(&verdict.against(&RuleSpec::of_puzzle(&other)));
    let asked = RuleSpec::of_puzzle(&puzzle);
    let breaks = !judge_scene(nine(&wrong), &asked).agrees();
    let broken = breaks.then(|| !judge(&with_wrong, &asked).agrees());
    let looks = [Attribute::Type, Attribute::Size, Attribute::Color];
    let unlike = nine(&puzzle)
        .iter()
        .flat_map(|panel| &panel.components)
        .any(|component| looks.iter().any(|&look| component.shared(look).is_none()));
    Ok(Trial { own, other: by_chance, broken, confidence, unlike })
}
