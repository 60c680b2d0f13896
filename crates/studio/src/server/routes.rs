//! Addresses and what answers them.

use axum::Router;
use axum::extract::{Path, Request, State as Shared};
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use serde_json::json;

use super::files::Download;
use super::jobs::Kind;
use super::reply::{self, Reply};
use super::stream::Teller;
use super::upload::Sent;
use super::{State, files, guard, inside, model_work, page, solve, stream};
use crate::engine::{self, QUESTIONS, Refusal};

/// What the interface is, for programs. A test holds it against the routes.
pub const OPENAPI: &str = include_str!("../../openapi.json");

/// Every address.
pub fn router(state: State) -> Router {
    let mut router = page::with_page(Router::new())
        .route("/api/openapi.json", get(|| async { reply::with_type("application/json", OPENAPI) }))
        .route("/api/health", get(health))
        .route("/api/model", get(model))
        .route("/api/models", get(models))
        .route("/api/panels", post(solve::panels))
        .route("/api/solve", post(solve::solve))
        .route("/api/complete", post(model_work::complete))
        .route("/api/imagine", post(model_work::imagine))
        .route("/api/judge", post(model_work::judge))
        .route("/api/inside/redraw", post(inside::redraw))
        .route("/api/inside/traverse", post(inside::traverse))
        .route("/api/item/export", post(export))
        .route("/api/runs", get(runs))
        .route("/api/runs/{run}", get(run))
        .route("/api/runs/{run}/pictures/{picture}", get(run_picture));
    for question in QUESTIONS {
        let address = format!("/api/{question}");
        let handler = move |state: Shared<State>, request: Request| ask(state, question, request);
        router = router
            .route(&address, if question == "catalog" { get(handler) } else { post(handler) });
    }
    router
        .fallback(|| async {
            Refusal::not_found("there is nothing at this address").into_response()
        })
        .method_not_allowed_fallback(|| async {
            Refusal::new(405, "this address does not answer that method")
                .hint("/api/openapi.json says what it answers")
                .into_response()
        })
        .layer(from_fn_with_state(state.clone(), guard::guard))
        .with_state(state)
}

async fn health(Shared(state): Shared<State>) -> Reply {
    let name = state.models.artist_name();
    Ok(reply::json(&json!({
        "ok": true, "version": env!("CARGO_PKG_VERSION"), "model": name, "jobs": state.jobs.counts(),
    })))
}

async fn model(Shared(state): Shared<State>, request: Request) -> Reply {
    let name = Sent::receive(&state, request).await?.parameter("name");
    let card = state.models.card(name.as_deref())?;
    let mut said = card.to_json();
    said["text"] = json!(card.to_string());
    Ok(reply::json(&said))
}

async fn models(Shared(state): Shared<State>) -> Reply {
    Ok(reply::json(&state.models.list()))
}

async fn ask(Shared(state): Shared<State>, question: &'static str, request: Request) -> Reply {
    let sent = Sent::receive(&state, request).await?;
    let is_stream = stream::is_wanted(&sent.head().headers);
    let work = move |teller: &Teller<'_>| {
        let steps = |done, total| teller.step(done, total, "making puzzles");
        engine::answer_in_steps(question, &sent.body, &steps)
    };
    stream::answer(state, Kind::Engine, is_stream, work).await
}

async fn export(Shared(state): Shared<State>, request: Request) -> Reply {
    let sent = Sent::receive(&state, request).await?;
    let is_stream = stream::is_wanted(&sent.head().headers);
    let work = move |teller: &Teller<'_>| files::export(&sent.body, teller);
    stream::answer_as(state, Kind::Engine, is_stream, work, Download::response, Download::json)
        .await
}

/// The runs to show.
fn shown(state: &State) -> Result<super::runs::Runs, Refusal> {
    state.runs.clone().ok_or_else(|| {
        Refusal::not_found("no runs are shown").hint("start with genvp serve --runs DIR")
    })
}

async fn runs(Shared(state): Shared<State>) -> Reply {
    let runs = shown(&state)?;
    Ok(reply::json(&state.jobs.run(Kind::Engine, move |_| runs.list()).await?))
}

async fn run(Shared(state): Shared<State>, Path(run): Path<String>) -> Reply {
    let runs = shown(&state)?;
    Ok(reply::json(&state.jobs.run(Kind::Engine, move |_| runs.metrics(&run)).await?))
}

async fn run_picture(
    Shared(state): Shared<State>,
    Path((run, picture)): Path<(String, String)>,
) -> Reply {
    let runs = shown(&state)?;
    let bytes = state.jobs.run(Kind::Engine, move |_| runs.picture(&run, &picture)).await?;
    Ok(reply::with_type("image/png", bytes))
}
