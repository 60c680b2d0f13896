//! Work whose progress can be watched: the same answer at once, or as server-sent events.
//!
//! With `Accept: text/event-stream` there is an event `progress` for each step (`done`, `total`,
//! `what`), an event for each part that is finished before the rest (such as `drawing`), and last
//! `end` with the answer or `error` with the refusal. Whoever hangs up ends the work, also while it
//! waits for its turn.

use std::cell::Cell;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body;
use axum::http::header::ACCEPT;
use axum::http::{HeaderMap, Response};
use futures_core::Stream;
use genvp_infer::imagine::Progress;
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

use super::State;
use super::guard::panicked;
use super::jobs::{Kind, Watch};
use super::reply::{self, Reply};
use crate::engine::{Refusal, refusal_json};

type Event = (&'static str, Value);

/// By what work tells how it goes on, and asks whether it should.
pub struct Teller<'w> {
    watch: &'w Watch,
    /// Nobody watches where there is none. Requests bound how many events there can be.
    events: Option<UnboundedSender<Event>>,
    last: Cell<Option<(u64, u64)>>,
}

impl Teller<'_> {
    /// Whether somebody watches.
    pub fn is_watched(&self) -> bool {
        self.events.is_some()
    }

    /// A refusal where nobody wants the rest, or the time is over.
    pub fn check(&self) -> Result<(), Refusal> {
        self.watch.check()
    }

    /// Tells how many steps are done, and what comes next.
    ///
    /// # Errors
    /// As for [`check`](Self::check).
    pub fn step(&self, done: u64, total: u64, what: &str) -> Result<(), Refusal> {
        self.check()?;
        if self.last.replace(Some((done, total))) != Some((done, total)) {
            self.event("progress", json!({ "done": done, "total": total, "what": what }));
        }
        Ok(())
    }

    /// Tells of a part of the answer that is there. Whoever is gone is noticed by
    /// [`check`](Self::check).
    pub fn event(&self, name: &'static str, data: Value) {
        if let Some(events) = &self.events {
            let _ = events.send((name, data));
        }
    }

    /// Whether nobody wants the rest.
    pub fn is_over(&self) -> bool {
        self.watch.is_over()
    }
}

/// Counts the answers of a model for a teller.
pub struct Answers<'t> {
    teller: &'t Teller<'t>,
    done: Cell<u64>,
    total: u64,
}

impl<'t> Answers<'t> {
    /// So many answers will be drawn.
    pub fn new(teller: &'t Teller<'t>, total: u64) -> Self {
        Self { teller, done: Cell::new(0), total }
    }
}

impl Progress for Answers<'_> {
    fn answered(&self) {
        self.done.set(self.done.get() + 1);
        // Whether anybody wants the rest is asked before the next drawing.
        let _ = self.teller.step(self.done.get(), self.total, "drawing");
    }

    fn is_over(&self) -> bool {
        self.teller.is_over()
    }
}

/// Whether a request asks for events.
pub fn is_wanted(headers: &HeaderMap) -> bool {
    let accept = headers.get(ACCEPT).and_then(|accept| accept.to_str().ok());
    accept.is_some_and(|accept| accept.contains("text/event-stream"))
}

/// Does `work` when its turn comes and answers in JSON, at once or by events.
///
/// # Errors
/// Those of [`Jobs::run`](super::jobs::Jobs::run).
pub async fn answer(
    state: State,
    kind: Kind,
    is_stream: bool,
    work: impl FnOnce(&Teller<'_>) -> Result<Value, Refusal> + Send + 'static,
) -> Reply {
    answer_as(state, kind, is_stream, work, |value| reply::json(&value), |value| value).await
}

/// The same for answers that are not JSON: `whole` is the answer at once, `last` the data of the
/// event `end`.
///
/// # Errors
/// Those of [`Jobs::run`](super::jobs::Jobs::run).
pub async fn answer_as<T: Send + 'static>(
    state: State,
    kind: Kind,
    is_stream: bool,
    work: impl FnOnce(&Teller<'_>) -> Result<T, Refusal> + Send + 'static,
    whole: impl FnOnce(T) -> Response<Body>,
    last: impl FnOnce(T) -> Value + Send + 'static,
) -> Reply {
    if !is_stream {
        let told =
            move |watch: &Watch| work(&Teller { watch, events: None, last: Cell::default() });
        return Ok(whole(state.jobs.run(kind, told).await?));
    }
    state.jobs.check_room(kind)?;
    let (sender, events) = unbounded_channel();
    let work = move |watch: &Watch| {
        let teller = Teller { watch, events: Some(sender), last: Cell::default() };
        work(&teller).map(last)
    };
    let task = tokio::spawn(async move { state.jobs.run(kind, work).await });
    let events = Events { events, task: Some(task), end: None };
    Ok(reply::with_type("text/event-stream", Body::from_stream(events)))
}

/// Events as they are told, then one that says how it ended.
struct Events {
    events: UnboundedReceiver<Event>,
    task: Option<JoinHandle<Result<Value, Refusal>>>,
    /// How it ended, told after all other events.
    end: Option<Event>,
}

impl Drop for Events {
    fn drop(&mut self) {
        // Nobody reads any more: the job gives up its place, or ends before its next step.
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

impl Stream for Events {
    type Item = Result<Vec<u8>, std::convert::Infallible>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        // The task is looked at first: what it told before it ended is then there.
        if let Some(task) = &mut this.task
            && let Poll::Ready(ended) = Pin::new(task).poll(context)
        {
            this.task = None;
            // Work that took too long may still tell of steps that nobody waits for.
            this.events.close();
            this.end = Some(match ended {
                Ok(Ok(value)) => ("end", value),
                Ok(Err(refusal)) => ("error", refusal_json(&refusal)),
                Err(_) => ("error", refusal_json(&panicked())),
            });
        }
        let next = match this.events.poll_recv(context) {
            Poll::Ready(Some(event)) => Some(event),
            Poll::Ready(None) if this.task.is_none() => this.end.take(),
            _ => return Poll::Pending,
        };
        let text = |(name, data): Event| format!("event: {name}\ndata: {data}\n\n").into_bytes();
        Poll::Ready(next.map(|event| Ok(text(event))))
    }
}
