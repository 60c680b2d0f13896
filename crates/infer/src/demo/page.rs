//! The page of the demonstration.

use std::fmt::Write;

use genvp_draw::{Board, GreyImage, Notes, Picture, bare_panel, image_panel, puzzle, rule_lines};
use genvp_puzzle::RuleMatrix;

use super::{CompletedPuzzle, SOLVED, SolvedOther, SolvedPuzzle, Story};
use crate::imagine::{Drawing, Imagined};
use crate::judge::{self, Verdict};
use crate::{LayoutReading, Solution};

const STYLE: &str = "\
:root{--paper:#fbfbfa;--card:#fff;--ink:#1c2026;--soft:#5d6570;--line:#dfe2e6;--good:#0b7a4b;--bad:#b4371f;--accent:#0072b2}
@media (prefers-color-scheme:dark){:root{--paper:#14171b;--card:#1d2127;--ink:#e8eaed;--soft:#a2abb6;--line:#343b44;--good:#4cc38a;--bad:#ff8f75;--accent:#58b4ec}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,\"Segoe UI\",Roboto,sans-serif}
main{max-width:1180px;margin:0 auto;padding:2.5rem 1.25rem 4rem}
h1{font-size:2.1rem;line-height:1.2;margin:0 0 .4rem;letter-spacing:-.01em}
h2{font-size:1.45rem;margin:3rem 0 .3rem}
h3{font-size:1.02rem;margin:0 0 .5rem}
p{margin:.3rem 0 1rem;max-width:68ch}
.soft{color:var(--soft)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(180px,1fr));gap:1rem;margin:1.6rem 0}
.tile,.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1rem 1.15rem}
.tile b{display:block;font-size:1.7rem;line-height:1.2}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,340px),1fr));gap:1.1rem;margin-top:1rem}
.figure{background:#fff;border-radius:6px;overflow:hidden;line-height:0}
.figure svg{width:100%;height:auto;display:block}
.good{color:var(--good);font-weight:600}.bad{color:var(--bad);font-weight:600}
ul{margin:.4rem 0 0;padding-left:1.1rem;font-size:.92rem}
li{margin:.1rem 0}
details{margin-top:.6rem;font-size:.92rem}summary{cursor:pointer;color:var(--accent)}
code{font-size:.9em;overflow-wrap:anywhere}
pre{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.8rem 1rem;overflow-x:auto}
footer{margin-top:3rem;color:var(--soft);font-size:.9rem}";

/// The page: one file, with every picture inside.
pub fn html(story: &Story) -> String {
    let mut out = String::new();
    out += "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
            <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
            <title>genvp: puzzles solved, completed and imagined</title>\n";
    let _ = write!(out, "<style>{STYLE}</style>\n</head>\n<body>\n<main>\n");
    head(&mut out, story);
    solved(&mut out, story);
    others(&mut out, &story.others);
    completed(&mut out, &story.completed);
    imagined(&mut out, &story.imagined);
    let _ = write!(
        out,
        "<footer>Made by <code>genvp demo</code> with the model {} in {:.1} seconds. Every puzzle is fresh, \
         none was picked and no drawing was rejected.</footer>\n</main>\n</body>\n</html>\n",
        escaped(&story.model),
        story.seconds
    );
    out
}

fn head(out: &mut String, story: &Story) {
    *out += "<h1>Puzzles solved, completed and imagined</h1>\n\
             <p class=\"soft\">One small network looks at eight panels and says which of eight choices belongs in \
             the ninth place, and by which rules. The same network draws missing panels, and whole puzzles from \
             rules alone. A judge without any learned part reads the drawings and checks them.</p>\n\
             <div class=\"tiles\">\n";
    let answers = &story.completed.answers;
    let good = answers.iter().filter(|(_, verdict)| verdict.agrees()).count();
    for (figure, words) in [
        (format!("{} of {}", story.right(), story.solved.len()), "fresh puzzles solved"),
        (format!("{good} of {}", answers.len()), "drawn answers keep every rule"),
        (
            format!("{} of {}", story.coherent(), story.imagined.len()),
            "imagined puzzles keep every rule",
        ),
        (format!("{:.0} s", story.seconds.max(1.0)), "for everything, on this machine"),
    ] {
        let _ = writeln!(out, "<div class=\"tile\"><b>{figure}</b>{words}</div>");
    }
    *out += "</div>\n";
}

fn solved(out: &mut String, story: &Story) {
    *out += "<h2>Solved</h2>\n<p class=\"soft\">The first of three fresh puzzles of each of the seven layouts, with the \
             choice that the model takes for right framed, and why the others fall.</p>\n<div class=\"cards\">\n";
    for layout in story.solved.chunks(SOLVED) {
        let Some(first) = layout.first() else { continue };
        let right = layout.iter().filter(|s| s.is_right()).count();
        let name = first.puzzle.layout.long_name();
        let _ = writeln!(
            out,
            "<article class=\"card\"><h3>{name} <span class=\"soft\">· {right} of {} right</span></h3>",
            layout.len()
        );
        one_solved(out, first);
        *out += "</article>\n";
    }
    *out += "</div>\n";
}

fn one_solved(out: &mut String, solved: &SolvedPuzzle) {
    let (solution, reading) = (&solved.solution, LayoutReading::of(solved.puzzle.layout));
    let notes = Notes { answer: Some(solution.answer), ..Notes::default() };
    figure(out, &puzzle(&Board::of_puzzle(&solved.puzzle), &notes));
    answered(out, solution, solved.is_right().then_some(()).ok_or(solved.puzzle.target.into()));
    let _ = writeln!(
        out,
        "<p class=\"soft\">Rules seen: <code>{}</code></p>",
        escaped(&reading.rules_text(solution.rules()))
    );
    others_fall(out, solution, &|row| reading.row_name(row));
}

/// What was answered, and whether that is right; else which choice is.
fn answered(out: &mut String, solution: &Solution, is_right: Result<(), usize>) {
    let sure = solution.confidence.map(|c| format!(", {:.0} % sure", 100.0 * c.value));
    let verdict = match is_right {
        Ok(()) => "<span class=\"good\">right</span>".to_owned(),
        Err(target) => format!("<span class=\"bad\">wrong, it is {}</span>", target + 1),
    };
    let (choice, sure) = (solution.answer + 1, sure.unwrap_or_default());
    let _ = writeln!(out, "<p>Choice {choice}{sure}: {verdict}</p>");
}

/// Why each other choice falls.
fn others_fall(out: &mut String, solution: &Solution, row_name: &dyn Fn(usize) -> String) {
    *out += "<details><summary>Why not the others</summary><ul>\n";
    for choice in (0..solution.scores.len()).filter(|&c| c != solution.answer) {
        let lost = solution.lost_rules(choice).into_iter();
        let lost: Vec<String> =
            lost.map(|lost| format!("{} {}", row_name(lost.row), lost.rule)).collect();
        let why = if lost.is_empty() {
            "fits as well".to_owned()
        } else {
            format!("loses {}", lost.join(", "))
        };
        let _ = writeln!(out, "<li>Choice {}: {}</li>", choice + 1, escaped(&why));
    }
    *out += "</ul></details>\n";
}

/// Puzzles of other families.
fn others(out: &mut String, others: &[SolvedOther]) {
    *out += "<h2>PGM and VAD</h2>\n<p class=\"soft\">The first test puzzle of PGM's neutral regime and of VAD's \
             novel.domain.transfer, each answered by the model in the box for its family. In VAD the relation of the \
             first row, in one attribute, holds in the second row, in another.</p>\n<div class=\"cards\">\n";
    for own in others {
        let solution = &own.solution;
        let name = own.puzzle.family().id().to_uppercase();
        let _ = writeln!(
            out,
            "<article class=\"card\"><h3>{name} <span class=\"soft\">· {}</span></h3>",
            escaped(&own.model)
        );
        if let Some(board) = Board::of_scenes(&*own.puzzle) {
            let notes = Notes { answer: Some(solution.answer), ..Notes::default() };
            figure(out, &puzzle(&board, &notes));
        }
        answered(out, solution, own.is_right().then_some(()).ok_or(own.puzzle.target()));
        let _ = writeln!(
            out,
            "<p class=\"soft\">Rules seen: <code>{}</code>; true: <code>{}</code></p>",
            escaped(&solution.rules_text()),
            escaped(&own.puzzle.rules_text())
        );
        others_fall(out, solution, &|row| solution.row_name(row));
        *out += "</article>\n";
    }
    *out += "</div>\n";
}

fn completed(out: &mut String, completed: &CompletedPuzzle) {
    let puzzle_of = &completed.puzzle;
    let _ = write!(
        out,
        "<h2>Completed</h2>\n<p class=\"soft\">A puzzle of the 2×2 grid without its last panel, and what the model \
         draws there: {} drawings one after another, none left out. Angles are free, and with some rules places are \
         too; where only one scene is right the drawings should show the same. The judge says whether the \
         rules hold.</p>\n<div class=\"cards\">\n<article class=\"card\"><h3>The question</h3>\n",
        completed.answers.len()
    );
    let question: Vec<Option<Picture>> = puzzle_of
        .context
        .iter()
        .map(|panel| Some(bare_panel(panel, puzzle_of.layout, puzzle_of.domain)))
        .chain([None])
        .collect();
    let board = Board { question, ..Board::default() };
    let rules = rule_lines(&RuleMatrix::of(&puzzle_of.rules), puzzle_of.layout);
    figure(out, &puzzle(&board, &Notes { rules, ..Notes::default() }));
    *out += "</article>\n";
    for (index, (drawing, verdict)) in completed.answers.iter().enumerate() {
        let _ = writeln!(out, "<article class=\"card\"><h3>Answer {}</h3>", index + 1);
        drawn(out, drawing);
        said(out, verdict);
        *out += "</article>\n";
    }
    *out += "</div>\n";
}

fn imagined(out: &mut String, all: &[Imagined]) {
    *out += "<h2>Imagined</h2>\n<p class=\"soft\">The model was given rules and a layout, nothing else. These are its own \
             pixels: one drawing of each layout, the first, whatever came of it.</p>\n<div class=\"cards\">\n";
    for imagined in all {
        let layout = imagined.asked.layout;
        let _ = writeln!(out, "<article class=\"card\"><h3>{}</h3>", layout.long_name());
        drawn(out, &imagined.drawing);
        said(out, &imagined.verdict);
        let _ = writeln!(
            out,
            "<p class=\"soft\">Asked: <code>{}</code></p></article>",
            escaped(&imagined.asked.rules.text(layout))
        );
    }
    *out += "</div>\n";
}

fn said(out: &mut String, verdict: &Verdict) {
    let (right, all) = verdict.marks();
    let class = if verdict.agrees() { "good" } else { "bad" };
    let _ = writeln!(
        out,
        "<p><span class=\"{class}\">{right} of {all} rules</span> <span class=\"soft\">{}</span></p>",
        escaped(&verdict.words())
    );
}

/// Nine panels as drawn.
fn drawn(out: &mut String, drawing: &Drawing) {
    let panel = |i: usize| {
        GreyImage::new(judge::SIDE, judge::SIDE, &drawing.grey(i)).ok().map(|i| image_panel(&i))
    };
    let board = Board {
        question: (0..drawing.panels.len()).map(panel).collect(),
        choices: Vec::new(),
        description: "Nine panels drawn by the model.".to_owned(),
    };
    figure(out, &puzzle(&board, &Notes::default()));
}

fn figure(out: &mut String, picture: &Picture) {
    let _ = writeln!(out, "<div class=\"figure\">{}</div>", picture.svg());
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
