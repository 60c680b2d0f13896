//! Single settings by text, and files of some settings, laid over a whole.

use toml::{Table, Value};

use super::RunConfig;
use crate::error::TrainError;

/// Settings under these names depend on their `kind` or `family`: a file may
/// name others than those at hand, and only reading them tells whether they fit.
const VARIANTS: [&str; 3] = ["model.image.encoder", "model.image.decoder", "model.experts"];

/// Settings that once had other names, which files and command lines may still use.
const RENAMED: [(&str, &str); 3] = [
    ("train.loss.blind", "symbolic_only"),
    ("train.warm_up.loss.blind", "symbolic_only"),
    ("train.feed.untold", "learned_irrelevant"),
];

/// Sets one setting by text, `train.batch=64`. The value is read as TOML; what
/// is none is taken as a word.
///
/// # Errors
/// When there is no such setting, or the value does not fit.
pub fn apply_setting(config: &RunConfig, text: &str) -> Result<RunConfig, TrainError> {
    let not_a_setting = || TrainError::NotASetting(text.to_owned());
    let (key, value) = text.split_once('=').ok_or_else(not_a_setting)?;
    let (key, value) = (key.trim(), value.trim());
    if key.is_empty() || key.split('.').any(str::is_empty) {
        return Err(not_a_setting());
    }
    let word = || Value::String(value.to_owned());
    let parsed =
        toml::from_str::<Table>(&format!("v = {value}")).ok().and_then(|mut t| t.remove("v"));
    let value = key.rsplit('.').fold(parsed.unwrap_or_else(word), |value, part| {
        Value::Table(Table::from_iter([(part.to_owned(), value)]))
    });
    let Value::Table(table) = value else { return Err(not_a_setting()) };
    lay_over(config, table, &format!("--set {text}"))
}

/// Lays some settings over a whole.
pub(super) fn lay_over(
    config: &RunConfig,
    mut settings: Table,
    origin: &str,
) -> Result<RunConfig, TrainError> {
    RENAMED.iter().for_each(|(old, new)| rename(&mut settings, old, new));
    let unreadable = |message: String| TrainError::Settings { origin: origin.to_owned(), message };
    let mut whole = Table::try_from(config).map_err(|e| unreadable(e.to_string()))?;
    let mut known = Vec::new();
    leaves("", &Value::Table(whole.clone()), &mut known);
    let mut given = Vec::new();
    leaves("", &Value::Table(settings.clone()), &mut given);
    for name in &given {
        let varies = VARIANTS.iter().any(|prefix| name.starts_with(prefix));
        if !varies && !known.contains(name) {
            return Err(TrainError::UnknownKey {
                key: name.clone(),
                nearest: nearest(name, &known),
            });
        }
    }
    merge(&mut whole, settings);
    whole.try_into().map_err(|e: toml::de::Error| unreadable(e.message().to_owned()))
}

/// Gives the setting with this path another last name.
fn rename(settings: &mut Table, path: &str, name: &str) {
    match path.split_once('.') {
        Some((first, rest)) => {
            if let Some(Value::Table(inner)) = settings.get_mut(first) {
                rename(inner, rest, name);
            }
        }
        None => {
            if let Some(value) = settings.remove(path) {
                settings.insert(name.to_owned(), value);
            }
        }
    }
}

fn leaves(name: &str, value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Table(table) => {
            for (key, value) in table {
                let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                leaves(&name, value, found);
            }
        }
        _ => found.push(name.to_owned()),
    }
}

fn merge(whole: &mut Table, settings: Table) {
    for (key, value) in settings {
        match (whole.get_mut(&key), value) {
            (Some(Value::Table(old)), Value::Table(new)) => {
                // Another kind has other fields: nothing of the old one is kept.
                let other_kind = ["kind", "family"]
                    .iter()
                    .any(|k| new.contains_key(*k) && new.get(*k) != old.get(*k));
                if other_kind {
                    old.clear();
                }
                merge(old, new);
            }
            // A whole number is meant where one with a fraction stands.
            (Some(old @ Value::Float(_)), Value::Integer(new)) => *old = Value::Float(new as f64),
            (_, value) => {
                whole.insert(key, value);
            }
        }
    }
}

/// The known name that is most like `name`, or whose last part is.
fn nearest(name: &str, known: &[String]) -> Option<String> {
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let distance = |other: &String| {
        let by_last = strsim::damerau_levenshtein(&last(name), &last(other));
        let whole = strsim::damerau_levenshtein(name, other);
        // The whole name decides between equals.
        (by_last.min(whole), whole)
    };
    let best = known.iter().min_by_key(|other| distance(other))?;
    (distance(best).0 <= 1 + last(name).len() / 2).then(|| best.clone())
}
