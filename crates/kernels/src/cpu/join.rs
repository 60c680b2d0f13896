//! Sums of products that many outputs share.
//!
//! An item is `[rows, i]`. Every row that somebody wants is multiplied by the matrix of its
//! place, and every output of the item is the sum of some of the products and an offset:
//! `u[output] = offset[output] + sum_{row in picks[output]} x[row] W[place(row)]`.
//! The products of a few items are made, added and forgotten while they are in the cache.

use super::backward::groups;
use super::channels::{Affine, for_best_isa};
use super::parallel::{self, Shared, written};
use super::product::{Runs, multiply, multiply_transposed};
use super::source::Source;
use super::stats::{Parts, Stats, add_rows};
use super::vector::Isa;
use super::weights::Matrix;

/// Which rows of an item its outputs add up, and through which matrix each row goes.
#[derive(Clone, Debug)]
pub struct GatherPlan {
    rows: usize,
    /// For each place the rows that go through its matrix.
    of_place: Vec<Vec<usize>>,
    /// For each output its rows.
    of_output: Vec<Vec<usize>>,
}

impl GatherPlan {
    /// Rows that no output wants are not looked at.
    ///
    /// # Panics
    /// When a row has a place that is not there.
    pub fn new(
        rows: usize,
        places: usize,
        outputs: usize,
        place: impl Fn(usize) -> usize,
        wants: impl Fn(usize, usize) -> bool,
    ) -> Self {
        let of_output: Vec<Vec<usize>> = (0..outputs)
            .map(|output| (0..rows).filter(|&row| wants(output, row)).collect())
            .collect();
        let mut of_place = vec![Vec::new(); places];
        for row in (0..rows).filter(|row| of_output.iter().any(|own| own.contains(row))) {
            of_place[place(row)].push(row);
        }
        Self { rows, of_place, of_output }
    }

    /// Rows of an item.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Matrices.
    pub fn places(&self) -> usize {
        self.of_place.len()
    }

    /// Outputs of an item.
    pub fn outputs(&self) -> usize {
        self.of_output.len()
    }

    /// The rows that go through the matrix of a place.
    pub(crate) fn of_place(&self, place: usize) -> &[usize] {
        &self.of_place[place]
    }

    /// The rows that an output adds up.
    pub(crate) fn of_output(&self, output: usize) -> &[usize] {
        &self.of_output[output]
    }
}

/// The sizes of a join.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JoinShape {
    /// Items; item number `n` has the offset number `n % offsets`.
    pub(crate) items: usize,
    pub(crate) offsets: usize,
    /// Whether every output has an offset of its own, or all of an item share one.
    pub(crate) own_offsets: bool,
    /// Numbers in a row of the input, and in an output.
    pub(crate) i: usize,
    pub(crate) o: usize,
}

impl JoinShape {
    /// The offset of an output: its place in floats.
    fn offset(&self, item: usize, output: usize, outputs: usize) -> usize {
        let item = item % self.offsets;
        self.o * if self.own_offsets { item * outputs + output } else { item }
    }

    /// Items handled at once.
    fn chunk(&self, picks: &GatherPlan) -> usize {
        (CHUNK_ROWS / picks.rows.max(1)).clamp(1, self.items.div_ceil(8).max(1))
    }
}

/// Rows of the input handled at once.
const CHUNK_ROWS: usize = 192;

/// The outputs of all items, then the affine map and activation.
pub(crate) fn join(
    shape: &JoinShape,
    picks: &GatherPlan,
    x: &[f32],
    w: &[f32],
    offset: &[f32],
    then: &Affine,
) -> Vec<f32> {
    run(shape, picks, x, w, offset, |_, rows| then.apply(rows))
}

