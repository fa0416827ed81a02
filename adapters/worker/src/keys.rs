//! The keys, as the Worker's secrets give them.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::Array;
use median_edge::Keys;
use median_edge::event::Level;
use median_edge::key::{
    KEY_VARIABLE, PREVIOUS_KEY_VARIABLE, PREVIOUS_TOOL_SECRET_VARIABLE, TOOL_SECRET_VARIABLE,
};
use wasm_bindgen::JsValue;
use worker::Env;

use crate::{boundary, log};

const VARIABLES: [&str; 4] =
    [KEY_VARIABLE, PREVIOUS_KEY_VARIABLE, TOOL_SECRET_VARIABLE, PREVIOUS_TOOL_SECRET_VARIABLE];

/// The keys, derived again whenever a secret is another one.
pub(crate) struct Current {
    names: JsValue,
    derived: RefCell<(JsValue, Rc<Keys>)>,
}

impl Current {
    pub(crate) fn new() -> Self {
        // Nothing is equal to this, so the first look finds a change.
        let nothing = Array::of1(&JsValue::from_f64(f64::NAN)).into();
        let names = VARIABLES.iter().map(|name| JsValue::from_str(name)).collect::<Array>();
        Self { names: names.into(), derived: RefCell::new((nothing, Rc::new(Keys::missing()))) }
    }

    /// The keys of now; what is wrong with them is logged when they are new.
    pub(crate) fn of(&self, env: &Env, own: Option<&Keys>) -> Rc<Keys> {
        let mut derived = self.derived.borrow_mut();
        if let Some(values) = boundary::changed(env, &self.names, &derived.0) {
            let keys = Keys::from_lookup(|name| {
                let at = VARIABLES.iter().position(|variable| *variable == name)?;
                values.get(u32::try_from(at).ok()?).as_string()
            });
            check(own.unwrap_or(&keys));
            *derived = (values.into(), Rc::new(keys));
        }
        Rc::clone(&derived.1)
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
