//! The shop in a D1 database, whose tables are made by `migrations`.

use median_edge::prelude::*;
use worker::{D1Database, Env};

use crate::orders::Refunded;

/// The shop of one request.
pub struct Shop {
    database: D1Database,
}

impl Shop {
    /// Takes the binding `ORDERS` of `wrangler.toml`.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn new(env: &Env) -> worker::Result<Self> {
        Ok(Self {
            database: env.d1("ORDERS")?,
        })
    }

    /// The status of one of a customer's own orders.
    pub async fn status(&self, customer: &str, number: &str) -> ToolResult<Option<String>> {
        let query = "SELECT status FROM balances WHERE number = ?1 AND customer = ?2";
        let query = self.database.prepare(query);
        let query = query.bind(&[number.into(), customer.into()])?;
        Ok(query.first(Some("status")).await?)
    }

    /// Gives money back, once for each call.
    pub async fn refund(
        &self,
        customer: &str,
        number: &str,
        cents: u32,
        call: &str,
    ) -> ToolResult<Refunded> {
        // One statement, so that no two refunds take the same cents. A call that comes again
        // finds its row there, and adds nothing.
        let refund = "INSERT OR IGNORE INTO refunds (call, number, cents) \
                      SELECT ?1, number, ?2 FROM balances \
                      WHERE number = ?3 AND customer = ?4 AND left_cents >= ?2";
        let refund = self.database.prepare(refund);
        let values = [call.into(), cents.into(), number.into(), customer.into()];
        refund.bind(&values)?.run().await?;

        let made = "SELECT refunds.cents FROM refunds JOIN balances USING (number) \
                    WHERE call = ?1 AND number = ?2 AND customer = ?3";
        let made = self.database.prepare(made);
        let made = made.bind(&[call.into(), number.into(), customer.into()])?;
        if let Some(cents) = made.first(Some("cents")).await? {
            return Ok(Refunded::Cents(cents));
        }
        let left = "SELECT left_cents FROM balances WHERE number = ?1 AND customer = ?2";
        let left = self.database.prepare(left);
        let left = left.bind(&[number.into(), customer.into()])?;
        let left = left.first(Some("left_cents")).await?;
        Ok(left.map_or(Refunded::NoSuchOrder, Refunded::OnlyLeft))
    }
}
