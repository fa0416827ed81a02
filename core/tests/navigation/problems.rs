use median_edge::navigation::{Page, pages};
use median_edge::prelude::*;

use super::navigation;

fn told(navigation: median_edge::navigation::Navigation) -> String {
    let built: Result<Endpoint<()>, _> = Endpoint::builder().plugin(navigation).build();
    built.expect_err("the routes have a problem").to_string()
}

#[test]
fn every_problem_is_told_at_once_with_its_route() {
    let long = "#".repeat(257);
    let routes = [
        Page::new("/good"),
        Page::new("orders"),
        Page::new("https://shop.example/orders"),
        Page::new("/search?q=:q"),
        Page::new("/posts/[slug]"),
        Page::new("/posts/:id.html"),
        Page::new("/a/../b"),
        Page::new("/a//b"),
        Page::new("/good").title("Once more"),
        Page::new("/orders/:id"),
        Page::new("/orders/:number").title(" "),
        Page::new("/orders/:order"),
        Page::new("/titled").title("two\nlines"),
        Page::new("/marked")
            .highlight(" ", "x")
            .highlight(long, "y")
            .highlight("#a", " ")
            .highlight("#a", "z"),
        Page::new("x").title(""),
    ];
    insta::assert_snapshot!(told(navigation(routes).exclude(["admin/**", "/a?", "/**/x"])));
}

#[test]
fn a_problem_of_a_list_names_its_line() {
    let text = "# pages\n/orders  Orders\norders/:id\n\n/orders\n";
    insta::assert_snapshot!(told(navigation(pages(text))), @r#"
    the endpoint has problems:
    - plugin navigation: route "orders/:id" (line 3): it must begin with one /, without a scheme or a host before it
    - plugin navigation: route "/orders" (line 5): it stands for the same paths as "/orders", which is listed before it
    "#);
}

#[test]
fn nothing_to_go_to_is_a_problem() {
    assert!(told(navigation([""; 0])).contains("there are no routes"));
    assert!(told(navigation(["/a", "/b/:c"]).exclude(["/**"])).contains("every route is excluded"));
}

#[test]
fn a_plugin_carries_its_problems_beside_all_others() {
    let plugin: Plugin<()> = Plugin::new("mine").problem("the list is empty");
    let error = Endpoint::builder().plugin(plugin).mount("x").build().unwrap_err();
    assert_eq!(error.problems().len(), 2);
    assert_eq!(error.problems()[0].to_string(), "plugin mine: the list is empty");
}

#[test]
fn a_tool_of_the_same_name_clashes_with_the_plugins() {
    let own =
        Tool::builder("goToPage", "Go.").risk(Risk::Low).run(async |_: Context<'_, ()>| ToolResult::Ok(()));
    let error = Endpoint::builder().plugin(navigation(["/a"])).tools([own]).build().unwrap_err();
    assert!(error.to_string().contains("by plugin navigation and the endpoint itself"), "{error}");
}
