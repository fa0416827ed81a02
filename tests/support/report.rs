//! Many checks in one test, all of their failures at once.

use std::fmt::{self, Write};

/// What was checked, and what failed.
#[derive(Debug, Default)]
pub struct Report {
    checked: usize,
    failed: Vec<String>,
}

impl Report {
    /// Counts a check, and keeps what is wrong.
    pub fn check(&mut self, what: impl fmt::Display, result: Result<(), String>) {
        self.checked += 1;
        if let Err(error) = result {
            self.failed.push(format!("{what}: {error}"));
        }
    }

    /// Counts a check that two things are equal.
    pub fn equal<T: PartialEq + fmt::Debug>(&mut self, what: impl fmt::Display, found: &T, expected: &T) {
        let same = found == expected;
        let told = || format!("is {}, and should be {}", cut(found), cut(expected));
        self.check(what, if same { Ok(()) } else { Err(told()) });
    }

    /// Ends the test.
    ///
    /// # Panics
    ///
    /// When a check failed, with all that did, or when nothing was checked.
    pub fn finish(self) {
        let Self { checked, failed } = self;
        assert!(checked > 0, "nothing was checked");
        let mut text = format!("{} of {checked} checks failed:", failed.len());
        for failure in &failed {
            let _ = write!(text, "\n- {failure}");
        }
        assert!(failed.is_empty(), "{text}");
        println!("{checked} checks");
    }
}

fn cut(value: &impl fmt::Debug) -> String {
    let text = format!("{value:?}");
    if text.chars().count() <= 300 { text } else { text.chars().take(300).chain(['…']).collect() }
}
