//! What the tools work on: put your database, or a Worker's bindings, behind functions like these.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The shop, in memory. On Workers that is the isolate's memory, which ends at any time.
pub struct Shop {
    orders: Mutex<BTreeMap<String, Order>>,
}

struct Order {
    customer: String,
    status: &'static str,
    /// What can still be given back.
    cents: u32,
    /// The calls that gave something back, so that none does it twice.
    refunds: BTreeMap<String, u32>,
}

/// Why money is not given back.
pub enum NoRefund {
    NoSuchOrder,
    MoreThanIsLeft(u32),
}

impl Shop {
    /// One order, of the customer `user_1`.
    pub fn demo() -> Self {
        let order = Order {
            customer: "user_1".to_owned(),
            status: "shipped",
            cents: 4_990,
            refunds: BTreeMap::new(),
        };
        Self {
            orders: Mutex::new(BTreeMap::from([("ORD-1042".to_owned(), order)])),
        }
    }

    /// The status of one of a customer's own orders.
    pub fn status(&self, customer: &str, number: &str) -> Option<&'static str> {
        self.orders()
            .get(number)
            .filter(|order| order.customer == customer)
            .map(|order| order.status)
    }

    /// Gives money back, once for each call.
    pub fn refund(
        &self,
        customer: &str,
        number: &str,
        cents: u32,
        call: &str,
    ) -> Result<u32, NoRefund> {
        let mut orders = self.orders();
        let order = orders
            .get_mut(number)
            .filter(|order| order.customer == customer);
        let order = order.ok_or(NoRefund::NoSuchOrder)?;
        if let Some(cents) = order.refunds.get(call) {
            return Ok(*cents);
        }
        order.cents = order
            .cents
            .checked_sub(cents)
            .ok_or(NoRefund::MoreThanIsLeft(order.cents))?;
        order.refunds.insert(call.to_owned(), cents);
        Ok(cents)
    }

    fn orders(&self) -> MutexGuard<'_, BTreeMap<String, Order>> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
