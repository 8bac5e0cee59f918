import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { errorClass } from "@vedette/errors";
import type { IndexLocation } from "../database/openDatabase.js";
import type { GraphqlRequest } from "../graphql/GraphqlEngine.js";
import type { GraphqlLimits } from "../graphql/graphqlLimits.js";
import type { SqlRequest } from "../sql/SqlEngine.js";

/** The settings of a process that answers queries. */
export interface QueryHostSettings {
  readonly place: IndexLocation;
  readonly graphql: GraphqlLimits;
  /** Whether answers may be made from tables that lack the beginning of the chain. */
  readonly isPartial: boolean;
}

/** A question to it. */
export type Question =
  | { readonly method: "graphql"; readonly argument: GraphqlRequest }
  | { readonly method: "sql"; readonly argument: SqlRequest };

/** The messages of a host. */
export type HostMessage =
  | { readonly kind: "ready" }
  /** The next bytes of a long answer, with its total size. */
  | { readonly kind: "part"; readonly id: number; readonly bytes: Uint8Array; readonly allBytes: number }
  | { readonly kind: "answer"; readonly id: number; readonly result: unknown }
  | { readonly kind: "failed"; readonly id: number; readonly message: string };

/** Answers queries, and can be ended at any moment. */
export interface QueryHost {
  /** It has loaded, and the index is open. Rejects when it has ended before. */
  readonly whenReady: Promise<void>;
  /** @throws the query's error; {HostEndedError} when it has ended */
  ask(question: Question): Promise<unknown>;
  /** At once, whatever it does. */
  end(): Promise<void>;
}

/** The process has ended before it answered. */
export class HostEndedError extends errorClass("HostEndedError", sentence) {}

function sentence(_: { readonly code: "ended" }): string {
  return "The process that answers questions to the index has ended.";
}

interface Waiting {
  /** The received part of a long answer, in one piece of memory. */
  long: { readonly bytes: Buffer; length: number } | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

const heapMb = 192;

/**
 * A process that answers questions. A thread could not be ended while SQLite works for it: what runs in the library
 * runs on, and holds the database.
 */
export class ProcessHost implements QueryHost {
  readonly whenReady: Promise<void>;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  readonly #whenEnded: Promise<void>;
  #nextId = 0;
  #hasEnded = false;

  constructor(settings: QueryHostSettings) {
    const child = fork(fileURLToPath(new URL("./queryProcess.js", import.meta.url)), {
      // The node's environment may name its keys.
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("VEDETTE_"))),
      execArgv: [`--max-old-space-size=${heapMb}`],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#child = child;
    this.#whenEnded = new Promise((resolve) => {
      child.once("exit", () => resolve());
      child.on("error", () => resolve());
    });
    this.whenReady = new Promise((resolve, reject) => {
      child.on("message", (message: HostMessage) => {
        if (message.kind === "ready") resolve();
        else if (message.kind === "part") this.#keep(message);
        else this.#settle(message);
      });
      void this.#whenEnded.then(() => {
        this.#hasEnded = true;
        reject(new HostEndedError({ code: "ended" }));
        for (const waiting of this.#waiting.values()) waiting.reject(new HostEndedError({ code: "ended" }));
        this.#waiting.clear();
      });
    });
    this.whenReady.catch(() => {});
    child.send(settings, () => {});
    child.unref();
    child.channel?.unref();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  ask(question: Question): Promise<unknown> {
    if (this.#hasEnded) return Promise.reject(new HostEndedError({ code: "ended" }));
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, long: undefined });
      // If the message cannot be sent, the end of the process reports it.
      this.#child.send({ id, ...question }, () => {});
    });
  }

  async end(): Promise<void> {
    if (this.#hasEnded) return;
    this.#child.kill("SIGKILL");
    await this.#whenEnded;
  }

  #keep({ id, bytes, allBytes }: Extract<HostMessage, { readonly kind: "part" }>): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    const long = (waiting.long ??= { bytes: Buffer.allocUnsafeSlow(allBytes), length: 0 });
    long.bytes.set(bytes, long.length);
    long.length += bytes.length;
  }

  #settle(message: Extract<HostMessage, { readonly kind: "answer" | "failed" }>): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.kind === "failed") waiting?.reject(new Error(message.message));
    else if (waiting?.long === undefined) waiting?.resolve(message.result);
    else waiting.resolve({ ...(message.result as object), bytes: waiting.long.bytes });
  }
}
