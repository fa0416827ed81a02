# The JavaScript peer in workerd: `cargo xtask bench worker` measures it beside the conformance application.

using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "worker", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:8788", http = (), service = "worker")],
);

const worker :Workerd.Worker = (
  modules = [(name = "worker.mjs", esModule = embed "worker.mjs")],
  bindings = [(name = "MEDIAN_KEY", fromEnvironment = "MEDIAN_KEY")],
  compatibilityDate = "2026-11-01",
);
