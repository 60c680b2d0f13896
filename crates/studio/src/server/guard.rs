//! What every request passes: it must be meant for this studio, come from its page or from no
//! page, and be small. What goes out carries headers that keep pages from doing harm.

use std::net::{IpAddr, SocketAddr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State as Shared};
use axum::http::header::{CONTENT_LENGTH, HOST, HeaderName, ORIGIN};
use axum::http::{HeaderValue, Method, Response};
use axum::middleware::Next;
use axum::response::IntoResponse;

use super::State;
use super::upload::hear_out_refused;
use crate::engine::Refusal;

/// The largest body of a request. A puzzle of 16 panels of 160x160 has 0.4 MB.
pub const BODY_BYTES: usize = 8 << 20;
/// How long a client may take to send it.
pub const BODY: Duration = Duration::from_secs(20);

/// Scripts, styles and pictures of our own only; `data:` holds drawings that were just made.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
     connect-src 'self'; img-src 'self' data: blob:; frame-ancestors 'none'; base-uri 'none'; \
     form-action 'self'";

/// What every answer carries.
pub const HEADERS: [(&str, &str); 5] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// By which names the studio may be called.
#[derive(Debug)]
pub struct Guard {
    address: SocketAddr,
}

impl Guard {
    /// For a studio that listens here.
    pub fn new(address: SocketAddr) -> Self {
        Self { address }
    }

    /// Whether a host (`name` or `name:port`) is this studio. A name that merely leads here, as
    /// an attacker's may after it is rebound, is not; an address of this machine is, where the
    /// studio was told to listen to others.
    fn is_own(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        if port != Some(self.address.port()) {
            return false;
        }
        let bare = name.trim_start_matches('[').trim_end_matches(']');
        if name.eq_ignore_ascii_case("localhost") {
            return self.address.ip().is_loopback() || self.address.ip().is_unspecified();
        }
        match bare.parse::<IpAddr>() {
            Ok(ip) if self.address.ip().is_loopback() => ip.is_loopback(),
            // Listening to all: by which of its numbers this machine is called cannot be known.
            Ok(_) if self.address.ip().is_unspecified() => true,
            Ok(ip) => ip == self.address.ip(),
            Err(_) => false,
        }
    }

    fn check(&self, request: &Request) -> Result<(), Refusal> {
        let (method, headers) = (request.method(), request.headers());
        let text = |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or(""));
        if headers.get_all(HOST).iter().count() > 1 {
            return Err(Refusal::bad("the request names two hosts"));
        }
        match text(&HOST) {
            Some(host) if self.is_own(host) => {}
            Some(_) => return Err(Refusal::new(403, "this host name is not the studio's")),
            None => return Err(Refusal::bad("the request names no host")),
        }
        // A whole address in the first line, as proxies are sent, names a host, too.
        if request.uri().authority().is_some_and(|named| !self.is_own(named.as_str())) {
            return Err(Refusal::new(403, "this host name is not the studio's"));
        }
        if let Some(origin) = text(&ORIGIN) {
            let own = origin.strip_prefix("http://").is_some_and(|host| self.is_own(host));
            if !own {
                return Err(Refusal::new(403, "the studio answers no other page"));
            }
        }
        let site = HeaderName::from_static("sec-fetch-site");
        let is_read = matches!(*method, Method::GET | Method::HEAD);
        if !is_read && text(&site).is_some_and(|site| site == "cross-site" || site == "same-site") {
            return Err(Refusal::new(403, "the studio answers no other page"));
        }
        let length = text(&CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
        if length.is_some_and(|length| length > BODY_BYTES as u64) {
            return Err(too_large());
        }
        Ok(())
    }
}

/// The refusal of a body that is too large.
pub fn too_large() -> Refusal {
    Refusal::new(413, format!("more than {} MB", BODY_BYTES >> 20))
}

/// Checks a request, answers it, and adds the headers. A panic becomes an answer, too.
pub async fn guard(Shared(state): Shared<State>, request: Request, next: Next) -> Response<Body> {
    let mut response = match state.guard.check(&request) {
        Ok(()) => caught(next.run(request)).await,
        Err(refusal) => {
            hear_out_refused(request).await;
            refusal.into_response()
        }
    };
    for (name, value) in HEADERS {
        let name = HeaderName::from_static(name);
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Runs to the end; a panic is answered with its number, which is also on standard error.
async fn caught(response: impl Future<Output = Response<Body>>) -> Response<Body> {
    let mut response = pin!(response);
    std::future::poll_fn(move |context| {
        match catch_unwind(AssertUnwindSafe(|| response.as_mut().poll(context))) {
            Ok(polled) => polled,
            Err(_) => Poll::Ready(panicked().into_response()),
        }
    })
    .await
}

/// The refusal after a panic.
pub fn panicked() -> Refusal {
    static PANICS: AtomicU64 = AtomicU64::new(1);
    let number = PANICS.fetch_add(1, Ordering::Relaxed);
    Refusal::new(500, format!("the studio failed (failure {number} since it was started)"))
        .hint("what went wrong is in the terminal that the studio was started from")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(address: &str) -> Guard {
        Guard::new(address.parse().expect("an address"))
    }

    #[test]
    fn only_its_own_names_reach_a_studio_on_loopback() {
        let own = guard("127.0.0.1:8080");
        for host in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080"] {
            assert!(own.is_own(host), "{host}");
        }
        for host in [
            "127.0.0.1",
            "127.0.0.1:80",
            "evil.example:8080",
            "localhost.evil.example:8080",
            "192.168.0.7:8080",
            "",
            ":8080",
            "127.0.0.1:8080:8080",
            "127.0.0.1:8080@x",
            "[::1",
            "0.0.0.0:8080",
        ] {
            assert!(!own.is_own(host), "{host}");
        }
        assert!(guard("127.0.0.1:80").is_own("localhost"), "80 goes without saying");
    }

    #[test]
    fn a_studio_for_others_is_called_by_number() {
        let all = guard("0.0.0.0:8080");
        assert!(all.is_own("192.168.0.7:8080") && all.is_own("localhost:8080"));
        assert!(!all.is_own("evil.example:8080"));
        let one = guard("192.168.0.7:8080");
        assert!(one.is_own("192.168.0.7:8080") && !one.is_own("localhost:8080"));
    }
}
