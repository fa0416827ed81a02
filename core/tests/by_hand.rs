#![allow(missing_docs)]
use median_edge::prelude::*;
use median_edge::{__private as p, IntoTool};

pub struct Shop {
    name: String,
}

async fn order_status(
    order_number: String,
    gift: Option<bool>,
    customer: VerifiedVisitor,
    shop: State<'_, Shop>,
) -> ToolResult<String> {
    Ok(format!("{order_number} {gift:?} {} {}", customer.id(), shop.name))
}

#[allow(non_camel_case_types)]
#[doc(hidden)]
struct order_status {}

const _: () = {
    type Arg0<'c> = String;
    type Arg1<'c> = Option<bool>;
    type Arg2<'c> = VerifiedVisitor;
    type Arg3<'c> = State<'c, Shop>;
    const IS0: bool = <Arg0<'static> as p::Argument>::IS_FIELD;
    const IS1: bool = <Arg1<'static> as p::Argument>::IS_FIELD;
    const IS2: bool = <Arg2<'static> as p::Argument>::IS_FIELD;
    const IS3: bool = <Arg3<'static> as p::Argument>::IS_FIELD;
    const PLACE1: usize = IS0 as usize;
    impl<S> IntoTool<S> for order_status
    where
        S: p::MaybeSync + 'static,
        for<'c> p::Select<IS0>: p::Declare<Arg0<'c>> + p::Take<'c, S, Arg0<'c>>,
        for<'c> p::Select<IS1>: p::Declare<Arg1<'c>> + p::Take<'c, S, Arg1<'c>>,
        for<'c> p::Select<IS2>: p::Declare<Arg2<'c>> + p::Take<'c, S, Arg2<'c>>,
        for<'c> p::Select<IS3>: p::Declare<Arg3<'c>> + p::Take<'c, S, Arg3<'c>>,
    {
        fn tool() -> Tool<S> {
            let mut fields = Vec::new();
            <p::Select<IS0> as p::Declare<Arg0<'static>>>::declare(
                &mut fields,
                "orderNumber",
                "The number",
                p::Checks::NONE,
            );
            <p::Select<IS1> as p::Declare<Arg1<'static>>>::declare(
                &mut fields,
                "gift",
                "The number",
                p::Checks::NONE,
            );
            let mut builder = Tool::<S>::builder("orderStatus", "Look").risk(p::Risk::Low);
            for field in fields {
                builder = builder.field(field);
            }
            builder.run_started(<Self as IntoTool<S>>::start)
        }
        fn start<'c>(call: p::Unopened<'c, S>) -> p::Started<'c> {
            let fields = call.fields()?;
            let a0 = <p::Select<IS0> as p::Take<'c, S, Arg0<'c>>>::read(&fields, 0)?;
            let a1 = <p::Select<IS1> as p::Take<'c, S, Arg1<'c>>>::read(&fields, PLACE1)?;
            let a2 = <p::Select<IS2> as p::Take<'c, S, Arg2<'c>>>::read(&fields, 0)?;
            let a3 = <p::Select<IS3> as p::Take<'c, S, Arg3<'c>>>::read(&fields, 0)?;
            let context = call.open(fields.finish()?)?;
            let a0 = <p::Select<IS0> as p::Take<'c, S, Arg0<'c>>>::take(a0, context)?;
            let a1 = <p::Select<IS1> as p::Take<'c, S, Arg1<'c>>>::take(a1, context)?;
            let a2 = <p::Select<IS2> as p::Take<'c, S, Arg2<'c>>>::take(a2, context)?;
            let a3 = <p::Select<IS3> as p::Take<'c, S, Arg3<'c>>>::take(a3, context)?;
            Ok(p::Box::pin(async move { p::IntoOutcome::into_outcome(order_status(a0, a1, a2, a3).await) }))
        }
    }
};

#[test]
fn works() {
    let tools = [<order_status as IntoTool<_>>::tool()];
    let e: Endpoint<Shop> = Endpoint::builder()
        .tools(tools)
        .diagnostics(async |shop: &Shop| ToolResult::Ok(shop.name.clone()))
        .build()
        .unwrap();
    println!("{}", String::from_utf8_lossy(e.manifest()));
    let plugin: Endpoint<String> = Endpoint::builder()
        .tools([Tool::builder("x", "y")
            .risk(Risk::Low)
            .run(async |c: Context<'_, String>| ToolResult::Ok(c.state().clone()))])
        .build()
        .unwrap();
    println!("{}", String::from_utf8_lossy(plugin.manifest()));
}
