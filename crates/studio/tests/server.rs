//! What the studio promises whoever asks, and whoever means ill.

mod client;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::time::Instant;

use client::{
    first_answer, follow, get, last_words, patient, post, post_form, raw, request, start,
    start_with, studio, until,
};
use genvp_studio::server::Limits;
use serde_json::{Value, json};

const KINDS: [(&str, &str); 5] = [
    ("iraven", "3x3"),
    ("raven", "o-ig"),
    ("raven-fair", "l-r"),
    ("pgm", "neutral"),
    ("vad", "interpolation"),
];

fn puzzle(set: &str, kind: &str, index: u64) -> Value {
    json!({ "set": set, "kind": kind, "seed": 7, "index": index })
}

#[test]
fn the_page_is_there_with_strict_headers_and_nothing_else_is() {
    let studio = studio();
    for path in ["/", "/app.js", "/style.css", "/icon.svg", "/api/openapi.json", "/api/catalog"] {
        let answer = get(studio, path);
        assert_eq!(answer.status, 200, "{path}");
        let head = answer.head.to_ascii_lowercase();
        assert!(head.contains("content-security-policy: default-src 'none'; script-src 'self'"));
        assert!(
            !head.contains("unsafe-inline") && !head.contains("access-control-allow"),
            "{head}"
        );
        assert!(head.contains("x-content-type-options: nosniff"), "{head}");
        assert!(head.contains("referrer-policy: no-referrer"), "{head}");
        let only_head = request(studio, "HEAD", path, &[], b"");
        assert_eq!((only_head.status, only_head.body.len()), (200, 0), "{path}");
    }
    for path in [
        "/index.html",
        "/..",
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/api",
        "/api/",
        "/api/nothing",
        "/etc/passwd",
        "//etc/passwd",
        "/app.js/",
        "/play",
        "/api/runs/%2e%2e/pictures/a.png",
        "/api/runs",
    ] {
        let answer = get(studio, path);
        assert_eq!(answer.status, 404, "{path}");
        assert!(!answer.error().is_empty());
    }
    for (method, path) in
        [("POST", "/"), ("GET", "/api/make"), ("DELETE", "/api/solve"), ("PUT", "/app.js")]
    {
        assert_eq!(request(studio, method, path, &[], b"").status, 405, "{method} {path}");
    }
}

#[test]
fn every_route_is_described_and_every_description_is_a_route() {
    let studio = studio();
    let described = get(studio, "/api/openapi.json").json();
    assert_eq!(described["openapi"], "3.1.0");
    let paths = described["paths"].as_object().expect("paths");
    assert!(paths.len() >= 15, "{}", paths.len());
    for (path, methods) in paths {
        for method in methods.as_object().expect("methods").keys() {
            let real = path.replace("{run}", "x").replace("{picture}", "y");
            let status = request(studio, &method.to_ascii_uppercase(), &real, &[], b"").status;
            assert!(status != 405, "{method} {path}");
            assert!(status != 404 || path.starts_with("/api/runs"), "{method} {path}");
        }
    }
    for question in genvp_studio::engine::QUESTIONS {
        assert!(paths.contains_key(&format!("/api/{question}")), "{question}");
    }
    let routes = include_str!("../src/server/routes.rs").split('"');
    let routes: Vec<&str> =
        routes.filter(|text| text.starts_with("/api/") && !text.contains(' ')).collect();
    assert!(routes.len() >= 14, "{routes:?}");
    for route in routes.into_iter().filter(|route| *route != "/api/{question}") {
        assert!(paths.contains_key(route), "{route} is not described");
    }
}

