//! Cloudflare Workers.

use std::rc::Rc;

use median_edge_worker::App;

use crate::{Shop, endpoint};

thread_local! {
    static APP: App<Shop> = {
        let shop = Rc::new(Shop::demo());
        // A real shop is made out of `env`, the Worker's bindings, for each request.
        App::new(|_env| endpoint(), move |_env| Ok(Rc::clone(&shop)))
    };
}

median_edge_worker::fetch!(APP);
