import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readSync,
  realpathSync,
  rmSync,
  writeSync,
} from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorClass, errorText } from "@vedette/errors";
import { type Dialect, dialectMark, findDialect, unmarkedDialect } from "@vedette/protocol";
import { makeFolders } from "./makeFolders.js";

/** The reasons that keep a data directory from being used. */
export type DataDirectoryFailure =
  | { readonly code: "inUse"; readonly path: string }
  | { readonly code: "otherShard"; readonly path: string; readonly shard: string; readonly expected: string }
  | { readonly code: "otherDialect"; readonly path: string; readonly dialect: string; readonly expected: string }
  | { readonly code: "unknownDialect"; readonly path: string; readonly dialect: string }
  | { readonly code: "otherRules"; readonly path: string; readonly ruleSet: string; readonly expected: string }
  | { readonly code: "notUsable"; readonly path: string; readonly reason: string };

/** The data directory cannot be used; the message states what to do. */
export class DataDirectoryError extends errorClass("DataDirectoryError", sentence) {}

function sentence(failure: DataDirectoryFailure): string {
  switch (failure.code) {
    case "inUse":
      return `${failure.path} is in use by another Vedette process; stop that one or choose another --data-dir`;
    case "otherShard":
      return `${failure.path} holds the chain of shard '${failure.shard}', but '${failure.expected}' is configured; check casper.shard-name or choose another --data-dir`;
    case "otherDialect":
      return `${failure.path} holds a chain of the dialect '${failure.dialect}', but one of '${failure.expected}' is wanted; choose another --data-dir`;
    case "unknownDialect":
      return `${failure.path} holds a chain of the dialect '${failure.dialect}', which this version does not know; use the version that made it`;
    case "otherRules":
      return `${failure.path} holds a chain made by the rule set '${failure.ruleSet}', but '${failure.expected}' is wanted; check casper.rule-set or choose another --data-dir`;
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
 * @param dialect of the chain that it is for; one that it holds already is of no other
 * @param ruleSet that judges the chain; `undefined`: its dialect has no rule sets. One without a name gets this one
 * @throws {DataDirectoryError}
 */
export async function openDataDirectory(
  path: string,
  dialect: Dialect["name"],
  ruleSet?: string,
): Promise<DataDirectory> {
  const state = join(path, "state");
  const chain = join(path, "chain");
  const isFilled = () => [state, chain].some((folder) => existsSync(join(folder, "data.mdb")));
  const check = () => {
    requireDialect(path, dialect);
    requireRuleSet(path, ruleSet);
  };
  // Before anything is written.
  if (isFilled()) check();
  try {
    makeFolders(state);
    makeFolders(chain);
  } catch (error) {
    const reason = errorText(error);
    throw new DataDirectoryError({ code: "notUsable", path, reason }, { cause: error });
  }
  const taken = await acquireDirectoryLock(path);
  try {
    if (isFilled()) check();
    else markDialect(path, dialect);
    if (ruleSet !== undefined || !isFilled()) writeMark(path, ruleSetMark, ruleSet);
  } catch (error) {
    await taken[Symbol.asyncDispose]();
    if (error instanceof DataDirectoryError) throw error;
    throw new DataDirectoryError({ code: "notUsable", path, reason: errorText(error) }, { cause: error });
  }
  return { path, state, chain, ...taken };
}

/** Names the dialect of what a directory holds. */
const dialectFile = "dialect";
/** Names the rule set that judges what a directory holds. Without it that is the configured one. @spec 61 §24 */
const ruleSetMark = "rule-set";
const longestMark = 64;

/** @throws {DataDirectoryError} `otherDialect` */
export function requireDialect(path: string, expected: Dialect["name"]): void {
  const marked = markedDialect(path);
  const dialect = findDialect(marked)?.name ?? marked;
  if (dialect !== expected) throw new DataDirectoryError({ code: "otherDialect", path, dialect, expected });
}

/** @param expected `undefined`: any @throws {DataDirectoryError} `otherRules` @spec 61 §24 */
export function requireRuleSet(path: string, expected: string | undefined): void {
  const ruleSet = ruleSetOfData(path);
  if (expected === undefined || ruleSet === undefined || ruleSet === expected) return;
  throw new DataDirectoryError({ code: "otherRules", path, ruleSet, expected });
}

/** The dialect of what a directory holds. @throws {DataDirectoryError} `unknownDialect` */
export function dialectOfData(path: string): Dialect {
  const name = markedDialect(path);
  const dialect = findDialect(name);
  if (dialect === undefined) throw new DataDirectoryError({ code: "unknownDialect", path, dialect: name });
  return dialect;
}

/** The rule set that judges what a directory holds; `undefined`: it names none. @spec 61 §24 */
export function ruleSetOfData(path: string): string | undefined {
  return readMark(path, ruleSetMark);
}

function markedDialect(path: string): string {
  return readMark(path, dialectFile) ?? unmarkedDialect;
}

/** Comes before the first data, so that there are never any without it. */
export function markDialect(path: string, dialect: Dialect["name"]): void {
  writeMark(path, dialectFile, dialectMark(dialect));
}

function readMark(path: string, name: string): string | undefined {
  const place = join(path, name);
  if (!existsSync(place)) return undefined;
  const file = openSync(place, "r");
  try {
    const bytes = Buffer.alloc(longestMark);
    return bytes.toString("utf8", 0, readSync(file, bytes)).trim();
  } finally {
    closeSync(file);
  }
}

/** @param text `undefined`: there is to be no mark */
function writeMark(path: string, name: string, text: string | undefined): void {
  if (readMark(path, name) === text) return;
  const place = join(path, name);
  rmSync(place, { force: true });
  if (text === undefined) return;
  const file = openSync(place, "wx");
  try {
    writeSync(file, `${text}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** {@link lockDirectory} as something that is given back. @throws {DataDirectoryError} `inUse` */
export async function acquireDirectoryLock(path: string): Promise<AsyncDisposable> {
  const lock = await lockDirectory(path);
  return { [Symbol.asyncDispose]: () => release(lock) };
}

/** The file in a directory while a process has it, and after one was killed. */
export const lockName = ".lock";

/** Takes a directory for this process; closing the server gives it back. @throws {DataDirectoryError} `inUse` */
export async function lockDirectory(path: string): Promise<Server> {
  const place = lockPlace(path);
  try {
    if (await isAnswered(place.address)) throw new DataDirectoryError({ code: "inUse", path });
    if (process.platform !== "win32") rmSync(place.address, { force: true });
    const server = createServer((socket) => socket.destroy());
    // Its name is taken away with the server, by way of the same open directory.
    server.once("close", place.close);
    await new Promise<void>((resolve, reject) => {
      server.once("error", (error: NodeJS.ErrnoException) => {
        const isTaken = error.code === "EADDRINUSE";
        const reason = `it cannot be locked (${error.message}); its file system may know no sockets`;
        reject(
          new DataDirectoryError(isTaken ? { code: "inUse", path } : { code: "notUsable", path, reason }, {
            cause: error,
          }),
        );
      });
      server.listen(place.address, resolve);
    });
    server.unref();
    return server;
  } catch (error) {
    place.close();
    throw error;
  }
}

/** Whether a process has taken a directory. @param path of a directory that exists */
export async function isDirectoryLocked(path: string): Promise<boolean> {
  const place = lockPlace(path);
  try {
    return await isAnswered(place.address);
  } finally {
    place.close();
  }
}

/** The name of a lock's socket, and what keeps the name valid. */
interface LockPlace {
  readonly address: string;
  close(): void;
}

/**
 * Sockets may have short names only, and the directory's name has any length. On Linux the socket is in the directory,
 * and its name goes through the opened directory. So all processes that share the directory use one socket, also
 * services and containers with a temporary folder of their own. On other systems it is in the temporary folder.
 */
function lockPlace(path: string): LockPlace {
  if (process.platform === "linux") {
    const directory = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
    let isOpen = true;
    const close = () => {
      if (isOpen) closeSync(directory);
      isOpen = false;
    };
    return { address: `/proc/self/fd/${directory}/${lockName}`, close };
  }
  const name = `vedette-${createHash("sha256").update(realpathSync(path)).digest("hex").slice(0, 24)}`;
  const address = process.platform === "win32" ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
  return { address, close: () => {} };
}

/** A process that has a directory closes each connection to its lock at once, unless its main thread is busy. */
const patienceMs = 10_000;

/**
 * Whether a process answers at a lock. The connection alone shows nothing: where a process was killed while it started
 * another one, that one may have the socket for a moment, and then the system resets the connection.
 */
function isAnswered(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    const answer = (isTaken: boolean) => {
      socket.destroy();
      resolve(isTaken);
    };
    socket.setTimeout(patienceMs, () => answer(true));
    socket.once("end", () => answer(true));
    socket.once("error", () => answer(false));
    socket.resume();
  });
}

function release(lock: Server): Promise<void> {
  return new Promise((resolve) => {
    lock.close(() => resolve());
  });
}
