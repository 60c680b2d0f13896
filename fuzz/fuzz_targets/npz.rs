//! A whole npz. What can be read must survive being written again.
#![no_main]

use genvp_puzzle::Set;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    check(&with_checksums(bytes));
});

fn check(bytes: &[u8]) {
    let Ok(mut puzzle) = genvp_data::npz::parse(bytes) else { return };
    puzzle.notes.clear();
    if puzzle.predict.as_ref().is_some_and(|p| p.len() != 1) {
        puzzle.predict = None;
    }
    // Empty words and lists, and letters beyond ASCII, are not written as they were.
    puzzle.structure = puzzle
        .structure
        .filter(|words| !words.is_empty() && words.iter().all(|w| w.is_ascii() && !w.is_empty()));
    let again = genvp_data::npz::parse(&puzzle.encode_npz(Set::Raven)).expect("we read what we write");
    assert_eq!(again, puzzle);
}

/// The archive with the checksums of stored members made right, or no change of
/// theirs would ever get past the checksum.
fn with_checksums(bytes: &[u8]) -> Vec<u8> {
    let mut out = bytes.to_vec();
    let number = |at: usize, width: usize| {
        bytes.get(at..at + width).map(|b| b.iter().rev().fold(0usize, |n, &b| n << 8 | usize::from(b)))
    };
    for at in 0..bytes.len().saturating_sub(46) {
        if bytes[at..at + 4] != *b"PK\x01\x02" {
            continue;
        }
        let (Some(size), Some(local)) = (number(at + 20, 4), number(at + 42, 4)) else { continue };
        let (Some(name), Some(extra)) = (number(local + 26, 2), number(local + 28, 2)) else {
            continue;
        };
        let start = local + 30 + name + extra;
        if let Some(data) = bytes.get(start..start.saturating_add(size)) {
            out[at + 16..at + 20].copy_from_slice(&crc32fast::hash(data).to_le_bytes());
        }
    }
    out
}
