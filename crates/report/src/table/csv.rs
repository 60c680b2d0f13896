//! Tables for spreadsheets: one line for each figure.

use super::{Table, Value};

fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

impl Table {
    /// The names of the columns of [`to_csv`](Self::to_csv).
    pub const CSV_HEAD: &str = "table,row,column,value,low,high,n,says,source,place,command\n";

    /// One line for each entry that says something, without the heading.
    pub fn to_csv(&self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            for (entry, column) in row.entries.iter().zip(&self.columns) {
                let (numbers, says) = match &entry.value {
                    Value::Empty => continue,
                    Value::Share(s) => {
                        let numbers = [s.percent, s.low, s.high].map(|x| format!("{x:.4}"));
                        let [percent, low, high] = numbers;
                        ([percent, low, high, s.n.to_string()], String::new())
                    }
                    Value::Number(number, _) => {
                        let empty = String::new;
                        ([number.to_string(), empty(), empty(), empty()], String::new())
                    }
                    Value::Text(text) | Value::Missing(text) => (Default::default(), text.clone()),
                };
                let name = [&self.id, &row.name, &column.name].map(|part| field(part));
                let optional = |text: &Option<String>| field(text.as_deref().unwrap_or_default());
                let rest = [
                    field(&says),
                    optional(&column.source),
                    optional(&entry.place),
                    optional(&entry.command),
                ];
                let line = [&name[..], &numbers[..], &rest[..]].concat().join(",");
                text.push_str(&line);
                text.push('\n');
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::tests::sample;

    #[test]
    fn every_line_has_the_headings_columns() {
        let columns = Table::CSV_HEAD.matches(',').count();
        let text = sample().to_csv();
        assert_eq!(text.lines().count(), 5);
        assert!(text.lines().all(|line| line.matches(',').count() == columns), "{text}");
        assert!(text.starts_with("sample,c-s,ours,90.0000,"));
    }

    #[test]
    fn commas_and_quotes_stay_in_their_field() {
        assert_eq!(field("a,\"b\""), "\"a,\"\"b\"\"\"");
    }
}
