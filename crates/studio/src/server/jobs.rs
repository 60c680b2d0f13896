//! Work that takes long: bounded in number, in waiting, and in time.
//!
//! Work runs on threads of its own, so that one slow request blocks no other. There are four
//! queues: making and marking puzzles takes milliseconds and must not wait behind a model that
//! solves for a second, nor that behind drawings, which take many, nor any of them behind pictures
//! that take much memory to cut.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::guard::panicked;
use crate::engine::Refusal;

/// How much may go on at once.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Requests to the engine that run at once.
    pub engine: usize,
    /// Requests to the engine that wait.
    pub engine_waiting: usize,
    /// Requests to solve or look inside that run at once. Each uses all cores.
    pub model: usize,
    /// Requests to solve or look inside that wait.
    pub model_waiting: usize,
    /// Requests to imagine or complete that run at once. Each uses all cores.
    pub drawing: usize,
    /// Requests to imagine or complete that wait.
    pub drawing_waiting: usize,
    /// Files that are cut into panels at once. Each may unpack to 16 million pixels.
    pub files: usize,
    /// Files that wait for it.
    pub files_waiting: usize,
    /// Bytes of all bodies that are kept at once, apart from small ones.
    pub upload_bytes: usize,
    /// How long a request may wait and run.
    pub deadline: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            engine: 4,
            engine_waiting: 256,
            model: 1,
            model_waiting: 8,
            drawing: 1,
            drawing_waiting: 8,
            files: 1,
            files_waiting: 16,
            upload_bytes: 64 << 20,
            deadline: Duration::from_secs(60),
        }
    }
}

impl Limits {
    /// Threads that work may take.
    pub(super) fn threads(&self) -> usize {
        self.engine + self.model + self.drawing + self.files + 2
    }
}

/// The queues.
#[derive(Debug)]
pub struct Jobs {
    engine: Queue,
    model: Queue,
    drawing: Queue,
    files: Queue,
    deadline: Duration,
}

#[derive(Clone, Debug)]
struct Queue {
    running: Arc<Semaphore>,
    most_running: usize,
    waiting: Arc<AtomicUsize>,
    most: usize,
}

impl Queue {
    /// Whether one more may wait behind `place` others; those that run at once do not wait.
    fn check_room(&self, place: usize) -> Result<(), Refusal> {
        if place < self.most + self.running.available_permits() {
            return Ok(());
        }
        Err(Refusal::new(429, "too many requests are waiting already")
            .hint("try again in a few seconds"))
    }
}

/// Which queue.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Milliseconds.
    Engine,
    /// About a second.
    Model,
    /// Many seconds.
    Drawing,
    /// Much memory.
    Files,
}

/// Told to work that may take long, which looks at it between its steps.
#[derive(Clone, Debug)]
pub struct Watch {
    cancelled: Arc<AtomicBool>,
    until: Instant,
}

impl Watch {
    /// Whether nobody wants the rest: the client is gone, or the time is over.
    pub fn is_over(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || Instant::now() >= self.until
    }

    /// A refusal where [`is_over`](Self::is_over).
    pub fn check(&self) -> Result<(), Refusal> {
        if self.is_over() { Err(too_late()) } else { Ok(()) }
    }
}

/// Cancels when it goes.
struct Cancel(Arc<AtomicBool>);

