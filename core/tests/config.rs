//! Everything that can be wrong with an endpoint, told at once.
#![allow(missing_docs)]

use median_edge::field::{choice, integer, number, string};
use median_edge::prelude::*;
use median_edge::{Code, Fault};

fn tool(name: impl Into<std::borrow::Cow<'static, str>>) -> median_edge::tool::ToolBuilder<()> {
    Tool::builder(name, "A tool of the tests.").risk(Risk::Low)
}

fn done(builder: median_edge::tool::ToolBuilder<()>) -> Tool<()> {
    builder.run(async |_: Context<'_, ()>| ToolResult::Ok(()))
}

fn error(builder: EndpointBuilder<()>) -> ConfigError {
    builder.build().expect_err("the endpoint has a problem")
}

#[test]
fn every_problem_is_told_at_once_with_its_tool_and_field() {
    let blank = Tool::builder("blank", " \n").risk(Risk::Low);
    let tools = [
        done(tool("order-status")),
        done(tool("requestHandoff")),
        done(blank),
        done(tool("hasty").timeout(0)),
        done(tool("fields").field(string("a b")).field(string("twice")).field(integer("twice"))),
        done(tool("checks").field(string("text").min(1)).field(integer("count").max_length(3))),
        done(
            tool("ranges")
                .field(integer("count").min(3).max(1))
                .field(string("s").min_length(2).max_length(1))
                .field(number("n").range(f64::NAN..=1.0)),
        ),
        done(tool("choices").field(choice("none", [""; 0])).field(choice("same", ["a", "a"]))),
    ];
    let error = error(Endpoint::builder().tools(tools).mount("api//median").tolerance_ms(u64::MAX));
    insta::assert_snapshot!(error);
    assert_eq!(error.problems()[2].tool(), Some("order-status"));
}

#[test]
fn a_clash_names_both_owners() {
    let plugin = |name: &'static str| Plugin::new(name).tools([done(tool("orderStatus"))]);
    let error = error(
        Endpoint::builder()
            .plugin(plugin("orders"))
            .plugin(plugin("legacy"))
            .tools([done(tool("orderStatus"))]),
    );
    insta::assert_snapshot!(error, @r#"
    the endpoint has a problem:
    - tool "orderStatus": the name is taken more than once: by plugin orders and plugin legacy and the endpoint itself
    "#);
}

#[test]
fn the_limits_hold_at_their_edges() {
    let named = |n: usize| (0..n).map(|at| done(tool(format!("tool{at}"))));
    assert!(Endpoint::builder().tools(named(20)).build().is_ok());
    assert!(error(Endpoint::builder().tools(named(21))).to_string().contains("21 tools; 20 is the most"));

    let with_fields = |n: usize| (0..n).fold(tool("wide"), |tool, at| tool.field(string(format!("f{at}"))));
    assert!(Endpoint::builder().tools([done(with_fields(20))]).build().is_ok());
    assert!(
        error(Endpoint::builder().tools([done(with_fields(21))]))
            .to_string()
            .contains("21 fields; 20 is the most")
    );

    // Everything but the description takes 117 characters; an emoji takes two.
    let schema =
        |n: usize| done(tool("long").field(string("f").description("😀".repeat(n / 2) + &"x".repeat(n % 2))));
    assert!(Endpoint::builder().tools([schema(8_000 - 117)]).build().is_ok());
    let message = error(Endpoint::builder().tools([schema(8_001 - 117)])).to_string();
    assert!(message.contains("8001 characters as JSON; 8000 is the most"), "{message}");

    let huge = Tool::builder("huge", "x".repeat(500_000)).risk(Risk::Low);
    assert!(error(Endpoint::builder().tools([done(huge)])).to_string().contains("500000 is the most"));
}

#[test]
fn plugins_tools_come_first() {
    let plugin = Plugin::new("first").tools([done(tool("a"))]);
    let endpoint = Endpoint::builder().tools([done(tool("b"))]).plugin(plugin).build().unwrap();
    let names: Vec<_> = endpoint.tools().iter().map(Tool::name).collect();
    assert_eq!(names, ["a", "b"]);
}

#[test]
fn a_stranger_is_not_told_what_is_wrong_with_the_configuration() {
    let fault = Fault::from(&error(Endpoint::builder().tools([done(tool("order-status"))])));
    assert_eq!(fault.code(), Code::InvalidConfig);
    assert!(!fault.message().contains("order-status"));
}

#[test]
fn the_manifest_is_the_protocols_to_the_letter() {
    let order_status = Tool::builder("orderStatus", "Look up the status of one of the customer's orders.")
        .risk(Risk::Low)
        .field(string("orderNumber").description("The order number, like ORD-1042."));
    let speed = tool("setSpeed")
        .field(choice("speed", ["standard", "express"]).optional())
        .field(integer("count").range(1..=9).description("How many."));
    let endpoint = Endpoint::builder()
        .tools([done(order_status), done(speed), done(tool("ping"))])
        .diagnostics(async |(): &()| ToolResult::Ok(1))
        .build()
        .unwrap();
    insta::assert_snapshot!(String::from_utf8_lossy(endpoint.manifest()));
}
