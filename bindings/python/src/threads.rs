//! The threads that work while Python goes on.
//!
//! Rayon's global pool does not survive a fork: only the thread that forks lives on in
//! a child, and whoever asks the parent's pool for something there waits for ever. So
//! everything runs in a pool of our own, which is built anew where the process is another.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::GenvpError;

/// What `set_threads` was told; 0 if nothing.
static ASKED: AtomicUsize = AtomicUsize::new(0);
/// The process that imported the module.
static IMPORTED_BY: OnceLock<u32> = OnceLock::new();
static RUNNING: Mutex<Option<Running>> = Mutex::new(None);

struct Running {
    process: u32,
    threads: usize,
    pool: Arc<ThreadPool>,
}

/// Remembers which process imported the module.
pub fn imported() {
    let _ = IMPORTED_BY.set(std::process::id());
}

/// How many threads work: as `set_threads` or `GENVP_THREADS` says. Otherwise one in a worker
/// process of `multiprocessing` or PyTorch, which has siblings that work too, and one for each
/// core elsewhere.
///
/// >>> import genvp
/// >>> genvp.threads() >= 1
/// True
#[pyfunction]
pub fn threads() -> usize {
    let asked = ASKED.load(Ordering::Relaxed);
    if asked > 0 {
        return asked;
    }
    let by_environment = std::env::var("GENVP_THREADS").ok().and_then(|n| n.trim().parse().ok());
    if let Some(threads) = by_environment.filter(|&n: &usize| n > 0) {
        return threads.min(MOST);
    }
    match IMPORTED_BY.get() {
        Some(&process) if process != std::process::id() => 1,
        _ => std::thread::available_parallelism().map_or(1, usize::from),
    }
}

/// More threads than any machine has cores.
const MOST: usize = 4096;

/// Lets so many threads work from now on; 0 goes back to the default.
///
/// >>> import genvp
/// >>> genvp.set_threads(1)
/// >>> genvp.threads()
/// 1
/// >>> genvp.set_threads(0)
#[pyfunction]
pub fn set_threads(threads: usize) -> PyResult<()> {
    if threads > MOST {
        return Err(GenvpError::new_err(format!("{threads} threads: at most {MOST} can work")));
    }
    ASKED.store(threads, Ordering::Relaxed);
    Ok(())
}

/// The pool of this process. Called while this thread is attached to Python, so that no fork can
/// happen in the middle of it: whoever forks holds the lock, or, where there is none, first
/// stops every thread that is attached.
fn pool() -> PyResult<Arc<ThreadPool>> {
    let (process, threads) = (std::process::id(), threads());
    // A pool is put in whole, so that a panic leaves nothing half done.
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(own) = running.as_ref().filter(|r| r.process == process && r.threads == threads) {
        return Ok(Arc::clone(&own.pool));
    }
    let built = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = Arc::new(built.map_err(|error| {
        GenvpError::new_err(format!("{threads} threads cannot be started: {error}"))
    })?);
    let own = Running { process, threads, pool: Arc::clone(&pool) };
    if let Some(before) = running.replace(own).filter(|before| before.process != process) {
        // Its threads are the parent's: dropping it would wait for them.
        std::mem::forget(before);
    }
    Ok(pool)
}

/// Does something on our threads while Python's lock is free for others.
pub fn work<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let pool = pool()?;
    Ok(py.detach(|| pool.install(work)))
}

/// How many items to do between two looks whether Ctrl-C was pressed.
pub fn block(per_thread: usize) -> usize {
    per_thread * threads()
}

/// How long Ctrl-C may wait before it is seen.
const LOOK: std::time::Duration = std::time::Duration::from_millis(50);

/// Does something long on our threads. Where Ctrl-C is pressed, the work is told to stop, and
/// its result is replaced by the interruption.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let (pool, stop) = (pool()?, AtomicBool::new(false));
    py.detach(|| {
        std::thread::scope(|scope| {
            let (waiting, stop) = (std::thread::current(), &stop);
            let working = scope.spawn(move || {
                let done = pool.install(|| work(stop));
                waiting.unpark();
                done
            });
            let mut interrupted = None;
            while !working.is_finished() {
                std::thread::park_timeout(LOOK);
                if interrupted.is_none() {
                    interrupted = Python::attach(|py| py.check_signals()).err();
                    stop.store(interrupted.is_some(), Ordering::Relaxed);
                }
            }
            let done = working.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            interrupted.map_or(Ok(done), Err)
        })
    })
}
