//! One thread for each core, each of which works alone.
//!
//! A batch of puzzles is many small products: shared among threads, each of them ends in
//! waiting for the slowest. Puzzles do not depend on each other, so where there are enough
//! for every core, each core takes some of them from pixels to answers.

use std::collections::BTreeMap;
use std::sync::mpsc::channel;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Fewer puzzles than this for each core, and the cores share the products instead.
const FEW: usize = 4;

/// A pool of one thread for each of the threads that rayon would use; none where they
/// cannot be started, or there is only one.
fn workers() -> &'static [ThreadPool] {
    static WORKERS: Mutex<Workers> = Mutex::new(Workers { process: 0, pools: BTreeMap::new() });
    // Pools are put in whole, so that a panic leaves nothing half done.
    let mut workers = WORKERS.lock().unwrap_or_else(PoisonError::into_inner);
    workers.of(std::process::id(), rayon::current_num_threads())
}

/// The pools of a process, by the number of threads. They live as long as it does.
struct Workers {
    process: u32,
    pools: BTreeMap<usize, &'static [ThreadPool]>,
}

impl Workers {
    /// The pools of this process. Only the thread that forks lives on in a child: the
    /// parent's pools have none there, and whoever asked them for something would wait for ever.
    fn of(&mut self, process: u32, threads: usize) -> &'static [ThreadPool] {
        if self.process != process {
            *self = Self { process, pools: BTreeMap::new() };
        }
        let start = || -> &'static [ThreadPool] {
            let worker = |_| ThreadPoolBuilder::new().num_threads(1).build();
            let workers = (0..threads).map(worker).collect::<Result<Vec<_>, _>>();
            workers.ok().filter(|workers| workers.len() > 1).unwrap_or_default().leak()
        };
        self.pools.entry(threads).or_insert_with(start)
    }
}

/// Does `work` on parts of `items`, which are `one` numbers each: one part for each core, all
/// at once, or all items as one part where they are few; the results in the order of the parts.
pub(crate) fn split<R: Send>(
    items: &[f32],
    one: usize,
    work: impl Fn(&[f32]) -> R + Sync,
) -> Vec<R> {
    let count = items.len() / one.max(1);
    if alone() {
        return vec![work(items)];
    }
    let workers = workers();
    if workers.is_empty() || count < FEW * workers.len() || count * one != items.len() {
        return vec![work(items)];
    }
    let parts = items.chunks(count.div_ceil(workers.len()) * one);
    let mut results: Vec<Option<R>> = parts.clone().map(|_| None).collect();
    let work = &work;
    std::thread::scope(|scope| {
        for ((part, worker), result) in parts.zip(workers).zip(&mut results) {
            scope.spawn(move || *result = Some(worker.install(|| work(part))));
        }
    });
    results.into_iter().flatten().collect()
}

/// Whether this thread is one that works alone already.
fn alone() -> bool {
    rayon::current_num_threads() == 1
}

/// How many there are: at least one.
pub fn count() -> usize {
    if alone() { 1 } else { workers().len().max(1) }
}

/// How far a core may be ahead of the slowest, in items for each core.
const AHEAD: usize = 4;

