//! Taking connections, and letting go of them.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::unreadable::Worded;

/// The most connections at once. Browsers open six each.
const CONNECTIONS: usize = 1024;
/// How long a client may take to send the head of a request.
const HEAD: Duration = Duration::from_secs(10);
/// The longest head of a request, address included.
const HEAD_BYTES: usize = 32 << 10;

/// What ends the studio: Ctrl-C, SIGTERM, or whoever runs it inside a program. Signals are listened
/// to from the beginning on, so that none is missed between two connections.
pub(super) struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    stop: Option<watch::Receiver<bool>>,
}

impl Signals {
    pub(super) fn new(stop: Option<watch::Receiver<bool>>) -> std::io::Result<Self> {
        #[cfg(unix)]
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            #[cfg(unix)]
            interrupt: signal(SignalKind::interrupt())?,
            #[cfg(unix)]
            terminate: signal(SignalKind::terminate())?,
            stop,
        })
    }

    /// Waits for a signal.
    async fn signalled(&mut self) {
        #[cfg(unix)]
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
        #[cfg(not(unix))]
        let _ = tokio::signal::ctrl_c().await;
    }

    /// Waits for a signal, or to be stopped.
    async fn next(&mut self) {
        let mut stop = self.stop.clone();
        let stopped = async {
            match &mut stop {
                // Whoever drops the other end can no longer stop it.
                Some(stop) => {
                    if stop.wait_for(|stop| *stop).await.is_err() {
                        pending::<()>().await;
                    }
                }
                None => pending().await,
            }
        };
        tokio::select! {
            () = self.signalled() => {}
            () = stopped => {}
        }
    }
}

/// Serves connections until a signal comes, then waits for the open ones, `drain` at most.
pub(super) async fn accept(
    listener: TcpListener,
    router: Router,
    mut signals: Signals,
    end: watch::Sender<bool>,
    drain: Duration,
) {
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    let mut open = JoinSet::new();
    loop {
        let next = async {
            let permit = room.clone().acquire_owned().await;
            (listener.accept().await, permit)
        };
        let (accepted, permit) = tokio::select! {
            next = next => next,
            () = signals.next() => break,
        };
        while open.try_join_next().is_some() {}
        match (accepted, permit) {
            (Ok((stream, _)), Ok(permit)) => {
                let served = connection(stream, router.clone(), end.subscribe());
                open.spawn(async move {
                    served.await;
                    drop(permit);
                });
            }
            // Out of file descriptors, or the client is gone: what is open goes on.
            _ => sleep(Duration::from_millis(20)).await,
        }
    }
    drop(listener);
    // Nobody may be listening any more.
    let _ = end.send(true);
    let all = async { while open.join_next().await.is_some() {} };
    tokio::select! {
        _ = timeout(drain, all) => {}
        () = signals.signalled() => {}
    }
}

/// Serves one connection; when the studio ends, the request under way is answered first.
async fn connection(stream: TcpStream, router: Router, mut ending: watch::Receiver<bool>) {
    // Small answers should not wait for more.
    let _ = stream.set_nodelay(true);
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(Worded::new(TokioIo::new(stream)), TowerToHyperService::new(router));
    let mut served = std::pin::pin!(served);
    let done = tokio::select! {
        // A client that breaks off or talks nonsense is its own problem.
        _ = served.as_mut() => true,
        _ = ending.wait_for(|ending| *ending) => false,
    };
    if !done {
        served.as_mut().graceful_shutdown();
        let _ = served.await;
    }
}
