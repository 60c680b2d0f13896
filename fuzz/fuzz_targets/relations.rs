//! A whole npz of PGM or VAD. What can be read must survive being written again.
#![no_main]

mod checksums;

use genvp_data::relations::{Format, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    check(&checksums::of_zip(bytes));
});

fn check(bytes: &[u8]) {
    let _ = Format::of_npz(bytes);
    for format in Format::ALL {
        let Ok(mut file) = parse(bytes, format) else { continue };
        file.notes.clear();
        let again = parse(&file.encode(), format).expect("we read what we write");
        assert_eq!(again, file);
    }
}
