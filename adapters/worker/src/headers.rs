//! The status and the headers of an answer, as JavaScript takes them: made once for each kind of answer that there is.

use std::cell::RefCell;

use median_edge::Response;
use wasm_bindgen::JsValue;

use crate::boundary;

type Set = &'static [(&'static str, &'static str)];

/// The kinds so far. There are a few: each code has one status, each kind of route its own list of headers, and a 405 one
/// header more.
#[derive(Default)]
pub(crate) struct Kinds(RefCell<Vec<(u16, Set, JsValue)>>);

impl Kinds {
    /// A response without a body that the answer is made after: the platform then copies its headers, where it would
    /// check and convert each of a list.
    pub(crate) fn of(&self, response: &Response) -> JsValue {
        let (status, set) = (response.status(), response.headers());
        let mut kinds = self.0.borrow_mut();
        if let Some((_, _, made)) = kinds.iter().find(|kind| kind.0 == status && kind.1 == set) {
            return made.clone();
        }
        let mut lines = String::new();
        for (name, value) in set {
            for piece in [if lines.is_empty() { "" } else { "\n" }, name, ": ", value] {
                lines.push_str(piece);
            }
        }
        let made = boundary::kind(status, &lines);
        kinds.push((status, set, made.clone()));
        made
    }
}
