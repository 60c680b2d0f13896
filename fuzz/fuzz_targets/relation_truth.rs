//! A line of truth of PGM or VAD, and a list of what is held out. What can be read
//! must survive being written again.
#![no_main]

use genvp_data::relations::{
    TruthLine, domain_pair_lines, held_out_lines, parse_domain_pairs, parse_held_out,
};
use genvp_puzzle::pgm::Regime;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(truth) = TruthLine::parse(&text, 1) {
        assert_eq!(TruthLine::parse(&truth.encode(), 1), Ok(truth));
    }
    for regime in Regime::ALL {
        if let Ok(list) = parse_held_out(&text, regime) {
            assert_eq!(parse_held_out(&held_out_lines(&list).join("\n"), regime), Ok(list));
        }
    }
    if let Ok(pairs) = parse_domain_pairs(&text) {
        assert_eq!(parse_domain_pairs(&domain_pair_lines(&pairs).join("\n")), Ok(pairs));
    }
});
