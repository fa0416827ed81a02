//! The input that somebody asked for: fields that were typed, or a whole one.

use std::fs::File;
use std::io::{self, Read as _};

use serde_json::value::RawValue;

use super::fields::{self, Typed};
use crate::failure::Failure;
use crate::manifest::Schema;
use crate::terminal;

/// The most bytes of an input that are read from a file.
const LARGEST_INPUT: u64 = 16 * 1024 * 1024;

/// An input as it was asked for.
#[derive(Debug)]
pub(crate) enum Asked {
    /// Field by field.
    Fields(Vec<Typed>),
    /// Whole, as it is.
    Whole(Box<RawValue>),
}

impl Asked {
    /// Reads what was typed: fields, or `--input`.
    pub(crate) fn read(fields: &[String], whole: Option<&str>) -> Result<Self, Failure> {
        match whole {
            Some(whole) => given_input(whole).map(Self::Whole),
            None => {
                fields.iter().map(|field| Typed::parse(field)).collect::<Result<_, _>>().map(Self::Fields)
            }
        }
    }

    /// The input, of the types that a schema gives its fields. What its author should know of it is said beside the output.
    pub(crate) fn input(self, schema: Option<&Schema>) -> Result<Box<RawValue>, Failure> {
        match self {
            Self::Whole(input) => Ok(input),
            Self::Fields(typed) => {
                let (text, notes) = fields::input(&typed, schema)?;
                for note in &notes {
                    terminal::note(note);
                }
                raw(text)
            }
        }
    }
}

/// `--input`: JSON, `@FILE` or `@-`.
fn given_input(text: &str) -> Result<Box<RawValue>, Failure> {
    let json = match text.strip_prefix('@') {
        None => text.to_owned(),
        Some(path) => {
            let mut json = String::new();
            let read = match path {
                "-" => io::stdin().take(LARGEST_INPUT).read_to_string(&mut json),
                path => File::open(path).and_then(|file| file.take(LARGEST_INPUT).read_to_string(&mut json)),
            };
            read.map_err(|error| {
                Failure::not_run("unreadable", format!("{path} can't be read: {error}."))
                    .hint("Name a file that holds the input as JSON, or @- for standard input.")
            })?;
            json
        }
    };
    raw(json)
}

fn raw(json: String) -> Result<Box<RawValue>, Failure> {
    RawValue::from_string(json).map_err(|error| {
        Failure::usage(format!("The input is not JSON: {error}."))
            .hint(r#"Write an object, like --input '{"orderNumber":"ORD-1042"}'."#)
    })
}
