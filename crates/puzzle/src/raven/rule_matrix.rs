//! The rules of a whole puzzle as a matrix, and as a line of text.

use crate::raven::{Attribute, ComponentRules, Group, Layout, PuzzleError, Rule, RuleKind};

/// One row of a [`RuleMatrix`]: what is known of one attribute's rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Row {
    /// Nothing is stated: whoever makes the puzzle may choose.
    #[default]
    Free,
    /// No rule governs it.
    None,
    /// A rule, with its parameter where that is known.
    Rule(RuleKind, Option<i8>),
}

/// The rules of a puzzle: K_R = 12 attributes (two components of six) times
/// N_R = 5 rules (none, constant, progression, arithmetic, distribute-three).
///
/// A constant on number and position sets the joint row; a rule on number or on
/// position sets its own row. The text form names one row after another:
/// `type=progression:+1 size=constant number=arithmetic:-`, with the component
/// in front where there are two: `out.size=constant in.type=distribute-three`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct RuleMatrix {
    rows: [Row; 12],
    /// The levels that each distribute-three hands out, as bits; 0 where they are not stated.
    handed_out: [u16; 12],
}

impl RuleMatrix {
    /// K_R: how many rows there are.
    pub const ATTRIBUTES: usize = 12;
    /// Components of a layout, at most.
    pub const COMPONENTS: usize = 2;
    /// N_R: how many rules a row chooses from, `none` included.
    pub const RULES: usize = 5;

    /// A matrix in which nothing is stated.
    pub fn free() -> Self {
        Self::default()
    }

    /// The full matrix of a puzzle with these rules.
    pub fn of(rules: &[ComponentRules]) -> Self {
        let mut rows = [Row::None; 12];
        for (component, rules) in rules.iter().enumerate() {
            for rule in rules.0 {
                rows[component * 6 + rule.attribute.index()] =
                    Row::Rule(rule.kind, Some(rule.step));
            }
        }
        Self { rows, handed_out: [0; 12] }
    }

    /// The matrix whose row `i` holds rule number `columns[i]` (0 is none), with
    /// unknown parameters. Larger numbers count as none.
    pub fn from_columns(columns: &[usize; 12]) -> Self {
        let rows = columns.map(|column| match column {
            1..=4 => Row::Rule(RuleKind::ALL[column - 1], None),
            _ => Row::None,
        });
        Self { rows, handed_out: [0; 12] }
    }

    /// The rule number of each row: 0 for none or unstated.
    pub fn columns(&self) -> [usize; 12] {
        self.rows.map(|row| match row {
            Row::Rule(kind, _) => kind.column(),
            Row::Free | Row::None => 0,
        })
    }

    /// The row of an attribute of `component`.
    pub fn row(&self, component: usize, attribute: Attribute) -> Row {
        self.rows[component * 6 + attribute.index()]
    }

    /// The levels that the distribute-three of an attribute hands out, as bits: bit v for level v;
    /// 0 where they are not stated.
    pub fn handed_out(&self, component: usize, attribute: Attribute) -> u16 {
        self.handed_out[component * 6 + attribute.index()]
    }

    /// The same for the rule of each group of a component.
    pub fn handed_out_by_group(&self, component: usize) -> [u16; 4] {
        Group::ALL.map(|group| {
            let all = group.attributes().iter();
            all.map(|&attribute| self.handed_out(component, attribute)).fold(0, |a, b| a | b)
        })
    }

    /// States the levels that the distribute-three of an attribute hands out.
    pub fn set_handed_out(&mut self, component: usize, attribute: Attribute, levels: u16) {
        self.handed_out[component * 6 + attribute.index()] = levels;
    }

    /// Sets the row of an attribute of `component`.
    pub fn set(&mut self, component: usize, attribute: Attribute, row: Row) {
        self.rows[component * 6 + attribute.index()] = row;
    }

