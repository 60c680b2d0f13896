//! A parquet table of PGM or VAD. What can be read must survive being written as npz.
#![no_main]

use genvp_data::relations::parse;
use genvp_data::table::parse_relations;
use libfuzzer_sys::fuzz_target;

// The parquet library panics over some damaged pages, and our reader turns that into an error: such
// panics must not end the run, as every other does.
fn let_parquet_panic() {
    let ends_the_run = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let file = panic.location().map_or("", |location| location.file());
        if !file.contains("/registry/src/") {
            ends_the_run(panic);
        }
    }));
}

fuzz_target!(init: let_parquet_panic(), |bytes: &[u8]| {
    let Ok(table) = parse_relations(bytes.to_vec()) else { return };
    for row in table.rows.flatten() {
        let Ok(mut file) = row.read() else { continue };
        file.notes.clear();
        assert_eq!(parse(&file.encode(), file.format), Ok(file));
    }
});
