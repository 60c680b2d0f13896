//! All of it on one page: HTML that needs nothing else, Markdown, CSV and JSON.

mod html;
mod markdown;

use serde::Serialize;

use crate::table::Table;

/// The whole report.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// What it is about.
    pub title: String,
    /// What was measured, and how: name and words.
    pub facts: Vec<(String, String)>,
    /// Its parts.
    pub sections: Vec<Section>,
}

/// A part of the report.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Section {
    /// A short name, for links.
    pub id: String,
    /// Its heading.
    pub title: String,
    /// What one should know first.
    pub words: String,
    /// Its tables.
    pub tables: Vec<Table>,
    /// Its figures.
    pub figures: Vec<Figure>,
}

/// A figure.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Figure {
    /// A short name, for its file.
    pub name: String,
    /// What it shows.
    pub caption: String,
    /// The drawing.
    #[serde(skip)]
    pub svg: String,
    /// The command that made it.
    pub command: Option<String>,
}

impl Report {
    /// Every command that made something, once, in the order of the report.
    pub fn commands(&self) -> Vec<&str> {
        let mut found = Vec::new();
        for section in &self.sections {
            let tables = section.tables.iter().flat_map(Table::commands);
            let figures = section.figures.iter().filter_map(|figure| figure.command.as_deref());
            for command in tables.chain(figures) {
                if !found.contains(&command) {
                    found.push(command);
                }
            }
        }
        found
    }

    /// Every figure of every table, one a line.
    pub fn to_csv(&self) -> String {
        let tables = self.sections.iter().flat_map(|section| &section.tables);
        std::iter::once(Table::CSV_HEAD.to_owned()).chain(tables.map(Table::to_csv)).collect()
    }

    /// Everything, for programs.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::tests::sample;

    fn report() -> Report {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"5\" height=\"5\"></svg>";
        let figure = Figure {
            name: "heat".into(),
            caption: "A & B".into(),
            svg: svg.into(),
            command: Some("genvp eval rules".into()),
        };
        let section = Section {
            id: "solving".into(),
            title: "Solving".into(),
            words: "Words.".into(),
            tables: vec![sample()],
            figures: vec![figure],
        };
        Report {
            title: "Report".into(),
            facts: vec![("seed".into(), "7".into())],
            sections: vec![section],
        }
    }

    #[test]
    fn the_page_needs_nothing_from_outside_and_reads_in_light_and_dark() {
        let html = report().to_html();
        let outside = html.replace("http://www.w3.org/2000/svg", "");
        assert!(!outside.contains("http://") && !outside.contains("https://"), "{html}");
        assert!(!html.contains("<script src") && !html.contains("<link"));
        assert!(html.contains("prefers-color-scheme: dark") && html.contains("<svg"));
        assert!(html.contains("A &amp; B"));
    }

    #[test]
    fn every_link_on_the_page_leads_somewhere() {
        let html = report().to_html();
        for link in html.split("href=\"#").skip(1) {
            let id = link.split('"').next().unwrap();
            assert!(html.contains(&format!("id=\"{id}\"")), "{id}");
        }
        assert_eq!(html.matches("<figure").count(), html.matches("</figure>").count());
    }

    #[test]
    fn all_forms_hold_the_same_figures() {
        let report = report();
        assert_eq!(report.commands(), ["genvp eval solve -n 50", "genvp eval rules"]);
        for text in [report.to_html(), report.to_markdown(), report.to_csv(), report.to_json()] {
            assert!(text.contains("90.0"), "{text}");
            assert!(text.contains("no weights"), "{text}");
        }
    }
}
