// What `worker` keeps for `worker-build`'s entry, where it is left out.

const kept = (globalThis.__worker_init_state = { criticalError: false, instanceId: 0 });

export function state() {
  return kept;
}

export function started() {
  kept.instanceId += 1;
}

export function panicked(message) {
  console.error("Critical", new Error(`Rust panic: ${message}`));
  kept.criticalError = true;
}
