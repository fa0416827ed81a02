//! The commands of the book: every block of `sh`, and commands of ours within a sentence.
//!
//! A block is run by a test, as it stands, unless the comment before it says otherwise:
//!
//! - `<!-- commands: exit 1 -->`: it is run, and its last line ends with that code.
//! - `<!-- commands: need an account -->`: nobody can run it without one of the platform's or the cloud's.
//! - `<!-- commands: run by PATH -->`: each line of it stands in that file, which is run for every change.
//! - `<!-- commands: serve until they are stopped -->`: each line is started, and has to serve.
//! - `<!-- commands: not run, REASON -->`: for what a test must not do to a machine.
//!
//! Commands of ours are held to their command lines wherever they stand, run or not.

use crate::Page;
use crate::block::{Block, blocks, without_blocks};

/// How a block of commands is proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof<'a> {
    /// It is run, and ends with this code.
    Exit(i32),
    /// Its lines are started, and serve.
    Serve,
    /// It is in this file, which is run.
    RunBy(&'a str),
    /// It is not run, for this reason.
    NotRun(&'a str),
}

impl<'a> Proof<'a> {
    /// What the comment before a block says.
    ///
    /// # Errors
    ///
    /// When it is a word on commands that means nothing.
    pub fn of(block: &Block<'a>) -> Result<Self, String> {
        let Some(told) = block.comment.and_then(|comment| comment.strip_prefix("commands: ")) else {
            return Ok(Self::Exit(0));
        };
        if told == "need an account" {
            return Ok(Self::NotRun("it needs an account"));
        }
        if told == "serve until they are stopped" {
            return Ok(Self::Serve);
        }
        if let Some(code) = told.strip_prefix("exit ") {
            return code.parse().map(Self::Exit).map_err(|_| format!("line {}: exit {code}?", block.line));
        }
        if let Some(path) = told.strip_prefix("run by ") {
            return Ok(Self::RunBy(path));
        }
        match told.strip_prefix("not run, ") {
            Some(reason) => Ok(Self::NotRun(reason)),
            None => Err(format!("line {}: `commands: {told}` is not known", block.line)),
        }
    }
}

/// The blocks of commands of a page.
pub fn of(page: &Page) -> Vec<Block<'_>> {
    let mut found = blocks(&page.text);
    found.retain(|block| block.language == "sh");
    found
}

/// The command lines of a program within a page: the words after its name, with the line they stand in. They are looked
/// for in blocks of commands and in code within sentences.
///
/// `program` is how it is typed, like `cargo xtask`.
pub fn lines_of(page: &Page, program: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    for block in of(page) {
        for (index, text) in block.text.lines().enumerate() {
            let line = block.line + 1 + index;
            lines.extend(words_of(text, program).into_iter().map(|words| Line {
                line,
                words,
                in_block: true,
            }));
        }
    }
    let prose = without_blocks(&page.text);
    let mut line = 1;
    for (index, part) in prose.split('`').enumerate() {
        if index % 2 == 1 {
            lines.extend(words_of(part, program).into_iter().map(|words| Line {
                line,
                words,
                in_block: false,
            }));
        }
        line += part.matches('\n').count();
    }
    lines
}

/// A command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Where it stands, from 1.
    pub line: usize,
    /// What comes after the program's name.
    pub words: Vec<String>,
    /// Whether it is to be typed; in a sentence it may only name a command, without what the command needs.
    pub in_block: bool,
}

/// The words after each mention of a program at the beginning of a command.
fn words_of(text: &str, program: &str) -> Vec<Vec<String>> {
    let names: Vec<&str> = program.split(' ').collect();
    commands(text)
        .into_iter()
        .filter_map(|words| {
            let words: Vec<String> = words.into_iter().skip_while(|word| is_assignment(word)).collect();
            let is_it =
                words.len() >= names.len() && words.iter().zip(&names).all(|(word, name)| word == name);
            is_it.then(|| words[names.len()..].to_vec())
        })
        .collect()
}

/// `NAME=value` before a command.
fn is_assignment(word: &str) -> bool {
    let name = word.split_once('=').map(|(name, _)| name);
    name.is_some_and(|name| !name.is_empty() && name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_'))
}

/// A line of a shell as its commands, each as its words: as much of a shell's grammar as the book uses.
fn commands(text: &str) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars().peekable();
    let push = |commands: &mut Vec<Vec<String>>, word: Option<String>| {
        if let (Some(command), Some(word)) = (commands.last_mut(), word) {
            command.push(word);
        }
    };
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some('"') | None, '\\') => word.get_or_insert_default().extend(chars.next()),
            (Some(_), _) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, '#') if word.is_none() => break,
            (None, '|' | '&' | ';' | '(' | ')') => {
                push(&mut commands, word.take());
                commands.push(Vec::new());
            }
            // What goes to or comes from a file is no word of the command.
            (None, '>' | '<') => {
                push(&mut commands, word.take());
                while chars.next_if(|c| c.is_whitespace()).is_some() {}
                while chars.next_if(|c| !c.is_whitespace()).is_some() {}
            }
            (None, c) if c.is_whitespace() => push(&mut commands, word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    push(&mut commands, word);
    commands.retain(|command| !command.is_empty());
    commands
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> Page {
        Page { path: "a.md".to_owned(), text: text.to_owned() }
    }

    fn words(text: &str) -> Vec<Vec<String>> {
        lines_of(&page(text), "median-edge").into_iter().map(|line| line.words).collect()
    }

    #[test]
    fn a_command_is_found_in_a_block_and_in_a_sentence() {
        let text =
            "Use `median-edge check\n URL`.\n```sh\nX=1 median-edge sign  # why\nmedian-edges no\n```\n";
        let found = lines_of(&page(text), "median-edge");
        let found: Vec<_> = found.iter().map(|line| (line.line, line.words.join(" "))).collect();
        assert_eq!(found, [(4, "sign".to_owned()), (1, "check URL".to_owned())]);
    }

    #[test]
    fn a_program_may_have_two_words() {
        let found = lines_of(&page("`cargo xtask test --only native` and `cargo test`"), "cargo xtask");
        assert_eq!(
            found,
            [Line {
                line: 1,
                words: ["test", "--only", "native"].map(str::to_owned).to_vec(),
                in_block: false
            }]
        );
    }

    #[test]
    fn quotes_pipes_and_files_are_a_shells() {
        let text = "```sh\necho x | median-edge call 'a b' \"c\\\"d\" e\\ f > out.txt && true\n```\n";
        assert_eq!(words(text), [["call", "a b", "c\"d", "e f"]]);
        assert_eq!(words("```sh\ncurl -H \"$(x)\" | (median-edge sign)\n```\n"), [["sign"]]);
    }

    #[test]
    fn the_comment_says_how_a_block_is_proven() {
        let proof = |comment: &str| {
            let page = page(&format!("<!-- {comment} -->\n```sh\nx\n```\n"));
            Proof::of(&of(&page)[0]).map(|proof| format!("{proof:?}"))
        };
        assert_eq!(proof("commands: exit 3").unwrap(), "Exit(3)");
        assert_eq!(proof("commands: need an account").unwrap(), r#"NotRun("it needs an account")"#);
        assert_eq!(proof("commands: run by .ci/run").unwrap(), r#"RunBy(".ci/run")"#);
        assert_eq!(proof("commands: serve until they are stopped").unwrap(), "Serve");
        assert_eq!(proof("something else").unwrap(), "Exit(0)");
        assert!(proof("commands: later").is_err());
    }
}
