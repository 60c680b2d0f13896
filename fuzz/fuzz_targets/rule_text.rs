//! A line of rules: the first byte chooses the layout. What can be read must
//! survive being printed, and a request for it must not hang.
#![no_main]

use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::{Layout, RuleMatrix, Set};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, text)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let layout = Layout::ALL[usize::from(first) % 7];
    let Ok(rules) = RuleMatrix::parse(text, layout) else { return };
    let printed = rules.text(layout);
    let again = RuleMatrix::parse(&printed, layout).expect("we read what we print");
    assert_eq!(again.text(layout), printed);
    // Making a puzzle takes a hundred times as long as reading its rules.
    if first < 224 {
        return;
    }
    if let Ok(maker) = Maker::new(Request { rules, ..Request::new(Set::IRaven, layout) }) {
        let _ = maker.puzzle(1, u64::from(first));
    }
});
