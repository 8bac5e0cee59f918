import { createHash } from "node:crypto";
import { existsSync, realpathSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeFolders } from "./makeFolders.js";

/** What keeps a data directory from being used. */
export type DataDirectoryFailure =
  | { readonly code: "inUse"; readonly path: string }
  | { readonly code: "otherShard"; readonly path: string; readonly shard: string; readonly expected: string }
  | { readonly code: "notUsable"; readonly path: string; readonly reason: string };

/** The data directory cannot be used; the message says what to do. */
export class DataDirectoryError extends Error {
  constructor(
    readonly failure: DataDirectoryFailure,
    options?: ErrorOptions,
  ) {
    super(sentence(failure), options);
    this.name = "DataDirectoryError";
  }
}

function sentence(failure: DataDirectoryFailure): string {
  switch (failure.code) {
    case "inUse":
      return `${failure.path} is in use by another Vedette process; stop that one or choose another --data-dir`;
    case "otherShard":
      return `${failure.path} holds the chain of shard '${failure.shard}', but '${failure.expected}' is configured; check casper.shard-name or choose another --data-dir`;
    case "notUsable":
      return `The data directory ${failure.path} cannot be used: ${failure.reason}`;
  }
}

/** Where a node keeps its things. */
export interface DataDirectory extends AsyncDisposable {
  readonly path: string;
  /** LMDB environment of states; written by the executor alone. */
  readonly state: string;
  /** LMDB environment of blocks and the DAG; written by the main thread alone. */
  readonly chain: string;
}

/**
 * Creates a data directory where there is none and takes it for this process.
 *
 * The lock is a socket: the system frees it however the process ends, so that a killed node can start again at once.
 *
 * @throws {DataDirectoryError}
 */
export async function openDataDirectory(path: string): Promise<DataDirectory> {
  const state = join(path, "state");
  const chain = join(path, "chain");
  try {
    makeFolders(state);
    makeFolders(chain);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DataDirectoryError({ code: "notUsable", path, reason }, { cause: error });
  }
  const lock = await lockDirectory(path);
  return { path, state, chain, [Symbol.asyncDispose]: () => release(lock) };
}

/** Takes a directory for this process; closing the server gives it back. @throws {DataDirectoryError} `inUse` */
export async function lockDirectory(path: string): Promise<Server> {
  const address = lockAddress(path);
  if (await isAnswered(address)) throw new DataDirectoryError({ code: "inUse", path });
  if (process.platform !== "win32" && existsSync(address)) rmSync(address);
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new DataDirectoryError({ code: "inUse", path }, { cause: error })));
    server.listen(address, resolve);
  });
  server.unref();
  return server;
}

/** Sockets may have short names only, so it does not lie in the directory itself. */
function lockAddress(path: string): string {
  const name = `vedette-${createHash("sha256").update(realpathSync(path)).digest("hex").slice(0, 24)}`;
  return process.platform === "win32" ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

function isAnswered(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

function release(lock: Server): Promise<void> {
  return new Promise((resolve) => {
    lock.close(() => resolve());
  });
}
