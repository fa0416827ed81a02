//! The shell line that signs itself anew: it is run, by the shells that people have.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::server::Server;
use crate::{median_edge, output, shown, stdout};
use insta::assert_snapshot;
use median_edge::MedianKey;

const KEY: &str = "median_key_SECRETSECRETSECRETSECRET";

/// `PATH` with this command's folder on it, as where it is installed, and another folder before all.
pub(crate) fn path(first: Option<&Path>) -> std::ffi::OsString {
    let command = PathBuf::from(assert_cmd::cargo::cargo_bin!("median-edge"));
    let usual = env::var_os("PATH").unwrap_or_default();
    let own = first.map(Path::to_owned).into_iter().chain(command.parent().map(Path::to_owned));
    env::join_paths(own.chain(env::split_paths(&usual))).unwrap()
}

/// Prints the line with these arguments, and runs it. Gives what the server got last.
fn pasted(shell: &str, arguments: &[&str], variables: &[(&str, &str)]) -> crate::server::Request {
    let server = Server::endpoint(200, r#"{"result":"it came"}"#);
    let url = server.url();
    let mut print =
        median_edge(&["call", url.as_str(), "orderStatus", "orderNumber=O'Brien $(id) `id` \"x\""]);
    let printed = print.args(arguments).arg("--curl").envs(variables.iter().copied()).output().unwrap();
    let line = stdout(&printed);
    assert!(!line.contains("SECRETSECRET"), "{line}");
    assert_eq!(line.lines().count(), 1);

    let mut run = Command::new(shell);
    run.arg("-c").arg(&line).env("no_proxy", "*").env("PATH", path(None));
    let output = run.envs(variables.iter().copied()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), r#"{"result":"it came"}"#, "{output:?}");
    server.last()
}

/// The shells that this machine has, sh among them.
fn shells() -> impl Iterator<Item = &'static str> {
    ["sh", "bash", "dash", "zsh"].into_iter().filter(|shell| {
        *shell == "sh" || Command::new(shell).arg("-c").arg(":").status().is_ok_and(|status| status.success())
    })
}

#[test]
fn the_line_makes_a_signed_call_in_every_shell() {
    for shell in shells() {
        let request = pasted(shell, &[], &[]);
        assert!(request.is_signed(), "{shell}: {request:?}");
        let body: serde_json::Value = serde_json::from_str(&request.body).unwrap();
        assert_eq!(body["input"]["orderNumber"], "O'Brien $(id) `id` \"x\"");
        let id = body["toolCallId"].as_str().unwrap();
        assert!(id.strip_prefix("test_").unwrap().parse::<u64>().is_ok(), "{id}");
        assert_eq!(body["context"]["conversationId"], id);
    }
}

#[test]
fn a_real_key_is_taken_from_where_it_is() {
    let key = MedianKey::parse(KEY).unwrap();
    let path = env::temp_dir().join(format!("median-edge-curl-{}", std::process::id()));
    fs::write(&path, format!("{KEY}\n")).unwrap();
    for shell in shells() {
        assert!(pasted(shell, &[], &[("MEDIAN_KEY", KEY)]).is_signed_with(&key));
        assert!(pasted(shell, &["--key-env", "SHOP"], &[("SHOP", KEY)]).is_signed_with(&key));
        assert!(pasted(shell, &["--key-file", path.to_str().unwrap()], &[]).is_signed_with(&key));
        let secret = "88c3f9e4dc47d0f24d3d54e9774a286bb6047cf929bde4ad83a7bf11e7dd6a31";
        assert!(pasted(shell, &[], &[("MEDIAN_TOOL_SECRET", secret)]).is_signed());
    }
    fs::remove_file(&path).unwrap();
}

/// It is trimmed where the library reads it (KEY-2).
#[test]
fn a_key_may_have_white_space_around_it() {
    let key = MedianKey::parse(KEY).unwrap();
    let padded = format!(" {KEY} \n");
    assert!(pasted("sh", &[], &[("MEDIAN_KEY", &padded)]).is_signed_with(&key));
    let path = env::temp_dir().join(format!("median-edge-curl-padded-{}", std::process::id()));
    fs::write(&path, &padded).unwrap();
    assert!(pasted("sh", &["--key-file", path.to_str().unwrap()], &[]).is_signed_with(&key));
    fs::remove_file(&path).unwrap();
}

