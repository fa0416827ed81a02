//! What the tools work on: the bindings of the request's environment, behind functions of their own.
//!
//! What JavaScript promises never leaves its thread. `SendFuture` says so to a compiler for machines with several, so
//! that all of this also builds, and can be tested, on one of those.

use std::time::Duration;

use serde::Deserialize;
use worker::send::SendFuture;
use worker::{Delay, Env, Error};

/// The bindings of a request.
pub(crate) struct Bindings {
    env: Env,
}

impl Bindings {
    pub(crate) fn new(env: &Env) -> Self {
        Self { env: env.clone() }
    }

    pub(crate) async fn put(&self, key: &str, value: &str) -> Result<(), Error> {
        let kv = self.env.kv("NOTES")?;
        let put = kv.put(key, value)?;
        SendFuture::new(put.execute()).await?;
        Ok(())
    }

    pub(crate) async fn get(&self, key: &str) -> Result<Option<String>, Error> {
        let kv = self.env.kv("NOTES")?;
        Ok(SendFuture::new(kv.get(key).text()).await?)
    }

    pub(crate) async fn sum(&self, a: f64, b: f64) -> Result<f64, Error> {
        #[derive(Deserialize)]
        struct Row {
            sum: f64,
        }
        let database = self.env.d1("LEDGER")?;
        let query = database.prepare("SELECT ?1 + ?2 AS sum").bind(&[a.into(), b.into()])?;
        let row = SendFuture::new(async move { query.first::<Row>(None).await }).await?;
        Ok(row.map_or(f64::NAN, |row| row.sum))
    }
}

/// Waits, on the platform's timer.
pub(crate) async fn sleep(ms: u32) {
    SendFuture::new(Delay::from(Duration::from_millis(ms.into()))).await;
}
