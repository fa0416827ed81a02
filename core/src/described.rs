//! The application manifest as an endpoint holds it. Without the feature there is none, and the compiler knows.

use alloc::sync::Arc;

/// The bytes, made once, and who may have them.
#[cfg(feature = "application-manifest")]
pub(crate) struct Described {
    pub(crate) bytes: Arc<[u8]>,
    pub(crate) signed: bool,
}

/// What no endpoint holds.
#[cfg(not(feature = "application-manifest"))]
pub(crate) enum Described {}

impl Described {
    pub(crate) fn bytes(&self) -> &Arc<[u8]> {
        #[cfg(feature = "application-manifest")]
        return &self.bytes;
        #[cfg(not(feature = "application-manifest"))]
        match *self {}
    }

    /// Whether only a signed request gets them.
    pub(crate) fn is_signed(&self) -> bool {
        #[cfg(feature = "application-manifest")]
        return self.signed;
        #[cfg(not(feature = "application-manifest"))]
        match *self {}
    }
}
