//! Tools as a table.

use comfy_table::presets::UTF8_HORIZONTAL_ONLY;
use comfy_table::{ContentArrangement, Table};

use crate::text::clean;

/// A table as wide as the terminal, with what endpoints wrote made safe to show.
pub(crate) fn table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>, width: u16) -> String {
    let mut table = Table::new();
    table.load_style(UTF8_HORIZONTAL_ONLY);
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width).set_header(header.to_vec());
    for row in rows {
        // A cell may have lines of its own.
        let cells = row.iter().map(|cell| cell.split('\n').map(clean).collect::<Vec<_>>().join("\n"));
        table.add_row(cells.collect::<Vec<_>>());
    }
    let lines: Vec<_> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::table;

    #[test]
    fn what_a_terminal_would_act_on_is_shown_as_text() {
        let text = table(&["tool"], [vec!["a\u{1b}[2J".to_owned()]], 60);
        assert!(text.contains("a\\u{1b}[2J") && !text.contains('\u{1b}'), "{text}");
    }

    #[test]
    fn a_long_description_is_wrapped() {
        let text = table(&["tool", "description"], [vec!["a".to_owned(), "word ".repeat(50)]], 60);
        assert!(text.lines().count() > 5 && text.lines().all(|line| line.chars().count() <= 60), "{text}");
    }
}
