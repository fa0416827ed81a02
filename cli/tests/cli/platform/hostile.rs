//! What endpoints and customers write is text, whatever a terminal would make of it.

use super::Desk;
use crate::server::{Server, json};
use crate::stdout;

/// Clears the screen, turns the direction of writing, and hides: in tags and in selectors, whole texts.
const HOSTILE: &str = r"\u001b[2J\u202e\u200b\u0085\u009b31m\udb40\udc41\udb40\udd00\u3164";

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
            (c.is_control() && c != '\n')
                || ['\u{202e}', '\u{200b}', '\u{e0041}', '\u{e0100}', '\u{3164}'].contains(&c)
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

#[test]
fn nothing_that_is_long_pushes_the_rest_off_the_screen() {
    let desk = Desk::bare();
    let name = "n".repeat(100_000);
    let manifest = format!(
        r#"{{"version":1,"tools":[{{"name":"{name}","description":"d","risk":"high","inputSchema":{{"type":"object","properties":{{}},"additionalProperties":false}}}},{{"name":"evil","description":"d","risk":"high","inputSchema":{{"type":"object","properties":{{"x":{{"type":"string"}}}},"additionalProperties":false}}}}]}}"#
    );
    let server = Server::new(move |_| json(200, &manifest));
    let added = stdout(&desk.say(&["tools", "endpoint", "add", &server.url()]));
    assert!(added.contains("2 tools: nnn") && added.contains(", evil") && added.len() < 2_000, "{added}");
    // By the API: the command itself sends no white space.
    let input = format!(r#"{{"x": {}"one  two"}}"#, " \n".repeat(4_000));
    desk.json(&["tools", "test", "evil", "--as-agent", "--input", &input]);
    let waiting = stdout(&desk.say(&["tools", "approvals"]));
    assert!(waiting.contains(r#"{"x": "one  two"}"#), "{waiting}");
}

#[test]
fn an_address_is_a_word_of_the_shell_in_what_to_type_next() {
    let desk = Desk::bare();
    let server = Server::new(|_| json(500, "{}"));
    let url = format!("{}?a=1&b=$(x)", server.url());
    let added = stdout(&desk.say(&["tools", "endpoint", "add", &url]));
    for words in ["doctor", "tools sync"] {
        assert!(added.contains(&format!("{words} '{url}'")), "{added}");
    }
}
