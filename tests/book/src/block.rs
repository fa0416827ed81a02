//! Fenced blocks of code, with what stands before them.

/// A fenced block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block<'a> {
    /// The line of its first fence, from 1.
    pub line: usize,
    /// Its language: the first word of the fence.
    pub language: &'a str,
    /// What is in it.
    pub text: String,
    /// The last line with something on it before the block, but for comments.
    before: &'a str,
    /// The comment right before the block, without its `<!--` and `-->`.
    pub comment: Option<&'a str>,
}

impl Block<'_> {
    /// The file that the block is the text of: the line before it is the file's name in backticks, and a colon.
    pub fn file(&self) -> Option<&str> {
        let name = self.before.strip_prefix('`')?.strip_suffix("`:")?;
        (!name.contains('`')).then_some(name)
    }
}

/// The blocks of a page, in its order. A fence of more backticks than three holds blocks as text.
pub fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut open: Option<(&str, Block<'_>)> = None;
    let (mut before, mut comment) = ("", None);
    for (index, line) in text.lines().enumerate() {
        let inner = line.trim_start();
        let ticks = &inner[..inner.len() - inner.trim_start_matches('`').len()];
        match &mut open {
            Some((fence, _)) if inner.trim_end() == *fence => {
                blocks.extend(open.take().map(|(_, block)| block));
                (before, comment) = ("", None);
            }
            Some((_, block)) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            None if ticks.len() >= 3 => {
                let language = inner[ticks.len()..].split([',', ' ']).next().unwrap_or_default();
                let text = String::new();
                open = Some((ticks, Block { line: index + 1, language, text, before, comment }));
            }
            None if inner.is_empty() => {}
            None => match inner.strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->")) {
                Some(text) => comment = Some(text.trim()),
                None => (before, comment) = (inner.trim_end(), None),
            },
        }
    }
    blocks
}

/// What is outside of blocks, for what is only looked for there: blocks are left blank, so that lines keep their numbers.
pub fn without_blocks(text: &str) -> String {
    let mut prose = String::new();
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let inner = line.trim();
        let ticks = &inner[..inner.len() - inner.trim_start_matches('`').len()];
        match fence {
            Some(open) if inner == open => fence = None,
            Some(_) => {}
            None if ticks.len() >= 3 => fence = Some(ticks),
            None => prose.push_str(line),
        }
        prose.push('\n');
    }
    prose
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_its_line_its_language_and_what_stands_before_it() {
        let found = blocks(
            "Run it:\n\n<!-- commands: exit 1 -->\n\n```sh\na\n\nb\n```\n`x/y.toml`:\n```toml,x\n```\n",
        );
        let [first, second] = &found[..] else { panic!("{found:?}") };
        assert_eq!((first.line, first.language, first.text.as_str()), (5, "sh", "a\n\nb\n"));
        assert_eq!((first.comment, first.file()), (Some("commands: exit 1"), None));
        assert_eq!((second.language, second.comment, second.file()), ("toml", None, Some("x/y.toml")));
    }

    #[test]
    fn a_comment_is_only_for_the_block_right_after_it() {
        let found = blocks("<!-- a -->\n\nText.\n```\n```\n<!-- b -->\n```\n```\n```\n```\n");
        assert_eq!(found.iter().map(|block| block.comment).collect::<Vec<_>>(), [None, Some("b"), None]);
    }

    #[test]
    fn a_longer_fence_holds_shorter_ones() {
        assert_eq!(blocks("````md\n```sh\nx\n```\n````\n").len(), 1);
        assert_eq!(without_blocks("a\n````\n```\nb\n````\nc"), "a\n\n\n\n\nc\n");
    }
}
