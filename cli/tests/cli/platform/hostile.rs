//! What endpoints and customers write is text, whatever a terminal would make of it.

use super::Desk;
use crate::server::{Server, json};
use crate::stdout;

/// Clears the screen, turns the direction of writing, and hides: in tags and in selectors, whole texts.
const HOSTILE: &str = r"\u001b[2J\u202e\u200b\u0085\u009b31m\udb40\udc41\udb40\udd00";

fn endpoint() -> Server {
    let manifest = format!(
        r#"{{"version":1,"tools":[{{"name":"evil","description":"a{HOSTILE}b","risk":"high","inputSchema":{{"type":"object","properties":{{"x":{{"type":"string","description":"{HOSTILE}"}}}},"additionalProperties":false}}}}]}}"#
    );
    let result = format!(r#"{{"result":{{"text":"a{HOSTILE}b","medianHighlight":"{HOSTILE}"}}}}"#);
    Server::new(move |request| json(200, if request.method == "GET" { &manifest } else { &result }))
}

#[test]
fn nothing_that_a_terminal_would_act_on_is_shown() {
    let desk = Desk::bare();
    let server = endpoint();
    let input = format!(r#"{{"x":"{HOSTILE}"}}"#);
    let input = ["--input", &input];
    let say = |words: &[&str]| {
        let output = desk.say(words);
        let text = stdout(&output) + &String::from_utf8(output.stderr).unwrap();
        let is_bad = |c: char| {
            (c.is_control() && c != '\n') || ['\u{202e}', '\u{200b}', '\u{e0041}', '\u{e0100}'].contains(&c)
        };
        assert!(!text.contains(is_bad), "{words:?}: {text:?}");
        text
    };
    say(&["tools", "endpoint", "add", &server.url()]);
    let id =
        desk.json(&[&["tools", "test", "evil", "--as-agent"][..], &input].concat())["approval"]["id"].clone();
    for json in [&[][..], &["--json"]] {
        for words in [
            &["tools", "list"][..],
            &["tools", "endpoint", "list"],
            &[&["tools", "test", "evil"][..], &input].concat(),
            &["tools", "approvals"],
            &["logs"],
            &["tools", "test", "\u{1b}[2J\u{202e}"],
            &["tools", "endpoint", "remove", "\u{1b}[2J\u{202e}"],
        ] {
            say(&[words, json].concat());
        }
    }
    let approved = say(&["tools", "approvals", "approve", id.as_str().unwrap(), "--teammate", "A\u{202e}na"]);
    assert!(approved.contains(r"A\u{202e}na") && approved.contains(r"\u202e"), "{approved}");
    let bad = Server::new(move |_| {
        json(500, &format!(r#"{{"error":{{"code":"{HOSTILE}","message":"{HOSTILE}"}}}}"#))
    });
    say(&["tools", "endpoint", "add", &bad.url()]);
    say(&["tools", "endpoint", "list"]);
    say(&["tools", "sync"]);
}
