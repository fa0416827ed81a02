//! Sections of documents that are made from the code.
#![allow(dead_code)] // Each test binary uses its part.

use std::fs;
use std::path::Path;

/// Set, it writes the section in place of comparing it.
const UPDATE: &str = "UPDATE_DOCS";

/// Compares a section of `docs/conformance.md`.
pub(crate) fn assert_section(name: &str, expected: &str) {
    assert_section_of("conformance.md", name, expected);
}

/// Compares a section, which stands between two comments of its name, with what it should be.
pub(crate) fn assert_section_of(document: &str, name: &str, expected: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(document);
    let text = fs::read_to_string(&path).unwrap();
    let (begin, end) = (format!("<!-- {name}: made by a test -->\n"), format!("<!-- {name}: end -->"));
    let start = text.find(&begin).unwrap_or_else(|| panic!("{begin} is missing")) + begin.len();
    let stop = start + text[start..].find(&end).unwrap_or_else(|| panic!("{end} is missing"));
    let expected = format!("\n{expected}\n");
    if text[start..stop] == expected {
        return;
    }
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&path, format!("{}{expected}{}", &text[..start], &text[stop..])).unwrap();
        return;
    }
    panic!("docs/{document}: the section `{name}` is out of date; run the test with {UPDATE}=1");
}
