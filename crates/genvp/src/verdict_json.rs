//! What the judge says, for programs.

use genvp_puzzle::raven::judge::{Ruling, Verdict};
use serde_json::{Value, json};

/// A verdict as one object.
pub fn verdict_json(verdict: &Verdict) -> Value {
    json!({
        "agrees": verdict.agrees(),
        "coherence": verdict.coherence(),
        "layout_read": verdict.reading.layout.folder(),
        "confidence": verdict.reading.least_confidence(),
        "not_as_the_engine_draws": verdict.odd_names(),
        "unreadable_panels": verdict.reading.unreadable().map(|p| p + 1).collect::<Vec<_>>(),
        "rules": verdict.rulings.iter().map(ruling_json).collect::<Vec<_>>(),
    })
}

fn ruling_json(ruling: &Ruling) -> Value {
    json!({
        "rule": ruling.text(),
        "holds": ruling.holds,
        "rows": ruling.rows,
        "counted": ruling.counted,
    })
}
