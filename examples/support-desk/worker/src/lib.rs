//! The support desk on Cloudflare Workers.
//!
//! The shop lives in the isolate's memory, which is enough to try it: an isolate ends at any time, and there are several.
//! A real shop would be made out of `env` for each request, around the bindings of its databases.

use std::rc::Rc;

use median_edge_worker::App;
use support_desk::{Desk, endpoint};

thread_local! {
    static SHOP: App<Desk> = {
        let desk = Rc::new(Desk::demo());
        App::new(|_| endpoint(), move |_| Ok(Rc::clone(&desk)))
    };
}

median_edge_worker::fetch!(SHOP);
