//! README's first tool is the one of the book's page, which is made, tested, served and called as it stands there.

use median_edge_book::Page;
use median_edge_book::block::blocks;

fn project(path: &str) -> Vec<String> {
    let page = Page::read(path);
    let is_file = |text: &str| text.starts_with("[package]") || text.contains("#[tokio::main]");
    blocks(&page.text).into_iter().map(|block| block.text).filter(|text| is_file(text)).collect()
}

#[test]
fn the_readme_has_the_project_of_the_first_page() {
    let files = project("docs/first-tool.md");
    assert_eq!(files.len(), 2, "a manifest and a program");
    assert_eq!(project("README.md"), files);
}
