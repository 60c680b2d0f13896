//! The engine in a page: bytes in, bytes out.
//!
//! The page writes a question and its body into memory that it asked for, calls [`ask`], and reads
//! the answer: a status and its length, then JSON or a file. A page has one thread.

// Exported functions and memory that is not Rust's own need it; nothing else here does.
#![allow(unsafe_code)]

use serde_json::json;

use crate::engine::{self, Refusal};

/// Memory for `length` bytes that the page fills and [`ask`] takes back.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: usize) -> *mut u8 {
    Box::into_raw(vec![0u8; length].into_boxed_slice()).cast()
}

/// Answers. The question and its body are memory of [`reserve`], which is given up. The answer
/// begins with its status and length, four bytes each, and is given back with [`release`].
///
/// # Safety
/// Both pointers come from [`reserve`] with these lengths, and are not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ask(
    question: *mut u8,
    question_length: usize,
    body: *mut u8,
    body_length: usize,
) -> *mut u8 {
    // SAFETY: as promised by the caller.
    let (question, body) = unsafe { (taken(question, question_length), taken(body, body_length)) };
    let question = String::from_utf8_lossy(&question);
    let answered = match &*question {
        "export" => exported(&body),
        _ => engine::answer(&question, &body).map(|answer| answer.to_string().into_bytes()),
    };
    let (status, bytes) = match answered {
        Ok(bytes) => (200, bytes),
        Err(refusal) => (refusal.status, engine::refusal_json(&refusal).to_string().into_bytes()),
    };
    let mut answer = Vec::with_capacity(8 + bytes.len());
    answer.extend_from_slice(&u32::from(status).to_le_bytes());
    answer.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
    answer.extend_from_slice(&bytes);
    Box::into_raw(answer.into_boxed_slice()).cast()
}

/// Gives up an answer of [`ask`].
///
/// # Safety
/// The pointer is an answer with `length` bytes after its first eight, not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn release(answer: *mut u8, length: usize) {
    // SAFETY: as promised by the caller.
    drop(unsafe { taken(answer, 8 + length) });
}

/// # Safety
/// The pointer is that of a boxed slice of this length, and nobody else's.
unsafe fn taken(bytes: *mut u8, length: usize) -> Box<[u8]> {
    // SAFETY: as promised by the caller.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(bytes, length)) }
}

/// The files of an export, their bytes in base 64.
fn exported(body: &[u8]) -> Result<Vec<u8>, Refusal> {
    let files: Vec<_> = engine::export(body)?
        .into_iter()
        .map(|file| json!({ "name": file.name, "base64": genvp_draw::base64(&file.bytes) }))
        .collect();
    Ok(json!({ "files": files }).to_string().into_bytes())
}
