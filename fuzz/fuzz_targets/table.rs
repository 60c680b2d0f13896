//! A parquet table of PGM or VAD. What can be read must survive being written as npz.
//! (The parquet library panics over some damaged pages. The reader turns that into an error and
//! keeps such panics from the fuzzer, which would end over them.)
#![no_main]

use genvp_data::relations::parse;
use genvp_data::table::parse_relations;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(table) = parse_relations(bytes.to_vec()) else { return };
    for row in table.rows.flatten() {
        let Ok(mut file) = row.read() else { continue };
        file.notes.clear();
        assert_eq!(parse(&file.encode(), file.format), Ok(file));
    }
});
