//! What the model is asked besides solving: complete and imagine; and the judge.

use axum::extract::{Request, State as Shared};
use genvp_draw::bare_panel;
use genvp_infer::complete::Gap;
use genvp_infer::completed::{Completed, CompletionTask};
use genvp_infer::imagine::{Artist, Imagined, RuleSampler, crisp};
use genvp_infer::json as told;
use genvp_infer::judge::{self, RuleSpec};
use genvp_puzzle::{Domain, Layout, RuleMatrix, Set, render};
use serde::Deserialize;
use serde_json::{Value, json};

use super::jobs::Kind;
use super::reply::Reply;
use super::stream::{self, Answers, Teller};
use super::upload::{Puzzle, Sent};
use super::{State, pictures};
use crate::engine::{self, PuzzleRef, Refusal};

/// The most drawings of one request.
const MOST: u64 = 16;

/// A puzzle by name, and what is asked besides.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    puzzle: PuzzleRef,
    missing: Option<String>,
    samples: Option<u64>,
    seed: Option<u64>,
    rules: Option<String>,
    choice: Option<usize>,
}

/// What is asked of a puzzle.
#[derive(Debug)]
struct Asked {
    missing: Option<String>,
    samples: Option<u64>,
    seed: Option<u64>,
    rules: Option<String>,
    choice: Option<usize>,
}

/// The puzzle of a request and the rest of what it says.
fn puzzle_of(sent: Sent) -> Result<(Puzzle, Asked), Refusal> {
    if sent.is_json() {
        let Named { puzzle, missing, samples, seed, rules, choice } = engine::parse(&sent.body)?;
        return Ok((Puzzle::made(&puzzle)?, Asked { missing, samples, seed, rules, choice }));
    }
    let form = sent.form()?;
    let asked = Asked {
        missing: form.parameter("missing"),
        samples: form.number("samples")?,
        seed: form.number("seed")?,
        rules: form.parameter("rules"),
        choice: form.number("choice")?.map(|choice| choice as usize),
    };
    Ok((form.puzzle()?, asked))
}

/// `/api/complete`: several answers for missing panels.
pub async fn complete(Shared(state): Shared<State>, request: Request) -> Reply {
    let sent = Sent::receive(&state, request).await?;
    let is_stream = stream::is_wanted(&sent.head().headers);
    let shared = state.clone();
    let work = move |teller: &Teller<'_>| {
        let (puzzle, asked) = puzzle_of(sent)?;
        completed(&shared, &puzzle, &asked, teller)
    };
    stream::answer(state, Kind::Drawing, is_stream, work).await
}

fn completed(
    state: &State,
    puzzle: &Puzzle,
    asked: &Asked,
    teller: &Teller<'_>,
) -> Result<Value, Refusal> {
    let missing = asked.missing.as_deref().unwrap_or("9");
    let samples = bounded("samples", asked.samples.unwrap_or(4))?;
    let gap = Gap::parse(missing)?;
    // Both protocols draw so many.
    let total = 2 * samples;
    teller.step(0, total, "reading the question")?;
    let question = CompletionTask::new(puzzle.raven()?, puzzle.domain(), gap)?;
    let model = state.models.artist()?;
    let artist = Artist::new(model.genvp(), model.device())?;
    let (seed, progress) = (asked.seed.unwrap_or(1234), Answers::new(teller, total));
    let done = Completed::new(&artist, question, seed, samples, &progress);
    teller.check()?;
    let done = done?;
    let mut said = done.json(&puzzle.name, missing);
    for (sample, said) in
        done.honest.iter().zip(said["samples"].as_array_mut().into_iter().flatten())
    {
        said["panels"] = json!(pictures::drawing(&sample.drawing));
        said["words"] = json!(sample.by_whole.words());
        said["right"] = json!(sample.by_whole.agrees());
    }
    Ok(said)
}

fn bounded(name: &str, n: u64) -> Result<u64, Refusal> {
    if (1..=MOST).contains(&n) {
        return Ok(n);
    }
    Err(Refusal::impossible(format!("{name}: {n}, not 1 to {MOST}")))
}

/// `/api/judge`: whether the puzzle, completed by a choice, keeps rules, by its pixels.
pub async fn judge(Shared(state): Shared<State>, request: Request) -> Reply {
    let sent = Sent::receive(&state, request).await?;
    let is_stream = stream::is_wanted(&sent.head().headers);
    let kind = if sent.is_json() { Kind::Engine } else { Kind::Files };
    let work = move |_: &Teller<'_>| {
        let (puzzle, asked) = puzzle_of(sent)?;
        judged(&puzzle, &asked)
    };
    stream::answer(state, kind, is_stream, work).await
}

