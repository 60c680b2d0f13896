//! Tables in Markdown.

use super::Table;

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

impl Table {
    /// A heading, the table, its notes, sources and commands.
    pub fn to_markdown(&self) -> String {
        let mut text = format!("### {}\n\n|", cell(&self.title));
        let names = self.columns.iter().map(|column| cell(&column.name));
        for name in std::iter::once(String::new()).chain(names) {
            text.push_str(&format!(" {name} |"));
        }
        text.push_str("\n|---|");
        text.push_str(&"---:|".repeat(self.columns.len()));
        text.push('\n');
        for row in &self.rows {
            let name = if row.summary { format!("**{}**", row.name) } else { row.name.clone() };
            text.push_str(&format!("| {} |", cell(&name)));
            for entry in &row.entries {
                text.push_str(&format!(" {} |", cell(&entry.shown(self.brief))));
            }
            text.push('\n');
        }
        text.push('\n');
        for note in &self.notes {
            text.push_str(&format!("{note}\n\n"));
        }
        let sources = self.columns.iter().filter_map(|c| Some((&c.name, c.source.as_ref()?)));
        let sources: Vec<String> =
            sources.map(|(name, source)| format!("{name}: {source}")).collect();
        if !sources.is_empty() {
            text.push_str(&format!("Sources. {}.\n\n", sources.join("; ")));
        }
        for command in self.commands() {
            text.push_str(&format!("    {command}\n"));
        }
        text.push('\n');
        text
    }
}

#[cfg(test)]
mod tests {
    use crate::table::tests::sample;

    #[test]
    fn every_row_has_as_many_cells_as_the_heading() {
        let text = sample().to_markdown();
        let bars = |line: &str| line.matches('|').count();
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
        assert_eq!(rows.len(), 5);
        assert!(rows.iter().all(|row| bars(row) == bars(rows[0])), "{text}");
        assert!(text.contains("    genvp eval solve -n 50"));
    }
}
