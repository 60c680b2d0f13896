//! Tables on a page.

use super::{Entry, Table, Value};

/// Text that is safe inside a page.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

impl Table {
    /// The table, its notes and sources. `anchor` says where a command is
    /// listed on the page.
    pub fn to_html(&self, anchor: &dyn Fn(&str) -> String) -> String {
        let mut text = format!(
            "<figure class=\"table\" id=\"{}\"><figcaption>{}</figcaption><div class=\"scroll\"><table><thead><tr><th></th>",
            escape(&self.id),
            escape(&self.title)
        );
        for column in &self.columns {
            let title = column.source.as_ref().map(|s| format!(" title=\"{}\"", escape(s)));
            let name = escape(&column.name);
            text.push_str(&format!("<th scope=\"col\"{}>{name}</th>", title.unwrap_or_default()));
        }
        text.push_str("</tr></thead><tbody>");
        for row in &self.rows {
            let class = if row.summary { " class=\"summary\"" } else { "" };
            text.push_str(&format!("<tr{class}><th scope=\"row\">{}</th>", escape(&row.name)));
            for entry in &row.entries {
                text.push_str(&self.cell(entry, anchor));
            }
            text.push_str("</tr>");
        }
        text.push_str("</tbody></table></div>");
        let sources = self.columns.iter().filter_map(|c| Some((&c.name, c.source.as_ref()?)));
        let sources = sources.map(|(name, source)| format!("{name}: {source}."));
        for note in self.notes.iter().cloned().chain(sources) {
            text.push_str(&format!("<p class=\"note\">{}</p>", escape(&note)));
        }
        text.push_str("</figure>\n");
        text
    }

    fn cell(&self, entry: &Entry, anchor: &dyn Fn(&str) -> String) -> String {
        let shown = match &entry.value {
            Value::Share(share) => {
                let interval = format!("{:.1}–{:.1}, n {}", share.low, share.high, share.n);
                if self.brief {
                    format!("<span title=\"{interval}\">{:.1}</span>", share.percent)
                } else {
                    format!("{:.1} <small>{interval}</small>", share.percent)
                }
            }
            _ => escape(&entry.shown(self.brief)),
        };
        let shown = match &entry.command {
            Some(command) => {
                format!(
                    "<a href=\"#{}\" title=\"{}\">{shown}</a>",
                    anchor(command),
                    escape(command)
                )
            }
            None => shown,
        };
        let class = match &entry.value {
            Value::Missing(_) => " class=\"missing\"",
            Value::Text(_) => " class=\"words\"",
            _ if entry.command.is_some() => " class=\"ours\"",
            _ => "",
        };
        let title = entry.place.as_ref().map(|place| format!(" title=\"{}\"", escape(place)));
        format!("<td{class}{}>{shown}</td>", title.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use crate::table::tests::sample;

    #[test]
    fn figures_lead_to_their_commands_and_words_are_escaped() {
        let html = sample().to_html(&|_| "command-1".to_owned());
        assert!(html.contains("A &lt;table&gt;") && !html.contains("<table>A"));
        assert_eq!(html.matches("href=\"#command-1\"").count(), 2);
        assert!(html.contains("class=\"missing\">no weights"));
        assert_eq!(html.matches("<tr").count(), html.matches("</tr>").count());
    }
}
