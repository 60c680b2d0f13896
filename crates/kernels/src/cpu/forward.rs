//! Convolution and transposed convolution, and what follows them in the same pass.

use super::channels::{Affine, pass_tasks};
use super::coarse::CoarseChunk;
use super::fine::FineChunk;
use super::gather::Gather;
use super::geometry::Geometry;
use super::parallel::{Shared, for_each_with, written};
use super::row_source::RowSource;
use super::spread::{Spread, SpreadScratch};
use super::stats::{Parts, Stats};
use super::vector::Isa;

/// Which way a convolution goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Way {
    /// From fine to coarse: a convolution.
    Down,
    /// From coarse to fine: a transposed convolution.
    Up,
}

/// The convolution, then the affine map and activation.
pub(crate) fn convolve(
    way: Way,
    geo: &Geometry,
    x: RowSource,
    w: &[f32],
    then: &Affine,
) -> Vec<f32> {
    run(way, geo, x, w, |_, rows| then.apply(rows))
}

/// The convolution alone.
pub(crate) fn convolve_only(way: Way, geo: &Geometry, x: RowSource, w: &[f32]) -> Vec<f32> {
    run(way, geo, x, w, |_, _| ())
}

/// The convolution and the statistics of its channels.
pub(crate) fn convolve_and_measure(
    way: Way,
    geo: &Geometry,
    x: RowSource,
    w: &[f32],
) -> (Vec<f32>, Stats) {
    let channels = match way {
        Way::Down => geo.co,
        Way::Up => geo.ci,
    };
    let parts = Parts::default();
    let measure = |part, rows: &mut [f32]| parts.note(part, Stats::of(rows, channels));
    let values = run(way, geo, x, w, measure);
    (values, parts.join(channels))
}

/// The convolution; `after(part, rows)` is called for every finished part of
/// the result while it is in the cache.
fn run(
    way: Way,
    geo: &Geometry,
    x: RowSource,
    w: &[f32],
    after: impl Fn(usize, &mut [f32]) + Sync + Send,
) -> Vec<f32> {
    match way {
        Way::Down => gather(geo, x, w, after),
        Way::Up => spread(geo, x, w, after),
    }
}

/// Columns handled by a task where rows are few.
const STRIP: usize = 64;

fn gather(
    geo: &Geometry,
    fine: RowSource,
    weights: &[f32],
    after: impl Fn(usize, &mut [f32]) + Sync + Send,
) -> Vec<f32> {
    let isa = Isa::best();
    let product = Gather::new(isa, geo, weights);
    let len = geo.n * geo.coarse_len();
    if geo.is_wide() {
        let strips = geo.co.div_ceil(STRIP);
        let fill = |to: Shared| {
            let state = || {
                let mut chunk = FineChunk::new(geo, &fine, geo.n);
                chunk.load(geo, &fine, 0, geo.n);
                (chunk, Vec::new())
            };
            for_each_with(strips, true, state, |(chunk, table), strip| {
                let channels = strip * STRIP..geo.co.min((strip + 1) * STRIP);
                // SAFETY: strips are disjoint parts of all images.
                unsafe { product.run(chunk, to.at(0), channels, table) };
            });
        };
        // SAFETY: the strips cover all channels of all images.
        return finish(unsafe { written(len, fill) }, geo.co, after);
    }
    let images = geo.chunk();
    let fill = |to: Shared| {
        let state = || (FineChunk::new(geo, &fine, images), Vec::new());
        let tasks = geo.n.div_ceil(images);
        for_each_with(tasks, geo.is_large(), state, |(chunk, table), task| {
            let first = task * images;
            let count = images.min(geo.n - first);
            chunk.load(geo, &fine, first, count);
            let at = first * geo.coarse_len();
            // SAFETY: chunks are disjoint images, written before they are a slice.
            let done = unsafe {
                product.run(chunk, to.at(at), 0..geo.co, table);
                to.slice(at, count * geo.coarse_len())
            };
            after(task, done);
        });
    };
    // SAFETY: the chunks cover all images.
    unsafe { written(len, fill) }
}

fn spread(
    geo: &Geometry,
    coarse: RowSource,
    weights: &[f32],
    after: impl Fn(usize, &mut [f32]) + Sync + Send,
) -> Vec<f32> {
    let isa = Isa::best();
    let product = Spread::new(isa, geo, weights);
    let len = geo.n * geo.fine_len();
    let margin = product.margin();
    if geo.is_wide() && Spread::is_exact(geo) {
        let strips = geo.taps().div_ceil(STRIP);
        let fill = |to: Shared| {
            let state = || {
                let mut chunk = CoarseChunk::new(geo, &coarse, margin, geo.n);
                chunk.load(geo, &coarse, 0, geo.n);
                (chunk, SpreadScratch::default())
            };
            for_each_with(strips, true, state, |(chunk, scratch), strip| {
                let columns = strip * STRIP..geo.taps().min((strip + 1) * STRIP);
                // SAFETY: strips are disjoint parts of all images.
                unsafe { product.exact(chunk, to.at(0), columns, scratch) };
            });
        };
        // SAFETY: the strips cover all of all images.
        return finish(unsafe { written(len, fill) }, geo.ci, after);
    }
    let images = geo.chunk();
    let fill = |to: Shared| {
        let state = || (CoarseChunk::new(geo, &coarse, margin, images), SpreadScratch::default());
        let tasks = geo.n.div_ceil(images);
        for_each_with(tasks, geo.is_large(), state, |(chunk, scratch), task| {
            let first = task * images;
            let count = images.min(geo.n - first);
            chunk.load(geo, &coarse, first, count);
            let at = first * geo.fine_len();
            // SAFETY: chunks are disjoint images, written before they are a slice.
            let done = unsafe {
                product.run(chunk, count, to.at(at), scratch);
                to.slice(at, count * geo.fine_len())
            };
            after(task, done);
        });
    };
    // SAFETY: the chunks cover all images.
    unsafe { written(len, fill) }
}

/// Does what follows as a pass of its own.
fn finish(
    mut values: Vec<f32>,
    c: usize,
    after: impl Fn(usize, &mut [f32]) + Sync + Send,
) -> Vec<f32> {
    let (rows, tasks) = pass_tasks(values.len(), c);
    let len = values.len();
    let all = Shared::new(values.as_mut_ptr());
    for_each_with(
        tasks,
        tasks > 1,
        || (),
        |(), task| {
            let at = task * rows * c;
            // SAFETY: tasks have disjoint parts of initialised values.
            after(task, unsafe { all.slice(at, (rows * c).min(len - at)) });
        },
    );
    values
}
