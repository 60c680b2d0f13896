//! The report in Markdown.

use super::Report;

impl Report {
    /// The same in Markdown, with its figures as files beside it.
    pub fn to_markdown(&self) -> String {
        let mut text = format!("# {}\n\n", self.title);
        for (name, words) in &self.facts {
            text.push_str(&format!("* **{name}**: {words}\n"));
        }
        for section in &self.sections {
            text.push_str(&format!("\n## {}\n\n{}\n\n", section.title, section.words));
            section.tables.iter().for_each(|table| text.push_str(&table.to_markdown()));
            for figure in &section.figures {
                text.push_str(&format!("![{}](figures/{}.svg)\n\n", figure.caption, figure.name));
                if let Some(command) = &figure.command {
                    text.push_str(&format!("    {command}\n\n"));
                }
            }
        }
        text
    }
}