    /// All rows, component by component.
    pub fn rows(&self) -> &[Row; 12] {
        &self.rows
    }

    /// What is stated about a group of a component: attribute, rule, parameter.
    pub fn stated(
        &self,
        component: usize,
        group: Group,
    ) -> Option<(Attribute, RuleKind, Option<i8>)> {
        group.attributes().iter().find_map(|&attribute| match self.row(component, attribute) {
            Row::Rule(kind, step) => Some((attribute, kind, step)),
            Row::Free | Row::None => None,
        })
    }

    /// Whether a component's rule agrees with what is stated here.
    pub fn allows(&self, component: usize, rule: Rule) -> bool {
        rule.attribute.group().attributes().iter().all(|&attribute| {
            match self.row(component, attribute) {
                Row::Free => true,
                Row::None => rule.attribute != attribute,
                Row::Rule(kind, step) => {
                    rule.attribute == attribute
                        && rule.kind == kind
                        && step.is_none_or(|s| s == rule.step)
                }
            }
        })
    }

    /// Reads rule texts for a layout. Pieces are separated by white space or
    /// commas; what is not named stays free.
    pub fn parse(text: &str, layout: Layout) -> Result<Self, PuzzleError> {
        let mut matrix = Self::free();
        let pieces = text.split(|c: char| c.is_whitespace() || c == ',').filter(|p| !p.is_empty());
        for piece in pieces {
            let (key, value) =
                piece.split_once('=').ok_or_else(|| PuzzleError::NotARule(piece.to_owned()))?;
            let (component, attribute) = parse_key(key, layout)?;
            if matrix.row(component, attribute) != Row::Free {
                return Err(PuzzleError::Twice(key.to_owned()));
            }
            match value.split_once(':') {
                Some((name, values))
                    if RuleKind::parse(name) == Some(RuleKind::DistributeThree) =>
                {
                    matrix.set_handed_out(component, attribute, parse_three(values, attribute)?);
                    matrix.set(component, attribute, Row::Rule(RuleKind::DistributeThree, None));
                }
                _ => matrix.set(component, attribute, parse_row(value)?),
            }
        }
        matrix.check_groups(layout)?;
        Ok(matrix)
    }

