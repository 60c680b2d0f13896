//! The table that goes with a sheet.

use super::Item;

const HEAD: &str = "item,layout,source,seed,index,set,answer,rules,active_rules,most_objects,\
distractors,alt_text\n";

/// One line for each item, spreadsheets welcome.
pub fn csv(items: &[Item]) -> String {
    let mut text = HEAD.to_owned();
    for item in items {
        let broken = item.broken();
        let distractors: Vec<String> = broken
            .iter()
            .enumerate()
            .filter(|(choice, _)| *choice != item.puzzle.target())
            .map(|(choice, why)| format!("{}: {}", Item::letter(choice), why.join("; ")))
            .collect();
        let cells = [
            item.name.clone(),
            item.puzzle.stratum().name.to_owned(),
            item.source.key().to_owned(),
            item.seed.to_string(),
            item.index.to_string(),
            item.puzzle.stratum().set.to_owned(),
            item.key().to_string(),
            item.rules(),
            item.active_rules().to_string(),
            item.most_objects().to_string(),
            distractors.join(" | "),
            item.alt_text(),
        ];
        text += &cells.map(|cell| csv_cell(&cell)).join(",");
        text.push('\n');
    }
    text
}

/// A cell: quoted where it must be, and never a formula to a spreadsheet.
pub fn csv_cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula_or_breaks_its_line() {
        assert_eq!(csv_cell("=1+1"), "'=1+1");
        assert_eq!(csv_cell("@SUM(A1)"), "'@SUM(A1)");
        assert_eq!(csv_cell("a, \"b\""), "\"a, \"\"b\"\"\"");
        assert_eq!(csv_cell("plain"), "plain");
    }
}
