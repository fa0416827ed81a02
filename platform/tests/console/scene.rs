//! A stand-in with its console, endpoints to connect, and the browser that comes to see them.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use axum::Router;
use http::{Method, StatusCode};
use median_edge::{Keys, MedianKey};
use median_edge_local::Server;
use median_edge_platform::{Access, Bound, Options, Platform};
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// Where the browser, Node and playwright-core are.
const PLACES: [&str; 3] = ["MEDIAN_EDGE_CHROMIUM", "MEDIAN_EDGE_NODE", "MEDIAN_EDGE_PLAYWRIGHT"];

/// A key that is not the public example.
pub(crate) const OWN_KEY: &str = "median_key_of_the_console_tests_000000000000";

pub(crate) fn options() -> Options {
    Options::new(MedianKey::local())
}

pub(crate) struct Scene {
    platform: Platform,
    pub(crate) url: String,
    pub(crate) console: String,
    endpoints: Vec<(String, String)>,
    told: Vec<(&'static str, String)>,
}

impl Scene {
    pub(crate) async fn start(options: Options) -> Self {
        let platform = Platform::start(options).await.expect("the stand-in starts");
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let bound = Bound::with_console(platform.clone(), address, Access::Loopback).await;
        let bound = bound.expect("there is a free port");
        let (url, console) = (bound.url(), bound.console_url());
        tokio::spawn(bound.serve_until(std::future::pending()));
        Self { platform, url, console, endpoints: Vec::new(), told: Vec::new() }
    }

    pub(crate) async fn with_own_key() -> Self {
        Self::start(Options::new(MedianKey::parse(OWN_KEY).expect("it is a key"))).await
    }

    /// An endpoint that the scenario connects by itself.
    pub(crate) fn endpoint(mut self, name: &str, url: String) -> Self {
        self.endpoints.push((name.to_owned(), url));
        self
    }

    /// An endpoint that is connected when the scenario begins.
    pub(crate) async fn connected(self, name: &str, url: String) -> Self {
        let mut events = self.platform.events();
        let connect = url.clone();
        self.platform.run(move |desk| desk.connect(&connect, None)).await.expect("it is connected");
        while events.recv().await.expect("the stand-in goes on").event != "sync.good" {}
        self.endpoint(name, url)
    }

    /// Something that the scenario has to know.
    pub(crate) fn tell(mut self, name: &'static str, text: String) -> Self {
        self.told.push((name, text));
        self
    }

