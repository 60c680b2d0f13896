//! Gradients of convolution and transposed convolution.

use super::channels::pass_tasks;
use super::coarse::{CoarseChunk, Margin};
use super::fine::FineChunk;
use super::forward::{Way, convolve_only};
use super::gather::Gather;
use super::geometry::Geometry;
use super::parallel::{self, Shared, written};
use super::row_source::RowSource;
use super::spread::{Spread, SpreadScratch};
use super::stats::add_rows;
use super::vector::Isa;
use super::weight_grad;

/// Which gradients are asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) input: bool,
    pub(crate) weight: bool,
}

/// The gradients asked for.
#[derive(Debug)]
pub(crate) struct Gradients {
    pub(crate) input: Option<Vec<f32>>,
    pub(crate) weight: Option<Vec<f32>>,
}

/// From this many weights on, tasks share one gradient of the weights, each
/// working on its own part, instead of adding up one per task.
const MANY_WEIGHTS: usize = 150_000;

/// Coarse pixels that are worth a gradient of the weights of their own.
const GROUP_ROWS: usize = 1024;

/// Tasks that keep a gradient of the weights of their own, at most.
const MOST_GROUPS: usize = 16;

/// Tasks, for so many rows of a result in so many chunks, that keep a gradient of their own.
pub(super) fn groups(rows: usize, chunks: usize) -> usize {
    (rows / GROUP_ROWS).clamp(1, MOST_GROUPS).min(chunks.max(1))
}

/// Gradients of a convolution the given way, from the gradient `dy` of its result.
pub(crate) fn backward(
    way: Way,
    geo: &Geometry,
    x: &[f32],
    w: &[f32],
    dy: RowSource,
    wanted: Wanted,
) -> Gradients {
    if !wanted.weight {
        let input = wanted.input.then(|| convolve_only(way.back(), geo, dy, w));
        return Gradients { input, weight: None };
    }
    if geo.weights() >= MANY_WEIGHTS {
        in_turn(way, geo, x, w, dy, wanted)
    } else {
        at_once(way, geo, x, w, dy, wanted)
    }
}

/// One gradient after the other, each on all threads.
fn in_turn(
    way: Way,
    geo: &Geometry,
    x: &[f32],
    w: &[f32],
    dy: RowSource,
    wanted: Wanted,
) -> Gradients {
    let isa = Isa::best();
    let computed;
    let dy = match dy.plain() {
        Some(_) => dy,
        None => {
            computed = compute(dy, if way == Way::Down { geo.co } else { geo.ci });
            RowSource::Plain(&computed)
        }
    };
    let (fine_source, coarse_source) = way.sources(x, dy);
    let mut fine = FineChunk::new(geo, &fine_source, geo.n);
    fine.load_parallel(geo, &fine_source);
    let mut coarse = CoarseChunk::new(geo, &coarse_source, Margin::default(), geo.n);
    coarse.load(geo, &coarse_source, 0, geo.n);
    let weight = weight_grad::whole(isa, geo, &fine, &coarse);
    drop((fine, coarse));
    let input = wanted.input.then(|| convolve_only(way.back(), geo, dy, w));
    Gradients { input, weight: Some(weight) }
}

