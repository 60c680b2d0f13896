//! Panels that stand in frames of their own anywhere on a sheet.

use crate::png_image::PngImage;

/// Paper is lighter than this: first as scans have it, then as drawings do, in which objects of
/// the lightest grey may cover a frame.
pub(super) const PAPER: [u8; 2] = [224, 250];
/// A panel has at least so many pixels a side.
const LEAST_SIDE: usize = 24;
/// The share of a frame's line that must be there; the rest of the bounds may stick out.
const WHOLE: f64 = 0.95;

/// A square within a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Square {
    pub x: usize,
    pub y: usize,
    pub side: usize,
}

impl Square {
    fn holds(&self, other: &Self) -> bool {
        let within =
            |a: usize, side: usize, b: usize, other: usize| a <= b && b + other <= a + side;
        within(self.x, self.side, other.x, other.side)
            && within(self.y, self.side, other.y, other.side)
    }
}

/// What stands in frames, in reading order; `paper` is the darkest grey that is none. Squares
/// within others are objects of panels.
pub(super) fn find(sheet: &PngImage, paper: u8) -> Vec<Square> {
    let is_ink: Vec<bool> = sheet.pixels().iter().map(|&grey| grey < paper).collect();
    let width = sheet.width();
    let found = components(is_ink.clone(), width).into_iter();
    let framed: Vec<Square> =
        found.filter_map(|own| inside(|x, y| is_ink[y * width + x], own)).collect();
    let is_outer = |one: &&Square| !framed.iter().any(|other| other != *one && other.holds(one));
    let outer: Vec<Square> = framed.iter().filter(is_outer).copied().collect();
    in_reading_order(outer)
}

/// The squares of the question and of the choices: so many of each. The place of the missing
/// panel may have a frame, too, and is left out. Where the two differ in size they may stand
/// beside each other.
pub(super) fn question_and_choices(
    squares: &[Square],
    context: usize,
    choices: usize,
) -> Option<Vec<Square>> {
    let first = squares.first()?;
    let is_like_first = |square: &&Square| square.side.abs_diff(first.side) * 20 <= first.side;
    let (like, other): (Vec<&Square>, Vec<&Square>) = squares.iter().partition(is_like_first);
    let question = if other.len() == choices { like } else { squares.iter().collect() };
    let is_whole = [context, context + 1].contains(&question.len()) && other.len() == choices;
    if is_whole {
        return Some(question.into_iter().take(context).chain(other).copied().collect());
    }
    let all = squares.len();
    let skip = all.checked_sub(context + choices).filter(|skip| *skip <= 1)?;
    Some(squares[..context].iter().chain(&squares[context + skip..]).copied().collect())
}

fn in_reading_order(mut squares: Vec<Square>) -> Vec<Square> {
    squares.sort_by_key(|square| square.y);
    let mut rows: Vec<Vec<Square>> = Vec::new();
    for square in squares {
        match rows.last_mut() {
            Some(row) if square.y < row[0].y + row[0].side / 2 => row.push(square),
            _ => rows.push(vec![square]),
        }
    }
    rows.iter_mut().for_each(|row| row.sort_by_key(|square| square.x));
    rows.concat()
}

/// Left, top, right and bottom of what is connected by ink, each bound included.
type Bounds = (usize, usize, usize, usize);

fn components(mut is_open: Vec<bool>, width: usize) -> Vec<Bounds> {
    let height = is_open.len() / width.max(1);
    let (mut found, mut stack) = (Vec::new(), Vec::new());
    for start in 0..is_open.len() {
        if !std::mem::take(&mut is_open[start]) {
            continue;
        }
        let (x, y) = (start % width, start / width);
        let mut bounds = (x, y, x, y);
        stack.push(start);
        while let Some(at) = stack.pop() {
            let (x, y) = (at % width, at / width);
            bounds = (bounds.0.min(x), bounds.1.min(y), bounds.2.max(x), bounds.3.max(y));
            for y in y.saturating_sub(1)..(y + 2).min(height) {
                for x in x.saturating_sub(1)..(x + 2).min(width) {
                    if std::mem::take(&mut is_open[y * width + x]) {
                        stack.push(y * width + x);
                    }
                }
            }
        }
        found.push(bounds);
    }
    found
}

/// The square within a frame, if these are the bounds of one. What is drawn over a frame may
/// reach a little beyond it.
fn inside(
    ink: impl Fn(usize, usize) -> bool,
    (left, top, right, bottom): Bounds,
) -> Option<Square> {
    let (width, height) = (right - left + 1, bottom - top + 1);
    let side = width.min(height);
    if side < LEAST_SIDE || width.abs_diff(height) > (side / 33).max(2) {
        return None;
    }
    let share = |is_ink: &dyn Fn(usize) -> bool| {
        (0..side).filter(|&i| is_ink(i)).count() as f64 / side as f64
    };
    // Where paper begins behind the line along an edge. What is dark all through is an object.
    let depth = side / 16;
    let behind = |line: &dyn Fn(usize, usize) -> bool| {
        let share = |at: usize| share(&|i| line(at, i));
        let begin = (0..depth).find(|&at| share(at) >= WHOLE)?;
        (begin..=depth).find(|&at| share(at) < 0.9).map(|end| end + 1)
    };
    let (x, y) = (
        left + behind(&|at, i| ink(left + at, top + i))?,
        top + behind(&|at, i| ink(left + i, top + at))?,
    );
    let to_right = right - behind(&|at, i| ink(right - at, top + i))?;
    let to_bottom = bottom - behind(&|at, i| ink(left + i, bottom - at))?;
    let side = (to_right.checked_sub(x)? + 1).min(to_bottom.checked_sub(y)? + 1);
    Some(Square { x, y, side })
}