/// Other users of the machine see the command line of every program that the line starts.
#[test]
fn no_secret_is_on_a_command_line() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = env::temp_dir().join(format!("median-edge-curl-seen-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let (seen, file) = (folder.join("seen"), folder.join("key"));
    fs::write(&file, KEY).unwrap();
    for program in ["openssl", "curl", "median-edge", "cat", "sed", "date"] {
        let find = Command::new("sh")
            .args(["-c", &format!("command -v {program}")])
            .env("PATH", path(None))
            .output()
            .unwrap();
        let (shim, real) = (folder.join(program), stdout(&find));
        let script = format!(
            "#!/bin/sh\nprintf '%s\\n' \"{program} $*\" >> '{}'\nexec '{}' \"$@\"\n",
            seen.display(),
            real.trim()
        );
        fs::write(&shim, script).unwrap();
        fs::set_permissions(&shim, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let first = path(Some(&folder));
    let with_path = |pair| [("PATH", first.to_str().unwrap()), pair];
    pasted("sh", &[], &with_path(("MEDIAN_KEY", KEY)));
    pasted("sh", &["--key-env", "SHOP"], &with_path(("SHOP", KEY)));
    pasted("sh", &["--key-file", file.to_str().unwrap()], &with_path(("SHOP", "")));
    pasted("sh", &[], &with_path(("MEDIAN_TOOL_SECRET", &"5ec7e7".repeat(11)[..64])));
    let seen = fs::read_to_string(&seen).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(seen.lines().filter(|line| line.starts_with("curl ")).count(), 4, "{seen}");
    for secret in ["SECRETSECRET", "5ec7e7", "hexkey"] {
        assert!(!seen.contains(secret), "{seen}");
    }
}

#[test]
fn a_key_that_is_not_there_stops_the_line_before_anything_is_sent() {
    let server = Server::endpoint(200, r#"{"result":1}"#);
    let url = server.url();
    let mut print = median_edge(&["call", &url, "orderStatus", "orderNumber=7", "--curl"]);
    let line = stdout(&print.env("MEDIAN_KEY", KEY).output().unwrap());
    let before = server.requests().len();
    let mut run = Command::new("sh");
    let run = run.arg("-c").arg(&line).env("PATH", path(None)).env_remove("MEDIAN_KEY").output().unwrap();
    assert!(!run.status.success());
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(errors.contains("The environment variable MEDIAN_KEY is not set."), "{errors}");
    assert_eq!(server.requests().len(), before);
}

/// curl reads braces and brackets in a URL as a list of URLs.
#[test]
fn it_makes_one_call_whatever_is_in_the_url() {
    let server = Server::endpoint(200, r#"{"result":1}"#);
    let url = format!("{}?a={{1,2}}&b=[3-5]", server.url());
    let line = stdout(&output(&["call", &url, "orderStatus", "orderNumber=7", "--curl"]));
    let before = server.requests().len();
    Command::new("sh").arg("-c").arg(&line).env("no_proxy", "*").output().unwrap();
    assert_eq!(server.requests().len() - before, 1, "{line}");
    assert_eq!(server.last().path, "/api/median?a={1,2}&b=[3-5]");
}

#[test]
fn started_by_cargo_it_signs_with_cargo() {
    let mut print = median_edge(&["call", "http://127.0.0.1:1/", "t", "--curl"]);
    let print = print.env("MEDIAN_KEY", KEY).env("CARGO_PKG_NAME", "median-edge-cli").output().unwrap();
    let line = stdout(&print);
    assert!(line.contains("| cargo run -q -- sign - "), "{line}");
}

#[test]
fn a_call_can_be_printed_without_an_endpoint() {
    let url = "http://127.0.0.1:1/api/median";
    let output =
        median_edge(&["call", url, "orderStatus", "orderNumber=7", "--id", "call_1", "--curl"]).output();
    assert_snapshot!("the_public_key", shown(&output.unwrap()));
    let mut real = median_edge(&["call", url, "orderStatus", "orderNumber=7", "--id", "call_1", "--curl"]);
    assert_snapshot!("a_real_key", shown(&real.env("MEDIAN_KEY", KEY).output().unwrap()));
}
