//! A studio to test, and a client without manners.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use genvp_infer::Model;
use genvp_model::DeviceChoice;
use genvp_studio::server::{Limits, Settings, run};
use serde_json::Value;
use tokio::sync::watch;

/// How long tests wait: what takes a second on an idle machine may take a minute on a busy one.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// The usual limits for those who have as much patience.
pub fn patient() -> Limits {
    Limits { deadline: PATIENCE, ..Limits::default() }
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }

    /// The one sentence of a refusal.
    pub fn error(&self) -> String {
        self.json()["error"].as_str().expect("a sentence").to_owned()
    }
}

/// Starts a studio and gives its address and what stops it.
pub fn start(limits: Limits, runs: Option<PathBuf>) -> (SocketAddr, watch::Sender<bool>) {
    start_with(limits, runs, None)
}

/// The same with one more model, from a file.
pub fn start_with(
    limits: Limits,
    runs: Option<PathBuf>,
    weights: Option<PathBuf>,
) -> (SocketAddr, watch::Sender<bool>) {
    let (stop, stopping) = watch::channel(false);
    let (told, address) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let (device, _) = DeviceChoice::Cpu.open().expect("the CPU");
        let bind = "127.0.0.1:0".parse().expect("an address");
        let open = |path| Model::open(path, &device).expect("weights");
        let models = weights.into_iter().map(open).collect();
        let settings = Settings { limits, runs, models, ..Settings::new(bind) };
        run(settings, device, Some(stopping), |address| told.send(address).expect("told"))
            .expect("it runs");
    });
    (address.recv().expect("an address"), stop)
}

/// The studio that most tests share.
pub fn studio() -> SocketAddr {
    static STUDIO: OnceLock<(SocketAddr, watch::Sender<bool>)> = OnceLock::new();
    STUDIO.get_or_init(|| start(patient(), None)).0
}

/// Sends bytes as they are and reads until the studio hangs up.
pub fn raw(address: SocketAddr, bytes: &[u8]) -> Vec<u8> {
    exchange(address, bytes, false)
}

/// The same by a client who sends no more after these bytes.
pub fn last_words(address: SocketAddr, bytes: &[u8]) -> Vec<u8> {
    exchange(address, bytes, true)
}

/// The same by a client who insists on sending everything.
pub fn all_sent(address: SocketAddr, bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    stream.write_all(bytes).expect("the studio hears everything");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    answer
}

fn exchange(address: SocketAddr, bytes: &[u8], hangs_up: bool) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    // The studio may hang up before it has heard everything.
    let _ = stream.write_all(bytes);
    if hangs_up {
        let _ = stream.shutdown(std::net::Shutdown::Write);
    }
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    answer
}

/// Sends bytes as they are and reads one answer, whether or not the studio hangs up afterwards.
pub fn first_answer(address: SocketAddr, bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    let _ = stream.write_all(bytes);
    let (mut answer, mut piece) = (Vec::new(), [0; 4096]);
    loop {
        if let Some(whole) = answer_length(&answer).filter(|whole| answer.len() >= *whole) {
            answer.truncate(whole);
            return answer;
        }
        match stream.read(&mut piece) {
            Ok(read) if read > 0 => answer.extend_from_slice(&piece[..read]),
            _ => return answer,
        }
    }
}

/// How long an answer is, once its head is there.
fn answer_length(answer: &[u8]) -> Option<usize> {
    let end = answer.windows(4).position(|w| w == b"\r\n\r\n")? + 4;
    let head = String::from_utf8_lossy(&answer[..end]).to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "))?;
    Some(end + length.trim().parse::<usize>().ok()?)
}

pub fn parse(answer: &[u8]) -> Answer {
    let end = answer.windows(4).position(|w| w == b"\r\n\r\n").expect("a head") + 4;
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|s| s.parse().ok()).expect("a status");
    let mut body = answer[end..].to_vec();
    if head.to_ascii_lowercase().contains("transfer-encoding: chunked") {
        body = unchunked(&body);
    }
    Answer { status, head, body }
}

fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut all = Vec::new();
    while let Some(end) = bytes.windows(2).position(|w| w == b"\r\n") {
        let size = std::str::from_utf8(&bytes[..end]).expect("a size");
        let size = usize::from_str_radix(size.trim(), 16).expect("a size");
        if size == 0 {
            break;
        }
        all.extend_from_slice(&bytes[end + 2..end + 2 + size]);
        bytes = &bytes[end + 4 + size..];
    }
    all
}

/// A request with headers and a body.
pub fn request(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Answer {
    let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
    if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
        text += &format!("Host: {address}\r\n");
    }
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    if !body.is_empty() || method == "POST" {
        text += &format!("Content-Length: {}\r\n", body.len());
    }
    let mut bytes = (text + "\r\n").into_bytes();
    bytes.extend_from_slice(body);
    parse(&raw(address, &bytes))
}

pub fn get(address: SocketAddr, path: &str) -> Answer {
    request(address, "GET", path, &[], b"")
}

pub fn post(address: SocketAddr, path: &str, body: &Value) -> Answer {
    let json = [("Content-Type", "application/json")];
    request(address, "POST", path, &json, body.to_string().as_bytes())
}

/// Files and parameters as a form.
pub fn post_form(
    address: SocketAddr,
    path: &str,
    files: &[(String, Vec<u8>)],
    fields: &[(&str, &str)],
) -> Answer {
    let mut body = Vec::new();
    for (name, value) in fields {
        body.extend_from_slice(
            format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
                .as_bytes(),
        );
    }
    for (name, content) in files {
        let head = format!(
            "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
             Content-Type: image/png\r\n\r\n"
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--edge--\r\n");
    let kind = [("Content-Type", "multipart/form-data; boundary=edge")];
    request(address, "POST", path, &kind, &body)
}

/// The events of an answer that comes as such: names and data.
pub fn events(answer: &Answer) -> Vec<(String, Value)> {
    let text = String::from_utf8(answer.body.clone()).expect("text");
    let event = |event: &str| {
        let (name, data) = event.split_once('\n').expect("two lines");
        let name = name.strip_prefix("event: ").expect("a name").to_owned();
        let data = data.strip_prefix("data: ").expect("data");
        (name, serde_json::from_str(data).expect("JSON"))
    };
    text.split_terminator("\n\n").map(event).collect()
}

/// The answer to the same request as events.
pub fn follow(address: SocketAddr, path: &str, body: &Value) -> Vec<(String, Value)> {
    let headers = [("Content-Type", "application/json"), ("Accept", "text/event-stream")];
    events(&request(address, "POST", path, &headers, body.to_string().as_bytes()))
}

/// Waits for something that must come true.
pub fn until(what: &str, mut is_true: impl FnMut() -> bool) {
    let start = std::time::Instant::now();
    while !is_true() {
        assert!(start.elapsed() < PATIENCE, "{what}: not within ten minutes");
        std::thread::sleep(Duration::from_millis(5));
    }
}
