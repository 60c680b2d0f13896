//! A tar archive, packed or not. No name leaves it and no member is too large.
#![no_main]

mod checksums;

use genvp_data::{limits, tar_gz};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    check(&checksums::of_tar(bytes));
});

fn check(bytes: &[u8]) {
    for member in tar_gz::parse(bytes).unwrap_or_default() {
        assert!(member.name.ends_with(".npz") && !member.name.starts_with('/'));
        assert!(member.name.split('/').all(|piece| piece != ".."));
        assert!(member.bytes.len() as u64 <= limits::NPZ_BYTES);
    }
}
