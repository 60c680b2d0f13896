//! The report as a page of its own.

use super::Report;
use crate::table::escape;

const STYLE: &str = include_str!("style.css");

impl Report {
    /// One page with everything in it.
    pub fn to_html(&self) -> String {
        let commands = self.commands();
        let anchor = |command: &str| {
            let place = commands.iter().position(|own| *own == command).unwrap_or_default();
            format!("command-{}", place + 1)
        };
        let title = escape(&self.title);
        let mut text = format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
             <title>{title}</title><style>{STYLE}</style></head><body><main><h1>{title}</h1>\n<dl>"
        );
        for (name, words) in &self.facts {
            text.push_str(&format!("<dt>{}</dt><dd>{}</dd>", escape(name), escape(words)));
        }
        text.push_str("</dl>\n<nav><ul>");
        for section in &self.sections {
            let (id, title) = (escape(&section.id), escape(&section.title));
            text.push_str(&format!("<li><a href=\"#{id}\">{title}</a></li>"));
        }
        text.push_str("<li><a href=\"#commands\">Commands</a></li></ul></nav>\n");
        for section in &self.sections {
            text.push_str(&format!(
                "<section id=\"{}\"><h2>{}</h2><p>{}</p>\n",
                escape(&section.id),
                escape(&section.title),
                escape(&section.words)
            ));
            for table in &section.tables {
                text.push_str(&table.to_html(&anchor));
            }
            for figure in &section.figures {
                let link = figure
                    .command
                    .as_ref()
                    .map(|command| format!(" <a href=\"#{}\">command</a>", anchor(command)));
                text.push_str(&format!(
                    "<figure class=\"picture\"><div class=\"scroll\">{}</div><figcaption>{}{}</figcaption></figure>\n",
                    figure.svg,
                    escape(&figure.caption),
                    link.unwrap_or_default()
                ));
            }
            text.push_str("</section>\n");
        }
        text.push_str("<section id=\"commands\"><h2>Commands</h2><p>Each figure of ours leads to the command that makes it again.</p><ol>");
        for command in &commands {
            let (id, command) = (anchor(command), escape(command));
            text.push_str(&format!("<li id=\"{id}\"><code>{command}</code></li>"));
        }
        text.push_str("</ol></section></main></body></html>\n");
        text
    }
}