impl Drop for Cancel {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Leaves the queue when it goes.
struct Waiting(Arc<AtomicUsize>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn too_late() -> Refusal {
    Refusal::new(503, "this took longer than the studio waits").hint("ask for less at once")
}

impl Jobs {
    /// Empty queues.
    pub fn new(limits: Limits) -> Self {
        let queue = |running: usize, most: usize| Queue {
            running: Arc::new(Semaphore::new(running)),
            most_running: running,
            waiting: Arc::default(),
            most,
        };
        Self {
            engine: queue(limits.engine, limits.engine_waiting),
            model: queue(limits.model, limits.model_waiting),
            drawing: queue(limits.drawing, limits.drawing_waiting),
            files: queue(limits.files, limits.files_waiting),
            deadline: limits.deadline,
        }
    }

    fn queue(&self, kind: Kind) -> &Queue {
        match kind {
            Kind::Engine => &self.engine,
            Kind::Model => &self.model,
            Kind::Drawing => &self.drawing,
            Kind::Files => &self.files,
        }
    }

    /// How many requests run and wait, by queue.
    pub fn counts(&self) -> Value {
        let count = |queue: &Queue| {
            let running = queue.most_running - queue.running.available_permits();
            json!({ "running": running, "waiting": queue.waiting.load(Ordering::Relaxed) })
        };
        json!({
            "engine": count(&self.engine), "model": count(&self.model),
            "drawing": count(&self.drawing), "files": count(&self.files),
        })
    }

    /// Says now whether one more may wait, for those who begin to answer before their turn.
    ///
    /// # Errors
    /// 429 when the queue is full.
    pub fn check_room(&self, kind: Kind) -> Result<(), Refusal> {
        let queue = self.queue(kind);
        queue.check_room(queue.waiting.load(Ordering::Relaxed))
    }

    /// Does `work` when its turn comes. When the caller goes away, work that looks at its watch
    /// ends early.
    ///
    /// # Errors
    /// 429 when the queue is full, 503 when the time is over, 500 after a panic, and those of
    /// `work`.
    pub async fn run<T: Send + 'static>(
        &self,
        kind: Kind,
        work: impl FnOnce(&Watch) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let queue = self.queue(kind);
        let watch = Watch { cancelled: Arc::default(), until: Instant::now() + self.deadline };
        let _cancel = Cancel(watch.cancelled.clone());
        let whole = async {
            let permit = {
                let place = queue.waiting.fetch_add(1, Ordering::Relaxed);
                let _waiting = Waiting(queue.waiting.clone());
                queue.check_room(place)?;
                queue.running.clone().acquire_owned().await
            };
            let permit = permit.map_err(|_| Refusal::new(503, "the studio is closing"))?;
            let watch = watch.clone();
            // The permit goes when the work has ended, not when its caller has.
            let done = tokio::task::spawn_blocking(move || {
                let done = watch.check().and_then(|()| work(&watch));
                drop(permit);
                done
            });
            done.await.unwrap_or_else(|_| Err(panicked()))
        };
        timeout(self.deadline, whole).await.unwrap_or_else(|_| Err(too_late()))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use tokio::task::JoinHandle;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn jobs(deadline: Duration) -> Arc<Jobs> {
        let (running, waiting) = (1, 1);
        Arc::new(Jobs::new(Limits {
            engine: running,
            engine_waiting: waiting,
            model: running,
            model_waiting: waiting,
            deadline,
            ..Limits::default()
        }))
    }

    fn in_runtime<T>(work: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        runtime.expect("a runtime").block_on(work)
    }

    /// A job that ends when it is told to, and says when it has begun.
    fn held(jobs: &Arc<Jobs>) -> (Receiver<()>, Sender<()>, JoinHandle<Result<u8, Refusal>>) {
        let ((begin, begun), (end, ended)) = (channel(), channel());
        let jobs = jobs.clone();
        let work = move |_: &Watch| {
            let _ = begin.send(());
            let _ = ended.recv();
            Ok(7)
        };
        (begun, end, tokio::spawn(async move { jobs.run(Kind::Model, work).await }))
    }

    /// Waits for something that must come true.
    async fn until(is_true: impl Fn() -> bool) {
        let soon = async {
            while !is_true() {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        };
        timeout(LONG, soon).await.expect("it comes true");
    }

    #[test]
    fn those_who_find_the_queue_full_are_told_so() {
        in_runtime(async {
            let jobs = jobs(LONG);
            let (begun, end, first) = held(&jobs);
            begun.recv().expect("it begins");
            let (_begun, end_second, second) = held(&jobs);
            until(|| jobs.counts()["model"]["waiting"] == 1).await;
            let third = jobs.run(Kind::Model, |_| Ok(1)).await;
            assert_eq!(third.map_err(|refusal| refusal.status), Err(429));
            assert_eq!(jobs.check_room(Kind::Model).map_err(|refusal| refusal.status), Err(429));
            drop((end, end_second));
            assert_eq!(first.await.expect("no panic"), Ok(7));
            assert_eq!(second.await.expect("no panic"), Ok(7), "who waits gets a turn");
            assert_eq!(jobs.run(Kind::Model, |_| Ok(2)).await, Ok(2), "and room again afterwards");
        });
    }

    #[test]
    fn a_slow_model_keeps_no_puzzle_waiting() {
        in_runtime(async {
            let jobs = jobs(LONG);
            let (begun, end, busy) = held(&jobs);
            begun.recv().expect("it begins");
            assert_eq!(jobs.run(Kind::Engine, |_| Ok(1)).await, Ok(1));
            assert_eq!(jobs.run(Kind::Files, |_| Ok(2)).await, Ok(2));
            assert_eq!(jobs.run(Kind::Drawing, |_| Ok(3)).await, Ok(3));
            assert!(!busy.is_finished());
            drop(end);
            assert_eq!(busy.await.expect("no panic"), Ok(7));
        });
    }

    #[test]
    fn what_takes_too_long_is_given_up_and_told_to_stop() {
        in_runtime(async {
            let jobs = jobs(Duration::from_millis(50));
            let endless = |watch: &Watch| -> Result<(), Refusal> {
                while !watch.is_over() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                watch.check()
            };
            let refusal = jobs.run(Kind::Model, endless).await.expect_err("too slow");
            assert_eq!(refusal.status, 503);
            until(|| jobs.counts()["model"]["running"] == 0).await;
        });
    }

    #[test]
    fn whoever_goes_away_frees_the_place_also_while_waiting() {
        in_runtime(async {
            let jobs = jobs(LONG);
            let (begun, end, first) = held(&jobs);
            begun.recv().expect("it begins");
            let (_begun, _end, second) = held(&jobs);
            until(|| jobs.counts()["model"]["waiting"] == 1).await;
            second.abort();
            until(|| jobs.counts()["model"]["waiting"] == 0).await;
            drop(end);
            assert_eq!(first.await.expect("no panic"), Ok(7));
        });
    }

    #[test]
    fn a_panic_is_an_answer_and_frees_its_place() {
        in_runtime(async {
            let jobs = jobs(LONG);
            for _ in 0..3 {
                let refusal = jobs
                    .run(Kind::Engine, |_| -> Result<(), Refusal> { panic!("a test of panics") })
                    .await
                    .expect_err("a panic");
                assert_eq!(refusal.status, 500);
            }
            assert_eq!(jobs.run(Kind::Engine, |_| Ok(2)).await, Ok(2));
        });
    }
}
