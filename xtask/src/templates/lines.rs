//! The command lines of a project: those of its README, and those of its workflow.

/// What is done about a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// It is run, and ends well.
    Run(String),
    /// It serves until it is stopped.
    Serve(String),
    /// It asks a server that runs.
    Ask(String),
    /// Nobody can run it without an account, or a test must not: it installs something.
    Not(String),
}

/// What marks a line of a README that nobody can run without an account.
const ACCOUNT: &str = "# (account)";

/// What setup brings: a test does not install it a second time.
const INSTALLING: [&str; 4] = ["rustup toolchain", "rustup default", "cargo install", "pip install"];

/// The lines of the blocks of `sh` in a README.
pub(super) fn of_readme(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut in_block = false;
    for line in text.lines() {
        match line {
            "```sh" => in_block = true,
            "```" => in_block = false,
            _ if in_block => lines.push(read(line)),
            _ => {}
        }
    }
    lines
}

/// The lines that a workflow runs.
pub(super) fn of_workflow(text: &str) -> Vec<Line> {
    text.lines().filter_map(|line| line.trim().strip_prefix("- run: ")).map(read).collect()
}

fn read(line: &str) -> Line {
    let command = line.split_once(" # ").map_or(line, |(command, _)| command).trim().to_owned();
    let begins = |words: &[&str]| words.iter().any(|word| command.starts_with(word));
    if line.contains(ACCOUNT) || begins(&INSTALLING) || begins(&["npm install", "sam deploy"]) {
        Line::Not(command)
    } else if begins(&["cargo run", "npx wrangler dev"]) {
        Line::Serve(command)
    } else if begins(&["median-edge "]) {
        Line::Ask(command)
    } else if begins(&["wrangler deploy "]) {
        Line::Run(format!("{command} --dry-run"))
    } else {
        Line::Run(command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_readme_are_those_of_its_blocks() {
        let text = "cargo no\n```sh\ncargo test    # why\ncargo run\nmedian-edge check U\nnpx wrangler deploy    # (account)\n```\n```rust\nx\n```\n";
        let expected = [
            Line::Run("cargo test".to_owned()),
            Line::Serve("cargo run".to_owned()),
            Line::Ask("median-edge check U".to_owned()),
            Line::Not("npx wrangler deploy".to_owned()),
        ];
        assert_eq!(of_readme(text), expected);
    }

    #[test]
    fn a_workflow_uploads_nothing_here() {
        let text = "steps:\n  - uses: x\n  - run: pip install x\n  - run: cargo test\n  - run: wrangler deploy --config a\n";
        let expected = [
            Line::Not("pip install x".to_owned()),
            Line::Run("cargo test".to_owned()),
            Line::Run("wrangler deploy --config a --dry-run".to_owned()),
        ];
        assert_eq!(of_workflow(text), expected);
    }
}
