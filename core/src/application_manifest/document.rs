//! The document: every member is always there.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::application::{ListedEndpoint, StorageMode};
use super::fields::Input;
use crate::field::FieldSpec;
use crate::risk::Effect;

#[derive(Serialize)]
pub(super) struct Document<'a> {
    pub(super) name: &'a str,
    pub(super) version: &'a str,
    pub(super) description: &'a str,
    pub(super) storage_mode: StorageMode,
    pub(super) tools: Vec<Tool<'a>>,
    pub(super) jobs: Vec<Job<'a>>,
    pub(super) endpoints: Vec<ListedEndpoint>,
}

#[derive(Serialize)]
pub(super) struct Tool<'a> {
    pub(super) name: String,
    pub(super) description: &'a str,
    pub(super) input: InputSchema<'a>,
    pub(super) output: Value,
    pub(super) scopes: &'a [Cow<'static, str>],
    pub(super) effect: Effect,
    pub(super) idempotent: bool,
    pub(super) enqueues_job: Option<&'a str>,
    pub(super) timeout: Option<u32>,
}

/// A tool's input: by its fields, or by hand.
pub(super) enum InputSchema<'a> {
    Fields(&'a [FieldSpec]),
    Given(Value),
}

impl Serialize for InputSchema<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Fields(fields) => Input(fields).serialize(serializer),
            Self::Given(schema) => schema.serialize(serializer),
        }
    }
}

#[derive(Serialize)]
pub(super) struct Job<'a> {
    pub(super) name: &'a str,
    pub(super) description: &'a str,
    pub(super) payload: Value,
    pub(super) queue: &'a str,
    pub(super) max_retries: u32,
    pub(super) timeout: u32,
}
