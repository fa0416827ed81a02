//! Projects to start from: the files of their templates, and what fills them in.
//!
//! `median-edge new` is made of this. The same files are cargo-generate's, which makes the same of them, byte for byte; the
//! tests of the repository hold the two to that.
//!
//! ```
//! use median_edge_templates::{Values, WORKERS};
//!
//! let values = [
//!     ("project-name", "my-shop"),
//!     ("crate_name", "my_shop"),
//!     ("source", "registry"),
//!     ("storage", "none"),
//!     ("navigation", "false"),
//!     ("application_manifest", "false"),
//!     ("path", ""),
//!     ("git", ""),
//! ];
//! let values: Values = values.map(|(name, value)| (name, value.to_owned())).into();
//! let files = WORKERS.iter().filter(|file| file.is_wanted(&values));
//! let manifest = files.clone().find(|file| file.project_path() == "Cargo.toml").unwrap();
//! assert!(manifest.filled_in(&values)?.contains("name = \"my-shop\""));
//! # Ok::<(), String>(())
//! ```

mod expand;
mod files;
#[cfg(test)]
mod tests;

pub use expand::Values;
pub use files::{File, LAMBDA, WORKERS};