/// The outputs of all items and the statistics of their channels.
pub(crate) fn join_and_measure(
    shape: &JoinShape,
    picks: &GatherPlan,
    x: &[f32],
    w: &[f32],
    offset: &[f32],
) -> (Vec<f32>, Stats) {
    let parts = Parts::default();
    let measure = |at, rows: &mut [f32]| parts.note(at, Stats::of(rows, shape.o));
    let values = run(shape, picks, x, w, offset, measure);
    (values, parts.join(shape.o))
}

fn run(
    shape: &JoinShape,
    picks: &GatherPlan,
    x: &[f32],
    w: &[f32],
    offset: &[f32],
    after: impl Fn(usize, &mut [f32]) + Sync + Send,
) -> Vec<f32> {
    let JoinShape { items, i, o, .. } = *shape;
    let isa = Isa::best();
    let matrices: Vec<Matrix<'_>> = if w.is_empty() {
        Vec::new()
    } else {
        w.chunks_exact(i * o).map(|w| Matrix::new(isa, w, o, true)).collect()
    };
    let outputs = picks.outputs();
    let chunk = shape.chunk(picks);
    let fill = |to: Shared| {
        let state = || (vec![0.0; chunk * picks.rows * o], Vec::new(), Vec::new());
        let tasks = items.div_ceil(chunk);
        parallel::for_each_with(tasks, tasks > 1, state, |(products, from, into), task| {
            let own = task * chunk..items.min((task + 1) * chunk);
            for (place, matrix) in matrices.iter().enumerate() {
                let rows =
                    || own.clone().flat_map(|n| picks.of_place[place].iter().map(move |r| (n, r)));
                from.clear();
                from.extend(rows().map(|(n, r)| x[(n * picks.rows + r) * i..][..i].as_ptr()));
                let all = Shared::new(products.as_mut_ptr());
                into.clear();
                into.extend(rows().map(|(n, r)| all.at(((n - own.start) * picks.rows + r) * o)));
                let runs = Runs::new(1, i, 0);
                // SAFETY: rows of `x` have `i` floats, those of the scratch `o`, each of its own.
                unsafe { multiply(isa, from, runs, matrix.view(), into, 0..o, false) };
            }
            let at = own.start * outputs * o;
            // SAFETY: tasks have items of their own; floats need no initial value to be overwritten.
            let done = unsafe { to.slice(at, own.len() * outputs * o) };
            for (n, done) in own.clone().zip(done.chunks_exact_mut((outputs * o).max(1))) {
                let products = &products[(n - own.start) * picks.rows * o..][..picks.rows * o];
                for (output, to) in done.chunks_exact_mut(o).enumerate() {
                    let offset = &offset[shape.offset(n, output, outputs)..][..o];
                    add_picked(to, offset, products, picks.of_output(output));
                }
            }
            after(at, done);
        });
    };
    // SAFETY: the tasks cover all items.
    unsafe { written(items * outputs * o, fill) }
}

for_best_isa! {
    /// `to = offset + sum of the picked products`
    fn add_picked(to: &mut [f32], offset: &[f32], products: &[f32], picked: &[usize]) {
        let o = to.len();
        let offset = &offset[..o];
        match picked {
            [a, b, c] => {
                let (a, b, c) = (&products[a * o..][..o], &products[b * o..][..o], &products[c * o..][..o]);
                for j in 0..o {
                    to[j] = offset[j] + a[j] + b[j] + c[j];
                }
            }
            [a, b] => {
                let (a, b) = (&products[a * o..][..o], &products[b * o..][..o]);
                for j in 0..o {
                    to[j] = offset[j] + a[j] + b[j];
                }
            }
            _ => {
                to.copy_from_slice(offset);
                for row in picked {
                    for (to, from) in to.iter_mut().zip(&products[row * o..][..o]) {
                        *to += from;
                    }
                }
            }
        }
    }
}

