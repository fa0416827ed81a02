//! `Send` where threads are, nothing where they are not.
//!
//! A Worker's futures hold JavaScript values and never leave their thread, so asking them for `Send` would only
//! force wrappers on every user. The choice hangs on the target and not on a feature: features unify across a build.

use alloc::boxed::Box;
use core::future::Future;
use core::pin::Pin;

/// A boxed future: `Send` everywhere but on WebAssembly.
#[cfg(not(target_family = "wasm"))]
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A boxed future: `Send` everywhere but on WebAssembly.
#[cfg(target_family = "wasm")]
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

macro_rules! maybe {
    ($(#[$doc:meta])* $name:ident, $auto:ident) => {
        $(#[$doc])*
        #[cfg(not(target_family = "wasm"))]
        pub trait $name: $auto {}
        #[cfg(not(target_family = "wasm"))]
        impl<T: $auto + ?Sized> $name for T {}

        $(#[$doc])*
        #[cfg(target_family = "wasm")]
        pub trait $name {}
        #[cfg(target_family = "wasm")]
        impl<T: ?Sized> $name for T {}
    };
}

maybe! {
    /// [`Send`], except on WebAssembly, where everything counts.
    MaybeSend, Send
}
maybe! {
    /// [`Sync`], except on WebAssembly, where everything counts.
    MaybeSync, Sync
}
