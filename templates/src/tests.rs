//! What the templates have to be, whatever is chosen.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{File, LAMBDA, WORKERS};

const TEMPLATES: [(&str, &[File]); 2] = [("cloudflare-worker", WORKERS), ("aws-lambda", LAMBDA)];

/// Its questions are for cargo-generate, which leaves it out too.
const QUESTIONS: &str = "cargo-generate.toml";

fn folder(template: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(template)
}

fn found(folder: &Path, root: &Path, paths: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found(&path, root, paths);
        } else {
            paths.insert(path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/"));
        }
    }
}

fn file(files: &[File], path: &str) -> File {
    *files.iter().find(|file| file.path == path).unwrap()
}

#[test]
fn every_file_of_the_templates_is_here() {
    for (template, files) in TEMPLATES {
        let root = folder(template);
        let mut paths = BTreeSet::new();
        found(&root, &root, &mut paths);
        assert!(paths.remove(QUESTIONS));
        let here: BTreeSet<String> = files.iter().map(|file| file.path.to_owned()).collect();
        assert_eq!(here, paths, "{template}");
    }
}

#[test]
fn what_is_left_as_it_is_here_is_to_cargo_generate_too() {
    for (template, files) in TEMPLATES {
        let questions = fs::read_to_string(folder(template).join(QUESTIONS)).unwrap();
        let plain: Vec<_> = files.iter().filter(|file| !file.is_template).map(|file| file.path).collect();
        assert!(questions.contains(&format!("exclude = {plain:?}\n")), "{template}: {plain:?}");
    }
}

#[test]
fn both_templates_have_the_same_tools_and_pages() {
    for path in [".cargo/config.toml", "src/orders.rs.liquid", "src/pages.rs", "tests/protocol.rs.liquid"] {
        assert_eq!(file(WORKERS, path).text, file(LAMBDA, path).text, "{path}");
    }
}

const WORKFLOW: &str = ".github/workflows/test-and-deploy.yml";

#[test]
fn the_actions_of_the_workflows_are_pinned_to_commits() {
    for (template, files) in TEMPLATES {
        let uses: Vec<_> =
            file(files, WORKFLOW).text.lines().filter_map(|line| line.split_once("uses: ")).collect();
        assert!(uses.len() > 3, "{template}");
        for (_, action) in uses {
            let (commit, version) = action.split_once('@').unwrap().1.split_once(" # v").unwrap();
            let is_commit = commit.len() == 40 && commit.bytes().all(|b| b.is_ascii_hexdigit());
            assert!(is_commit && version.split('.').count() == 3, "{template}: {action}");
        }
    }
}

/// From the first line of a job to the next job.
fn job<'a>(workflow: &'a str, name: &str) -> &'a str {
    let start = workflow.find(&format!("\n  {name}:\n")).unwrap();
    let rest = &workflow[start + 1..];
    let is_end = |at: &usize| rest[*at..].starts_with("\n  ") && !rest[*at..].starts_with("\n   ");
    let end = rest.match_indices("\n  ").map(|(at, _)| at).find(is_end);
    end.map_or(rest, |end| &rest[..end])
}

#[test]
fn what_may_deploy_is_in_the_job_that_builds_nothing() {
    for (template, files) in TEMPLATES {
        let workflow = file(files, WORKFLOW).text;
        assert!(workflow.contains("\npermissions:\n  contents: read\n"), "{template}");
        let (test, deploy) = (job(workflow, "test"), job(workflow, "deploy"));
        for given in ["secrets.", "id-token", "role-to-assume", "permissions:"] {
            assert!(!test.contains(given), "{template}: {given}");
        }
        for building in ["cargo", "rustup", "sam build", "worker-build"] {
            assert!(!deploy.contains(building), "{template}: {building}");
        }
        // Of the repository it has what says how to deploy, and nothing that a build could have changed.
        let (_, checked_out) = deploy.split_once("sparse-checkout: |\n").unwrap();
        let files: Vec<_> =
            checked_out.lines().map(str::trim).take_while(|line| line.starts_with('/')).collect();
        let expected = match template {
            "cloudflare-worker" => ["/main.js", "/wrangler.toml"],
            _ => ["/samconfig.toml", "/template.yaml"],
        };
        assert_eq!(files, expected);
    }
}

#[test]
fn the_token_is_in_the_environment_of_the_upload_alone() {
    let deploy = job(file(WORKERS, WORKFLOW).text, "deploy");
    let (before, upload) = deploy.split_once("- run: wrangler deploy ").unwrap();
    assert!(!before.contains("secrets.") && !upload.contains("- run:"), "{deploy}");
    assert_eq!(upload.matches("secrets.").count(), 2);

    let deploy = job(file(LAMBDA, WORKFLOW).text, "deploy");
    let (before, upload) = deploy.split_once("- uses: aws-actions/configure-aws-credentials@").unwrap();
    assert!(before.contains("PIP_ONLY_BINARY: \":all:\""), "{before}");
    let (_, runs) = upload.split_once("- run: ").unwrap();
    assert_eq!(runs.trim_end(), "sam deploy --template-file template.built.yaml");
}
