//! Events as AWS makes them, and as it does not: each gets its answer, in the shape that its front reads.
#![allow(missing_docs)]

mod support;

use std::fmt::Write;

use support::{answer, builder, events, function};

/// The answers to all events of a folder.
async fn answers(folder: &str) -> String {
    let function = function(builder()).await;
    let mut answers = String::new();
    for (name, event) in events(folder) {
        let answer = answer(&function, &event).await.unwrap_or_else(|error| format!("ERROR {error}"));
        writeln!(answers, "{name}\n    {answer}").unwrap();
    }
    answers
}

#[tokio::test]
async fn events_as_aws_makes_them_get_their_answer() {
    insta::assert_snapshot!(answers("valid").await);
}

#[tokio::test]
async fn events_that_are_wrong_in_one_way_get_an_answer_or_a_clear_error() {
    insta::assert_snapshot!(answers("hostile").await);
}
