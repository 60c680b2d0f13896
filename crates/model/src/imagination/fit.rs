//! Finding the values that an encoder's codes fall into.

use std::f32::consts::{FRAC_PI_4, TAU};
use std::ops::Range;

use super::codebook::{Entries, Values, multiplied, nearest};
use super::labels::{DIRECTIONS, Labels, Shape, misfit};
use super::order::by_progressions;
use crate::image::Readings;
use crate::noise::Noise;

/// Tries of k-means, of which the tightest is taken.
const TRIES: usize = 12;

/// Rounds of a try.
const ROUNDS: usize = 60;

/// Objects that are looked at for a group, at most.
const OBJECTS: usize = 8000;

/// Directions in which what means nothing hardly differs count as if it differed by this share of
/// the mean square.
const ROUNDNESS: f64 = 0.01;

/// Phases that are tried for "not turned".
const PHASES: usize = 72;

/// The columns of R.
const CONSTANT: usize = 1;
const PROGRESSION: usize = 2;
const DISTRIBUTE_THREE: usize = 4;

/// What an encoder saw in complete puzzles whose rules are known.
#[derive(Clone, Debug, Default)]
pub(crate) struct CodeSamples {
    /// The panels of all puzzles, one after the other, in parts; and the layout of each.
    pub seen: Vec<(Readings, Vec<usize>)>,
    /// For each puzzle, and each component, the rule of each group but the first.
    pub rules: Vec<Vec<Vec<usize>>>,
    /// Panels of a puzzle, and of a row.
    pub panels: [usize; 2],
}

/// How well rule labels agree with the values that were found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CodebookFit {
    /// For each group but the first percent of the rows with objects alike that fit their puzzle's
    /// rule: constants that stay, distribute-three with three values, progressions in equal steps.
    pub agree: Vec<f64>,
    /// Whether progressions put the values of each group in order.
    pub ordered: Vec<bool>,
    /// For each group the mean squared distance of a code from its value's.
    pub spread: Vec<f64>,
}

/// The values of some samples, and how well the rules agree.
pub(super) fn fit(
    shape: &Shape,
    samples: &CodeSamples,
    noise: &mut Noise,
) -> (Entries, CodebookFit) {
    let mut entries =
        Entries { turns: vec![[0.0; 2]; shape.kinds[1].count()], ..Entries::default() };
    let mut found = CodebookFit::default();
    let mut from = 0;
    for (group, (kind, width)) in shape.kinds[1..].iter().zip(&shape.widths[1..]).enumerate() {
        let own = from..from + width - 1;
        let metric = metric(&apart(shape, samples, group, &own), own.len());
        let codes = samples.codes(shape, &own);
        let points: Vec<Vec<Vec<f32>>> = codes
            .iter()
            .map(|codes| codes.iter().map(|code| multiplied(&metric, code)).collect())
            .collect();
        // Codes depend a little on the size of windows: what is found in the size that shows most
        // objects is where the search begins in the others.
        let most = (0..points.len()).max_by_key(|&size| points[size].len()).unwrap_or_default();
        let (middles, spread) = clusters(&points[most], kind.count(), noise);
        let in_size = |(codes, points): (&Vec<&[f32]>, &Vec<Vec<f32>>)| {
            let own = settled(points, middles.clone()).0;
            means(codes, points, &own)
        };
        let mut found_codes: Vec<Vec<Option<Vec<f32>>>> =
            codes.iter().zip(&points).map(in_size).collect();
        let shared = found_codes[most].clone();
        for own in &mut found_codes {
            own.iter_mut()
                .zip(&shared)
                .for_each(|(own, shared)| *own = own.take().or_else(|| shared.clone()));
        }
        let width = own.len();
        let whole = |own: Vec<Option<Vec<f32>>>| -> Vec<Vec<f32>> {
            own.into_iter().map(|code| code.unwrap_or_else(|| vec![0.0; width])).collect()
        };
        let values = found_codes.into_iter().map(whole).collect();
        entries.groups.push(Values::new(values, metric));
        found.spread.push(f64::from(spread));
        from = own.end;
    }
    let unordered = Labels::of_samples(shape, &entries, samples);
    for (group, kind) in shape.kinds[1..].iter().enumerate() {
        let rows = rows_of(&unordered, samples, group, PROGRESSION);
        let order = by_progressions(kind.count(), &rows);
        found.ordered.push(order.is_some());
        if let Some(order) = order {
            let Values { codes, metric, .. } = entries.groups[group].clone();
            let in_order =
                |codes: &Vec<Vec<f32>>| order.iter().map(|&value| codes[value].clone()).collect();
            let codes = codes.iter().map(in_order).collect();
            entries.groups[group] = Values::new(codes, metric);
        }
    }
    entries.turns = turns(shape, &entries, samples);
    let labels = Labels::of_samples(shape, &entries, samples);
    found.agree =
        (0..entries.groups.len()).map(|group| agreement(&labels, samples, group)).collect();
    (entries, found)
}

