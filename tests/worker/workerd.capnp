# The Worker of the tests in workerd.

using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "worker", worker = .worker),
    # What the Worker itself may reach: workerd's default leaves out this machine, where a platform for development is.
    (name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true))),
  ],
  sockets = [(name = "http", address = "127.0.0.1:8787", http = (), service = "worker")],
);

const worker :Workerd.Worker = (
  modules = [
    (name = "main.js", esModule = embed "main.js"),
    (name = "build/index.js", esModule = embed "build/index.js"),
    (name = "build/index_bg.wasm", wasm = embed "build/index_bg.wasm"),
  ],
  bindings = [
    (name = "MEDIAN_KEY", fromEnvironment = "MEDIAN_KEY"),
    (name = "MEDIAN_KEY_PREVIOUS", fromEnvironment = "MEDIAN_KEY_PREVIOUS"),
    (name = "MEDIAN_TOOL_SECRET", fromEnvironment = "MEDIAN_TOOL_SECRET"),
    (name = "MEDIAN_TOOL_SECRET_PREVIOUS", fromEnvironment = "MEDIAN_TOOL_SECRET_PREVIOUS"),
    (name = "MEDIAN_API_URL", fromEnvironment = "MEDIAN_API_URL"),
    (name = "MEDIAN_PUBLIC_URL", fromEnvironment = "MEDIAN_PUBLIC_URL"),
  ],
  compatibilityDate = "2026-11-01",
);
