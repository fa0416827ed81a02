//! How large a Worker and a Lambda function are. A Worker: ours above one that says hello, built the same way, compressed
//! as it is sent. Ours are without connecting, which an application may leave out.

use std::path::Path;
use std::process::Stdio;

use crate::command::Command;
use crate::serve::App;
use crate::session::{Session, Stop, not_started};
use crate::{lambda, worker};

/// How much larger the conformance application may be, in compressed bytes.
const CEILING_BYTES: usize = 30 * 1024;

const HELLO: &str = "benches/hello-worker";

/// How large a Lambda function may be, in bytes, so that what was won is not lost again.
const FUNCTION_CEILING_BYTES: u64 = 2_200_000;

/// Builds what is measured, and measures it.
pub(crate) fn run(session: &mut Session) -> Result<(), Stop> {
    of_worker(session)?;
    of_function(session)
}

/// Builds a Worker and one that says hello, and compares.
pub(crate) fn of_worker(session: &mut Session) -> Result<(), Stop> {
    let ours = App::Conformance.worker();
    worker::build(session, &[HELLO])?;
    worker::build_bare(session, ours)?;
    session.check("size of a Worker", "cargo xtask size", |session| {
        let [hello, ours] = [measure(session, HELLO)?, measure(session, ours)?];
        let above = ours.saturating_sub(hello);
        session.note(&format!("a Worker that says hello: {hello} bytes, compressed"));
        session.note(&format!("the conformance application: {ours} bytes, {above} above it"));
        session.note(&format!("the most: {CEILING_BYTES} above it"));
        let too_many = above > CEILING_BYTES;
        Ok(too_many.then(|| format!("{above} bytes above hello are too many")).into_iter().collect())
    })
}

/// Builds a Lambda function, and holds it to its ceiling. `cargo xtask bench lambda` compares it with one that says hello.
pub(crate) fn of_function(session: &mut Session) -> Result<(), Stop> {
    let functions = lambda::build_bare(session, App::Conformance.function())?;
    let program = functions.join(App::Conformance.function()).join("bootstrap");
    session.check("size of a Lambda function", "cargo xtask size", |session| {
        let unable = |error| Stop::unable(format!("{}: {error}", program.display()));
        let bytes = program.metadata().map_err(unable)?.len();
        session
            .note(&format!("the conformance application: {bytes} bytes; the most: {FUNCTION_CEILING_BYTES}"));
        let too_many = bytes > FUNCTION_CEILING_BYTES;
        Ok(too_many.then(|| format!("{bytes} bytes are too many")).into_iter().collect())
    })
}

/// The bytes of a Worker's files, each compressed: the two that are built, and its main module, where it has one.
fn measure(session: &Session, folder: &str) -> Result<usize, Stop> {
    let folder = Path::new(folder);
    let files = ["build/index_bg.wasm", "build/index.js", "main.js"].map(|file| folder.join(file));
    let sent = files.iter().filter(|file| !file.ends_with("main.js") || session.root().join(file).exists());
    sent.map(|file| compressed(session, file)).sum()
}

fn compressed(session: &Session, file: &Path) -> Result<usize, Stop> {
    let command = Command::new("gzip").words("-9 --to-stdout --no-name").arg(file.display().to_string());
    let output = command.in_folder(session.root()).stdin(Stdio::null()).output();
    let output = output.map_err(|error| not_started(&command, &error))?;
    if output.status.success() {
        Ok(output.stdout.len())
    } else {
        Err(Stop::unable(format!("`{command}` failed")))
    }
}