fn judged(puzzle: &Puzzle, asked: &Asked) -> Result<Value, Refusal> {
    let stored = puzzle.raven()?;
    let choice = asked.choice.or(puzzle.sheet.target);
    let choice = choice.ok_or_else(|| Refusal::impossible("choice: which one, from 0 on?"))?;
    if choice >= puzzle.sheet.form.choices {
        return Err(Refusal::impossible(format!("choice: there is no choice {choice}")));
    }
    let side = stored.images.side();
    let panels: [Vec<f32>; 9] = std::array::from_fn(|i| {
        let mut ink = vec![0.0; judge::SIDE * judge::SIDE];
        let panel = if i < 8 { i } else { 8 + choice };
        render::resize_area(stored.images.panel(panel), side, judge::SIDE, &mut ink);
        ink
    });
    let views: [&[f32]; 9] = std::array::from_fn(|i| panels[i].as_slice());
    let layout = judge::read_grid(&views, Domain::Standard).layout;
    let rules = match (&asked.rules, puzzle.rules()) {
        (Some(text), _) => RuleMatrix::parse(text, layout)?,
        (None, Some(rules)) => rules,
        (None, None) => return Err(Refusal::impossible("rules: by which rules?")),
    };
    let verdict = judge::judge(&views, &RuleSpec::new(layout, rules)?);
    let mut said = told::verdict(&verdict);
    said["words"] = json!(verdict.words());
    Ok(said)
}

/// What to imagine.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    layout: String,
    #[serde(default)]
    rules: String,
    #[serde(default = "usual_seed")]
    seed: u64,
    #[serde(default)]
    first: u64,
    #[serde(default = "four")]
    n: u64,
    /// Drawings of one puzzle at most, until the judge agrees.
    #[serde(default = "one")]
    tries: u32,
}

fn usual_seed() -> u64 {
    1234
}

fn four() -> u64 {
    4
}

fn one() -> u32 {
    1
}

/// `/api/imagine`: drawings one by one as events, or all together.
pub async fn imagine(Shared(state): Shared<State>, request: Request) -> Reply {
    let sent = Sent::receive(&state, request).await?;
    let is_stream = stream::is_wanted(&sent.head().headers);
    let wish: Wish = engine::parse(&sent.body)?;
    bounded("n", wish.n)?;
    bounded("tries", u64::from(wish.tries))?;
    let layout = Layout::parse(&wish.layout).ok_or_else(|| {
        let known = Layout::ALL.map(Layout::short).join(", ");
        Refusal::impossible("layout: there is no such layout").hint(format!("known are {known}"))
    })?;
    let rules = RuleMatrix::parse(&wish.rules, layout)?;
    let sampler = RuleSampler::new(layout, rules, wish.seed)?;
    let shared = state.clone();
    let work = move |teller: &Teller<'_>| imagined(&shared, &sampler, &wish, teller);
    stream::answer(state, Kind::Drawing, is_stream, work).await
}

fn imagined(
    state: &State,
    sampler: &RuleSampler,
    wish: &Wish,
    teller: &Teller<'_>,
) -> Result<Value, Refusal> {
    let model = state.models.artist()?;
    let artist = Artist::new(model.genvp(), model.device())?;
    let mut puzzles = Vec::new();
    for (done, index) in (wish.first..wish.first.saturating_add(wish.n)).enumerate() {
        teller.step(done as u64, wish.n, "drawing")?;
        if *state.ending.borrow() {
            return Err(Refusal::new(503, "the studio is closing"));
        }
        let progress = Answers::new(teller, wish.n);
        let drawn = sampler.imagine_while(&artist, index, wish.tries, &progress);
        teller.check()?;
        let said = imagined_json(index, wish.seed, &drawn?);
        if teller.is_watched() {
            teller.event("drawing", said);
        } else {
            puzzles.push(said);
        }
    }
    // Whoever watched has them all.
    Ok(if teller.is_watched() { json!({}) } else { json!({ "puzzles": puzzles }) })
}

/// A drawing with its pixels, what the model meant, and what the judge read, drawn anew.
fn imagined_json(index: u64, seed: u64, imagined: &Imagined) -> Value {
    let layout = imagined.asked.layout;
    let mut said = told::imagined(index, seed, imagined);
    said["words"] = json!(imagined.verdict.words());
    said["panels"] = json!(pictures::drawing(&imagined.drawing));
    let scenes = |panels: &[genvp_puzzle::Panel; 9]| -> Vec<Value> {
        panels
            .iter()
            .map(|panel| {
                let picture = bare_panel(panel, layout, Domain::Standard);
                json!({ "svg": picture.svg(), "words": picture.description })
            })
            .collect()
    };
    said["meant"] = json!(imagined.drawing.decoded.as_deref().map(scenes));
    let is_read = imagined.verdict.is_legible();
    said["read"] = json!(is_read.then(|| scenes(imagined.verdict.panels())));
    let item = crisp(&imagined.verdict, Set::IRaven, seed, index);
    said["is_an_item"] = json!(item.is_some());
    said
}