    /// Number and position can carry only one rule between them, and only
    /// constant speaks about both at once.
    fn check_groups(&self, layout: Layout) -> Result<(), PuzzleError> {
        for (component, _) in layout.components().iter().enumerate() {
            let stated: Vec<(Attribute, RuleKind)> = Group::NumberPosition
                .attributes()
                .iter()
                .filter_map(|&a| match self.row(component, a) {
                    Row::Rule(kind, _) => Some((a, kind)),
                    Row::Free | Row::None => None,
                })
                .collect();
            let impossible = |rule: String, reason: &str| {
                Err(PuzzleError::Impossible { rule, layout, reason: reason.to_owned() })
            };
            if stated.len() > 1 {
                let rule = stated
                    .iter()
                    .map(|(a, k)| format!("{a}={k}"))
                    .collect::<Vec<_>>()
                    .join(" with ");
                return impossible(rule, "number and position share one rule between them");
            }
            if let Some(&(attribute, kind)) = stated.first() {
                let rule = format!("{attribute}={kind}");
                match (attribute, kind) {
                    (Attribute::NumberPosition, RuleKind::Constant) => {}
                    (Attribute::NumberPosition, _) => {
                        return impossible(rule, "only constant speaks about both at once");
                    }
                    (_, RuleKind::Constant) => {
                        return impossible(
                            rule,
                            "number and position are held constant together: number/position=constant",
                        );
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// The text form for a layout: one piece for every group of every component,
    /// `attribute=none` where no rule governs it, `attribute=free` where nothing
    /// is stated.
    pub fn text(&self, layout: Layout) -> String {
        let mut pieces = Vec::new();
        for (component, kind) in layout.components().iter().enumerate() {
            for group in Group::ALL {
                let piece = match self.stated(component, group) {
                    Some((attribute, rule, step)) => {
                        let step = step.map(|s| Rule::step_text(rule, s)).filter(|s| !s.is_empty());
                        let levels = self.handed_out(component, attribute);
                        match step.or_else(|| three_text(levels, attribute)) {
                            Some(step) => format!("{attribute}={rule}:{step}"),
                            None => format!("{attribute}={rule}"),
                        }
                    }
                    None => {
                        let attribute = group.attributes()[0];
                        let free =
                            group.attributes().iter().any(|&a| self.row(component, a) == Row::Free);
                        format!("{attribute}={}", if free { "free" } else { "none" })
                    }
                };
                pieces.push(match kind.prefix() {
                    Some(prefix) => format!("{prefix}.{piece}"),
                    None => piece,
                });
            }
        }
        pieces.join(" ")
    }
}

fn parse_key(key: &str, layout: Layout) -> Result<(usize, Attribute), PuzzleError> {
    let components = layout.components();
    let (prefix, name) = match key.split_once('.') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, key),
    };
    let attribute =
        Attribute::parse(name).ok_or_else(|| PuzzleError::UnknownAttribute(name.to_owned()))?;
    let prefixes: Vec<&'static str> = components.iter().filter_map(|p| p.prefix()).collect();
    match (prefix, prefixes.as_slice()) {
        (None, [first, second, ..]) => {
            Err(PuzzleError::WhichComponent { layout, first, second, attribute: name.to_owned() })
        }
        (None, _) => Ok((0, attribute)),
        (Some(prefix), _) => prefixes
            .iter()
            .position(|p| p.eq_ignore_ascii_case(prefix))
            .map(|component| (component, attribute))
            .ok_or_else(|| PuzzleError::UnknownComponent {
                layout,
                prefix: prefix.to_owned(),
                known: match prefixes.as_slice() {
                    [] => "it has one component, write the attribute alone".to_owned(),
                    known => format!("it has {}", known.join(" and ")),
                },
            }),
    }
}

/// What a level is called in rule texts: numbers of objects and shapes from 1, sizes and colors as
/// the datasets number them, from 0.
pub(super) fn lowest_name(attribute: Attribute) -> u16 {
    u16::from(attribute == Attribute::Number)
}

/// The levels that a distribute-three hands out, of a text such as `1/4/7`.
fn parse_three(text: &str, attribute: Attribute) -> Result<u16, PuzzleError> {
    let kind = RuleKind::DistributeThree;
    let wrong = |known| PuzzleError::UnknownStep { kind, text: text.to_owned(), known };
    if matches!(attribute, Attribute::Position | Attribute::NumberPosition) {
        return Err(wrong("three sets of slots cannot be stated"));
    }
    let known = "three different values, such as 1/4/7";
    let mut levels = 0u16;
    for name in text.split('/') {
        let level = name.trim().parse::<u16>().ok();
        let level = level.and_then(|name| name.checked_sub(lowest_name(attribute)));
        levels |= 1 << level.filter(|&level| level < 10).ok_or_else(|| wrong(known))?;
    }
    if text.split('/').count() == 3 && levels.count_ones() == 3 {
        Ok(levels)
    } else {
        Err(wrong(known))
    }
}

/// The text form of the levels that a distribute-three hands out, where they are stated.
fn three_text(levels: u16, attribute: Attribute) -> Option<String> {
    let names = (0..16).filter(|level| levels >> level & 1 == 1);
    let names: Vec<String> =
        names.map(|level: u16| (level + lowest_name(attribute)).to_string()).collect();
    (levels != 0).then(|| names.join("/"))
}

fn parse_row(value: &str) -> Result<Row, PuzzleError> {
    let (name, step) = match value.split_once(':') {
        Some((name, step)) => (name, Some(step)),
        None => (value, None),
    };
    match (name.to_ascii_lowercase().as_str(), step) {
        ("none", None) => return Ok(Row::None),
        ("free", None) => return Ok(Row::Free),
        _ => {}
    }
    let kind = RuleKind::parse(name).ok_or_else(|| PuzzleError::UnknownRule(value.to_owned()))?;
    let Some(text) = step else { return Ok(Row::Rule(kind, None)) };
    let (step, known) = match kind {
        RuleKind::Progression => {
            let step = match text {
                "+1" | "1" => Some(1),
                "+2" | "2" => Some(2),
                "-1" => Some(-1),
                "-2" => Some(-2),
                _ => None,
            };
            (step, "+1, +2, -1 or -2")
        }
        RuleKind::Arithmetic => {
            let step = match text {
                "+" | "+1" | "1" => Some(1),
                "-" | "-1" => Some(-1),
                _ => None,
            };
            (step, "+ or -")
        }
        // The values of a distribute-three are not a step, and read before.
        RuleKind::Constant | RuleKind::DistributeThree => (None, "it has none"),
    };
    match step {
        Some(step) => Ok(Row::Rule(kind, Some(step))),
        None => Err(PuzzleError::UnknownStep { kind, text: text.to_owned(), known }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str, layout: Layout) -> Result<RuleMatrix, PuzzleError> {
        RuleMatrix::parse(text, layout)
    }

    #[test]
    fn what_we_print_we_read_back() {
        for (layout, text) in [
            (
                Layout::DistributeFour,
                "number=arithmetic:- type=progression:+1 size=constant color=distribute-three",
            ),
            (
                Layout::CenterSingle,
                "number/position=constant type=free size=none color=arithmetic:+",
            ),
            (
                Layout::OutInGrid,
                "out.number/position=constant out.type=constant out.size=progression:-1 out.color=constant \
                 in.position=distribute-three in.type=free in.size=arithmetic:+ in.color=progression:+2",
            ),
        ] {
            assert_eq!(parse(text, layout).unwrap().text(layout), text);
        }
    }

    #[test]
    fn the_parameter_is_optional_and_letter_case_does_not_matter() {
        let matrix =
            parse("Type=Progression, SIZE=distribute_three", Layout::CenterSingle).unwrap();
        assert_eq!(matrix.row(0, Attribute::Type), Row::Rule(RuleKind::Progression, None));
        assert_eq!(matrix.row(0, Attribute::Size), Row::Rule(RuleKind::DistributeThree, None));
        assert_eq!(matrix.row(0, Attribute::Color), Row::Free);
    }

    #[test]
    fn every_mistake_is_named() {
        let says = |text: &str, layout, component: &str| {
            let message = parse(text, layout).unwrap_err().to_string();
            assert!(message.contains(component), "{text}: {message}");
        };
        says("size", Layout::CenterSingle, "`size` is not a rule");
        says("weight=constant", Layout::CenterSingle, "`weight` is not an attribute");
        says("size=grow", Layout::CenterSingle, "`grow` is not a rule");
        says("size=progression:3", Layout::CenterSingle, "+1, +2, -1 or -2");
        says("size=constant:1", Layout::CenterSingle, "it has none");
        says("size=constant size=constant", Layout::CenterSingle, "stated twice");
        says("size=constant", Layout::LeftRight, "left.size or right.size");
        says("up.size=constant", Layout::LeftRight, "it has left and right");
        says("up.size=constant", Layout::CenterSingle, "write the attribute alone");
        says("number=progression position=progression", Layout::DistributeNine, "share one rule");
        says("number/position=progression", Layout::DistributeNine, "only constant");
        says("number=constant", Layout::DistributeNine, "number/position=constant");
    }

    #[test]
    fn columns_survive_the_round_trip() {
        let columns = [1, 0, 0, 2, 3, 4, 0, 0, 2, 1, 1, 3];
        assert_eq!(RuleMatrix::from_columns(&columns).columns(), columns);
    }
}