impl CodeSamples {
    /// Every object: where it was read, the size of its window, and its row there.
    fn objects(&self, shape: &Shape) -> impl Iterator<Item = (&Readings, usize, usize)> {
        let (per_panel, most) = (shape.panel_slots(), shape.most_slots());
        self.seen.iter().flat_map(move |(seen, layouts)| {
            let rows = seen.rows.iter().enumerate();
            rows.filter_map(move |(place, row)| {
                let size = shape.size(layouts[place / per_panel], place % per_panel / most);
                row.filter(|&row| seen.is_taken(row)).map(|row| (seen, size, row))
            })
        })
    }

    /// Some of the codes of objects in windows of each size.
    fn codes(&self, shape: &Shape, own: &Range<usize>) -> Vec<Vec<&[f32]>> {
        let mut codes = vec![Vec::new(); shape.sizes];
        for (seen, size, row) in self.objects(shape) {
            codes[size].push(&seen.codes(row)[own.clone()]);
        }
        for codes in &mut codes {
            let step = codes.len().div_ceil(OBJECTS).max(1);
            *codes = codes.iter().copied().step_by(step).collect();
        }
        codes
    }
}

impl Labels {
    fn of_samples(shape: &Shape, entries: &Entries, samples: &CodeSamples) -> Self {
        let mut noise = Noise::mean();
        let parts = samples.seen.iter();
        let parts = parts
            .map(|(seen, layouts)| Self::of_readings(shape, entries, seen, layouts, &mut noise));
        Self { panels: parts.flat_map(|labels| labels.panels).collect() }
    }
}

/// How far the codes of an attribute lie apart that have to be the same: those of the single objects
/// of a row in which the attribute is constant.
fn apart(shape: &Shape, samples: &CodeSamples, group: usize, own: &Range<usize>) -> Vec<Vec<f32>> {
    let [panels, columns] = samples.panels;
    let (slots, most) = (shape.components * shape.most_slots(), shape.most_slots());
    let mut rules = samples.rules.iter();
    let mut apart = Vec::new();
    for (seen, _) in &samples.seen {
        for puzzle in seen.rows.chunks_exact(panels * slots) {
            let rules = rules.next().map_or(&[][..], Vec::as_slice);
            for (component, _) in rules.iter().enumerate().filter(|(_, own)| own[group] == CONSTANT)
            {
                let single = |panel: &[Option<usize>]| {
                    let own = &panel[component * most..(component + 1) * most];
                    let mut taken = own.iter().flatten().filter(|&&row| seen.is_taken(row));
                    taken.next().copied().filter(|_| taken.next().is_none())
                };
                for row in puzzle.chunks_exact(columns * slots) {
                    let shown: Vec<usize> = row.chunks_exact(slots).filter_map(single).collect();
                    for pair in shown.windows(2).filter(|_| shown.len() == columns) {
                        let [a, b] = [pair[0], pair[1]].map(|row| &seen.codes(row)[own.clone()]);
                        apart.push(a.iter().zip(b).map(|(a, b)| a - b).collect());
                    }
                }
            }
        }
    }
    apart
}

