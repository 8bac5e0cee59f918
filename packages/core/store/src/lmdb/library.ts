import { createRequire } from "node:module";

/**
 * Opens an environment of LMDB.
 *
 * PERF: a thread that a query waits for loads the library as one CommonJS file; its ten modules take 15 ms of processor time more.
 */
export const open: typeof import("lmdb").open = (createRequire(import.meta.url)("lmdb") as typeof import("lmdb")).open;
