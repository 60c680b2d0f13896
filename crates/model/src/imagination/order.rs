//! In which order values come, by the rules that puzzles follow.
//!
//! Where an attribute follows a progression, the values of a row are as far from the first to the
//! second as from the second to the third. Rows of known rules so say where values lie on a line,
//! up to where it begins, how long it is and which end is which: the numbers v that make
//! `Σ (v_a − 2 v_b + v_c)²` least among those that are not all the same.

/// Sweeps of the eigenvalue search; a few are enough for a dozen values.
const SWEEPS: usize = 60;

/// The values of a group along the line of its progressions: for each place the value that stands
/// there. `None` where some value is in no progression, so that nothing places it.
pub(super) fn by_progressions(count: usize, rows: &[[usize; 3]]) -> Option<Vec<usize>> {
    let mut sum = vec![vec![0.0f64; count]; count];
    let mut seen = vec![false; count];
    for &[a, b, c] in rows.iter().filter(|[a, b, c]| a != b && b != c) {
        let mut bend = vec![0.0f64; count];
        for (value, weight) in [(a, 1.0), (b, -2.0), (c, 1.0)] {
            bend[value] += weight;
            seen[value] = true;
        }
        for (i, own) in bend.iter().enumerate() {
            for (j, other) in bend.iter().enumerate() {
                sum[i][j] += own * other / rows.len() as f64;
            }
        }
    }
    if seen.contains(&false) {
        return None;
    }
    // What is the same for all values costs nothing; it is made the dearest.
    let dear = sum.iter().enumerate().map(|(i, row)| row[i]).sum::<f64>() + 1.0;
    sum.iter_mut().flatten().for_each(|number| *number += dear / count as f64);
    let places = least_eigenvector(sum);
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| places[a].total_cmp(&places[b]));
    Some(order)
}

/// The eigenvector of the smallest eigenvalue of a symmetric matrix (Jacobi's rotations).
fn least_eigenvector(mut a: Vec<Vec<f64>>) -> Vec<f64> {
    let n = a.len();
    let mut vectors: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for (p, q) in (0..SWEEPS)
        .flat_map(|_| (0..n).flat_map(|p| (p + 1..n).map(move |q| (p, q))).collect::<Vec<_>>())
    {
        if a[p][q].abs() < 1e-14 {
            continue;
        }
        let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
        let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
        let t = if theta == 0.0 { 1.0 } else { t };
        let cos = 1.0 / (t * t + 1.0).sqrt();
        let sin = t * cos;
        for row in &mut a {
            (row[p], row[q]) = (cos * row[p] - sin * row[q], sin * row[p] + cos * row[q]);
        }
        // p lies before q.
        let (upper, lower) = a.split_at_mut(q);
        for (x, y) in upper[p].iter_mut().zip(&mut lower[0]) {
            (*x, *y) = (cos * *x - sin * *y, sin * *x + cos * *y);
        }
        for row in &mut vectors {
            (row[p], row[q]) = (cos * row[p] - sin * row[q], sin * row[p] + cos * row[q]);
        }
    }
    let least = (0..n).min_by(|&i, &j| a[i][i].total_cmp(&a[j][j])).unwrap_or_default();
    vectors.iter().map(|row| row[least]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shuffled_values_are_put_in_their_order() {
        let shuffled = [3, 0, 5, 1, 4, 2];
        let steps = [(0, 1), (1, 1), (2, 1), (3, 1), (0, 2), (1, 2)];
        let rows: Vec<[usize; 3]> = steps
            .iter()
            .flat_map(|&(from, by)| {
                let row = [from, from + by, from + 2 * by].map(|value| shuffled[value]);
                [row, [row[2], row[1], row[0]]]
            })
            .collect();
        let mut order = by_progressions(6, &rows).unwrap();
        if order[0] != shuffled[0] {
            order.reverse();
        }
        assert_eq!(order, shuffled);
    }

    #[test]
    fn a_value_without_a_progression_has_no_place() {
        assert_eq!(by_progressions(4, &[[0, 1, 2], [2, 1, 0]]), None);
    }
}
