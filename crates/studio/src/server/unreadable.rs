//! What is no HTTP at all. The library that reads requests answers it with a bare status before any
//! route is asked; here that answer gets the sentence and the headers that all refusals have.

use std::io::{IoSlice, Result};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use hyper::rt::{Read, ReadBufCursor, Write};

use super::guard::HEADERS;
use crate::engine::{Refusal, refusal_json};

/// A connection on which no refusal goes without a sentence.
pub struct Worded<T> {
    connection: T,
    /// A refusal that is on its way, and how much of it is gone.
    refusal: Vec<u8>,
    gone: usize,
}

impl<T> Worded<T> {
    /// On this connection.
    pub fn new(connection: T) -> Self {
        Self { connection, refusal: Vec::new(), gone: 0 }
    }
}

impl<T: Write + Unpin> Worded<T> {
    /// Sends what is left of a refusal.
    fn poll_refusal(&mut self, context: &mut Context<'_>) -> Poll<Result<()>> {
        while self.gone < self.refusal.len() {
            let rest = &self.refusal[self.gone..];
            let sent = ready!(Pin::new(&mut self.connection).poll_write(context, rest))?;
            if sent == 0 {
                return Poll::Ready(Err(std::io::ErrorKind::WriteZero.into()));
            }
            self.gone += sent;
        }
        Poll::Ready(Ok(()))
    }
}

/// The whole answer in place of a bare one; `None` where it is one of our own.
fn worded(answer: &[u8]) -> Option<Vec<u8>> {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&answer[..end]).ok()?;
    let status: u16 = head.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()?;
    // All of ours have a policy.
    if !(400..500).contains(&status) || head.contains("content-security-policy") {
        return None;
    }
    let sentence = match status {
        414 => "the address of the request is too long",
        431 => "the head of the request is too long",
        _ => "this is no request of HTTP/1.1",
    };
    let body = refusal_json(&Refusal::new(status, sentence)).to_string();
    let mut text = head.lines().next().unwrap_or_default().to_owned();
    for (name, value) in HEADERS {
        text += &format!("\r\n{name}: {value}");
    }
    text += "\r\ncontent-type: application/json\r\nconnection: close";
    text += &format!("\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    Some(text.into_bytes())
}

impl<T: Read + Unpin> Read for Worded<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<Result<()>> {
        Pin::new(&mut self.connection).poll_read(context, buffer)
    }
}

impl<T: Write + Unpin> Write for Worded<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize>> {
        ready!(self.poll_refusal(context))?;
        if bytes.starts_with(b"HTTP/1.1 4")
            && let Some(refusal) = worded(bytes)
        {
            (self.refusal, self.gone) = (refusal, 0);
            // It is sent when the connection is flushed, which follows every answer.
            return Poll::Ready(Ok(bytes.len()));
        }
        Pin::new(&mut self.connection).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        ready!(self.poll_refusal(context))?;
        Pin::new(&mut self.connection).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        ready!(self.poll_refusal(context))?;
        Pin::new(&mut self.connection).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.connection.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let first = pieces.iter().find(|piece| !piece.is_empty());
        if let Some(first) = first.filter(|first| first.starts_with(b"HTTP/1.1 4")) {
            return self.poll_write(context, first);
        }
        ready!(self.poll_refusal(context))?;
        Pin::new(&mut self.connection).poll_write_vectored(context, pieces)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_refusals_get_a_sentence_and_others_are_left_as_they_are() {
        let bare = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
        let said = String::from_utf8(worded(bare).expect("worded")).expect("text");
        assert!(said.starts_with("HTTP/1.1 431 Request Header Fields Too Large\r\n"), "{said}");
        assert!(said.contains("\r\nx-content-type-options: nosniff\r\n"), "{said}");
        let (head, body) = said.split_once("\r\n\r\n").expect("a head and a body");
        assert_eq!(body, r#"{"error":"the head of the request is too long"}"#);
        assert!(head.ends_with(&format!("content-length: {}", body.len())), "{head}");
        for own in [
            "HTTP/1.1 404 Not Found\r\ncontent-security-policy: x\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\n\r\n",
            "HTTP/1.1 4",
            "HTTP/1.1 400 cut off\r\n",
        ] {
            assert_eq!(worded(own.as_bytes()), None, "{own}");
        }
    }
}
