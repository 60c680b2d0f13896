//! Items as a download.

use genvp_draw::base64;
use genvp_draw::item::File;
use serde_json::{Value, json};

use super::reply::file;
use super::stream::Teller;
use crate::engine::{self, ExportRequest, ItemFormat, Refusal};
use axum::body::Body;
use axum::http::Response;

/// A file to keep.
pub struct Download {
    kind: &'static str,
    name: String,
    bytes: Vec<u8>,
}

impl Download {
    /// As the answer to a request.
    pub fn response(self) -> Response<Body> {
        file(self.kind, &self.name, self.bytes)
    }

    /// As the data of an event.
    pub fn json(self) -> Value {
        json!({ "name": self.name, "type": self.kind, "base64": base64(&self.bytes) })
    }
}

/// Writes items; several files come as one archive.
pub fn export(body: &[u8], teller: &Teller<'_>) -> Result<Download, Refusal> {
    let request: ExportRequest = engine::parse(body)?;
    let steps = |done, total| teller.step(done, total, "making items");
    let files = match request.format {
        ItemFormat::Npz => npz(&request, &steps)?,
        _ => engine::export_in_steps(&request, &steps)?,
    };
    if let [only] = files.as_slice() {
        let (name, bytes) = (only.name.clone(), only.bytes.clone());
        return Ok(Download { kind: kind(&name), name, bytes });
    }
    let members = files.iter().map(|file| (file.name.as_str(), file.bytes.as_slice()));
    let bytes = genvp_data::npz::zip(members);
    Ok(Download { kind: "application/zip", name: "items.zip".to_owned(), bytes })
}

fn npz(request: &ExportRequest, steps: &engine::Steps<'_>) -> Result<Vec<File>, Refusal> {
    let mut files = Vec::new();
    for (index, item) in request.make(steps)?.iter().enumerate() {
        let bytes = genvp_data::encode_npz(item.puzzle.as_ref())
            .ok_or_else(|| Refusal::impossible("this family has no npz files"))?;
        files.push(File::new(format!("item_{}.npz", index + 1), bytes));
    }
    Ok(files)
}

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("pdf") => "application/pdf",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("csv") => "text/csv; charset=utf-8",
        Some("xml") => "application/xml",
        _ => "application/octet-stream",
    }
}