for_best_isa! {
    /// Adds an output's gradient to that of each product it picked.
    fn add_to_picked(products: &mut [f32], gradient: &[f32], picked: &[usize]) {
        let o = gradient.len();
        for row in picked {
            for (to, from) in products[row * o..][..o].iter_mut().zip(gradient) {
                *to += from;
            }
        }
    }
}

/// The gradients of a join.
#[derive(Debug)]
pub(crate) struct JoinGradients {
    pub(crate) x: Vec<f32>,
    pub(crate) w: Vec<f32>,
    pub(crate) offset: Vec<f32>,
}

/// All gradients, from that of the outputs.
pub(crate) fn join_backward(
    shape: &JoinShape,
    picks: &GatherPlan,
    x: &[f32],
    w: &[f32],
    offsets: usize,
    du: Source,
) -> JoinGradients {
    let JoinShape { items, i, o, .. } = *shape;
    let isa = Isa::best();
    let back: Vec<Matrix<'_>> =
        w.chunks_exact((i * o).max(1)).map(|w| Matrix::transposed(isa, w, i, o)).collect();
    let outputs = picks.outputs();
    let chunk = shape.chunk(picks);
    let chunks = items.div_ceil(chunk);
    let groups = groups(items * outputs, chunks);
    let mut parts = Vec::new();
    // Rows that nobody picked have no gradient.
    let mut dx = vec![0.0; x.len()];
    let to = Shared::new(dx.as_mut_ptr());
    let work = |group: usize| {
        let (mut dw, mut doffset) = (vec![0.0; w.len()], vec![0.0; offsets]);
        let mut gradient = vec![0.0; chunk * outputs * o];
        let mut products = vec![0.0; chunk * picks.rows * o];
        let (mut from, mut with, mut into) = (Vec::new(), Vec::new(), Vec::new());
        for number in group * chunks / groups..(group + 1) * chunks / groups {
            let own = number * chunk..items.min((number + 1) * chunk);
            let gradient = &mut gradient[..own.len() * outputs * o];
            du.read(own.start * outputs * o, gradient);
            products.fill(0.0);
            for (n, gradient) in own.clone().zip(gradient.chunks_exact((outputs * o).max(1))) {
                let products = &mut products[(n - own.start) * picks.rows * o..][..picks.rows * o];
                for (output, gradient) in gradient.chunks_exact(o).enumerate() {
                    let at = shape.offset(n, output, outputs);
                    add_rows(gradient, &mut doffset[at..at + o]);
                    add_to_picked(products, gradient, picks.of_output(output));
                }
            }
            for (place, matrix) in back.iter().enumerate() {
                let rows =
                    || own.clone().flat_map(|n| picks.of_place[place].iter().map(move |r| (n, r)));
                from.clear();
                from.extend(rows().map(|(n, r)| x[(n * picks.rows + r) * i..][..i].as_ptr()));
                with.clear();
                with.extend(rows().map(|(n, r)| {
                    products[((n - own.start) * picks.rows + r) * o..][..o].as_ptr()
                }));
                into.clear();
                into.extend(rows().map(|(n, r)| to.at((n * picks.rows + r) * i)));
                let runs = |len| Runs::new(1, len, 0);
                let dw = dw[place * i * o..][..i * o].as_mut_ptr();
                // SAFETY: rows are as long as said, `dw` is `[i, o]`, and every row of `x` has
                // a gradient of its own.
                unsafe {
                    multiply_transposed(isa, &from, runs(i), &with, dw, o, 0..o, true);
                    multiply(isa, &with, runs(o), matrix.view(), &into, 0..i, false);
                }
            }
        }
        (dw, doffset)
    };
    if items > 0 {
        parts = parallel::map(groups, groups > 1, work);
    }
    let (mut dw, mut doffset) = (vec![0.0; w.len()], vec![0.0; offsets]);
    for (part, own) in &parts {
        for (sum, part) in [(&mut dw, part), (&mut doffset, own)] {
            sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
    }
    JoinGradients { x: dx, w: dw, offset: doffset }
}
