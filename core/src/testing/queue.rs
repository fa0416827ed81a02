//! A queue that keeps what is enqueued for the test to look at.

use alloc::boxed::Box;
use alloc::vec::Vec;
use std::sync::{Mutex, PoisonError};

use crate::job::{JobMessage, JobQueue, QueueError};
use crate::sendable::BoxFuture;

#[derive(Debug, Default)]
pub(super) struct TestQueue(Mutex<Vec<JobMessage>>);

impl TestQueue {
    pub(super) fn take(&self) -> Vec<JobMessage> {
        core::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl JobQueue for TestQueue {
    fn enqueue<'a>(
        &'a self,
        _: &'a str,
        message: JobMessage,
        _: u32,
    ) -> BoxFuture<'a, Result<(), QueueError>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(message);
        Box::pin(async { Ok(()) })
    }
}