/// All gradients of a chunk of images while it is in the cache; groups of
/// chunks run in parallel, each with a gradient of the weights of its own.
fn at_once(
    way: Way,
    geo: &Geometry,
    x: &[f32],
    w: &[f32],
    dy: RowSource,
    wanted: Wanted,
) -> Gradients {
    let isa = Isa::best();
    let images = geo.chunk();
    let chunks = geo.n.div_ceil(images);
    let groups = groups(geo.n * geo.oh * geo.ow, chunks);
    let (fine_source, coarse_source) = way.sources(x, dy);
    let back = wanted.input.then(|| way.leading_back(isa, geo, w));
    let margin = match &back {
        Some(Back::Spread(spread)) => spread.margin(),
        _ => Margin::default(),
    };
    let mut parts = Vec::new();
    let mut work = |to: Option<Shared>| {
        parts = parallel::map(groups, groups > 1, |group| {
            let mut dw = vec![0.0; geo.weights()];
            let mut fine = FineChunk::new(geo, &fine_source, images);
            let mut coarse = CoarseChunk::new(geo, &coarse_source, margin, images);
            let (mut scratch, mut table) = (SpreadScratch::default(), Vec::new());
            for chunk in group * chunks / groups..(group + 1) * chunks / groups {
                let first = chunk * images;
                let count = images.min(geo.n - first);
                fine.load(geo, &fine_source, first, count);
                coarse.load(geo, &coarse_source, first, count);
                weight_grad::add_chunk(isa, geo, &fine, &coarse, &mut dw);
                // SAFETY: chunks are disjoint images.
                unsafe {
                    match (&back, to) {
                        (Some(Back::Spread(spread)), Some(to)) => {
                            spread.run(&coarse, count, to.at(first * geo.fine_len()), &mut scratch);
                        }
                        (Some(Back::Gather(gather)), Some(to)) => {
                            let to = to.at(first * geo.coarse_len());
                            gather.run(&fine, to, 0..geo.co, &mut table);
                        }
                        _ => {}
                    }
                }
            }
            dw
        });
    };
    let input = if wanted.input {
        // SAFETY: the groups cover all images.
        Some(unsafe { written(x.len(), |to| work(Some(to))) })
    } else {
        work(None);
        None
    };
    Gradients { input, weight: sum(parts) }
}

/// The product that leads back to the input.
enum Back<'a> {
    Spread(Spread),
    Gather(Gather<'a>),
}

impl Way {
    /// The other way.
    fn back(self) -> Self {
        match self {
            Self::Down => Self::Up,
            Self::Up => Self::Down,
        }
    }

    /// The fine and the coarse images of a convolution of `x` whose results have the gradient `dy`.
    fn sources<'a>(self, x: &'a [f32], dy: RowSource<'a>) -> (RowSource<'a>, RowSource<'a>) {
        match self {
            Self::Down => (RowSource::Plain(x), dy),
            Self::Up => (dy, RowSource::Plain(x)),
        }
    }

    /// The product that leads back to the input.
    fn leading_back<'a>(self, isa: Isa, geo: &'a Geometry, w: &'a [f32]) -> Back<'a> {
        match self {
            Self::Down => Back::Spread(Spread::new(isa, geo, w)),
            Self::Up => Back::Gather(Gather::new(isa, geo, w)),
        }
    }
}

/// Adds up vectors, in order.
fn sum(parts: Vec<Vec<f32>>) -> Option<Vec<f32>> {
    parts.into_iter().reduce(|mut sum, part| {
        add_rows(&part, &mut sum);
        sum
    })
}

/// Writes out a computed source of `c` channels.
pub(crate) fn compute(source: RowSource, c: usize) -> Vec<f32> {
    let len = source.len();
    let (rows, tasks) = pass_tasks(len, c);
    let fill = |to: Shared| {
        parallel::for_each_with(
            tasks,
            tasks > 1,
            || (),
            |(), task| {
                let at = task * rows * c;
                // SAFETY: tasks have disjoint parts, and only write to them.
                source.read(at, unsafe { to.slice(at, (rows * c).min(len - at)) });
            },
        );
    };
    // SAFETY: the tasks cover all of it.
    unsafe { written(len, fill) }
}

/// Sum over rows of `c` channels: the gradient of a bias.
pub(crate) fn sum_rows(source: RowSource, c: usize) -> Vec<f32> {
    let len = source.len();
    let (rows, tasks) = pass_tasks(len, c);
    let parts = parallel::map(tasks, tasks > 1, |task| {
        let part = task * rows * c..len.min((task + 1) * rows * c);
        let mut sums = vec![0.0; c];
        match source.plain() {
            Some(x) => add_rows(&x[part], &mut sums),
            None => {
                let mut values = vec![0.0; part.len()];
                source.read(part.start, &mut values);
                add_rows(&values, &mut sums);
            }
        }
        sums
    });
    let mut sums = vec![0f64; c];
    for part in parts {
        sums.iter_mut().zip(part).for_each(|(sum, x)| *sum += f64::from(x));
    }
    sums.into_iter().map(|sum| sum as f32).collect()
}