#[test]
fn only_its_own_page_on_its_own_name_is_answered() {
    let studio = studio();
    let port = studio.port();
    let status =
        |headers: &[(&str, &str)]| request(studio, "POST", "/api/make", headers, b"{").status;
    for host in [
        "evil.example",
        &format!("evil.example:{port}"),
        "127.0.0.1:1",
        &format!("192.168.1.1:{port}"),
    ] {
        assert_eq!(status(&[("Host", host)]), 403, "{host}");
    }
    let own = format!("localhost:{port}");
    assert_eq!(status(&[("Host", &own)]), 400, "the request itself is bad");
    for origin in [
        "http://evil.example",
        "null",
        "https://localhost",
        &format!("https://{own}"),
        "http://localhost:1",
    ] {
        assert_eq!(status(&[("Origin", origin)]), 403, "{origin}");
    }
    assert_eq!(status(&[("Origin", &format!("http://{own}"))]), 400);
    assert_eq!(status(&[("Sec-Fetch-Site", "cross-site")]), 403);
    let two =
        format!("GET / HTTP/1.1\r\nHost: {own}\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    assert!(client::parse(&raw(studio, two.as_bytes())).status >= 400);
    let whole = |host: &str| {
        let line =
            format!("GET http://{host}/ HTTP/1.1\r\nHost: {own}\r\nConnection: close\r\n\r\n");
        client::parse(&raw(studio, line.as_bytes())).status
    };
    assert_eq!((whole(&own), whole("evil.example")), (200, 403), "a host in the first line");
}

#[test]
fn too_much_is_refused_before_it_is_read() {
    let studio = studio();
    let claimed = format!(
        "POST /api/solve HTTP/1.1\r\nHost: {studio}\r\nContent-Length: 99999999999\r\n\r\n"
    );
    assert_eq!(client::parse(&raw(studio, claimed.as_bytes())).status, 413);
    // Nine megabytes, from clients who read no answer before all is sent.
    let mut whole = format!("POST /api/solve HTTP/1.1\r\nHost: {studio}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", 9 << 20).into_bytes();
    whole.resize(whole.len() + (9 << 20), b'x');
    assert_eq!(client::parse(&client::all_sent(studio, &whole)).status, 413);
    // The same in pieces whose number nobody told.
    let mut chunked =
        format!("POST /api/solve HTTP/1.1\r\nHost: {studio}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n")
            .into_bytes();
    for _ in 0..9 {
        chunked.extend_from_slice(b"100000\r\n");
        chunked.resize(chunked.len() + (1 << 20), b'x');
        chunked.extend_from_slice(b"\r\n");
    }
    chunked.extend_from_slice(b"0\r\n\r\n");
    assert_eq!(client::parse(&client::all_sent(studio, &chunked)).status, 413);
    let long = format!("/{}", "a".repeat(200_000));
    let answer = raw(
        studio,
        format!("GET {long} HTTP/1.1\r\nHost: {studio}\r\nConnection: close\r\n\r\n").as_bytes(),
    );
    assert!(answer.is_empty() || client::parse(&answer).status >= 400);
    for (path, body) in [
        ("/api/make", json!({ "puzzle": puzzle("iraven", "3x3", 0), "n": 1_000_000_000u64 })),
        ("/api/imagine", json!({ "layout": "3x3", "n": 1_000_000 })),
        ("/api/imagine", json!({ "layout": "3x3", "tries": 100_000 })),
        ("/api/complete", json!({ "puzzle": puzzle("iraven", "3x3", 0), "samples": 10_000 })),
        (
            "/api/item/export",
            json!({ "items": vec![puzzle("iraven", "c-s", 0); 1000], "format": "png" }),
        ),
        ("/api/item/export", json!({ "items": [], "format": "csv" })),
    ] {
        let answer = post(studio, path, &body);
        assert_eq!(answer.status, 422, "{path} {}", answer.error());
    }
}

#[test]
fn a_thousand_malformed_requests_are_answered_in_one_sentence_each() {
    send_malformed_requests(1000);
}

#[test]
#[ignore = "takes two minutes: some clients are waited for"]
fn ten_thousand_malformed_requests_are_answered_in_one_sentence_each() {
    send_malformed_requests(10_000);
}

const ADDRESSES: [&str; 14] = [
    "make",
    "grid",
    "builder",
    "panel",
    "mark",
    "exact",
    "panels",
    "solve",
    "complete",
    "imagine",
    "judge",
    "inside/redraw",
    "inside/traverse",
    "item/export",
];

/// A request that is good or nearly so.
fn odd_request(studio: SocketAddr, number: usize, noise: &mut genvp_puzzle::Stream) -> Vec<u8> {
    let whole = json!({ "puzzle": puzzle("iraven", "3x3", 0), "panel": { "components": [[{ "slot": 0, "shape": 1, "size": 1, "color": 1 }]] } })
        .to_string();
    let mut body = match number % 4 {
        0 => Vec::new(),
        1 => (0..noise.below(200)).map(|_| noise.below(256) as u8).collect(),
        2 => format!("{}{}", "[".repeat(noise.below(3000) as usize), whole).into_bytes(),
        _ => whole.into_bytes(),
    };
    // A byte of a good body is changed, or its end is cut off.
    if number % 4 == 3 {
        let at = noise.below(body.len() as u32) as usize;
        if number % 8 == 3 { body.truncate(at) } else { body[at] = noise.below(128) as u8 }
    }
    let kind = match number % 5 {
        0 => "application/octet-stream",
        1 => "multipart/form-data; boundary=x",
        _ => "application/json",
    };
    let address = ADDRESSES[number % ADDRESSES.len()];
    let mut request = format!(
        "POST /api/{address} HTTP/1.1\r\nHost: {studio}\r\nConnection: close\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    // Of every third the head is not as it should be either.
    if number.is_multiple_of(3) {
        let at = noise.below(request.len() as u32 - 4) as usize;
        request[at] = noise.below(256) as u8;
    }
    request.extend_from_slice(&body);
    request
}

fn send_malformed_requests(count: usize) {
    let studio = studio();
    let mut noise = genvp_puzzle::Stream::new(1, "malformed", 0);
    let (mut refused, mut answered) = (0, 0);
    for number in 0..count {
        let request = odd_request(studio, number, &mut noise);
        let shown = || String::from_utf8_lossy(&request).into_owned();
        let answer = first_answer(studio, &request);
        assert!(!answer.is_empty(), "no answer to {}", shown());
        let answer = client::parse(&answer);
        // A changed byte may leave a good request.
        let is_good = answer.status == 200;
        assert!(
            is_good || (400..500).contains(&answer.status),
            "{} {}: {}",
            answer.status,
            String::from_utf8_lossy(&answer.body),
            shown()
        );
        if is_good {
            answered += 1;
            continue;
        }
        refused += 1;
        let sentence = answer.error();
        let is_one = !sentence.is_empty() && !sentence.contains('\n') && sentence.len() < 600;
        assert!(is_one, "{sentence}: {}", shown());
    }
    assert!(refused > 9 * answered, "{refused} refused, {answered} answered");
    let health = get(studio, "/api/health").json();
    assert_eq!(health["ok"], true);
}

#[test]
fn nonsense_instead_of_http_is_answered_in_a_sentence_and_ends_no_studio() {
    let studio = studio();
    let long = format!("GET / HTTP/1.1\r\nHost: {studio}\r\nX: {}\r\n\r\n", "x".repeat(99_999));
    for (bytes, status) in [
        (&b"\0\0\0\0\r\n\r\n"[..], 400),
        (b"GET / HTTP/9.9\r\n\r\n", 400),
        (b"hello\r\n\r\n", 400),
        (b"POST /api/make HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nBad Header: x\r\n\r\n", 400),
        (long.as_bytes(), 431),
    ] {
        let answer = client::parse(&first_answer(studio, bytes));
        assert_eq!(answer.status, status, "{}", answer.head);
        assert!(!answer.error().is_empty());
        assert!(answer.head.contains("content-security-policy"), "{}", answer.head);
    }
    // A head that never ends is no request yet.
    assert!(last_words(studio, b"GET").is_empty());
    assert_eq!(get(studio, "/api/health").json()["ok"], true);
}

#[test]
fn every_family_is_made_shown_and_proved() {
    let studio = studio();
    for (set, kind) in KINDS {
        let answer =
            post(studio, "/api/make", &json!({ "puzzle": puzzle(set, kind, 3), "proof": true }));
        assert_eq!(answer.status, 200, "{set}: {}", String::from_utf8_lossy(&answer.body));
        let made = &answer.json()["puzzles"][0];
        let form = &made["form"];
        let count = |name: &str| made[name].as_array().map_or(0, Vec::len) as u64;
        let cells = form["rows"].as_u64().unwrap_or(0) * form["columns"].as_u64().unwrap_or(0);
        assert_eq!(
            (count("question"), count("choices")),
            (cells - 1, form["choices"].as_u64().unwrap_or(0))
        );
        assert_eq!(made["proof"]["sound"], true, "{set}");
        assert_eq!(made["proof"]["right"], json!([made["target"]]));
        let broken = made["broken"].as_array().expect("reasons");
        for (choice, why) in broken.iter().enumerate() {
            assert_eq!(
                why.as_array().map(Vec::is_empty),
                Some(made["target"] == choice),
                "{set} {choice}"
            );
        }
        let again = post(studio, "/api/make", &json!({ "puzzle": made["puzzle"], "proof": true }));
        assert_eq!(again.json()["puzzles"][0], *made, "a link makes the same puzzle again");
        let exact = post(studio, "/api/exact", &json!({ "puzzle": made["puzzle"] })).json();
        assert_eq!(exact["answer"], made["target"], "{set}");
    }
}

#[test]
fn clones_have_the_rules_and_another_surface() {
    let studio = studio();
    for (set, kind) in KINDS {
        let first = post(studio, "/api/make", &json!({ "puzzle": puzzle(set, kind, 1) })).json();
        let first = &first["puzzles"][0];
        let mut like = puzzle(set, kind, 50);
        like["rules"] = first["rules"].clone();
        let clones = post(studio, "/api/make", &json!({ "puzzle": like, "n": 3 })).json();
        let clones = clones["puzzles"].as_array().expect("clones").clone();
        assert_eq!(clones.len(), 3);
        for clone in &clones {
            assert_eq!(clone["rules"], first["rules"], "{set}");
            assert_ne!(clone["question"], first["question"], "{set}");
        }
    }
}

#[test]
fn model_and_exact_solver_stand_side_by_side() {
    let studio = studio();
    let made = post(studio, "/api/solve", &json!({ "puzzle": puzzle("iraven", "2x2", 0) }));
    assert_eq!(made.status, 200, "{}", String::from_utf8_lossy(&made.body));
    let said = made.json();
    assert_eq!(said["panels"].as_array().map(Vec::len), Some(16));
    assert_eq!(said["exact"]["answer"], said["exact"]["target"]);
    assert_eq!(said["model"]["scores"].as_array().map(Vec::len), Some(8));
    assert!(said["model"]["experts"].as_object().is_some_and(|experts| experts.len() > 4));
    assert_eq!(said["rules"]["mixed"].as_array().map(Vec::len), Some(12));
    let as_curl_sends_it = [("Content-Type", "application/x-www-form-urlencoded")];
    let body = json!({ "puzzle": puzzle("iraven", "2x2", 0) }).to_string();
    let curl = request(studio, "POST", "/api/solve", &as_curl_sends_it, body.as_bytes());
    assert_eq!(curl.json()["model"]["answer"], said["model"]["answer"]);
    let pgm = post(studio, "/api/solve", &json!({ "puzzle": puzzle("pgm", "neutral", 0) })).json();
    assert_eq!(pgm["exact"]["answer"], pgm["exact"]["target"]);
    assert_eq!(pgm["model"]["scores"].as_array().map(Vec::len), Some(8), "{pgm}");
    let vad = post(studio, "/api/solve", &json!({ "puzzle": puzzle("vad", "extrapolation", 0) }));
    assert_eq!(vad.json()["model"]["scores"].as_array().map(Vec::len), Some(4));
}

#[test]
fn models_are_asked_by_name_and_only_about_their_family() {
    let weights =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../weights/pgm-64-cpu.safetensors");
    let (studio, _stop) = start_with(patient(), None, Some(weights));
    let listed = get(studio, "/api/models").json();
    let listed: Vec<_> = listed["models"].as_array().expect("models").iter().collect();
    let is = |name: &str, family: &str, default: bool| {
        let one = listed.iter().find(|one| one["name"] == name).expect(name);
        assert_eq!((&one["family"], &one["default"]), (&json!(family), &json!(default)), "{name}");
        assert!(one["parameters"].is_boolean(), "{one}");
    };
    // As for the commands: one answers best, another draws.
    is("raven-cpu-64", "raven", false);
    is("raven-rules-64", "raven", true);
    is("pgm-64-cpu", "pgm", true);
    is("vad-64-cpu", "vad", true);
    assert_eq!(listed.len(), 4, "the vote looks at no pictures");
    let draw: Vec<_> = listed.iter().filter(|one| one["draws"] == true).collect();
    assert_eq!(draw.len(), 1);
    assert_eq!(draw[0]["name"], "raven-cpu-64");
    let solve = |set: &str, kind: &str, model: Value| {
        post(studio, "/api/solve", &json!({ "puzzle": puzzle(set, kind, 0), "model": model }))
    };
    for (set, kind, model, rows) in [
        ("iraven", "c-s", Some("raven-cpu-64"), 12),
        ("iraven", "c-s", None, 12),
        ("pgm", "neutral", Some("pgm-64-cpu"), 10),
        ("pgm", "neutral", None, 10),
    ] {
        let answer = solve(set, kind, json!(model));
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        let said = answer.json();
        let first = if set == "pgm" { "pgm-64-cpu" } else { "raven-rules-64" };
        assert_eq!(said["model_name"], model.unwrap_or(first));
        assert_eq!(said["model"]["scores"].as_array().map(Vec::len), Some(8));
        assert_eq!(said["rules"]["mixed"].as_array().map(Vec::len), Some(rows), "{set}");
    }
    for (set, model, says) in [
        ("pgm", "raven-cpu-64", "raven-cpu-64 is for puzzles of raven"),
        ("iraven", "pgm-64-cpu", "pgm-64-cpu is for puzzles of pgm"),
        ("iraven", "../weights/pgm-64-cpu.safetensors", "there is no model of that name"),
        ("iraven", "vote", "there is no model of that name"),
    ] {
        let kind = if set == "pgm" { "neutral" } else { "c-s" };
        let answer = solve(set, kind, json!(model));
        assert_eq!(answer.status, 422);
        assert!(answer.error().contains(says), "{}", answer.error());
    }
    let card = get(studio, "/api/model?name=pgm-64-cpu").json();
    assert_eq!(card["name"], "pgm-64-cpu");
}

#[test]
fn a_given_model_goes_before_those_in_the_box() {
    let weights =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../weights/raven-cpu-64.safetensors");
    let (studio, _stop) = start_with(patient(), None, Some(weights));
    let solved = post(studio, "/api/solve", &json!({ "puzzle": puzzle("iraven", "c-s", 0) }));
    assert_eq!(solved.json()["model_name"], "raven-cpu-64");
}

#[test]
fn files_are_solved_from_their_pixels() {
    let studio = studio();
    for (set, kind) in [("iraven", "3x3"), ("pgm", "neutral"), ("vad", "interpolation")] {
        let items = json!({ "items": [puzzle(set, kind, 2)], "format": "npz" });
        let npz = post(studio, "/api/item/export", &items);
        assert_eq!(npz.status, 200, "{}", String::from_utf8_lossy(&npz.body));
        assert!(
            npz.head.to_ascii_lowercase().contains("attachment; filename=\"item_1.npz\""),
            "{}",
            npz.head
        );
        let answer =
            request(studio, "POST", "/api/solve?name=..%2F..%2Fetc%2Fitem.npz", &[], &npz.body);
        assert_eq!(answer.status, 200, "{set}: {}", String::from_utf8_lossy(&answer.body));
        let said = answer.json();
        assert_eq!(
            (said["file"].as_str(), said["family"].as_str()),
            (Some("item.npz"), Some(if set == "iraven" { "raven" } else { set }))
        );
        assert_eq!(said["exact"]["answer"], said["exact"]["target"], "{set}");
        for cut in [4, 100, npz.body.len() / 2, npz.body.len() - 1] {
            let cut = request(studio, "POST", "/api/solve", &[], &npz.body[..cut]);
            assert_eq!(cut.status, 422, "{}", String::from_utf8_lossy(&cut.body));
        }
    }
    assert_eq!(request(studio, "POST", "/api/solve", &[], b"\x89PNG\r\n\x1a\nno").status, 422);
    assert_eq!(request(studio, "POST", "/api/solve?family=nobody", &[], b"PK").status, 422);
}

/// The panels of a made puzzle as pixels, and their side.
fn pixels(set: &str, kind: &str, index: u64) -> (Vec<Vec<u8>>, usize) {
    let family = genvp_puzzle::family::family_of_set(set).expect("a family");
    let is_named = |s: &genvp_puzzle::family::Stratum| {
        s.set == set && (s.name == kind || family.short_name(*s) == kind)
    };
    let stratum = family.strata().into_iter().find(is_named).expect("a stratum");
    let spec = genvp_puzzle::family::PuzzleSpec::new(stratum);
    let made = family.generator(&spec).and_then(|g| g.puzzle(7, index)).expect("a puzzle");
    let sheet = made.sheet();
    (sheet.panels().map(<[u8]>::to_vec).collect(), sheet.side)
}

/// A picture of panels, so many in a row; white where there is none.
fn picture(panels: &[&[u8]], side: usize, columns: usize) -> Vec<u8> {
    let width = columns * side;
    let height = panels.len().div_ceil(columns) * side;
    let mut sheet = vec![255u8; width * height];
    for (index, panel) in panels.iter().enumerate() {
        for (row, pixels) in panel.chunks_exact(side).enumerate() {
            let at = (index / columns * side + row) * width + index % columns * side;
            sheet[at..at + side].copy_from_slice(pixels);
        }
    }
    genvp_draw::grey_png(width, height, &sheet)
}

#[test]
fn pictures_of_every_family_are_cut_shown_and_solved() {
    let studio = studio();
    for (set, kind, family, question) in [
        ("iraven", "c-s", "raven", 3),
        ("pgm", "neutral", "pgm", 3),
        ("vad", "interpolation", "vad", 3),
    ] {
        let named = json!({ "puzzle": puzzle(set, kind, 5) });
        let whole = post(studio, "/api/solve", &named).json();
        let (panels, side) = pixels(set, kind, 5);
        let views: Vec<&[u8]> = panels.iter().map(Vec::as_slice).collect();
        let (count, choices) = (panels.len(), if set == "vad" { 4 } else { 8 });
        let context = count - choices;
        let png = |name: &str, own: &[&[u8]], columns: usize| {
            (name.to_owned(), picture(own, side, columns))
        };
        let singles = (0..count).rev().map(|i| png(&format!("panel_{i}.png"), &views[i..=i], 1));
        let mut apart: Vec<_> =
            (context..count).map(|i| png(&format!("choice_{i}.png"), &views[i..=i], 1)).collect();
        let blank = vec![255; side * side];
        let mut asked = views[..context].to_vec();
        asked.push(&blank);
        apart.push(png("question.png", &asked, question));
        let columns = if set == "vad" { 3 } else { 4 };
        for (what, files) in [
            ("one sheet", vec![png("scan.png", &views, columns)]),
            (
                "two sheets",
                vec![
                    png("answers.png", &views[context..], 4),
                    png("question.png", &asked, question),
                ],
            ),
            ("single pictures", singles.collect()),
            ("a question and single choices", apart),
        ] {
            let fields = [("family", family)];
            let cut = post_form(studio, "/api/panels", &files, &fields);
            assert_eq!(cut.status, 200, "{set}, {what}: {}", String::from_utf8_lossy(&cut.body));
            let cut = cut.json();
            assert_eq!(cut["panels"], whole["panels"], "{set}, {what}");
            assert!(cut.get("exact").is_none() && cut.get("target").is_none());
            let said = post_form(studio, "/api/solve", &files, &fields).json();
            assert_eq!(said["exact"]["answer"], whole["exact"]["answer"], "{set}, {what}");
            assert_eq!(said["model"]["answer"], whole["model"]["answer"], "{set}, {what}");
        }
    }
}

#[test]
fn pictures_tell_their_family_by_their_number_and_order_by_their_names() {
    let studio = studio();
    let (panels, side) = pixels("vad", "interpolation", 1);
    let mut files: Vec<_> =
        (0..9).map(|i| (format!("p{}.png", i + 3), picture(&[&panels[i]], side, 1))).collect();
    files.reverse();
    let cut = post_form(studio, "/api/panels", &files, &[]).json();
    assert_eq!((cut["family"].as_str(), cut["files"][1].as_str()), (Some("vad"), Some("p4.png")));
    let given = post_form(studio, "/api/panels", &files, &[("order", "given")]).json();
    assert_eq!(given["files"][0], "p11.png");
    for (files, says) in [
        (&files[..7], "7 pictures where 16 panels are wanted"),
        (&[], "neither an npz file nor a PNG picture"),
    ] {
        let refused = post_form(studio, "/api/panels", files, &[]);
        assert_eq!(refused.status, 422);
        assert!(refused.error().contains(says), "{}", refused.error());
    }
    let mixed = [files[0].clone(), ("x.npz".to_owned(), b"PK".to_vec())];
    assert_eq!(post_form(studio, "/api/panels", &mixed, &[]).status, 422);
}

#[test]
fn white_paper_that_unpacks_to_more_than_a_sheet_is_refused() {
    let white = genvp_draw::grey_png(2048, 2048, &vec![255; 2048 * 2048]);
    let files: Vec<_> = (0..16).map(|i| (format!("{i}.png"), white.clone())).collect();
    let refused = post_form(studio(), "/api/panels", &files, &[]);
    assert_eq!(refused.status, 422);
    assert!(refused.error().contains("more than 0 pixels"), "{}", refused.error());
}

#[test]
fn items_that_were_printed_are_read_again() {
    let studio = studio();
    for (set, kind, index) in [
        ("iraven", "c-s", 0),
        ("iraven", "2x2", 1),
        ("pgm", "neutral", 2),
        ("vad", "interpolation", 3),
    ] {
        let items = json!({ "items": [puzzle(set, kind, index)], "format": "png" });
        let png = post(studio, "/api/item/export", &items).body;
        let family = if set == "iraven" { "raven" } else { set };
        let files = [("item_1.png".to_owned(), png)];
        let said = post_form(studio, "/api/solve", &files, &[("family", family)]);
        assert_eq!(said.status, 200, "{set}: {}", String::from_utf8_lossy(&said.body));
        let made = post(studio, "/api/make", &json!({ "puzzle": puzzle(set, kind, index) })).json();
        assert_eq!(said.json()["exact"]["answer"], made["puzzles"][0]["target"], "{set} {kind}");
    }
}

#[test]
fn missing_panels_are_drawn_and_drawings_come_one_by_one() {
    let studio = studio();
    let asked = json!({ "puzzle": puzzle("iraven", "c-s", 0), "missing": "9", "samples": 2 });
    let said = post(studio, "/api/complete", &asked).json();
    assert_eq!(said["samples"].as_array().map(Vec::len), Some(2));
    assert_eq!(said["samples"][0]["panels"].as_array().map(Vec::len), Some(9));
    let wish = json!({ "layout": "c-s", "rules": "type=progression", "n": 2 });
    let all = post(studio, "/api/imagine", &wish).json();
    let puzzles = all["puzzles"].as_array().expect("drawings");
    assert_eq!(puzzles.len(), 2);
    assert!(puzzles[0]["asked"].as_str().is_some_and(|asked| asked.contains("type=progression")));
    let events = follow(studio, "/api/imagine", &wish);
    let names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["progress", "drawing", "progress", "drawing", "end"]);
    assert!(events[1].1 == puzzles[0] && events[3].1 == puzzles[1], "the same drawings");
    for (wish, says) in [
        (json!({ "layout": "c-s", "rules": "type=arithmetic" }), "arithmetic"),
        (json!({ "layout": "c-s", "rules": "number=progression" }), "cannot hold"),
        (json!({ "layout": "round" }), "layout"),
    ] {
        let answer = post(studio, "/api/imagine", &wish);
        assert_eq!(answer.status, 422);
        assert!(answer.error().contains(says), "{}", answer.error());
    }
}

#[test]
fn the_judge_reads_pixels() {
    let studio = studio();
    let made = post(studio, "/api/make", &json!({ "puzzle": puzzle("iraven", "c-s", 0) })).json();
    let target = made["puzzles"][0]["target"].as_u64().expect("a target");
    for choice in 0..8u64 {
        let asked = json!({ "puzzle": puzzle("iraven", "c-s", 0), "choice": choice });
        let said = post(studio, "/api/judge", &asked).json();
        assert_eq!(said["agrees"], choice == target, "{choice}: {said}");
    }
}

#[test]
fn what_the_model_keeps_can_be_looked_at() {
    let studio = studio();
    let said =
        post(studio, "/api/inside/redraw", &json!({ "puzzle": puzzle("iraven", "c-s", 0) })).json();
    assert_eq!(said["redrawn"].as_array().map(Vec::len), Some(16));
    let asked = json!({ "puzzle": puzzle("iraven", "c-s", 0), "panel": 0, "first": 2, "n": 3 });
    let said = post(studio, "/api/inside/traverse", &asked).json();
    assert_eq!(said["lines"].as_array().map(Vec::len), Some(3));
    assert_eq!(said["lines"][0]["drawings"].as_array().map(Vec::len), Some(7));
    let asked =
        json!({ "puzzle": puzzle("iraven", "c-s", 0), "panel": 0, "strongest": true, "n": 4 });
    let said = post(studio, "/api/inside/traverse", &asked).json();
    for line in said["lines"].as_array().expect("lines") {
        let drawings = line["drawings"].as_array().expect("drawings");
        assert_ne!(drawings.first(), drawings.last(), "number {} changes nothing", line["number"]);
    }
    assert_eq!(said["lines"].as_array().map(Vec::len), Some(4));
    let beyond = json!({ "puzzle": puzzle("iraven", "c-s", 0), "panel": 0, "first": 100_000 });
    assert_eq!(post(studio, "/api/inside/traverse", &beyond).status, 422);
    assert_eq!(get(studio, "/api/model").json()["name"], "raven-cpu-64");
}

fn jobs(studio: SocketAddr, queue: &str, what: &str) -> u64 {
    get(studio, "/api/health").json()["jobs"][queue][what].as_u64().expect("a count")
}

#[test]
fn too_many_drawings_are_turned_away_while_puzzles_are_made_and_solved() {
    let limits = Limits { drawing_waiting: 1, ..patient() };
    let (studio, _stop) = start(limits, None);
    let wish = json!({ "layout": "3x3", "n": 16 });
    std::thread::scope(|scope| {
        let ask = || scope.spawn(|| post(studio, "/api/imagine", &wish).status);
        let first = ask();
        until("the first draws", || jobs(studio, "drawing", "running") == 1);
        let second = ask();
        until("the second waits", || jobs(studio, "drawing", "waiting") == 1);
        let third = post(studio, "/api/imagine", &wish);
        assert_eq!(third.status, 429, "{}", third.error());
        assert!(third.head.to_ascii_lowercase().contains("retry-after:"), "{}", third.head);
        let made = post(studio, "/api/make", &json!({ "puzzle": puzzle("iraven", "3x3", 0) }));
        assert_eq!(made.status, 200);
        let solved = post(studio, "/api/solve", &json!({ "puzzle": puzzle("iraven", "c-s", 0) }));
        assert_eq!(solved.status, 200, "{}", String::from_utf8_lossy(&solved.body));
        assert_eq!(jobs(studio, "drawing", "waiting"), 1, "made and solved while the model draws");
        assert_eq!(first.join().expect("no panic"), 200);
        assert_eq!(second.join().expect("no panic"), 200);
    });
}

#[test]
fn progress_is_told_and_the_answer_is_the_same() {
    let studio = studio();
    let pick = puzzle("iraven", "c-s", 0);
    for (path, body) in [
        ("/api/make", json!({ "puzzle": pick, "n": 5 })),
        ("/api/solve", json!({ "puzzle": pick })),
        ("/api/complete", json!({ "puzzle": pick, "samples": 2 })),
    ] {
        let events = follow(studio, path, &body);
        let (last, steps) = events.split_last().expect("events");
        assert!(steps.iter().all(|(name, _)| name == "progress"), "{path}");
        let done: Vec<u64> = steps.iter().filter_map(|(_, data)| data["done"].as_u64()).collect();
        assert!(done.len() >= 3 && done.is_sorted(), "{path}: {done:?}");
        let whole = post(studio, path, &body).json();
        assert_eq!((last.0.as_str(), &last.1), ("end", &whole), "{path}");
    }
    let items = json!({ "items": [pick, puzzle("pgm", "neutral", 1)], "format": "csv" });
    let events = follow(studio, "/api/item/export", &items);
    let (last, steps) = events.split_last().expect("events");
    assert_eq!(steps.len(), 3);
    assert_eq!((last.0.as_str(), last.1["name"].as_str()), ("end", Some("items.csv")));
    let refused = follow(studio, "/api/make", &json!({ "puzzle": pick, "n": 1000 }));
    assert_eq!(refused[0].0, "error");
    assert!(refused[0].1["error"].as_str().is_some_and(|error| error.contains("1 to 64")));
}

/// Asks for events and reads until the first that tells of a finished step.
fn begin(studio: SocketAddr, path: &str, body: &Value) -> TcpStream {
    let body = body.to_string();
    let mut stream = TcpStream::connect(studio).expect("a connection");
    write!(
        stream,
        "POST {path} HTTP/1.1\r\nHost: {studio}\r\nAccept: text/event-stream\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .expect("sent");
    let (mut told, mut piece) = (String::new(), [0; 4096]);
    while !told.contains("\"done\":1") {
        let read = stream.read(&mut piece).expect("events");
        assert!(read > 0, "{told}");
        told += &String::from_utf8_lossy(&piece[..read]);
    }
    stream
}

#[test]
fn whoever_hangs_up_ends_the_work() {
    let (studio, _stop) = start(patient(), None);
    let pick = puzzle("iraven", "3x3", 0);
    for (path, body) in [
        ("/api/complete", json!({ "puzzle": pick, "samples": 16 })),
        ("/api/imagine", json!({ "layout": "3x3", "n": 16, "tries": 16 })),
    ] {
        let start = Instant::now();
        let stream = begin(studio, path, &body);
        // The first of sixteen or more is there.
        let each = start.elapsed();
        drop(stream);
        let stopped = Instant::now();
        until("the work ends", || jobs(studio, "drawing", "running") == 0);
        let rest = stopped.elapsed();
        assert!(rest < 6 * each, "{path}: {rest:?} more after {each:?}");
    }
    // All of these puzzles take less time than a busy machine may keep us waiting: that one of
    // some tries ends early tells enough.
    let many = json!({ "puzzle": pick, "n": 64, "active_rules": [4, 4], "proof": true });
    let start = Instant::now();
    assert_eq!(post(studio, "/api/make", &many).status, 200);
    let whole = start.elapsed();
    let ends_early = || {
        drop(begin(studio, "/api/make", &many));
        let stopped = Instant::now();
        until("the work ends", || jobs(studio, "engine", "running") == 0);
        stopped.elapsed() < whole / 2
    };
    assert!((0..5).any(|_| ends_early()), "all {whole:?} were worked");
}

#[test]
fn uploads_together_are_bounded_and_keep_no_player_from_playing() {
    let limits = Limits { upload_bytes: 1 << 20, ..patient() };
    let (studio, _stop) = start(limits, None);
    let junk = vec![b'x'; 700 << 10];
    // An upload that does not end; after some seconds the studio gives it up.
    let half = || {
        let mut stream = TcpStream::connect(studio).expect("a connection");
        let length = 800 << 10;
        write!(
            stream,
            "POST /api/panels HTTP/1.1\r\nHost: {studio}\r\nContent-Length: {length}\r\n\r\n"
        )
        .expect("sent");
        stream.write_all(&junk).expect("sent");
        stream
    };
    let mut first = half();
    let send = || request(studio, "POST", "/api/panels", &[], &junk);
    until("there is no room", || {
        let answer = send();
        let is_full = answer.status == 429 && answer.error().contains("1 MB are under way");
        if !is_full {
            first = half();
        }
        is_full
    });
    let made = post(studio, "/api/make", &json!({ "puzzle": puzzle("iraven", "3x3", 0) }));
    assert_eq!(made.status, 200, "{}", String::from_utf8_lossy(&made.body));
    drop(first);
    until("there is room again", || send().status == 422);
}

#[test]
fn runs_are_shown_and_nothing_beside_them() {
    let root = tempfile::tempdir().expect("a folder");
    let run = root.path().join("runs/mine/pictures");
    std::fs::create_dir_all(&run).expect("folders");
    std::fs::write(
        root.path().join("runs/mine/metrics.jsonl"),
        "{\"what\":\"steps\",\"step\":3,\"total\":1.5}\n",
    )
    .expect("a file");
    std::fs::write(run.join("a.png"), b"png").expect("a file");
    std::fs::write(root.path().join("runs/mine/config.toml"), b"secret").expect("a file");
    let (studio, _stop) = start(patient(), Some(root.path().join("runs")));
    assert_eq!(get(studio, "/api/runs").json()["runs"][0]["last"]["step"], 3);
    assert_eq!(get(studio, "/api/runs/mine").json()["steps"][0]["total"], 1.5);
    assert_eq!(get(studio, "/api/runs/mine/pictures/a.png").body, b"png");
    for path in [
        "/api/runs/mine/pictures/..%2fconfig.toml",
        "/api/runs/mine%2fpictures",
        "/api/runs/../runs",
        "/api/runs/mine/config.toml",
    ] {
        assert_eq!(get(studio, path).status, 404, "{path}");
    }
}
