//! A whole npz. What can be read must survive being written again.
#![no_main]

mod checksums;

use genvp_puzzle::Set;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    check(&checksums::of_zip(bytes));
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
