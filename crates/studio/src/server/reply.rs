//! Answers: JSON, files, and refusals in one clear sentence.

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, Response, StatusCode};
use axum::response::IntoResponse;
use genvp_data::DataError;
use genvp_infer::InferError;
use genvp_infer::imagine::ImagineError;
use genvp_model::ModelError;
use serde_json::Value;

use crate::engine::{Refusal, refusal_json};

/// An answer or a refusal.
pub type Reply = Result<Response<Body>, Refusal>;

/// JSON that nobody keeps.
pub fn json(value: &Value) -> Response<Body> {
    with_type("application/json", value.to_string())
}

/// Bytes of a kind.
pub fn with_type(kind: &'static str, body: impl Into<Body>) -> Response<Body> {
    let mut response = Response::new(body.into());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// A file to keep. The name is ours: letters, digits, dots and dashes.
pub fn file(kind: &'static str, name: &str, bytes: Vec<u8>) -> Response<Body> {
    let mut response = with_type(kind, bytes);
    if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")) {
        response.headers_mut().insert(CONTENT_DISPOSITION, value);
    }
    response
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response<Body> {
        let mut response = json(&refusal_json(&self));
        *response.status_mut() =
            StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        if matches!(self.status, 429 | 503) {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("2"));
        }
        response
    }
}

/// What a library says: our fault where the system failed, else the request's.
fn refused(message: String, is_system: bool, hint: Option<&str>) -> Refusal {
    let status = if is_system { 500 } else { 422 };
    Refusal { status, message, hint: hint.map(str::to_owned) }
}

impl From<DataError> for Refusal {
    fn from(error: DataError) -> Self {
        refused(error.to_string(), error.is_system_failure(), error.hint())
    }
}

impl From<InferError> for Refusal {
    fn from(error: InferError) -> Self {
        refused(error.to_string(), error.is_system_failure(), error.hint())
    }
}

impl From<ImagineError> for Refusal {
    fn from(error: ImagineError) -> Self {
        refused(error.to_string(), error.is_system_failure(), None)
    }
}

impl From<ModelError> for Refusal {
    fn from(error: ModelError) -> Self {
        refused(error.to_string(), matches!(error, ModelError::Device(_)), None)
    }
}
