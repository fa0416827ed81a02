//! Which paths are the endpoint's.

use alloc::string::String;

/// Where servers of ours say that they are up.
pub const HEALTH_PATH: &str = "/healthz";

/// Where the application manifest is answered, with and without a trailing slash.
pub const APPLICATION_MANIFEST_PATH: &str = "/agent/manifest";

/// Whether a path, its query aside, is that of the application manifest.
pub(crate) fn is_application_manifest(path: &str) -> bool {
    matches!(without_query(path).strip_prefix(APPLICATION_MANIFEST_PATH), Some("" | "/"))
}

fn without_query(path: &str) -> &str {
    path.split(['?', '#']).next().unwrap_or_default()
}

/// Checks a path that an application declares; the error says what a good one looks like.
pub(crate) fn plain_path(path: &str) -> Result<(), &'static str> {
    if !path.starts_with('/') {
        return Err("it must begin with /, like /api/median");
    }
    if path.contains("//") {
        return Err("it has an empty segment (//)");
    }
    if path.bytes().any(|b| matches!(b, b'?' | b'#' | b'\\' | b'%') || !b.is_ascii_graphic()) {
        return Err("it must be plain ASCII, without ?, #, % or a backslash");
    }
    Ok(())
}

/// What a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Route {
    /// The endpoint itself: the mount path, with or without a trailing slash.
    Endpoint,
    /// `/healthz`, on servers that answer it.
    Health,
    /// Where the widget asks who is signed in: the identity path, with or without a trailing slash.
    Identity,
    /// `/agent/manifest`, where the endpoint declares an application.
    ApplicationManifest,
    /// None of ours: the application's own routes, or nothing.
    Elsewhere,
}

/// A mount path in its one form: `/`, or `/segments` without a trailing slash.
#[derive(Clone, Debug)]
pub(crate) struct Mount(String);

impl Default for Mount {
    fn default() -> Self {
        Self(String::from(crate::limits::DEFAULT_MOUNT))
    }
}

impl Mount {
    /// Checks a mount path; the error says what a good one looks like.
    pub(crate) fn parse(path: &str) -> Result<Self, &'static str> {
        plain_path(path)?;
        if path.trim_end_matches('/') == HEALTH_PATH {
            return Err("that is where servers say that they are up");
        }
        Ok(Self(String::from(if path == "/" { path } else { path.trim_end_matches('/') })))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it takes every path that nothing else claims.
    pub(crate) fn is_root(&self) -> bool {
        self.0 == "/"
    }

    /// Where a request's path, without its query, leads.
    pub(crate) fn route(&self, path: &str) -> Route {
        match () {
            () if without_query(path) == HEALTH_PATH => Route::Health,
            () if self.is_root() || self.is_at(path) => Route::Endpoint,
            () => Route::Elsewhere,
        }
    }

    /// Whether a request's path is this one, with or without a trailing slash.
    pub(crate) fn is_at(&self, path: &str) -> bool {
        matches!(without_query(path).strip_prefix(self.0.as_str()), Some("" | "/"))
    }
}

#[cfg(test)]
mod tests {
    use super::{Mount, Route};

    #[test]
    fn a_mount_is_answered_with_and_without_its_slash() {
        for written in ["/api/median", "/api/median/"] {
            let mount = Mount::parse(written).unwrap();
            for path in ["/api/median", "/api/median/", "/api/median?x=1"] {
                assert_eq!(mount.route(path), Route::Endpoint, "{path}");
            }
            for path in ["/", "/api", "/api/median/x", "/api/medianx", "/api/median//", ""] {
                assert_eq!(mount.route(path), Route::Elsewhere, "{path}");
            }
        }
    }

    #[test]
    fn the_root_takes_what_nothing_else_claims() {
        let mount = Mount::parse("/").unwrap();
        assert_eq!(mount.route("/"), Route::Endpoint);
        assert_eq!(mount.route("/anything/at/all"), Route::Endpoint);
        assert_eq!(mount.route("/healthz"), Route::Health);
    }

    #[test]
    fn odd_mounts_are_refused() {
        for bad in
            ["", "api", "/a//b", "/a?b", "/a#b", "/a b", "/é", "/a\\b", "/%61", "/healthz", "/healthz/"]
        {
            assert!(Mount::parse(bad).is_err(), "{bad:?}");
        }
    }
}
