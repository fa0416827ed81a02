//! Tools as a table.

use comfy_table::presets::UTF8_HORIZONTAL_ONLY;
use comfy_table::{ContentArrangement, Table};

use crate::text::start_of;

/// What is shown of a cell at most: an endpoint may write any number of characters.
const MOST_LINES: usize = 50;
const LONGEST_LINE: usize = 1_000;
const LONGEST_CELL: usize = 4_000;

/// A table as wide as the terminal, with what endpoints wrote made safe to show.
pub(crate) fn table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>, width: u16) -> String {
    let mut table = Table::new();
    table.load_style(UTF8_HORIZONTAL_ONLY);
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width).set_header(header.to_vec());
    for row in rows {
        let cells = row.iter().map(|cell| shown(cell));
        table.add_row(cells.collect::<Vec<_>>());
    }
    let lines: Vec<_> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n")
}

/// A cell, which may have lines of its own. What is made safe is longer than it came, and its length bounds the work of
/// laying the table out: so it is cut once more.
fn shown(cell: &str) -> String {
    let lines = cell.split('\n').take(MOST_LINES).map(|line| start_of(line, LONGEST_LINE));
    let mut cell = lines.collect::<Vec<_>>().join("\n");
    if let Some((end, _)) = cell.char_indices().nth(LONGEST_CELL) {
        cell.truncate(end);
        cell.push('…');
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_CELL, shown, table};

    #[test]
    fn what_a_terminal_would_act_on_is_shown_as_text() {
        let text = table(&["tool"], [vec!["a\u{1b}[2J".to_owned()]], 60);
        assert!(text.contains("a\\u{1b}[2J") && !text.contains('\u{1b}'), "{text}");
    }

    #[test]
    fn a_cell_takes_no_more_room_for_being_made_safe() {
        let hostile = format!("{}\n", "\u{202e}".repeat(900)).repeat(40);
        assert!(shown(&hostile).chars().count() <= LONGEST_CELL + 1);
        assert_eq!(shown("a\nb"), "a\nb");
    }

    #[test]
    fn a_long_description_is_wrapped() {
        let text = table(&["tool", "description"], [vec!["a".to_owned(), "word ".repeat(50)]], 60);
        assert!(text.lines().count() > 5 && text.lines().all(|line| line.chars().count() <= 60), "{text}");
    }
}
