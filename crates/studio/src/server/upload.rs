//! What a request carries: a puzzle by name, or the bytes of its files.

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use axum::extract::Request;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, EXPECT};
use axum::http::request::Parts;
use futures_core::Stream;
use genvp_data::inputs::PuzzleSource;
use genvp_data::panels::{self, NamedPicture};
use genvp_data::{FormatError, Images, PngImage, PuzzleFile, StoredPuzzle, limits};
use genvp_puzzle::family::{Family, Sheet, families};
use genvp_puzzle::{Domain, RuleMatrix};
use percent_encoding::percent_decode_str;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::State;
use super::guard::{BODY, BODY_BYTES, too_large};
use super::multipart;
use crate::engine::{PuzzleRef, Refusal};

/// Bodies up to this size need no room, so that uploads keep no player from asking for puzzles;
/// as many as there can be connections have 64 MB together.
const SMALL_BYTES: usize = 64 << 10;

/// How much of a body that is too large is read and thrown away, and for how long: clients that
/// read no answer before they have sent everything would see a broken connection instead of it.
const HEARD_OUT_BYTES: usize = 64 << 20;
const HEARD_OUT: Duration = Duration::from_secs(5);

/// The room for bodies: all that are kept at once, until their work is done, share it.
#[derive(Clone, Debug)]
pub struct Room {
    free: Arc<Semaphore>,
    bytes: usize,
}

impl Room {
    /// So many bytes.
    pub fn new(bytes: usize) -> Self {
        Self { free: Arc::new(Semaphore::new(bytes)), bytes }
    }

    fn take(&self, bytes: usize) -> Result<OwnedSemaphorePermit, Refusal> {
        let taken = self.free.clone().try_acquire_many_owned(bytes as u32);
        taken.map_err(|_| {
            let most = self.bytes >> 20;
            Refusal::new(429, format!("uploads of more than {most} MB are under way already"))
                .hint("try again in a few seconds")
        })
    }
}

/// A request whose body is here.
pub struct Sent {
    head: Parts,
    /// The body.
    pub body: Vec<u8>,
    /// Given back when the body goes.
    _room: Option<OwnedSemaphorePermit>,
}

impl Sent {
    /// Waits for the body of a request.
    ///
    /// # Errors
    /// 413 when it is too large, 408 when it takes too long, 400 when it breaks off, 429 when too
    /// much is being sent already.
    pub async fn receive(state: &State, request: Request) -> Result<Self, Refusal> {
        let (head, body) = request.into_parts();
        let slow = |_| Refusal::new(408, "the request did not arrive in time");
        let (body, room) = timeout(BODY, collect(body, &state.uploads)).await.map_err(slow)??;
        Ok(Self { head, body, _room: room })
    }

    fn content_type(&self) -> &str {
        let kind = self.head.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        kind.unwrap_or_default()
    }

    /// Whether the body is JSON rather than a file. `curl -d` calls it a form, which no file begins like.
    pub fn is_json(&self) -> bool {
        let kind = self.content_type().to_ascii_lowercase();
        kind.starts_with("application/json")
            || kind.starts_with("application/x-www-form-urlencoded") && self.body.starts_with(b"{")
    }

    /// A parameter of the address: the first of that name.
    pub fn parameter(&self, name: &str) -> Option<String> {
        let query = self.head.uri.query()?;
        let found = query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))?;
        Some(percent_decode_str(&found.replace('+', " ")).decode_utf8_lossy().into_owned())
    }

    /// The head, for those who look at other headers.
    pub fn head(&self) -> &Parts {
        &self.head
    }

    /// The files of the request, and a look at its parameters. A form has both; any other
    /// body is one file.
    ///
    /// # Errors
    /// When a form is none.
    pub fn form(mut self) -> Result<Form, Refusal> {
        let boundary = multipart::boundary(self.content_type()).map(str::to_owned);
        let Some(boundary) = boundary else {
            let name = self.parameter("name").unwrap_or_default();
            let content = std::mem::take(&mut self.body);
            let files = vec![File { name: cleaned(&name), content }];
            return Ok(Form { files, fields: Vec::new(), sent: self });
        };
        let (mut files, mut fields) = (Vec::new(), Vec::new());
        for part in multipart::parse(&boundary, &self.body)? {
            match part.file {
                Some(name) => files.push(File { name: cleaned(&name), content: part.content }),
                None => {
                    let value = String::from_utf8_lossy(&part.content).into_owned();
                    fields.push((part.name, value));
                }
            }
        }
        self.body = Vec::new();
        Ok(Form { files, fields, sent: self })
    }
}

