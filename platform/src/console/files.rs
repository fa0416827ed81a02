//! What the browser loads.

pub(super) const PAGE: &str = include_str!("page/index.html");

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

macro_rules! files {
    ($($kind:ident $name:literal)*) => {
        /// Each file: its path, its type, its text.
        pub(super) const FILES: &[(&str, &str, &str)] =
            &[$((concat!("/console/", $name), $kind, include_str!(concat!("page/", $name)))),*];
    };
}

files! {
    STYLE "style.css"
    PICTURE "icon.svg"
    SCRIPT "app.js"
    SCRIPT "api.js"
    SCRIPT "dom.js"
    SCRIPT "parts.js"
    SCRIPT "call.js"
    SCRIPT "clock.js"
    SCRIPT "approvals.js"
    SCRIPT "conversation.js"
    SCRIPT "conversations.js"
    SCRIPT "endpoints.js"
    SCRIPT "log.js"
    SCRIPT "reports.js"
    SCRIPT "thread.js"
    SCRIPT "tools.js"
}
