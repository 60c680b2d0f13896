//! Tables on a terminal.

use super::Table;

impl Table {
    /// Plain text, columns aligned.
    pub fn to_text(&self) -> String {
        let mut lines: Vec<Vec<String>> = vec![
            std::iter::once(String::new())
                .chain(self.columns.iter().map(|column| column.name.clone()))
                .collect(),
        ];
        for row in &self.rows {
            let entries = row.entries.iter().map(|entry| entry.shown(self.brief));
            lines.push(std::iter::once(row.name.clone()).chain(entries).collect());
        }
        let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns)
            .map(|c| lines.iter().filter_map(|l| l.get(c)).map(|t| t.chars().count()).max())
            .map(Option::unwrap_or_default)
            .collect();
        let mut text = format!("{}\n", self.title);
        for line in &lines {
            let mut written = String::new();
            for (index, (cell, width)) in line.iter().zip(&widths).enumerate() {
                let cell = if index == 0 {
                    format!("  {cell:<width$}")
                } else {
                    format!("  {cell:>width$}")
                };
                written.push_str(&cell);
            }
            text.push_str(written.trim_end());
            text.push('\n');
        }
        for note in &self.notes {
            text.push_str(&format!("  {note}\n"));
        }
        for column in &self.columns {
            if let Some(source) = &column.source {
                text.push_str(&format!("  {}: {source}\n", column.name));
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use crate::table::tests::sample;

    #[test]
    fn columns_are_aligned_and_sources_named() {
        let text = sample().to_text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "A <table>");
        assert!(lines[1].trim_start().starts_with("ours"));
        assert_eq!(lines[1].chars().count(), lines[2].chars().count());
        assert!(text.contains("no weights") && text.contains("GenVP: its authors"));
    }
}
