//! `new`: a project to start from.

mod name;
mod place;
mod source;

use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::{Args, ValueEnum};
use median_edge_templates::{File, LAMBDA, Values, WORKERS};
use serde::Serialize;

use crate::failure::{Exit, Failure};
use crate::text::clean;
use crate::{curl, json, terminal};

pub(crate) const AFTER: &str = "\
The project has a tool that runs at once and one that waits for an approval, their tests, a check against the protocol, a \
server for this machine (`cargo run`), what the platform deploys it with, and a workflow for GitHub Actions. It is the \
same that cargo-generate makes of the templates in the repository.

The crates of median-edge are not published yet: they come from a clone at ../median-edge, as the project sees it, \
unless --path or --git says otherwise.

Where this is run inside the clone, the project goes beside it: ../my-shop.

Examples:
  median-edge new my-shop --platform workers
  median-edge new ../my-shop --platform lambda
  median-edge new my-shop --platform workers --storage d1 --navigation
  median-edge new my-shop --platform lambda --git https://git.example/median-edge

Exit codes:
  0  made
  2  it could not: the name, a folder of that name, a workspace around it, a disk that is full";

/// The clone that the crates come from, when nobody says otherwise.
const CLONE: &str = "../median-edge";

#[derive(Args, Debug)]
pub(crate) struct Options {
    /// The folder that is made. Its last part is the project's name: small letters, digits and single dashes.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// What it runs on.
    #[arg(long, value_enum)]
    platform: Platform,
    /// What to keep things in.
    #[arg(long, value_enum, default_value = "none")]
    storage: Storage,
    /// Pages of your site that the agent may offer.
    #[arg(long)]
    navigation: bool,
    /// A public description of the application at /agent/manifest.
    #[arg(long)]
    application_manifest: bool,
    /// Take the crates of median-edge from this clone; a path is seen from the project's folder.
    #[arg(long, value_name = "FOLDER")]
    path: Option<String>,
    /// Take the crates of median-edge from this git repository.
    #[arg(long, value_name = "URL", conflicts_with = "path")]
    git: Option<String>,
    /// Take the crates of median-edge from crates.io, once they are there.
    #[arg(long, conflicts_with_all = ["path", "git"])]
    registry: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Platform {
    /// Cloudflare Workers.
    Workers,
    /// AWS Lambda.
    Lambda,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Storage {
    /// Nothing: the shop is in memory.
    None,
    /// Workers: a KV namespace, for notices to all customers.
    Kv,
    /// Workers: a D1 database, for the orders.
    D1,
    #[value(help = "Lambda: a table of DynamoDB, for the orders")]
    Dynamodb,
}

impl Platform {
    fn files(self) -> &'static [File] {
        match self {
            Self::Workers => WORKERS,
            Self::Lambda => LAMBDA,
        }
    }

    /// What it offers to keep things in.
    fn storages(self) -> &'static [Storage] {
        match self {
            Self::Workers => &[Storage::None, Storage::Kv, Storage::D1],
            Self::Lambda => &[Storage::None, Storage::Dynamodb],
        }
    }
}

pub(crate) fn run(options: &Options, as_json: bool) -> Result<Exit, Failure> {
    let folder = options.folder.as_path();
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name::check(name)?;
    let values = values(options, name)?;
    place::check(folder, name)?;
    match fs::create_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let message = format!("{} is there already.", clean(&folder.display().to_string()));
            return Err(Failure::not_run("exists", message).hint("Take another name, or another folder."));
        }
        made => made.map_err(|error| not_written(folder, &error))?,
    }
    let mut written = Vec::new();
    for file in options.platform.files().iter().filter(|file| file.is_wanted(&values)) {
        let path = file.project_path();
        let text = text(file, &values)?;
        write(&folder.join(path), &text)?;
        written.push(path);
    }
    written.sort_unstable();
    terminal::print(&shown(options, &values, &written, as_json))?;
    Ok(Exit::Good)
}

/// What is filled in.
fn values(options: &Options, name: &str) -> Result<Values, Failure> {
    let (source, path, git) = match (&options.path, &options.git) {
        (_, Some(url)) => ("git", "", url.as_str()),
        (Some(path), None) => ("path", path.as_str(), ""),
        (None, None) if options.registry => ("registry", "", ""),
        (None, None) => ("path", CLONE, ""),
    };
    for (option, given) in [("--path", &options.path), ("--git", &options.git)] {
        source::check(option, given.as_deref())?;
    }
    if !options.platform.storages().contains(&options.storage) {
        let offered = options.platform.storages().iter().map(|storage| format!("`{}`", word(storage)));
        let offered = offered.collect::<Vec<_>>().join(", ");
        let message =
            format!("--storage {} is not there on {}.", word(&options.storage), word(&options.platform));
        return Err(Failure::usage(message).hint(format!("Take one of {offered}.")));
    }
    let values = [
        ("project-name", name.to_owned()),
        ("crate_name", name.replace('-', "_")),
        ("source", source.to_owned()),
        ("storage", word(&options.storage)),
        ("navigation", options.navigation.to_string()),
        ("application_manifest", options.application_manifest.to_string()),
        ("path", path.trim_end_matches('/').to_owned()),
        ("git", git.to_owned()),
    ];
    Ok(values.into())
}

fn text(file: &File, values: &Values) -> Result<String, Failure> {
    file.filled_in(values).map_err(|why| {
        Failure::not_run("template", format!("The template's {} can't be filled in: {why}.", file.path))
            .hint("This is a mistake in this program.")
    })
}

/// A choice, as it is typed.
fn word(choice: &impl ValueEnum) -> String {
    choice.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let folder = path.parent().map_or_else(PathBuf::new, Path::to_owned);
    fs::create_dir_all(&folder).map_err(|error| not_written(&folder, &error))?;
    fs::write(path, text).map_err(|error| not_written(path, &error))
}

fn not_written(path: &Path, error: &io::Error) -> Failure {
    Failure::not_run("not_written", format!("{} can't be written: {error}.", path.display()))
        .hint("Go to a folder that you may write to.")
}

fn shown(options: &Options, values: &Values, files: &[&str], as_json: bool) -> String {
    #[derive(Serialize)]
    struct Document<'a> {
        folder: &'a str,
        files: &'a [&'a str],
    }
    let folder = options.folder.display().to_string();
    if as_json {
        return format!("{}\n", json::write(&Document { folder: &folder, files }));
    }
    let (count, program) = (files.len(), curl::program());
    let note = place::note(&options.folder, values).map_or_else(String::new, |note| format!("{note}\n\n"));
    format!(
        "Made {}, with {count} files.\n\n{note}Next:\n\n  cd {}\n  cargo run\n\nand from this folder, in another terminal:\n\n  \
         {program} call http://127.0.0.1:8787/api/median orderStatus orderNumber=ORD-1042\n\nIts README.md has the rest.\n",
        clean(&folder),
        curl::word(&clean(&folder))
    )
}