/// The matrix after which differences that mean nothing are as long in every direction: the inverse
/// of the lower Cholesky factor of their mean square.
fn metric(apart: &[Vec<f32>], width: usize) -> Vec<Vec<f32>> {
    let mut square = vec![vec![0.0f64; width]; width];
    for difference in apart {
        for (row, a) in square.iter_mut().zip(difference) {
            let pairs = row.iter_mut().zip(difference);
            pairs.for_each(|(sum, b)| *sum += f64::from(a * b) / apart.len() as f64);
        }
    }
    let mean = (0..width).map(|i| square[i][i]).sum::<f64>() / width.max(1) as f64;
    let floor = if mean > 0.0 { ROUNDNESS * mean } else { 1.0 };
    (0..width).for_each(|i| square[i][i] += floor);
    let mut factor = vec![vec![0.0f64; width]; width];
    for i in 0..width {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| factor[i][k] * factor[j][k]).sum();
            let left = square[i][j] - known;
            factor[i][j] = if i == j { left.max(1e-12).sqrt() } else { left / factor[j][j] };
        }
    }
    // The inverse column by column, then as rows.
    let solved = |column: usize| {
        let mut solved = vec![0.0f64; width];
        for i in column..width {
            let known: f64 = (column..i).map(|k| factor[i][k] * solved[k]).sum();
            solved[i] = (f64::from(u8::from(i == column)) - known) / factor[i][i];
        }
        solved
    };
    let columns: Vec<Vec<f64>> = (0..width).map(solved).collect();
    (0..width).map(|i| columns.iter().map(|column| column[i] as f32).collect()).collect()
}

/// The mean code of each clump that has any.
fn means(codes: &[&[f32]], points: &[Vec<f32>], middles: &[Vec<f32>]) -> Vec<Option<Vec<f32>>> {
    let width = codes.first().map_or(0, |code| code.len());
    let mut sums = vec![(vec![0.0f32; width], 0.0f32); middles.len()];
    for (code, point) in codes.iter().zip(points) {
        let (sum, size) = &mut sums[nearest(middles, point).0];
        *size += 1.0;
        sum.iter_mut().zip(*code).for_each(|(sum, number)| *sum += number);
    }
    let mean = |(sum, size): (Vec<f32>, f32)| {
        (size > 0.0).then(|| sum.iter().map(|number| number / size).collect())
    };
    sums.into_iter().map(mean).collect()
}

/// The middles of `count` clumps of points, and the mean squared distance from them: k-means, its
/// first middles far from each other (k-means++).
fn clusters(points: &[Vec<f32>], count: usize, noise: &mut Noise) -> (Vec<Vec<f32>>, f32) {
    let width = points.first().map_or(0, Vec::len);
    let mut best = (vec![vec![0.0; width]; count], f32::INFINITY);
    if points.len() < count {
        return best;
    }
    for _ in 0..TRIES {
        let found = settled(points, seeds(points, count, noise));
        if found.1 < best.1 {
            best = found;
        }
    }
    best
}

/// Middles moved to where those points are that are nearest to them, until they stay; one that no
/// point is nearest to stays where it is.
fn settled(points: &[Vec<f32>], mut middles: Vec<Vec<f32>>) -> (Vec<Vec<f32>>, f32) {
    let (count, width) = (middles.len(), middles.first().map_or(0, Vec::len));
    let mut spread = f32::INFINITY;
    for _ in 0..ROUNDS {
        let mut sums = vec![vec![0.0f32; width]; count];
        let mut sizes = vec![0usize; count];
        let mut total = 0.0;
        for point in points {
            let (own, far) = nearest(&middles, point);
            total += far;
            sizes[own] += 1;
            sums[own].iter_mut().zip(point).for_each(|(sum, number)| *sum += number);
        }
        for ((middle, sum), &size) in middles.iter_mut().zip(&sums).zip(&sizes) {
            if size > 0 {
                *middle = sum.iter().map(|number| number / size as f32).collect();
            }
        }
        let mean = total / points.len().max(1) as f32;
        let stays = mean >= spread * 0.999_99;
        spread = mean;
        if stays {
            break;
        }
    }
    (middles, spread)
}

/// Points far from each other: each is drawn by its squared distance from those before it.
fn seeds(points: &[Vec<f32>], count: usize, noise: &mut Noise) -> Vec<Vec<f32>> {
    let draws = noise.uniform(count).unwrap_or_else(|| vec![0.5; count]);
    let first = ((draws[0] * points.len() as f32) as usize).min(points.len() - 1);
    let mut middles = vec![points[first].clone()];
    let mut far = vec![f32::INFINITY; points.len()];
    for draw in &draws[1..] {
        let last = &middles[middles.len() - 1..];
        far.iter_mut().zip(points).for_each(|(far, point)| *far = far.min(nearest(last, point).1));
        let mut left = draw * far.iter().sum::<f32>();
        let chosen = far.iter().position(|far| {
            left -= far;
            left <= 0.0
        });
        middles.push(points[chosen.unwrap_or(points.len() - 1)].clone());
    }
    middles
}

