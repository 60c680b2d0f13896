//! Several files in one request, as forms of browsers and `curl -F` send them.

use crate::engine::Refusal;

/// The most parts: sixteen panels and what is asked of them.
const MOST: usize = 32;
/// The longest head of a part.
const HEAD_BYTES: usize = 4096;

/// A part of a form: a file where it has a file name, else a parameter.
#[derive(Debug, PartialEq, Eq)]
pub struct Part {
    /// The name of the field.
    pub name: String,
    /// The name of the file.
    pub file: Option<String>,
    /// The content.
    pub content: Vec<u8>,
}

/// What separates the parts, if the content type is that of a form.
pub fn boundary(content_type: &str) -> Option<&str> {
    let (kind, parameters) = content_type.split_once(';')?;
    if !kind.trim().eq_ignore_ascii_case("multipart/form-data") {
        return None;
    }
    parameters.split(';').find_map(|parameter| {
        let (name, value) = parameter.trim().split_once('=')?;
        let value = value.trim().trim_matches('"');
        (name.eq_ignore_ascii_case("boundary") && !value.is_empty()).then_some(value)
    })
}

/// Takes a form apart.
///
/// # Errors
/// When it is cut off, a part has no name, or there are too many.
pub fn parse(boundary: &str, body: &[u8]) -> Result<Vec<Part>, Refusal> {
    let broken = || Refusal::bad("the form is not as multipart/form-data has it");
    let (open, close) = (format!("--{boundary}"), format!("\r\n--{boundary}"));
    let mut rest = body.strip_prefix(open.as_bytes()).ok_or_else(broken)?;
    let mut parts = Vec::new();
    while !rest.starts_with(b"--") {
        rest = rest.strip_prefix(b"\r\n").ok_or_else(broken)?;
        let end = find(&rest[..rest.len().min(HEAD_BYTES)], b"\r\n\r\n").ok_or_else(broken)?;
        let head = String::from_utf8_lossy(&rest[..end]);
        let name = parameter(&head, "name").ok_or_else(broken)?;
        let file = parameter(&head, "filename");
        rest = &rest[end + 4..];
        let end = find(rest, close.as_bytes()).ok_or_else(broken)?;
        if parts.len() == MOST {
            return Err(Refusal::impossible(format!("a form of more than {MOST} parts")));
        }
        parts.push(Part { name, file, content: rest[..end].to_vec() });
        rest = &rest[end + close.len()..];
    }
    Ok(parts)
}

/// A parameter of the content's disposition. Browsers write quotes within it as `%22`.
fn parameter(head: &str, name: &str) -> Option<String> {
    let line = head.lines().find(|line| {
        let field = line.split(':').next().unwrap_or_default();
        field.trim().eq_ignore_ascii_case("content-disposition")
    })?;
    let start = format!("; {name}=\"");
    let from = line.find(&start)? + start.len();
    let to = line[from..].find('"')?;
    Some(line[from..from + to].to_owned())
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORM: &str = "--x\r\nContent-Disposition: form-data; name=\"family\"\r\n\r\nvad\r\n\
        --x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a; b.png\"\r\n\
        Content-Type: image/png\r\n\r\nPN\r\n--xG\r\n--x--\r\n";

    #[test]
    fn files_and_parameters_are_taken_apart() {
        assert_eq!(boundary("multipart/form-data; boundary=\"x\""), Some("x"));
        assert_eq!(boundary("application/json; boundary=x"), None);
        let form = FORM.replace("--xG", "-xG");
        let parts = parse("x", form.as_bytes()).expect("a form");
        assert_eq!(parts.len(), 2);
        assert_eq!((parts[0].name.as_str(), parts[0].content.as_slice()), ("family", &b"vad"[..]));
        assert_eq!(parts[1].file.as_deref(), Some("a; b.png"));
        assert_eq!(parts[1].content, b"PN\r\n-xG");
    }

    #[test]
    fn whatever_is_cut_off_or_changed_is_an_error_and_no_panic() {
        let form = FORM.as_bytes();
        for end in 0..form.len() - 5 {
            assert!(parse("x", &form[..end]).is_err(), "{end}");
        }
        assert!(parse("x", form).is_err(), "a boundary within a part");
        assert!(parse("y", form).is_err());
        let many =
            "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n".repeat(40) + "--x--";
        assert!(parse("x", many.as_bytes()).is_err());
    }
}
