//! What a choice breaks, in plain words.

use std::fmt;

use super::{Attribute, Axis, BLACK, LineType, ShapeType, Triple, ValueSet, position_name};

/// A relation that a choice breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The relation and its attribute.
    pub triple: Triple,
    /// Along which lines it runs.
    pub axis: Axis,
    /// The values that it asks for.
    pub expected: ValueSet,
    /// The values that the choice has.
    pub found: ValueSet,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = |set| values_in_words(self.triple.attribute, set);
        write!(
            f,
            "{} along {} asks for {}, not {}",
            self.triple,
            self.axis,
            words(self.expected),
            words(self.found)
        )
    }
}

/// A set of values as people would say it: `star and circle`, `grey 3`, `none`.
pub fn values_in_words(attribute: Attribute, values: ValueSet) -> String {
    if values.is_empty() {
        return "none".to_owned();
    }
    let word = |value: u8| match attribute {
        Attribute::ShapeColor | Attribute::LineColor if value == BLACK => "black".to_owned(),
        Attribute::ShapeColor | Attribute::LineColor => format!("grey {value}"),
        Attribute::ShapeNumber => value.to_string(),
        Attribute::ShapePosition if value < 9 => position_name(value).to_owned(),
        Attribute::ShapeSize => format!("size {value}"),
        Attribute::ShapeType if value < 10 => ShapeType::ALL[usize::from(value)].name().to_owned(),
        Attribute::LineType if value < 10 => LineType::ALL[usize::from(value)].name().to_owned(),
        _ => format!("value {value}"),
    };
    let words: Vec<String> = values.iter().map(word).collect();
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}
