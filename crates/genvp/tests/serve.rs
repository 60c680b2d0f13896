//! The studio as a command: it says where it is, answers, and ends when it is told to.
#![cfg(all(feature = "studio", unix))]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn start(args: &[&str]) -> (Child, String) {
    let mut studio = Command::new(env!("CARGO_BIN_EXE_genvp"))
        .arg("serve")
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    let mut line = String::new();
    let stdout = studio.stdout.take().expect("piped");
    BufReader::new(stdout).read_line(&mut line).expect("a line");
    let address = line.trim().strip_prefix("http://").and_then(|a| a.strip_suffix('/'));
    (studio, address.expect("an address").to_owned())
}

fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")
        .expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

fn post(address: &str, path: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    write!(
        stream,
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

fn signal(studio: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &studio.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
}

fn ends_within(studio: &mut Child, most: Duration) -> Option<i32> {
    let start = Instant::now();
    loop {
        if let Some(status) = studio.try_wait().expect("a child") {
            return status.code();
        }
        assert!(start.elapsed() < most, "still there after {:?}", start.elapsed());
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn it_answers_and_ends_on_signals_with_open_streams() {
    for name in ["-TERM", "-INT"] {
        let (mut studio, address) = start(&["--bind", "127.0.0.1:0"]);
        assert!(get(&address, "/api/health").starts_with("HTTP/1.1 200"));
        // A request that is never finished, and a stream that is never read.
        let mut half = TcpStream::connect(&address).expect("a connection");
        half.write_all(b"POST /api/make HTTP/1.1\r\n").expect("sent");
        let mut stream = TcpStream::connect(&address).expect("a connection");
        let body = r#"{"layout":"3x3","n":16}"#;
        write!(
            stream,
            "POST /api/imagine HTTP/1.1\r\nHost: {address}\r\nAccept: text/event-stream\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .expect("sent");
        // It has begun: the head of its answer is there.
        stream.read_exact(&mut [0; 12]).expect("an answer");
        signal(&studio, name);
        assert_eq!(ends_within(&mut studio, Duration::from_secs(3)), Some(0), "{name}");
    }
}

#[test]
fn a_model_that_cannot_solve_or_draw_says_so_and_the_engine_still_answers() {
    let (mut studio, address) = start(&["--bind", "127.0.0.1:0", "--model", "vote"]);
    let puzzle = r#"{"puzzle":{"set":"iraven","kind":"c-s","seed":1,"index":0}}"#;
    let solved = post(&address, "/api/solve", puzzle);
    assert!(solved.contains("cannot solve from pictures"), "{solved}");
    let drawn = post(&address, "/api/imagine", r#"{"layout":"c-s","n":1}"#);
    assert!(drawn.contains("cannot draw panels"), "{drawn}");
    assert!(post(&address, "/api/make", puzzle).starts_with("HTTP/1.1 200"));
    signal(&studio, "-TERM");
    assert_eq!(ends_within(&mut studio, Duration::from_secs(3)), Some(0));
}

#[test]
fn an_export_that_is_under_way_is_not_lost() {
    let (mut studio, address) = start(&["--bind", "127.0.0.1:0"]);
    let item = r#"{"set":"iraven","kind":"c-s","seed":7}"#;
    let body = format!(r#"{{"items":[{}],"format":"csv"}}"#, [item; 20].join(","));
    let mut stream = TcpStream::connect(&address).expect("a connection");
    write!(
        stream,
        "POST /api/item/export HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .expect("sent");
    // Once this is answered the studio has seen the connection that came before.
    assert!(get(&address, "/api/health").starts_with("HTTP/1.1 200"));
    signal(&studio, "-TERM");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains("\nItem 20,"), "{answer}");
    assert_eq!(ends_within(&mut studio, Duration::from_secs(3)), Some(0));
}

/// The bytes of an answer, whose head says how many they are.
fn download(address: &str, body: &str) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).expect("a connection");
    write!(
        stream,
        "POST /api/item/export HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .expect("sent");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("a head") + 4;
    assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
    answer.split_off(end)
}

#[test]
fn the_page_and_the_command_export_the_same_files() {
    let (mut studio, address) = start(&["--bind", "127.0.0.1:0"]);
    let out = tempfile::tempdir().expect("a folder");
    for (number, (puzzle, args)) in [
        (
            r#""set":"raven","kind":"2x2","rules":"color=progression","no_rivals":true"#,
            "--layout 2x2 --choices raven --rule color=progression --no-rivals",
        ),
        (r#""set":"pgm","kind":"neutral""#, "--family pgm --regime neutral"),
        (
            r#""set":"vad","kind":"interpolation","choices":"normal""#,
            "--family vad --regime interpolation --choices normal",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let folder = out.path().join(number.to_string());
        let command = Command::new(env!("CARGO_BIN_EXE_genvp"))
            .args(["item", "export", "--seed", "7", "--first", "3", "--title", "Class"])
            .args(["--format", "pdf,sheet,svg,png,csv,jspsych,psychopy,moodle,npz", "--out"])
            .arg(&folder)
            .args(args.split(' '))
            .output()
            .expect("the command runs");
        assert!(command.status.success(), "{}", String::from_utf8_lossy(&command.stderr));
        for (format, file) in [
            ("pdf", "items.pdf"),
            ("svg", "item_1.svg"),
            ("png", "item_1.png"),
            ("csv", "items.csv"),
            ("moodle", "moodle.xml"),
            ("npz", "item_1.npz"),
        ] {
            let body = format!(
                r#"{{"items":[{{{puzzle},"seed":7,"index":3}}],"format":"{format}","title":"Class"}}"#
            );
            let written = std::fs::read(folder.join(file)).expect(file);
            assert!(written == download(&address, &body), "{puzzle}: {file} differs");
        }
        for file in ["page_1.svg", "page_2.svg", "genvp-items.js", "conditions.csv"] {
            assert!(folder.join(file).is_file(), "{file}");
        }
    }
    signal(&studio, "-TERM");
    assert_eq!(ends_within(&mut studio, Duration::from_secs(3)), Some(0));
}

#[test]
fn a_taken_address_is_an_error_with_a_hint() {
    let (mut studio, address) = start(&["--bind", "127.0.0.1:0"]);
    let second = Command::new(env!("CARGO_BIN_EXE_genvp"))
        .args(["serve", "--bind", &address])
        .output()
        .expect("the command runs");
    assert_eq!(second.status.code(), Some(1));
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(said.contains("error: cannot listen at") && said.contains("hint: "), "{said}");
    signal(&studio, "-TERM");
    ends_within(&mut studio, Duration::from_secs(3));
}

#[test]
fn an_address_for_others_comes_with_a_warning() {
    let (mut studio, _) = start(&["--bind", "0.0.0.0:0"]);
    signal(&studio, "-TERM");
    assert_eq!(ends_within(&mut studio, Duration::from_secs(3)), Some(0));
    let mut said = String::new();
    studio.stderr.take().expect("piped").read_to_string(&mut said).expect("text");
    assert!(said.contains("warning: others can reach this address"), "{said}");
}
