import type { ShownProgress } from "@vedette/terminal";

/** The facts that a node's API reports about the node. */
export interface MemberStatus {
  readonly phase: string;
  readonly height: number | undefined;
  readonly finalized: number | undefined;
  readonly peers: number;
  /** The time of the newest block, as its creator states it. */
  readonly lastBlockMs: number | undefined;
  /** The silent validators, and why finality is stalled; absent if all is well. */
  readonly finality: string | undefined;
  /** The progress of a node that is behind. */
  readonly progress: ShownProgress | undefined;
}

/** Reads the status of one node again and again; the newest block's time only when there is a new one. */
export class StatusReader {
  readonly #httpPort: number | undefined;
  #lastBlock: { readonly height: number; readonly timeMs: number } | undefined;

  /** @param httpPort `undefined` for a node without an HTTP API */
  constructor(httpPort: number | undefined) {
    this.#httpPort = httpPort;
  }

  /** `undefined` where the node does not answer in time. */
  async read(timeoutMs: number): Promise<MemberStatus | undefined> {
    if (this.#httpPort === undefined) return undefined;
    try {
      const status = parseStatus(await readLocal(this.#httpPort, "/status", timeoutMs));
      const { height } = status;
      if (height !== undefined && height !== this.#lastBlock?.height) {
        const timeMs = timeOfNewest(await readLocal(this.#httpPort, "/blocks/1", timeoutMs));
        if (timeMs !== undefined) this.#lastBlock = { height, timeMs };
      }
      return { ...status, lastBlockMs: this.#lastBlock?.timeMs };
    } catch {
      return undefined;
    }
  }
}

function parseStatus(body: unknown): Omit<MemberStatus, "lastBlockMs"> {
  const { peers, syncStatus } = objectOf(body);
  const sync = objectOf(syncStatus);
  return {
    phase: typeof sync["phase"] === "string" ? sync["phase"] : "connecting",
    height: numberOf(sync["blockNumber"]),
    finalized: numberOf(sync["finalizedBlockNumber"]),
    peers: numberOf(peers) ?? 0,
    finality: textOf(objectOf(sync["finality"])["reason"]),
    progress: progressOf(sync),
  };
}

function progressOf(sync: Record<string, unknown>): ShownProgress | undefined {
  if (sync["phase"] !== "replaying" && sync["phase"] !== "importingState") return undefined;
  const { done, total, perSecond, unit } = objectOf(sync["progress"]);
  const known = numberOf(done);
  if (known === undefined) return undefined;
  return {
    done: known,
    total: numberOf(total),
    perSecond: numberOf(perSecond) ?? 0,
    unit: unit === "blocks" ? "blocks" : "items",
    secondsLeft: numberOf(sync["secondsLeft"]),
  };
}

function timeOfNewest(body: unknown): number | undefined {
  if (!Array.isArray(body)) return undefined;
  const newest = objectOf(body[0]);
  // On f1r3node networks a block of a list is nested in the member `blockInfo`.
  return numberOf(objectOf(newest["blockInfo"] ?? newest)["timestamp"]);
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

const maxBytes = 8 << 20;

/**
 * Returns the JSON answer of an API of this machine.
 *
 * @throws when nothing answers in time, or the answer is no JSON, is too large or reports a failure
 */
export async function readLocal(port: number, path: string, timeoutMs: number, body?: string): Promise<unknown> {
  const signal = AbortSignal.timeout(timeoutMs);
  const request: RequestInit = body === undefined ? { signal } : { signal, method: "POST", body };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, request);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`the answer of port ${port} to ${path} is too large`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  if (!response.ok)
    throw new Error(`port ${port} answers ${path} with status ${response.status}: ${text.slice(0, 500)}`);
  return JSON.parse(text);
}
