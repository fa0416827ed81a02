//! Several emulators with the same function, each with one event in hand at a time.

use std::io;
use std::sync::{Mutex, PoisonError};

use tokio::sync::Semaphore;

use crate::{Emulator, Function, Raw};

/// Emulators, started when they are needed.
#[derive(Debug)]
pub(crate) struct Pool {
    function: Function,
    places: Semaphore,
    idle: Mutex<Vec<Emulator>>,
}

impl Pool {
    pub(crate) fn new(function: Function, most: usize) -> Self {
        Self { function, places: Semaphore::new(most.max(1)), idle: Mutex::default() }
    }

    pub(crate) async fn invoke(&self, event: Vec<u8>) -> io::Result<Raw> {
        let _place = self.places.acquire().await.map_err(io::Error::other)?;
        let idle = self.idle().pop();
        let mut emulator = match idle {
            Some(emulator) => emulator,
            None => Emulator::start(&self.function).await?,
        };
        // One that does not answer, or whose client went away, is not used again.
        let raw = emulator.invoke(event).await?;
        self.idle().push(emulator);
        Ok(raw)
    }

    pub(crate) fn ids(&self) -> Vec<u32> {
        self.idle().iter().map(Emulator::id).collect()
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Emulator>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
