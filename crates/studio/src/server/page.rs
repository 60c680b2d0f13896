//! The page, as it was built, inside the program.

use axum::Router;
use axum::http::HeaderValue;
use axum::http::header::CACHE_CONTROL;
use axum::routing::get;

use super::State;
use super::reply::with_type;

/// The files of the page: address, kind, content. `crates/studio/page` is where they come from.
pub const FILES: [(&str, &str, &[u8]); 4] = [
    ("/", "text/html; charset=utf-8", include_bytes!("../../page/dist/index.html")),
    ("/app.js", "text/javascript; charset=utf-8", include_bytes!("../../page/dist/app.js")),
    ("/style.css", "text/css; charset=utf-8", include_bytes!("../../page/dist/style.css")),
    ("/icon.svg", "image/svg+xml", include_bytes!("../../page/dist/icon.svg")),
];

/// Adds the page to the routes. Browsers ask each time whether it is still the same program.
pub fn with_page(router: Router<State>) -> Router<State> {
    FILES.into_iter().fold(router, |router, (address, kind, content)| {
        router.route(
            address,
            get(move || async move {
                let mut response = with_type(kind, content);
                response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
                response
            }),
        )
    })
}
