//! A timeline of jsPsych 8.

use serde_json::{Value, json};

use super::File;
use crate::item::Item;
use crate::{Picture, base64};

/// What the script says about itself and does; the items come before it.
const SCRIPT: &str = include_str!("timeline.js");
/// A page that runs it, for those who have no experiment yet.
const PAGE: &str = include_str!("timeline.html");

/// A script with the items as timeline variables and a timeline that shows them, and a page that
/// runs it. The answer is a key from 1 on; `correct`, the rules that the chosen item breaks, seed
/// and rules are in the data of every trial. Pictures are inside the script.
pub fn jspsych(items: &[Item]) -> Vec<File> {
    let variables: Vec<Value> = items.iter().map(variable).collect();
    let items = serde_json::to_string_pretty(&variables).unwrap_or_default();
    // A script inside a page must not be ended by what it holds.
    let items = items.replace("</", "<\\/");
    let script = SCRIPT.replace("/* ITEMS */", &items);
    vec![File::new("genvp-items.js", script), File::new("index.html", PAGE)]
}

fn variable(item: &Item) -> Value {
    let keys = item.response_keys();
    let right = keys.get(item.puzzle.target()).cloned().unwrap_or_default();
    json!({
        "stimulus": format!(
            // All choices are seen without scrolling, on small screens too.
            "<img src=\"{}\" alt=\"{}\" style=\"max-width: min(480px, 100%); max-height: 84vh\">",
            data_address(&item.picture()),
            crate::svg::escaped(&item.alt_text())
        ),
        "choices": keys,
        "correct_response": right,
        "item": item.name,
        "set": item.puzzle.stratum().set,
        "kind": item.kind(),
        "seed": item.seed,
        "index": item.index,
        "rules": item.rules(),
        "broken_rules": item.broken(),
    })
}

/// A picture as an address that holds it.
fn data_address(picture: &Picture) -> String {
    format!("data:image/svg+xml;base64,{}", base64(picture.svg().as_bytes()))
}
