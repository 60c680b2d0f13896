//! Sums of products that many outputs share.
//!
//! An item is `[rows, i]`. Every row that somebody wants is multiplied by the matrix of its
//! position, and every output of the item is the sum of some of the products and an offset:
//! `u[output] = offset[output] + sum_{row in plan[output]} x[row] W[position(row)]`.
//! The products of a few items are made, added and forgotten while they are in the cache.

use super::backward::groups;
use super::channels::{Affine, for_best_isa};
use super::parallel::{self, Shared, written};
use super::product::{Runs, multiply, multiply_transposed};
use super::row_source::RowSource;
use super::stats::{Parts, Stats, add_rows};
use super::vector::Isa;
use super::weights::Matrix;

/// Which rows of an item its outputs add up, and through which matrix each row goes.
#[derive(Clone, Debug)]
pub struct GatherPlan {
    rows: usize,
    /// For each position the rows that go through its matrix.
    of_position: Vec<Vec<usize>>,
    /// For each output its rows.
    of_output: Vec<Vec<usize>>,
}

impl GatherPlan {
    /// Rows that no output wants are not looked at.
    ///
    /// # Panics
    /// When a row has a position that is not there.
    pub fn new(
        rows: usize,
        positions: usize,
        outputs: usize,
        position: impl Fn(usize) -> usize,
        wants: impl Fn(usize, usize) -> bool,
    ) -> Self {
        let of_output: Vec<Vec<usize>> = (0..outputs)
            .map(|output| (0..rows).filter(|&row| wants(output, row)).collect())
            .collect();
        let mut of_position = vec![Vec::new(); positions];
        for row in (0..rows).filter(|row| of_output.iter().any(|own| own.contains(row))) {
            of_position[position(row)].push(row);
        }
        Self { rows, of_position, of_output }
    }

    /// Rows of an item.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Matrices.
    pub fn positions(&self) -> usize {
        self.of_position.len()
    }

    /// Outputs of an item.
    pub fn outputs(&self) -> usize {
        self.of_output.len()
    }