async fn collect(
    body: Body,
    room: &Room,
) -> Result<(Vec<u8>, Option<OwnedSemaphorePermit>), Refusal> {
    let mut stream = body.into_data_stream();
    let mut all = Vec::new();
    let mut taken: Option<OwnedSemaphorePermit> = None;
    while let Some(piece) =
        std::future::poll_fn(|context| Pin::new(&mut stream).poll_next(context)).await
    {
        let piece = piece.map_err(|_| Refusal::bad("the request broke off"))?;
        if all.len() + piece.len() > BODY_BYTES {
            drop((all, taken));
            hear_out(stream).await;
            return Err(too_large());
        }
        if all.len() + piece.len() > SMALL_BYTES {
            let more = room.take(piece.len())?;
            match &mut taken {
                Some(taken) => taken.merge(more),
                None => taken = Some(more),
            }
        }
        all.extend_from_slice(&piece);
    }
    Ok((all, taken))
}

/// Throws away what comes, within limits.
async fn hear_out(mut stream: BodyDataStream) {
    let rest = async {
        let mut heard = 0;
        while let Some(Ok(piece)) =
            std::future::poll_fn(|context| Pin::new(&mut stream).poll_next(context)).await
        {
            heard += piece.len();
            if heard > HEARD_OUT_BYTES {
                break;
            }
        }
    };
    // The refusal is sent in any case.
    let _ = timeout(HEARD_OUT, rest).await;
}

/// Throws away a body that said beforehand that it is too large, unless its sender waits to be
/// told to go on, or it is too large for that, too.
pub async fn hear_out_refused(request: Request) {
    let headers = request.headers();
    let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    let is_short = length
        .and_then(|length| length.parse().ok())
        .is_some_and(|length: u64| length > BODY_BYTES as u64 && length <= HEARD_OUT_BYTES as u64);
    if is_short && !headers.contains_key(EXPECT) {
        hear_out(request.into_body().into_data_stream()).await;
    }
}

/// A file that was sent. Its name is what the sender calls it: no file of that name is
/// looked at.
#[derive(Debug)]
pub struct File {
    name: String,
    content: Vec<u8>,
}

/// The last part of a path; what remains is a name, not a place.
fn cleaned(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    name.chars().filter(|c| !c.is_control()).take(120).collect()
}

/// The files and parameters of a request.
pub struct Form {
    files: Vec<File>,
    fields: Vec<(String, String)>,
    sent: Sent,
}

impl Form {
    /// A parameter of the form, or else of the address.
    pub fn parameter(&self, name: &str) -> Option<String> {
        let field = self.fields.iter().find(|(own, _)| own == name);
        field.map(|(_, value)| value.clone()).or_else(|| self.sent.parameter(name))
    }

    /// A number among the parameters.
    ///
    /// # Errors
    /// When it is there and no number.
    pub fn number(&self, name: &str) -> Result<Option<u64>, Refusal> {
        let parse = |text: String| {
            let not = || Refusal::impossible(format!("{name}: not a number from 0 on"));
            text.parse().map_err(|_| not())
        };
        self.parameter(name).map(parse).transpose()
    }

    /// The puzzle that the files are.
    ///
    /// # Errors
    /// When they are none.
    pub fn puzzle(self) -> Result<Puzzle, Refusal> {
        let family = self.parameter("family").filter(|family| !family.is_empty());
        let is_sorted = self.parameter("order").is_none_or(|order| order != "given");
        Puzzle::sent(self.files, family.as_deref(), is_sorted)
    }
}

/// A puzzle that was named or sent.
pub struct Puzzle {
    /// Its family.
    pub family: &'static dyn Family,
    /// Its panels, and what is known besides.
    pub sheet: Sheet,
    /// The same with the rules that a RAVEN file states.
    pub stored: Option<StoredPuzzle>,
    /// Its name in answers.
    pub name: String,
    /// The files that it came as, in the order in which they were read.
    pub files: Vec<String>,
    /// What was left out or reinterpreted in its file.
    pub notes: Vec<String>,
}

