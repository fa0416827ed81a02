//! Jobs on a server: enqueued by a call, run beside it, and brought to their end when the server stops.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use median_edge::job::{Enqueue, Job, JobCall, Jobs};
use median_edge::prelude::*;
use median_edge::{Keys, MedianKey};
use median_edge_local::{LocalQueue, LogFormat, Server, StartError};
use median_edge_tests::{Ask, MOUNT, Served, Transport, block_on, call, signed_at};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::oneshot;

/// The receipts that were sent: the order, and the call that asked for it.
#[derive(Clone, Default)]
struct Office(Arc<Mutex<Vec<(String, String)>>>);

#[derive(Serialize, Deserialize)]
struct SendReceipt {
    order: String,
}

impl Job for SendReceipt {
    const NAME: &'static str = "send_receipt";
    const DESCRIPTION: &'static str = "Send the receipt of an order.";
    const QUEUE: &'static str = "mail";
    const MAX_RETRIES: u32 = 0;
}

/// Send a receipt, in so many seconds.
#[tool(risk = "low")]
async fn resend_receipt(
    /// The order.
    order: String,
    /// How many seconds later.
    seconds: u32,
    receipts: Enqueue<'_, SendReceipt>,
) -> ToolResult<()> {
    Ok(receipts.enqueue_after(seconds, &SendReceipt { order }).await?)
}

async fn send_receipt(job: JobCall<'_, Office, SendReceipt>) -> ToolResult<()> {
    let order = job.payload().order.clone();
    if order.is_empty() {
        return Err(ToolError::internal("there is no such order"));
    }
    job.state().0.lock().unwrap().push((order, job.tool_call_id().to_owned()));
    Ok(())
}

fn server(office: &Office) -> Server<Office> {
    let endpoint = Endpoint::builder().tools(tools![resend_receipt]).build().unwrap();
    Server::new(endpoint, office.clone()).keys(Keys::new(MedianKey::local())).log(LogFormat::Off)
}

fn enqueue(order: &str, seconds: u32) -> Ask {
    let now_ms = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
    let body = call("resendReceipt", &json!({"order": order, "seconds": seconds}));
    signed_at(u64::try_from(now_ms).unwrap(), "POST", MOUNT, body)
}

/// Serves while a test looks at the queue, and until it has.
fn with_queue(server: Server<Office>, look: impl FnOnce(&dyn Transport, &LocalQueue) + Send + 'static) {
    block_on(async {
        let bound = server.bind("127.0.0.1:0").await.unwrap();
        let (address, queue) = (bound.local_addr(), bound.queue().unwrap());
        let (stop, stopped) = oneshot::channel::<()>();
        let looking = tokio::task::spawn_blocking(move || {
            look(&median_edge_tests::Http(address), &queue);
            drop(stop);
        });
        bound.run_until(async { drop(stopped.await) }).await;
        looking.await.unwrap();
    });
}

fn wait_until(is_so: impl Fn() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < Duration::from_secs(20), "it does not come to be so");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_call_enqueues_a_job_that_runs_beside_it_with_the_calls_id() {
    let office = Office::default();
    let seen = office.clone();
    with_queue(server(&office).jobs(Jobs::new().handle(send_receipt)), move |http, _| {
        assert_eq!(http.send(&enqueue("ORD-1", 0)).unwrap().json(), json!({"result": null}));
        wait_until(|| !seen.0.lock().unwrap().is_empty());
        let (order, call) = seen.0.lock().unwrap().remove(0);
        assert!(order == "ORD-1" && !call.is_empty());
    });
}

#[test]
fn a_job_that_fails_for_the_last_time_can_be_looked_at() {
    let office = Office::default();
    with_queue(server(&office).jobs(Jobs::new().handle(send_receipt)), |http, queue| {
        http.send(&enqueue("", 0)).unwrap();
        wait_until(|| queue.held() == 0);
        let [dead] = queue.dead_letters().try_into().unwrap();
        assert_eq!(
            (&*dead.message.job, &*dead.error, dead.attempts),
            ("send_receipt", "there is no such order", 1)
        );
    });
}

#[test]
fn a_queue_that_is_full_is_an_error_of_the_call() {
    let office = Office::default();
    let server = server(&office).jobs(Jobs::new().handle(send_receipt)).max_held_jobs(1);
    with_queue(server, |http, queue| {
        http.send(&enqueue("ORD-1", 900)).unwrap();
        let answer = http.send(&enqueue("ORD-2", 900)).unwrap();
        assert_eq!(answer.code().as_deref(), Some("execution_failed"));
        assert_eq!(queue.held(), 1);
    });
}

#[test]
fn what_waits_when_the_server_stops_is_run_first() {
    let office = Office::default();
    let mut served = Served::start(server(&office).jobs(Jobs::new().handle(send_receipt)));
    served.http().send(&enqueue("ORD-1", 900)).unwrap();
    served.wait();
    assert_eq!(office.0.lock().unwrap().len(), 1);
}

#[test]
fn a_server_whose_tools_enqueue_what_nothing_runs_does_not_start() {
    let bind = |server: Server<Office>| block_on(async { server.bind("127.0.0.1:0").await.map(drop) });
    for server in [server(&Office::default()), server(&Office::default()).jobs(Jobs::new())] {
        let error = bind(server).unwrap_err();
        assert!(matches!(error, StartError::Jobs(_)));
        let told = error.to_string();
        assert!(
            told.contains("resendReceipt") && told.contains("send_receipt") && told.contains("Server::jobs"),
            "{told}"
        );
    }
    assert!(bind(server(&Office::default()).jobs(Jobs::new().handle(send_receipt))).is_ok());
}
