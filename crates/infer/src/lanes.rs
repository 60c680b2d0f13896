//! One thread for each core, each of which works alone.
//!
//! A batch of puzzles is many small products: shared among threads, each of them ends in
//! waiting for the slowest. Puzzles do not depend on each other, so where there are enough
//! for every core, each core takes some of them from pixels to answers.

use std::sync::OnceLock;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Fewer puzzles than this for each core, and the cores share the products instead.
const FEW: usize = 4;

/// A pool of one thread for each of the threads that rayon would use; none where they
/// cannot be started, or there is only one.
fn lanes() -> &'static [ThreadPool] {
    static LANES: OnceLock<Vec<ThreadPool>> = OnceLock::new();
    LANES.get_or_init(|| {
        let threads = rayon::current_num_threads();
        let lane = |_| ThreadPoolBuilder::new().num_threads(1).build();
        let lanes = (0..threads).map(lane).collect::<Result<Vec<_>, _>>();
        lanes.ok().filter(|lanes| lanes.len() > 1).unwrap_or_default()
    })
}

/// Does `work` on parts of `items`, which are `one` numbers each: one part for each core, all
/// at once, or all items as one part where they are few; the results in the order of the parts.
pub(crate) fn split<R: Send>(
    items: &[f32],
    one: usize,
    work: impl Fn(&[f32]) -> R + Sync,
) -> Vec<R> {
    let count = items.len() / one.max(1);
    let lanes = lanes();
    if lanes.is_empty() || count < FEW * lanes.len() || count * one != items.len() {
        return vec![work(items)];
    }
    let parts = items.chunks(count.div_ceil(lanes.len()) * one);
    let mut results: Vec<Option<R>> = parts.clone().map(|_| None).collect();
    let work = &work;
    std::thread::scope(|scope| {
        for ((part, lane), result) in parts.zip(lanes).zip(&mut results) {
            scope.spawn(move || *result = Some(lane.install(|| work(part))));
        }
    });
    results.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_whole_and_in_order() {
        for count in [0, 1, 3, 7, 8, 9, 33] {
            let items: Vec<f32> = (0..count * 5).map(|i| i as f32).collect();
            let parts = split(&items, 5, |part| {
                assert_eq!(part.len() % 5, 0);
                part.to_vec()
            });
            assert_eq!(parts.concat(), items);
        }
    }

    #[test]
    fn every_core_gets_a_part_where_there_are_enough() {
        let cores = lanes().len().max(1);
        assert_eq!(split(&vec![0.0; 2 * FEW * cores], 1, <[f32]>::len), vec![2 * FEW; cores]);
        assert_eq!(split(&vec![0.0; FEW * cores - 1], 1, <[f32]>::len), [FEW * cores - 1]);
    }

    #[test]
    fn what_is_not_whole_is_not_split() {
        assert_eq!(split(&[0.0; 101], 10, <[f32]>::len), [101]);
    }
}