/// Does `work` on everything that `next` gives, each on one core from beginning to end, and hands
/// the results to `each` in the order in which `next` gave them. A few items for each core are on
/// their way at most. Ends early when `each` fails.
///
/// # Errors
/// Those of `each`.
pub fn in_order<T: Send, R: Send, E>(
    mut next: impl FnMut() -> Option<T> + Send,
    work: impl Fn(T) -> R + Sync,
    mut each: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let workers: &[ThreadPool] = if alone() { &[] } else { workers() };
    if workers.is_empty() {
        while let Some(item) = next() {
            each(work(item))?;
        }
        return Ok(());
    }
    let most = AHEAD * workers.len();
    let queue = Queue {
        state: Mutex::new(State { next, taken: 0, done: 0, over: false }),
        moved: Condvar::new(),
    };
    let (queue, work) = (&queue, &work);
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        for worker in workers {
            let sender = sender.clone();
            scope.spawn(move || {
                // Whatever ends this thread, a panic too, ends the others.
                let _end = End(queue);
                while let Some((number, item)) = queue.take(most) {
                    // Nobody listens after `each` has failed.
                    if sender.send((number, worker.install(|| work(item)))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let _end = End(queue);
        let mut early = BTreeMap::new();
        let mut wanted = 0;
        for (number, result) in receiver {
            early.insert(number, result);
            while let Some(result) = early.remove(&wanted) {
                each(result)?;
                wanted += 1;
                queue.done(wanted);
            }
        }
        Ok(())
    })
}

/// What is still to be done.
struct Queue<N> {
    state: Mutex<State<N>>,
    moved: Condvar,
}

struct State<N> {
    next: N,
    taken: usize,
    done: usize,
    over: bool,
}

impl<N> Queue<N> {
    fn lock(&self) -> MutexGuard<'_, State<N>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next item and its number, as soon as it is less than `most` ahead.
    fn take<T>(&self, most: usize) -> Option<(usize, T)>
    where
        N: FnMut() -> Option<T>,
    {
        let far = |state: &mut State<N>| !state.over && state.taken >= state.done + most;
        let waited = self.moved.wait_while(self.lock(), far);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        if state.over {
            return None;
        }
        let item = (state.next)()?;
        state.taken += 1;
        Some((state.taken - 1, item))
    }

    fn done(&self, done: usize) {
        self.lock().done = done;
        self.moved.notify_all();
    }
}

/// Ends the work when it goes, unless everything has been taken anyway.
struct End<'q, N>(&'q Queue<N>);

impl<N> Drop for End<'_, N> {
    fn drop(&mut self) {
        self.0.lock().over = true;
        self.0.moved.notify_all();
    }
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
        let cores = workers().len().max(1);
        assert_eq!(split(&vec![0.0; 2 * FEW * cores], 1, <[f32]>::len), vec![2 * FEW; cores]);
        assert_eq!(split(&vec![0.0; FEW * cores - 1], 1, <[f32]>::len), [FEW * cores - 1]);
    }

    #[test]
    fn a_forked_child_has_pools_of_its_own() {
        let mut workers = Workers { process: 0, pools: BTreeMap::new() };
        let parents = workers.of(1, 2).as_ptr();
        assert_eq!(workers.of(1, 2).as_ptr(), parents);
        assert_eq!(workers.of(1, 3).len(), 3);
        assert_eq!(workers.of(1, 2).as_ptr(), parents, "other numbers of threads stand beside");
        assert_ne!(workers.of(2, 2).as_ptr(), parents, "the parent's threads are not in the child");
        assert!(workers.of(2, 1).is_empty());
    }

    #[test]
    fn results_come_in_order_however_long_each_takes() {
        let mut numbers = 0..200u64;
        let mut seen = Vec::new();
        let work = |number: u64| {
            std::thread::sleep(std::time::Duration::from_micros(number * 7919 % 400));
            number
        };
        let each = |number| {
            seen.push(number);
            Ok::<_, ()>(())
        };
        assert_eq!(in_order(|| numbers.next(), work, each), Ok(()));
        assert_eq!(seen, (0..200).collect::<Vec<_>>());
    }

    #[test]
    fn nobody_runs_far_ahead_of_the_slowest() {
        let taken = std::sync::atomic::AtomicUsize::new(0);
        let mut numbers = 0..100;
        let next = || {
            taken.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            numbers.next()
        };
        let mut seen = 0;
        let each = |_| {
            // The last one asked for may be nothing.
            let ahead = taken.load(std::sync::atomic::Ordering::SeqCst) - seen;
            seen += 1;
            assert!(ahead <= AHEAD * count() + 1, "{ahead} ahead");
            std::thread::sleep(std::time::Duration::from_micros(200));
            Ok::<_, ()>(())
        };
        assert_eq!(in_order(next, |number| number, each), Ok(()));
    }

    #[test]
    fn a_panic_ends_the_work_at_once() {
        let mut taken = 0u32;
        let next = || {
            taken += 1;
            Some(taken)
        };
        let work = |number: u32| assert!(number != 3, "the third one");
        let run = || in_order(next, work, |()| Ok::<_, ()>(()));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
    }

    #[test]
    fn a_failure_ends_the_work() {
        let mut numbers = 0..;
        let each = |number: usize| if number < 5 { Ok(()) } else { Err(number) };
        assert_eq!(in_order(|| numbers.next(), |number| number, each), Err(5));
    }

    #[test]
    fn what_is_not_whole_is_not_split() {
        assert_eq!(split(&[0.0; 101], 10, <[f32]>::len), [101]);
    }
}
