//! The studio behind HTTP: on this machine, for whoever sits at it.
//!
//! A request passes the [guard](guard) (host, origin, size), is answered by one of the
//! [routes](routes), and where it computes for long, waits its turn among the [jobs](jobs).

mod connections;
mod files;
mod guard;
mod inside;
mod jobs;
mod model_work;
mod models;
mod multipart;
mod page;
mod pictures;
mod reply;
mod routes;
mod runs;
mod solve;
mod stream;
mod unreadable;
mod upload;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use burn::tensor::Device;
use genvp_infer::Model;
use tokio::net::TcpListener;
use tokio::sync::watch;

pub use jobs::Limits;

/// How the studio is run.
#[derive(Debug)]
pub struct Settings {
    /// Where it listens.
    pub bind: SocketAddr,
    /// A folder of training runs to show.
    pub runs: Option<PathBuf>,
    /// Models that can be asked besides those in the box; the first of a family goes before them.
    pub models: Vec<Model>,
    /// How much may go on at once.
    pub limits: Limits,
    /// How long open requests are waited for at the end.
    pub drain: Duration,
}

impl Settings {
    /// The usual limits at an address.
    pub fn new(bind: SocketAddr) -> Self {
        Self {
            bind,
            runs: None,
            models: Vec::new(),
            limits: Limits::default(),
            drain: Duration::from_millis(1500),
        }
    }
}

/// Why the studio cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is taken, not this machine's, or not allowed.
    #[error("cannot listen at {bind}: {source}")]
    Bind {
        /// The address.
        bind: SocketAddr,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The system gives no threads, or no signals.
    #[error("cannot start: {0}")]
    Start(std::io::Error),
}

/// What all requests share.
#[derive(Clone, Debug)]
pub(crate) struct State(Arc<Shared>);

#[derive(Debug)]
pub(crate) struct Shared {
    pub models: models::Models,
    pub jobs: jobs::Jobs,
    pub uploads: upload::Room,
    pub guard: guard::Guard,
    pub runs: Option<runs::Runs>,
    /// True from the moment that the studio is to end.
    pub ending: watch::Receiver<bool>,
}

impl std::ops::Deref for State {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

/// Runs the studio until `stop` says so or a signal (Ctrl-C, SIGTERM) comes. Models in the box
/// compute on `device`. `ready` is told the
/// address as soon as the studio listens: with port 0 the system chooses one.
///
/// Open requests are waited for, but no longer than [`Settings::drain`]; a second signal ends
/// the waiting.
///
/// # Errors
/// When it cannot listen or start.
pub fn run(
    settings: Settings,
    device: Device,
    stop: Option<watch::Receiver<bool>>,
    ready: impl FnOnce(SocketAddr) + Send,
) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(settings.limits.threads())
        .thread_name("studio")
        .enable_all()
        .build()
        .map_err(ServeError::Start)?;
    let drain = settings.drain;
    let served = runtime.block_on(serve(settings, device, stop, ready));
    // A job that is in the middle of a drawing is not waited for beyond the drain.
    runtime.shutdown_timeout(drain / 5);
    served
}

async fn serve(
    settings: Settings,
    device: Device,
    stop: Option<watch::Receiver<bool>>,
    ready: impl FnOnce(SocketAddr),
) -> Result<(), ServeError> {
    let bind = settings.bind;
    let failed = |source| ServeError::Bind { bind, source };
    let listener = TcpListener::bind(bind).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let (end, ending) = watch::channel(false);
    let signals = connections::Signals::new(stop).map_err(ServeError::Start)?;
    let state = State(Arc::new(Shared {
        models: models::Models::new(device, settings.models),
        jobs: jobs::Jobs::new(settings.limits),
        uploads: upload::Room::new(settings.limits.upload_bytes),
        guard: guard::Guard::new(address),
        runs: settings.runs.map(runs::Runs::new),
        ending,
    }));
    ready(address);
    connections::accept(listener, routes::router(state), signals, end, settings.drain).await;
    Ok(())
}
