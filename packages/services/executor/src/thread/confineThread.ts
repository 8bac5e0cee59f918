import { createRequire, syncBuiltinESMExports } from "node:module";
import threads from "node:worker_threads";
import { touchedStackBytes } from "./touchedStack.js";

/** Modules that reach files, other processes, the network, other threads, or native code. */
const closedModules = [
  "child_process",
  "cluster",
  "dgram",
  "dns",
  "dns/promises",
  "fs",
  "fs/promises",
  "http",
  "http2",
  "https",
  "inspector",
  "inspector/promises",
  "module",
  "net",
  "repl",
  "tls",
] as const;
/** The rest of that module is needed. */
const closedOfThreads = ["Worker", "BroadcastChannel"] as const;
const closedGlobals = ["fetch", "WebSocket", "EventSource", "BroadcastChannel"] as const;
const closedOfProcess = ["binding", "_linkedBinding", "dlopen", "kill", "chdir", "loadEnvFile"] as const;

/**
 * Removes from this thread all that a program has no business with: files, network, processes, threads. Programs in
 * Rholang have no way to any of it; this protects against a fault of the interpreter. Open resources such as the store
 * stay open, and loaded native code goes on. Other threads keep everything.
 *
 * To be called when all modules are loaded and the store is open: nothing can be loaded or opened afterwards. The
 * starter of the thread removes the environment.
 */
export function confineThread(): void {
  // It opens its files at the first read.
  touchedStackBytes(0);
  const require = createRequire(import.meta.url);
  // All are loaded before the first is closed: loading is a thing that is closed.
  const owners = closedModules.map((name) => [name, require(`node:${name}`) as object] as const);
  for (const [name, owner] of owners)
    for (const member of Object.keys(owner)) close(owner, member, `${name}.${member}`);
  for (const member of closedOfThreads) close(threads, member, `worker_threads.${member}`);
  for (const name of closedGlobals) Reflect.deleteProperty(globalThis, name);
  for (const name of closedOfProcess) close(process, name, `process.${name}`);
  syncBuiltinESMExports();
}

/** Only functions do anything; numbers and lists of a module stay. */
function close(owner: object, member: string, what: string): void {
  const { configurable } = Object.getOwnPropertyDescriptor(owner, member) ?? {};
  if (configurable !== true || typeof Reflect.get(owner, member) !== "function") return;
  // A function, not an arrow: some are called with `new`.
  function refused(): never {
    throw new Error(`${what} is not for threads that run programs`);
  }
  Object.defineProperty(owner, member, { value: refused, configurable: false, writable: false, enumerable: true });
}
