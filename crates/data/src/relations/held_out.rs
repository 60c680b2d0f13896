//! Lists of what a regime holds out, as texts of one line each.
//!
//! A triple is `shape color XOR`; pairs of triples or attributes are joined by
//! ` + `; a source and a target domain by ` -> `. Empty lines and what follows a
//! `#` do not count.

use genvp_puzzle::pgm::{self, HeldOut, Regime};
use genvp_puzzle::relations::{Attribute, Relation, SpecError, Triple};

use crate::FormatError;

/// The lines of a list of PGM's.
pub fn held_out_lines(held_out: &HeldOut) -> Vec<String> {
    match held_out {
        HeldOut::Nothing => Vec::new(),
        HeldOut::Triples(list) => list.iter().map(Triple::to_string).collect(),
        HeldOut::TriplePairs(list) => list.iter().map(|[a, b]| format!("{a} + {b}")).collect(),
        HeldOut::AttributePairs(list) => list.iter().map(|[a, b]| format!("{a} + {b}")).collect(),
    }
}

/// The lines of a list of VAD's.
pub fn domain_pair_lines(pairs: &[[Attribute; 2]]) -> Vec<String> {
    pairs.iter().map(|[source, target]| format!("{source} -> {target}")).collect()
}

/// Reads the list of a regime of PGM's. Whether it fits the regime is for the
/// maker to say.
pub fn parse_held_out(text: &str, regime: Regime) -> Result<HeldOut, FormatError> {
    let triple = |text: &str| -> Result<Triple, String> {
        let (attribute, relation) = text.trim().rsplit_once(' ').ok_or_else(|| wanted(text))?;
        let relation = Relation::parse(relation).map_err(|e| e.to_string())?;
        Triple::new(self::attribute(attribute)?, relation).map_err(|e: SpecError| e.to_string())
    };
    match regime {
        pgm::Regime::HeldOutTriples => each(text, triple).map(HeldOut::Triples),
        pgm::Regime::HeldOutTriplePairs => {
            each(text, |line| pair(line, "+", triple)).map(HeldOut::TriplePairs)
        }
        pgm::Regime::HeldOutAttributePairs => {
            each(text, |line| pair(line, "+", attribute)).map(HeldOut::AttributePairs)
        }
        _ => Err(FormatError::Json {
            line: 1,
            what: format!("{regime} has no list of what is held out"),
        }),
    }
}

/// Reads a list of source and target domains.
pub fn parse_domain_pairs(text: &str) -> Result<Vec<[Attribute; 2]>, FormatError> {
    each(text, |line| pair(line, "->", attribute))
}

fn wanted(text: &str) -> String {
    format!("`{}` is not an object, an attribute and a relation", text.trim())
}

fn attribute(text: &str) -> Result<Attribute, String> {
    let (object, attribute) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
    Attribute::parse(object, attribute.trim()).map_err(|e| e.to_string())
}

fn pair<T>(
    line: &str,
    between: &str,
    one: impl Fn(&str) -> Result<T, String>,
) -> Result<[T; 2], String> {
    let (first, second) =
        line.split_once(between).ok_or_else(|| format!("no ` {between} ` between two parts"))?;
    Ok([one(first)?, one(second)?])
}

fn each<T>(text: &str, one: impl Fn(&str) -> Result<T, String>) -> Result<Vec<T>, FormatError> {
    let lines = text.lines().enumerate();
    let lines = lines.map(|(at, line)| (at + 1, line.split('#').next().unwrap_or_default().trim()));
    lines
        .filter(|(_, line)| !line.is_empty())
        .map(|(line, text)| one(text).map_err(|what| FormatError::Json { line, what }))
        .collect()
}

#[cfg(test)]
mod tests {
    use genvp_puzzle::vad;

    use super::*;

    #[test]
    fn lists_read_back() {
        for regime in Regime::ALL {
            let list = HeldOut::of(regime);
            let text = held_out_lines(&list).join("\n");
            match list {
                HeldOut::Nothing => assert!(parse_held_out(&text, regime).is_err()),
                _ => assert_eq!(parse_held_out(&text, regime), Ok(list)),
            }
        }
        let pairs = vad::held_out_pairs();
        let text = format!("# recovered\n\n{}  # last", domain_pair_lines(&pairs).join("\n"));
        assert_eq!(parse_domain_pairs(&text), Ok(pairs));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let message = |text: &str, regime| parse_held_out(text, regime).unwrap_err().to_string();
        let triples = Regime::HeldOutTriples;
        assert!(message("\nshape", triples).starts_with("line 2: `shape` is not an object"));
        assert!(
            message("shape colour XOR", triples).contains("`shape colour` is not an attribute")
        );
        assert!(message("shape number XOR", triples).contains("not one of the legal triples"));
        assert!(message("shape color NAND", triples).contains("`NAND` is not a relation"));
        let pairs = Regime::HeldOutTriplePairs;
        assert!(message("shape color XOR", pairs).contains("no ` + ` between"));
        assert!(message("x", Regime::Neutral).contains("has no list"));
    }
}
