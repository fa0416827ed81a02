//! The headers of an answer, as JavaScript takes them: made once for each list that there is.

use std::cell::RefCell;

use js_sys::{Object, Reflect};
use wasm_bindgen::JsValue;

type Set = &'static [(&'static str, &'static str)];

/// The lists so far. There are a few: each kind of route has its own, and a 405 has one header more.
#[derive(Default)]
pub(crate) struct HeaderSets(RefCell<Vec<(Set, JsValue)>>);

impl HeaderSets {
    pub(crate) fn of(&self, set: Set) -> JsValue {
        let mut sets = self.0.borrow_mut();
        if let Some((_, made)) = sets.iter().find(|(known, _)| *known == set) {
            return made.clone();
        }
        let made = Object::new();
        for (name, value) in set {
            // A plain object takes any member.
            let _ = Reflect::set(&made, &JsValue::from_str(name), &JsValue::from_str(value));
        }
        let made = JsValue::from(made);
        sets.push((set, made.clone()));
        made
    }
}
