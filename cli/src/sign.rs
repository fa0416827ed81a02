//! `sign`: the header for a body.

use std::fs;
use std::io::{self, IsTerminal as _, Read as _};
use std::path::Path;

use median_edge::http::SIGNATURE_HEADER;
use serde::Serialize;

use crate::args::SignOptions;
use crate::clock;
use crate::failure::{Exit, Failure};
use crate::keys::Signing;
use crate::{json, terminal};

pub(crate) fn run(options: &SignOptions, signing: &Signing, as_json: bool) -> Result<Exit, Failure> {
    let body = match &options.file {
        _ if options.get => Vec::new(),
        Some(path) if path.as_os_str() != "-" => read_file(path)?,
        _ => read_input()?,
    };
    let t = options.at.unwrap_or_else(clock::now_ms);
    let value = signing.sign(t, &body)?;
    terminal::print(&format!("{}\n", shown(&value, t, options.header, as_json)))?;
    Ok(Exit::Good)
}

fn shown(value: &str, t: u64, whole_line: bool, as_json: bool) -> String {
    #[derive(Serialize)]
    struct Document<'a> {
        name: &'static str,
        header: &'a str,
        t: u64,
    }
    match (as_json, whole_line) {
        (true, _) => json::write(&Document { name: SIGNATURE_HEADER, header: value, t }),
        (false, true) => format!("{SIGNATURE_HEADER}: {value}"),
        (false, false) => value.to_owned(),
    }
}

fn read_file(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| {
        Failure::not_run("unreadable", format!("{} can't be read: {error}.", path.display()))
            .hint("Name the file that holds the body, or - for standard input.")
    })
}

fn read_input() -> Result<Vec<u8>, Failure> {
    if io::stdin().is_terminal() {
        terminal::note("Type or paste the body, then press Ctrl-D. For a GET, use --get.");
    }
    let mut body = Vec::new();
    match io::stdin().lock().read_to_end(&mut body) {
        Ok(_) => Ok(body),
        Err(error) => Err(Failure::not_run("unreadable", format!("Standard input can't be read: {error}."))
            .hint("Name a file in its place.")),
    }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn the_value_stands_alone_unless_more_is_asked_for() {
        assert_eq!(shown("t=1,v1=a", 1, false, false), "t=1,v1=a");
        assert_eq!(shown("t=1,v1=a", 1, true, false), "median-signature: t=1,v1=a");
        let json = "{\n  \"name\": \"median-signature\",\n  \"header\": \"t=1,v1=a\",\n  \"t\": 1\n}";
        assert_eq!(shown("t=1,v1=a", 1, true, true), json);
    }
}
