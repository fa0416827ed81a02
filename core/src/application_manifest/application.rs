//! What an application says of itself.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use serde::Serialize;

use crate::job::JobSpec;

/// Where an application keeps its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StorageMode {
    /// In memory: it is gone with the process.
    Memory,
    /// In what the platform itself offers.
    Native,
    /// In a store that outlives the process.
    Persistent,
    /// Behind a service that it reaches over HTTP.
    Http,
}

/// What an application says of itself in its application manifest, beside its tools. See
/// [the module](crate::application_manifest).
#[derive(Clone, Debug)]
#[must_use = "an application is described when it is given to `EndpointBuilder::application`"]
pub struct Application {
    pub(super) name: Cow<'static, str>,
    pub(super) version: Cow<'static, str>,
    pub(super) description: Cow<'static, str>,
    pub(super) storage_mode: Option<StorageMode>,
    pub(super) jobs: Vec<JobSpec>,
    pub(super) endpoints: Vec<ListedEndpoint>,
    pub(super) tool_routes: bool,
    pub(super) signed: bool,
}

impl Application {
    /// An application: its name in `snake_case`, its version by semantic versioning (`env!("CARGO_PKG_VERSION")` is
    /// one), and what it is.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        version: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            name: name.into(),
            version: version.into(),
            description: description.into(),
            storage_mode: None,
            jobs: Vec::new(),
            endpoints: Vec::new(),
            tool_routes: false,
            signed: false,
        }
    }

    /// Says where it keeps its data. There is no default: an endpoint that leaves it out is not built.
    pub fn storage_mode(mut self, mode: StorageMode) -> Self {
        self.storage_mode = Some(mode);
        self
    }

    /// Adds a job that its tools may enqueue.
    pub fn job(mut self, job: JobSpec) -> Self {
        self.jobs.push(job);
        self
    }

    /// Adds one of the application's own HTTP endpoints to the list.
    pub fn endpoint(mut self, endpoint: ListedEndpoint) -> Self {
        self.endpoints.push(endpoint);
        self
    }

    /// Lists the routes of the tool endpoint too, behind the application's own.
    pub fn with_tool_routes(mut self) -> Self {
        self.tool_routes = true;
        self
    }

    /// Answers the manifest to signed requests only, as the endpoint's own is. Without it, anyone may read it.
    pub fn signed(mut self) -> Self {
        self.signed = true;
        self
    }
}

/// An HTTP endpoint that the application manifest lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedEndpoint {
    pub(super) path: Cow<'static, str>,
    pub(super) method: Cow<'static, str>,
    pub(super) description: Cow<'static, str>,
    pub(super) authenticated: bool,
}

impl ListedEndpoint {
    /// An endpoint that needs no authentication: its method in capitals, its path with whatever stands for a parameter
    /// in it, and what it does.
    pub fn new(
        method: impl Into<Cow<'static, str>>,
        path: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            path: path.into(),
            method: method.into(),
            description: description.into(),
            authenticated: false,
        }
    }

    /// Says that it needs authentication.
    #[must_use]
    pub fn authenticated(mut self) -> Self {
        self.authenticated = true;
        self
    }
}
