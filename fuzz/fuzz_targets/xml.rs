//! A puzzle's xml. What can be read must survive being written again.
#![no_main]

use genvp_data::xml;
use genvp_puzzle::{Domain, Set};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(scene) = xml::parse(bytes, Domain::Standard) else { return };
    let set = if scene.changes.is_some() { Set::IRaven } else { Set::Raven };
    let text = xml::encode(&scene, set);
    let again = xml::parse(text.as_bytes(), Domain::Standard).expect("we read what we write");
    assert_eq!(again, scene);
});