impl Puzzle {
    /// A puzzle by name.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn made(reference: &PuzzleRef) -> Result<Self, Refusal> {
        let made = reference.make()?;
        let sheet = made.puzzle.sheet();
        let name =
            format!("{}/{}/{}/{}", reference.set, reference.kind, reference.seed, reference.index);
        let puzzle: &dyn std::any::Any = made.puzzle.as_ref();
        let stored = puzzle.downcast_ref::<genvp_puzzle::Puzzle>().map(|puzzle| {
            StoredPuzzle::of_puzzle(puzzle, Images::new(sheet.side, sheet.pixels.clone()))
        });
        let (family, files, notes) = (made.puzzle.family(), Vec::new(), Vec::new());
        Ok(Self { family, sheet, stored, name, files, notes })
    }

    /// A puzzle from an npz file, or from one or several PNG pictures. `family` says whose puzzle
    /// it is, where it is known; `is_sorted` whether pictures are put in order by their names.
    fn sent(files: Vec<File>, family: Option<&str>, is_sorted: bool) -> Result<Self, Refusal> {
        let family = family.map(family_named).transpose()?;
        let is_picture = |file: &File| file.content.starts_with(b"\x89PNG");
        let neither = || Refusal::impossible("neither an npz file nor a PNG picture");
        if !files.is_empty() && files.iter().all(is_picture) {
            return Self::pictures(files, family, is_sorted);
        }
        if files.len() > 1 {
            let message = "several files are one puzzle only if all of them are PNG pictures";
            return Err(Refusal::impossible(message).hint("send npz files one by one"));
        }
        let file = files.into_iter().next().ok_or_else(neither)?;
        if !file.content.starts_with(b"PK") {
            return Err(neither());
        }
        Self::npz(file, family)
    }

    fn npz(file: File, family: Option<&'static dyn Family>) -> Result<Self, Refusal> {
        let name = if file.name.ends_with(".npz") { file.name } else { "puzzle.npz".to_owned() };
        let source = PuzzleSource::of_bytes(PathBuf::from(&name), Arc::new(file.content));
        let format = match family {
            Some(family) => genvp_data::formats()
                .iter()
                .copied()
                .find(|format| format.family().id() == family.id())
                .ok_or_else(|| Refusal::impossible("this family has no files"))?,
            None => source.format()?,
        };
        let PuzzleFile { sheet, notes, .. } = format.pixels(&source)?;
        let is_raven = format.family().has_layouts();
        let stored = if is_raven { Some(source.read_pixels()?) } else { None };
        let notes = notes.iter().map(ToString::to_string).collect();
        let files = vec![name.clone()];
        Ok(Self { family: format.family(), sheet, stored, name, files, notes })
    }

    fn pictures(
        files: Vec<File>,
        family: Option<&'static dyn Family>,
        is_sorted: bool,
    ) -> Result<Self, Refusal> {
        let mut files = files;
        if is_sorted {
            files.sort_by_cached_key(|file| panels::reading_order(&file.name));
        }
        let name = match files.as_slice() {
            [File { name, .. }] if !name.is_empty() => name.clone(),
            [_] => "sheet.png".to_owned(),
            several => format!("{} pictures", several.len()),
        };
        let wrong = |error: FormatError| Refusal::impossible(format!("{name}: {error}"));
        let (mut pictures, mut pixels) = (Vec::new(), limits::PICTURE_PIXELS);
        for File { name: file, content } in files {
            // Together they unpack to no more than one sheet may.
            let picture = PngImage::decode_within(&content, pixels)
                .map_err(|error| Refusal::impossible(format!("{file}: {error}")))?;
            pixels -= (picture.width() * picture.height()) as u64;
            pictures.push(NamedPicture { name: file, picture });
        }
        let family = family.unwrap_or_else(|| panels::family_of(&pictures));
        let images = panels::cut(&pictures, family.form()).map_err(wrong)?;
        let sheet = Sheet::new(family.form(), images.side(), images.pixels().to_vec());
        let stored = family.has_layouts().then(|| StoredPuzzle::of_images(images));
        let files = pictures.into_iter().map(|picture| picture.name).collect();
        Ok(Self { family, sheet, stored, name, files, notes: Vec::new() })
    }

    /// The stored puzzle of RAVEN.
    ///
    /// # Errors
    /// When it is of another family, for which no model draws.
    pub fn raven(&self) -> Result<&StoredPuzzle, Refusal> {
        self.stored.as_ref().ok_or_else(|| {
            let id = self.family.id();
            Refusal::impossible(format!("this is done for RAVEN's puzzles only, not for {id}'s"))
        })
    }

    /// What the levels of its objects mean.
    pub fn domain(&self) -> Domain {
        self.sheet.domain.and_then(Domain::parse).unwrap_or(Domain::Standard)
    }

    /// The rules that the file states.
    pub fn rules(&self) -> Option<RuleMatrix> {
        self.stored.as_ref().and_then(StoredPuzzle::rules)
    }
}

fn family_named(id: &str) -> Result<&'static dyn Family, Refusal> {
    families().iter().copied().find(|family| family.id() == id).ok_or_else(|| {
        let known: Vec<&str> = families().iter().map(|family| family.id()).collect();
        Refusal::impossible(format!("family: known are {}", known.join(", ")))
    })
}
