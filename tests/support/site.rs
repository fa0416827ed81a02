//! The application of `navigation.json`. The Worker of the tests has this file too, so that every runtime has the same.

use median_edge::navigation::{Navigation, Page, navigation};
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    site: Site,
}

#[derive(Deserialize)]
struct Site {
    pages: Vec<Listed>,
    exclude: Vec<String>,
}

#[derive(Deserialize)]
struct Listed {
    route: String,
    title: Option<String>,
    #[serde(default)]
    highlights: Vec<(String, String)>,
}

/// The pages that its vectors are for.
///
/// # Panics
///
/// When the file is not in the format.
pub fn site() -> Navigation {
    let file: File =
        serde_json::from_str(include_str!("../vectors/navigation.json")).expect("the file has a site");
    navigation(file.site.pages).exclude(file.site.exclude)
}

impl From<Listed> for Page {
    fn from(listed: Listed) -> Self {
        let page = Self::new(listed.route);
        let page = listed.title.into_iter().fold(page, Self::title);
        listed.highlights.into_iter().fold(page, |page, (selector, shows)| page.highlight(selector, shows))
    }
}
