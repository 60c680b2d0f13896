//! Mean and variance per channel.

use std::sync::{Mutex, PoisonError};

use super::channels::{for_best_isa, pass_tasks};
use super::parallel;

/// Statistics of parts of a result, noted as the parts are finished.
#[derive(Default)]
pub(super) struct Parts(Mutex<Vec<(usize, Stats)>>);

impl Parts {
    /// Notes the part that begins at `at`.
    pub(super) fn note(&self, at: usize, stats: Stats) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((at, stats));
    }

    /// Those of all parts, of `c` channels each, whichever was finished first.
    pub(super) fn join(self, c: usize) -> Stats {
        let mut parts = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        parts.sort_by_key(|(at, _)| *at);
        Stats::join(parts.into_iter().map(|(_, stats)| stats), c)
    }
}

/// Count, mean and sum of squared differences from it, per channel.
#[derive(Clone, Debug)]
pub(crate) struct Stats {
    rows: f64,
    mean: Vec<f64>,
    squares: Vec<f64>,
}

impl Stats {
    /// Of rows of `c` channels.
    pub(super) fn of(rows: &[f32], c: usize) -> Self {
        let count = (rows.len() / c.max(1)) as f64;
        let mut mean = vec![0f32; c];
        add_rows(rows, &mut mean);
        mean.iter_mut().for_each(|sum| *sum /= count.max(1.0) as f32);
        let (mut rest, mut squares) = (vec![0f32; c], vec![0f32; c]);
        add_differences(rows, &mean, &mut rest, &mut squares);
        Self::about(count, &mean, &rest, &squares)
    }

    /// Of rows of `c` channels that count as often as is said.
    pub(super) fn of_counted(rows: &[f32], counts: &[f32], c: usize) -> Self {
        let count: f64 = counts.iter().map(|&count| f64::from(count)).sum();
        let mut mean = vec![0f32; c];
        add_counted(rows, counts, &mut mean);
        mean.iter_mut().for_each(|sum| *sum = (f64::from(*sum) / count.max(1.0)) as f32);
        let (mut rest, mut squares) = (vec![0f32; c], vec![0f32; c]);
        add_counted_differences(rows, counts, &mean, &mut rest, &mut squares);
        Self::about(count, &mean, &rest, &squares)
    }

    /// Statistics from a mean that is nearly right, `rest` the sum of differences from it
    /// (what rounding left) and `squares` that of their squares.
    fn about(count: f64, mean: &[f32], rest: &[f32], squares: &[f32]) -> Self {
        let exact = mean.iter().zip(rest).map(|(m, r)| f64::from(*m) + f64::from(*r) / count);
        let about = squares.iter().zip(rest).map(|(q, r)| {
            let (q, r) = (f64::from(*q), f64::from(*r));
            q - r * r / count
        });
        Self { rows: count, mean: exact.collect(), squares: about.collect() }
    }

    /// Joins the statistics of parts, in order (Chan's formula).
    pub(super) fn join(parts: impl IntoIterator<Item = Self>, c: usize) -> Self {
        let mut all = Self { rows: 0.0, mean: vec![0.0; c], squares: vec![0.0; c] };
        for part in parts {
            let rows = all.rows + part.rows;
            let theirs = part.rows / rows;
            let both = all.rows * theirs;
            for c in 0..all.mean.len() {
                let apart = part.mean[c] - all.mean[c];
                all.mean[c] += apart * theirs;
                all.squares[c] += part.squares[c] + apart * apart * both;
            }
            all.rows = rows;
        }
        all
    }

    /// The mean.
    pub(crate) fn mean(&self) -> Vec<f32> {
        self.mean.iter().map(|m| *m as f32).collect()
    }

    /// The biased variance.
    pub(crate) fn variance(&self) -> Vec<f32> {
        // `max` would turn a NaN into a 0.
        let variance = |q: &f64| {
            if *q < 0.0 { 0.0 } else { (q / self.rows) as f32 }
        };
        self.squares.iter().map(variance).collect()
    }
}

/// Statistics of rows of `c` channels, in parallel.
pub(crate) fn batch_stats(rows: &[f32], c: usize) -> Stats {
    let (step, tasks) = pass_tasks(rows.len(), c);
    let parts = parallel::map(tasks, tasks > 1, |task| {
        Stats::of(&rows[task * step * c..rows.len().min((task + 1) * step * c)], c)
    });
    Stats::join(parts, c)
}

for_best_isa! {
    /// `sums[c] += sum of rows[.][c]`
    pub(super) fn add_rows(rows: &[f32], sums: &mut [f32]) {
        for row in rows.chunks_exact(sums.len()) {
            for (sum, x) in sums.iter_mut().zip(row) {
                *sum += x;
            }
        }
    }
}

for_best_isa! {
    fn add_differences(rows: &[f32], mean: &[f32], rest: &mut [f32], squares: &mut [f32]) {
        for row in rows.chunks_exact(mean.len()) {
            for (((x, m), r), q) in row.iter().zip(mean).zip(&mut *rest).zip(&mut *squares) {
                let d = x - m;
                *r += d;
                *q += d * d;
            }
        }
    }
}

for_best_isa! {
    /// `sums[c] += sum of counts[.] * rows[.][c]`
    fn add_counted(rows: &[f32], counts: &[f32], sums: &mut [f32]) {
        for (row, &count) in rows.chunks_exact(sums.len()).zip(counts) {
            for (sum, x) in sums.iter_mut().zip(row) {
                *sum += count * x;
            }
        }
    }
}

for_best_isa! {
    fn add_counted_differences(rows: &[f32], counts: &[f32], mean: &[f32], rest: &mut [f32], squares: &mut [f32]) {
        for (row, &count) in rows.chunks_exact(mean.len()).zip(counts) {
            for (((x, m), r), q) in row.iter().zip(mean).zip(&mut *rest).zip(&mut *squares) {
                let d = x - m;
                *r += count * d;
                *q += count * (d * d);
            }
        }
    }
}
