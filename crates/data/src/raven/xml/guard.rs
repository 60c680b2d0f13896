//! A look over the text before it is parsed: no document type, no deep nesting.

use crate::{FormatError, limits};

/// Refuses what could make a parser run out of stack or memory.
pub(super) fn check(text: &str) -> Result<(), FormatError> {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut depth = 0usize;
    while let Some(found) = find(bytes, at, b"<") {
        let rest = &bytes[found..];
        if rest.starts_with(b"<!--") {
            at = find(bytes, found + 4, b"-->").map_or(bytes.len(), |end| end + 3);
        } else if rest.starts_with(b"<![CDATA[") {
            at = find(bytes, found, b"]]>").map_or(bytes.len(), |end| end + 3);
        } else if rest.starts_with(b"<!") {
            let (line, column) = position(text, found);
            return Err(FormatError::Dtd { line, column });
        } else if rest.starts_with(b"<?") {
            at = find(bytes, found, b"?>").map_or(bytes.len(), |end| end + 2);
        } else if rest.starts_with(b"</") {
            depth = depth.saturating_sub(1);
            at = found + 2;
        } else {
            let end = tag_end(bytes, found + 1);
            if !bytes[..end].ends_with(b"/") {
                depth += 1;
            }
            if depth > limits::XML_DEPTH {
                let (line, column) = position(text, found);
                return Err(FormatError::TooDeep { line, column, limit: limits::XML_DEPTH });
            }
            at = end;
        }
    }
    Ok(())
}

fn find(bytes: &[u8], from: usize, what: &[u8]) -> Option<usize> {
    let rest = bytes.get(from..)?;
    rest.windows(what.len()).position(|w| w == what).map(|at| from + at)
}

/// The `>` that closes a tag: one that does not stand between quotes.
fn tag_end(bytes: &[u8], from: usize) -> usize {
    let mut quote = None;
    for (at, &byte) in bytes.iter().enumerate().skip(from) {
        match (quote, byte) {
            (None, b'>') => return at,
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    bytes.len()
}

fn position(text: &str, at: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..at];
    let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|&&b| b != b'\n').count() + 1;
    (line, column)
}