    /// The rows that go through the matrix of a position.
    pub(crate) fn of_position(&self, position: usize) -> &[usize] {
        &self.of_position[position]
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
    /// The offset of an output: where it begins, in floats.
    fn offset(&self, item: usize, output: usize, outputs: usize) -> usize {
        let item = item % self.offsets;
        self.o * if self.own_offsets { item * outputs + output } else { item }
    }

    /// Items handled at once.
    fn chunk(&self, plan: &GatherPlan) -> usize {
        (CHUNK_ROWS / plan.rows.max(1)).clamp(1, self.items.div_ceil(8).max(1))
    }
}

/// Rows of the input handled at once.
const CHUNK_ROWS: usize = 192;

/// The outputs of all items, then the affine map and activation.
pub(crate) fn join(
    shape: &JoinShape,
    plan: &GatherPlan,
    x: &[f32],
    w: &[f32],
    offset: &[f32],
    then: &Affine,
) -> Vec<f32> {
    run(shape, plan, x, w, offset, |_, rows| then.apply(rows))
}

/// The outputs of all items and the statistics of their channels.
pub(crate) fn join_and_measure(
    shape: &JoinShape,
    plan: &GatherPlan,
    x: &[f32],
    w: &[f32],
    offset: &[f32],
) -> (Vec<f32>, Stats) {
    let parts = Parts::default();
    let measure = |at, rows: &mut [f32]| parts.note(at, Stats::of(rows, shape.o));
    let values = run(shape, plan, x, w, offset, measure);
    (values, parts.join(shape.o))
}

fn run(
    shape: &JoinShape,
    plan: &GatherPlan,
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
    let outputs = plan.outputs();
    let chunk = shape.chunk(plan);
    let fill = |to: Shared| {
        let state = || (vec![0.0; chunk * plan.rows * o], Vec::new(), Vec::new());
        let tasks = items.div_ceil(chunk);
        parallel::for_each_with(tasks, tasks > 1, state, |(products, from, into), task| {
            let own = task * chunk..items.min((task + 1) * chunk);
            for (position, matrix) in matrices.iter().enumerate() {
                let rows = || {
                    own.clone().flat_map(|n| plan.of_position[position].iter().map(move |r| (n, r)))
                };
                from.clear();
                from.extend(rows().map(|(n, r)| x[(n * plan.rows + r) * i..][..i].as_ptr()));
                let all = Shared::new(products.as_mut_ptr());
                into.clear();
                into.extend(rows().map(|(n, r)| all.at(((n - own.start) * plan.rows + r) * o)));
                let runs = Runs::new(1, i, 0);
                // SAFETY: rows of `x` have `i` floats, those of the scratch `o`, each of its own.
                unsafe { multiply(isa, from, runs, matrix.view(), into, 0..o, false) };
            }
            let at = own.start * outputs * o;
            // SAFETY: tasks have items of their own; floats need no initial value to be overwritten.
            let done = unsafe { to.slice(at, own.len() * outputs * o) };
            for (n, done) in own.clone().zip(done.chunks_exact_mut((outputs * o).max(1))) {
                let products = &products[(n - own.start) * plan.rows * o..][..plan.rows * o];
                for (output, to) in done.chunks_exact_mut(o).enumerate() {
                    let offset = &offset[shape.offset(n, output, outputs)..][..o];
                    add_picked(to, offset, products, plan.of_output(output));
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
    plan: &GatherPlan,
    x: &[f32],
    w: &[f32],
    offsets: usize,
    du: RowSource,
) -> JoinGradients {
    let JoinShape { items, i, o, .. } = *shape;
    let isa = Isa::best();
    let back: Vec<Matrix<'_>> =
        w.chunks_exact((i * o).max(1)).map(|w| Matrix::transposed(isa, w, i, o)).collect();
    let outputs = plan.outputs();
    let chunk = shape.chunk(plan);
    let chunks = items.div_ceil(chunk);
    let groups = groups(items * outputs, chunks);
    // Rows that nobody picked have no gradient.
    let mut dx = vec![0.0; x.len()];
    let to = Shared::new(dx.as_mut_ptr());
    let work = |group: usize| {
        let (mut dw, mut doffset) = (vec![0.0; w.len()], vec![0.0; offsets]);
        let mut gradient = vec![0.0; chunk * outputs * o];
        let mut products = vec![0.0; chunk * plan.rows * o];
        let (mut from, mut with, mut into) = (Vec::new(), Vec::new(), Vec::new());
        for number in group * chunks / groups..(group + 1) * chunks / groups {
            let own = number * chunk..items.min((number + 1) * chunk);
            let gradient = &mut gradient[..own.len() * outputs * o];
            du.read(own.start * outputs * o, gradient);
            add_gradients(shape, plan, own.clone(), gradient, &mut products, &mut doffset);
            for (position, matrix) in back.iter().enumerate() {
                let rows = || {
                    own.clone().flat_map(|n| plan.of_position[position].iter().map(move |r| (n, r)))
                };
                from.clear();
                from.extend(rows().map(|(n, r)| x[(n * plan.rows + r) * i..][..i].as_ptr()));
                with.clear();
                with.extend(
                    rows().map(|(n, r)| {
                        products[((n - own.start) * plan.rows + r) * o..][..o].as_ptr()
                    }),
                );
                into.clear();
                into.extend(rows().map(|(n, r)| to.at((n * plan.rows + r) * i)));
                let runs = |len| Runs::new(1, len, 0);
                let dw = dw[position * i * o..][..i * o].as_mut_ptr();
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
    let sums = if items > 0 { parallel::map(groups, groups > 1, work) } else { Vec::new() };
    let dw = summed(sums.iter().map(|(dw, _)| dw), w.len());
    let doffset = summed(sums.iter().map(|(_, doffset)| doffset), offsets);
    JoinGradients { x: dx, w: dw, offset: doffset }
}

/// The sum of some vectors of `len` numbers, in order.
fn summed<'a>(vectors: impl Iterator<Item = &'a Vec<f32>>, len: usize) -> Vec<f32> {
    let mut sum = vec![0.0; len];
    for vector in vectors {
        sum.iter_mut().zip(vector).for_each(|(sum, own)| *sum += own);
    }
    sum
}

/// The gradients of the products of the items `own`, from those of their outputs; adds to the
/// gradients of the offsets.
fn add_gradients(
    shape: &JoinShape,
    plan: &GatherPlan,
    own: std::ops::Range<usize>,
    gradient: &[f32],
    products: &mut [f32],
    doffset: &mut [f32],
) {
    let (o, outputs) = (shape.o, plan.outputs());
    products.fill(0.0);
    for (n, gradient) in own.clone().zip(gradient.chunks_exact((outputs * o).max(1))) {
        let products = &mut products[(n - own.start) * plan.rows * o..][..plan.rows * o];
        for (output, gradient) in gradient.chunks_exact(o).enumerate() {
            let at = shape.offset(n, output, outputs);
            add_rows(gradient, &mut doffset[at..at + o]);
            add_to_picked(products, gradient, plan.of_output(output));
        }
    }
}
