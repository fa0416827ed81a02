//! The shop's orders in a table of DynamoDB: an item for each, with what was given back in it.

use std::collections::HashMap;

use aws_config::BehaviorVersion;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::AttributeValue::{self, N, S};
use aws_smithy_http_client::Builder;
use aws_smithy_http_client::tls::Provider;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use median_edge::prelude::*;

use crate::orders::Refunded;

/// The table. `template.yaml` makes it, and says what its key is.
pub struct Table {
    client: Client,
    name: String,
}

impl Table {
    /// Reads the region and who is asking out of the environment, as all of AWS's tools do.
    pub async fn connect(name: String) -> Self {
        let tls = Provider::Rustls(CryptoMode::Ring);
        let http = Builder::new().tls_provider(tls).build_https();
        let config = aws_config::defaults(BehaviorVersion::latest()).http_client(http);
        let client = Client::new(&config.load().await);
        Self { client, name }
    }

    /// The status of one of a customer's own orders.
    pub async fn status(&self, customer: &str, number: &str) -> ToolResult<Option<String>> {
        let order = self.order(customer, number).await?;
        Ok(order.and_then(|order| order.get("status")?.as_s().ok().cloned()))
    }

    /// Gives money back, once for each call.
    pub async fn refund(
        &self,
        customer: &str,
        number: &str,
        cents: u32,
        call: &str,
    ) -> ToolResult<Refunded> {
        // One update, so that no two refunds take the same cents. A call that comes again finds
        // its id there, and changes nothing.
        let updated = self
            .client
            .update_item()
            .table_name(&self.name)
            .key("number", S(number.to_owned()))
            .update_expression("SET cents = cents - :cents, refunds.#call = :cents")
            .condition_expression(
                "customer = :customer AND cents >= :cents AND attribute_not_exists(refunds.#call)",
            )
            .expression_attribute_names("#call", call)
            .expression_attribute_values(":cents", N(cents.to_string()))
            .expression_attribute_values(":customer", S(customer.to_owned()))
            .send()
            .await;
        match updated {
            Ok(_) => return Ok(Refunded::Cents(cents)),
            Err(error) => match error.as_service_error() {
                Some(error) if error.is_conditional_check_failed_exception() => {}
                _ => return Err(error.into()),
            },
        }
        let Some(order) = self.order(customer, number).await? else {
            return Ok(Refunded::NoSuchOrder);
        };
        let refunds = order.get("refunds").and_then(|value| value.as_m().ok());
        match refunds.and_then(|refunds| refunds.get(call)) {
            Some(made) => Ok(Refunded::Cents(number_in(Some(made))?)),
            None => Ok(Refunded::OnlyLeft(number_in(order.get("cents"))?)),
        }
    }

    /// One of a customer's own orders.
    async fn order(
        &self,
        customer: &str,
        number: &str,
    ) -> ToolResult<Option<HashMap<String, AttributeValue>>> {
        let answer = self
            .client
            .get_item()
            .table_name(&self.name)
            .key("number", S(number.to_owned()))
            .consistent_read(true)
            .send()
            .await?;
        let is_theirs = |order: &HashMap<_, _>| {
            order
                .get("customer")
                .is_some_and(|value| *value == S(customer.to_owned()))
        };
        Ok(answer.item.filter(is_theirs))
    }
}

fn number_in(value: Option<&AttributeValue>) -> ToolResult<u32> {
    let digits = value.and_then(|value| value.as_n().ok());
    Ok(digits.map_or("", String::as_str).parse()?)
}
