// Requests go straight to the endpoint, past the class of worker-build.
import Worker from "./build/index.js";
export * from "./build/index.js";
export default Worker.prototype.handlers(Worker);
