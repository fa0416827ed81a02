//! The keys, as the Worker's secrets give them.

use std::cell::RefCell;
use std::rc::Rc;

use median_edge::Keys;
use median_edge::event::Level;
use wasm_bindgen::JsValue;

use crate::{Env, boundary, log};

/// The names of all that keys are read from, as JavaScript takes them.
const VARIABLES: &str = "MEDIAN_KEY MEDIAN_KEY_PREVIOUS MEDIAN_TOOL_SECRET MEDIAN_TOOL_SECRET_PREVIOUS";

/// The keys, derived again whenever a secret is another one.
pub(crate) struct Current {
    /// What JavaScript saw last of each secret.
    seen: JsValue,
    derived: RefCell<Rc<Keys>>,
}

impl Current {
    pub(crate) fn new() -> Self {
        Self { seen: boundary::unseen(VARIABLES), derived: RefCell::new(Rc::new(Keys::missing())) }
    }

    /// The keys of now; what is wrong with them is logged when they are new.
    pub(crate) fn of(&self, env: &Env, own: Option<&Keys>) -> Rc<Keys> {
        let mut derived = self.derived.borrow_mut();
        if boundary::changed(env, &self.seen) {
            let keys = Keys::from_lookup(|name| boundary::variable(env, name));
            check(own.unwrap_or(&keys));
            *derived = Rc::new(keys);
        }
        Rc::clone(&derived)
    }
}

/// Nobody sees a Worker start: what a server would refuse to start with is in the log of each isolate.
fn check(keys: &Keys) {
    if let Err(error) = keys.check() {
        log::note(Level::Error, &format!("No request can be verified. {error}"));
    }
    if keys.let_anyone_in() {
        let message = "The key is the public example key: anyone can sign requests. \
                       Set your own with `wrangler secret put MEDIAN_KEY`.";
        log::note(Level::Error, message);
    }
}

#[cfg(test)]
mod tests {
    use super::VARIABLES;
    use median_edge::key::{
        KEY_VARIABLE, PREVIOUS_KEY_VARIABLE, PREVIOUS_TOOL_SECRET_VARIABLE, TOOL_SECRET_VARIABLE,
    };

    #[test]
    fn every_variable_is_looked_at() {
        let all = [KEY_VARIABLE, PREVIOUS_KEY_VARIABLE, TOOL_SECRET_VARIABLE, PREVIOUS_TOOL_SECRET_VARIABLE];
        assert_eq!(VARIABLES, all.join(" "));
    }
}