    /// Plays a scenario in the browser.
    pub(crate) async fn play(self, scenario: &'static str) {
        let Some([chromium, node, playwright]) = places() else {
            println!("left out: `cargo xtask test --only console` runs it");
            return;
        };
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/console");
        let shots = screenshots();
        fs::create_dir_all(&shots).expect("the target folder can be written");
        let mut command = Command::new(node);
        command.arg(folder.join("run.mjs")).arg(scenario);
        command.env("CHROMIUM", chromium).env("PLAYWRIGHT", playwright).env("SCREENSHOTS", shots);
        command.env("CONSOLE", &self.console).env("STAND_IN", &self.url).env("OWN_KEY", OWN_KEY);
        command.envs(self.endpoints.iter().map(|(name, url)| (format!("ENDPOINT_{name}"), url)));
        command.env("KEY", median_edge::key::LOCAL_KEY).envs(self.told);
        let output = tokio::task::spawn_blocking(move || command.output()).await.expect("nothing panics");
        let output = output.expect("Node starts");
        assert!(
            output.status.success(),
            "{scenario}:\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

/// All three, or nothing when none was named.
fn places() -> Option<[PathBuf; 3]> {
    let found = PLACES.map(env::var_os);
    if found.iter().all(Option::is_none) {
        return None;
    }
    Some(found.map(|place| place.expect("all of MEDIAN_EDGE_CHROMIUM, _NODE and _PLAYWRIGHT are set").into()))
}

/// `console-screenshots` in the target folder, which this test's own program is below.
fn screenshots() -> PathBuf {
    let program = env::current_exe().expect("it has a path");
    let target = program.ancestors().nth(3).expect("it is in target/debug/deps");
    target.join("console-screenshots")
}

/// The demo on a free port, until the test ends.
pub(crate) async fn demo() -> String {
    let endpoint = support_desk::endpoint().expect("the demo is built");
    let server = Server::new(endpoint, support_desk::Desk::demo()).keys(Keys::new(MedianKey::local()));
    let bound = server.bind((Ipv4Addr::LOCALHOST, 0)).await.expect("there is a free port");
    let url = bound.url();
    tokio::spawn(bound.run_until(std::future::pending()));
    url
}

/// An endpoint that always answers the same.
#[derive(Clone)]
pub(crate) struct Stub {
    manifest: Value,
    answer: Option<Value>,
}

fn tool(name: &str, description: &str, properties: &Value) -> Value {
    json!({ "name": name, "description": description, "risk": "low",
        "inputSchema": { "type": "object", "properties": properties, "additionalProperties": false } })
}

impl Stub {
    fn new(tools: &[Value], answer: Option<Value>) -> Self {
        Self { manifest: json!({ "version": 1, "tools": tools, "diagnostics": true }), answer }
    }

    /// Two reasons to refuse its manifest.
    pub(crate) fn unacceptable() -> Self {
        let tools = [
            tool("requestHandoff", "Is reserved.", &json!({})),
            tool("list", "Has a list.", &json!({ "a": { "type": "array" } })),
        ];
        Self::new(&tools, None)
    }

    pub(crate) fn long() -> Self {
        let answer = json!({ "result": { "text": "0123456789".repeat(500) } });
        Self::new(&[tool("readAll", "Reads a lot.", &json!({}))], Some(answer))
    }

    /// Its tool needs sign-off, and then fails.
    pub(crate) fn failing() -> Self {
        let mut pay = tool("payOut", "Pays out.", &json!({ "cents": { "type": "number" } }));
        pay["risk"] = json!("high");
        let error =
            json!({ "code": "execution_failed", "message": "The bank is closed. <b>Try</b> tomorrow." });
        Self::new(&[pay], Some(json!({ "error": error })))
    }

    /// Never answers a call.
    pub(crate) fn hanging() -> Self {
        Self::new(&[tool("slowTool", "Takes long.", &json!({}))], None)
    }

    /// Says in every place what would do harm as markup, turns text around, or is too long for any line.
    pub(crate) fn hostile() -> Self {
        let script = "<script>window.harmed = true</script><img src=x onerror=\"window.harmed = true\">";
        let turned = "safe \u{202e}gnihton\u{202c} \u{200b}\u{7}\u{e0041}\u{e0100}\u{3164}end";
        let long = "W".repeat(3000);
        let all = format!("{script} {turned} {long}");
        let properties = json!({
            "plain": { "type": "string", "description": all },
            "choice": { "type": "string", "enum": [script, long], "description": turned },
        });
        let answer = json!({ "result": {
            "html": all, "nested": { script: [long] },
            "medianNavigateTo": "//evil.example/\u{202e}", "medianHighlight": format!("#a\"]{script}"),
        } });
        Self::new(&[tool("hostileTool", &all, &properties)], Some(answer))
    }

    pub(crate) async fn serve(&self) -> String {
        let stub = self.clone();
        let answer = move |method: Method| {
            let stub = stub.clone();
            async move {
                if method == Method::GET {
                    return (StatusCode::OK, stub.manifest.to_string());
                }
                match stub.answer {
                    Some(answer) => (StatusCode::OK, answer.to_string()),
                    None => std::future::pending().await,
                }
            }
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("there is a free port");
        let url = format!("http://{}/api/median", listener.local_addr().expect("an address"));
        tokio::spawn(async move { axum::serve(listener, Router::new().fallback(answer)).await });
        url
    }
}