/// The values of a group in the rows of puzzles where it follows a rule, as far as the objects of
/// each panel are alike.
fn rows_of(labels: &Labels, samples: &CodeSamples, group: usize, rule: usize) -> Vec<[usize; 3]> {
    let [panels, columns] = samples.panels;
    let mut rows = Vec::new();
    for (puzzle, rules) in labels.panels.chunks_exact(panels).zip(&samples.rules) {
        for (component, _) in rules.iter().enumerate().filter(|(_, own)| own[group] == rule) {
            rows.extend(puzzle.chunks_exact(columns).filter_map(|row| {
                let shared = |panel: &Vec<super::labels::Object>| {
                    let mut own = panel.iter().filter(|object| object.component == component);
                    let first = own.next()?.values[group];
                    own.all(|object| object.values[group] == first).then_some(first)
                };
                let values: Option<Vec<usize>> = row.iter().map(shared).collect();
                values.and_then(|values| <[usize; 3]>::try_from(values).ok())
            }));
        }
    }
    rows
}

fn agreement(labels: &Labels, samples: &CodeSamples, group: usize) -> f64 {
    let rows = |rule| rows_of(labels, samples, group, rule);
    let (constant, handed_out, progression) =
        (rows(CONSTANT), rows(DISTRIBUTE_THREE), rows(PROGRESSION));
    let fits = constant.iter().filter(|[a, b, c]| a == b && b == c).count()
        + handed_out.iter().filter(|[a, b, c]| a != b && b != c && a != c).count()
        + progression.iter().filter(|[a, b, c]| a != b && 2 * b == a + c).count();
    let all = constant.len() + handed_out.len() + progression.len();
    100.0 * fits as f64 / all.max(1) as f64
}

/// For each value of the first group the harmonic in which its objects are strongest, and the
/// phase of those that are not turned: the one from which all others are some eighths of a turn.
fn turns(shape: &Shape, entries: &Entries, samples: &CodeSamples) -> Vec<[f32; 2]> {
    let mut moments: Vec<Vec<&[f32]>> = vec![Vec::new(); shape.kinds[1].count()];
    for (seen, size, row) in samples.objects(shape) {
        let code = &seen.codes(row)[..shape.widths[1] - 1];
        moments[entries.groups[0].nearest(size, code)].push(seen.moments(row));
    }
    let turn = |own: &Vec<&[f32]>| -> [f32; 2] {
        let harmonics = own.first().map_or(0, |moments| moments.len() / 3);
        let strength = |m: usize| {
            let share = |moments: &&[f32]| {
                let [x, y, all] = [moments[3 * m], moments[3 * m + 1], moments[3 * m + 2]];
                (x * x + y * y).sqrt() / all.max(1e-6)
            };
            own.iter().map(share).sum::<f32>()
        };
        let strongest = (0..harmonics).max_by(|&a, &b| strength(a).total_cmp(&strength(b)));
        let Some(m) = strongest else { return [0.0; 2] };
        let harmonic = (m + 1) as f32;
        let cost = |upright: f32| {
            let far = |moments: &&[f32]| {
                let phase = moments[3 * m + 1].atan2(moments[3 * m]) - upright;
                let turned = |d: usize| misfit(harmonic * d as f32 * FRAC_PI_4 - phase);
                (0..DIRECTIONS).map(turned).fold(f32::INFINITY, f32::min).powi(2)
            };
            own.iter().take(OBJECTS / 8).map(far).sum::<f32>()
        };
        let tried = (0..PHASES).map(|i| i as f32 * TAU / PHASES as f32);
        let upright = tried.min_by(|&a, &b| cost(a).total_cmp(&cost(b))).unwrap_or(0.0);
        [harmonic, upright]
    };
    moments.iter().map(turn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clumps_are_found() {
        let mut noise = Noise::seeded(5);
        let draws = noise.uniform(600).unwrap();
        let points: Vec<Vec<f32>> = draws
            .chunks_exact(2)
            .enumerate()
            .map(|(i, d)| vec![(i % 3) as f32 + 0.2 * d[0], (i % 2) as f32 + 0.2 * d[1]])
            .collect();
        let (middles, spread) = clusters(&points, 6, &mut noise);
        assert!(spread < 0.01, "{spread}");
        let mut found: Vec<(i32, i32)> = middles
            .iter()
            .map(|m| ((m[0] - 0.1).round() as i32, (m[1] - 0.1).round() as i32))
            .collect();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), 6);
    }
}
