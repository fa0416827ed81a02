//! The shop itself, in memory. It knows nothing of tools or agents.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use schemars::JsonSchema;
use serde::Serialize;

/// Where an order is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Shipping {
    /// Still in the warehouse: its address can be changed.
    Packing,
    /// On its way.
    Shipped,
    /// Arrived.
    Delivered,
}

/// Where an order goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Address {
    /// Street and number.
    pub street: String,
    /// Town.
    pub city: String,
    /// Postal code.
    pub postal_code: String,
}

/// What a customer bought.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Order {
    /// Like `ORD-1042`.
    pub number: String,
    /// Whose it is: the shop's own id of the customer.
    #[serde(skip)]
    pub customer: String,
    /// What is in it.
    pub items: Vec<String>,
    /// What was paid, in cents.
    pub paid_cents: u32,
    /// What has been given back, in cents.
    pub refunded_cents: u32,
    /// Where it is.
    pub shipping: Shipping,
    /// Where it goes.
    pub address: Address,
}

/// Somebody with an account.
#[derive(Clone, Debug)]
pub(crate) struct Customer {
    /// The shop's own id.
    pub(crate) id: &'static str,
    pub(crate) name: &'static str,
    pub(crate) email: &'static str,
}

/// Money given back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Refund {
    /// Which order.
    pub order: String,
    /// How much, in cents.
    pub cents: u32,
    /// Who let it go through.
    pub approved_by: String,
}

/// Why the shop does not do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum No {
    /// There is no such order, or it is someone else's: the two are not told apart.
    SuchOrder,
    /// More than what is left of the payment; how many cents that is.
    MoreThanPaid(u32),
    /// It has left the warehouse.
    OnItsWay,
}

/// The shop's state.
#[derive(Debug, Default)]
pub struct Desk(Mutex<Books>);

#[derive(Debug, Default)]
struct Books {
    orders: BTreeMap<String, Order>,
    /// By the id of the call that asked for it, so that the same call never refunds twice.
    refunds: BTreeMap<String, Refund>,
    subscriptions: BTreeSet<(String, String)>,
    sessions: BTreeMap<String, Customer>,
}

impl Desk {
    /// A shop with three orders of two customers, `user_1` and `user_2`. The first is signed in, in the session `demo`.
    pub fn demo() -> Self {
        let order = |number: &str, customer: &str, items: &[&str], paid_cents, shipping| Order {
            number: number.to_owned(),
            customer: customer.to_owned(),
            items: items.iter().map(|item| (*item).to_owned()).collect(),
            paid_cents,
            refunded_cents: 0,
            shipping,
            address: Address {
                street: "Via Roma 1".to_owned(),
                city: "Torino".to_owned(),
                postal_code: "10121".to_owned(),
            },
        };
        let orders = [
            order("ORD-1042", "user_1", &["Espresso cups", "Moka pot"], 6_480, Shipping::Shipped),
            order("ORD-1043", "user_1", &["Coffee beans, 1 kg"], 2_390, Shipping::Packing),
            order("ORD-2001", "user_2", &["Grinder"], 12_900, Shipping::Delivered),
        ];
        let orders = orders.into_iter().map(|order| (order.number.clone(), order)).collect();
        let ana = Customer { id: "user_1", name: "Ana Riva", email: "ana@example.com" };
        let sessions = [("demo".to_owned(), ana)].into();
        Self(Mutex::new(Books { orders, sessions, ..Books::default() }))
    }

    /// Whose session it is.
    pub(crate) fn signed_in(&self, session: &str) -> Option<Customer> {
        self.books().sessions.get(session).cloned()
    }

    /// One of a customer's own orders.
    pub fn order(&self, customer: &str, number: &str) -> Option<Order> {
        self.books().orders.get(number).filter(|order| order.customer == customer).cloned()
    }

    /// A customer's orders, the latest first.
    pub fn orders(&self, customer: &str) -> Vec<Order> {
        self.books().orders.values().rev().filter(|order| order.customer == customer).cloned().collect()
    }

    /// Gives money back, once for each call.
    pub(crate) fn refund(
        &self,
        customer: &str,
        number: &str,
        cents: Option<u32>,
        call: &str,
        approved_by: &str,
    ) -> Result<Refund, No> {
        let mut books = self.books();
        if let Some(refund) = books.refunds.get(call) {
            return Ok(refund.clone());
        }
        let order = books.orders.get_mut(number).filter(|order| order.customer == customer);
        let order = order.ok_or(No::SuchOrder)?;
        let left = order.paid_cents - order.refunded_cents;
        let cents = cents.unwrap_or(left);
        if cents > left || left == 0 {
            return Err(No::MoreThanPaid(left));
        }
        order.refunded_cents += cents;
        let refund = Refund { order: number.to_owned(), cents, approved_by: approved_by.to_owned() };
        books.refunds.insert(call.to_owned(), refund.clone());
        Ok(refund)
    }

    /// Sends an order elsewhere, as long as it has not left.
    pub(crate) fn change_address(&self, customer: &str, number: &str, address: Address) -> Result<Order, No> {
        let mut books = self.books();
        let order = books.orders.get_mut(number).filter(|order| order.customer == customer);
        let order = order.ok_or(No::SuchOrder)?;
        if order.shipping != Shipping::Packing {
            return Err(No::OnItsWay);
        }
        order.address = address;
        Ok(order.clone())
    }

    /// Puts a customer on a newsletter's list, or takes them off; says whether that changed anything.
    pub(crate) fn subscribe(&self, customer: &str, topic: &str, on: bool) -> bool {
        let entry = (customer.to_owned(), topic.to_owned());
        let list = &mut self.books().subscriptions;
        if on { list.insert(entry) } else { list.remove(&entry) }
    }

    pub(crate) fn count_orders(&self) -> usize {
        self.books().orders.len()
    }

    pub(crate) fn count_refunds(&self) -> usize {
        self.books().refunds.len()
    }

    /// Whoever panicked while holding the books left them whole: each change is one assignment.
    fn books(&self) -> MutexGuard<'_, Books> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
