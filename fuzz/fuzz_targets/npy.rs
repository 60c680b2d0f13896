//! A single numpy array: header, shape, elements.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = genvp_data::npz::parse_npy(bytes);
});
