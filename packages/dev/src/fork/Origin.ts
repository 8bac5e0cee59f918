import { statePiecesRoute } from "@vedette/api";
import { ClientError, callRoute, HttpClient, HttpConnection } from "@vedette/client";
import { blake2b256, equalBytes, fromHex, toHex } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import type { Store } from "@vedette/store";
import { childNodes } from "@vedette/tuplespace";
import { ForkError } from "./ForkError.js";

/** Where a fork begins. Hashes are hexadecimal. */
export interface ForkPoint {
  readonly url: string;
  readonly blockHash: string;
  readonly blockNumber: bigint;
  /** Unix milliseconds. */
  readonly timestamp: bigint;
  readonly stateHash: string;
  readonly shardName: string;
}

const timeoutMs = 10_000;
/** Of one request. */
const mostPieces = 256;
/** The upper levels of the tree, which nearly every read passes, are fetched at the start. */
const mostAhead = 1_024;
const nodesTable = "history";

/** Nodes and leaves of another node's states: fetched when they are wanted, checked by their hashes, kept. */
export class Origin {
  readonly #url: string;
  readonly #kept: Store;
  readonly #http: HttpConnection;
  /** Pieces that were fetched from the node. */
  fetched = 0;

  /** @param kept has the table of nodes, and keeps what was fetched, nodes and leaves */
  constructor(url: string, kept: Store) {
    this.#url = url;
    this.#kept = kept;
    this.#http = new HttpConnection({ url, timeoutMs, retries: 1 });
  }

  /** @throws {ForkError} `gone`, `wrongPiece` */
  async find(hash: Uint8Array): Promise<Uint8Array | undefined> {
    const kept = this.#kept.table(nodesTable).get(hash);
    return kept ?? (await this.#fetch([hash]))[0];
  }

  /** Fetches the upper levels of a state's tree. @throws {ForkError} `missingPiece` and those of {@link find} */
  async fetchTop(root: Uint8Array): Promise<void> {
    let wanted: Uint8Array[] = [root];
    for (let count = 0; wanted.length > 0 && count + wanted.length <= mostAhead; ) {
      count += wanted.length;
      const below: Uint8Array[] = [];
      for (const bytes of await this.#all(wanted)) below.push(...childNodes(bytes));
      wanted = below;
    }
  }

  async #all(hashes: readonly Uint8Array[]): Promise<Uint8Array[]> {
    const table = this.#kept.table(nodesTable);
    const found: Uint8Array[] = [];
    let left = hashes.filter((hash) => {
      const kept = table.get(hash);
      if (kept !== undefined) found.push(kept);
      return kept === undefined;
    });
    while (left.length > 0) {
      const pieces = await this.#fetch(left.slice(0, mostPieces));
      for (const [index, piece] of pieces.entries()) {
        if (piece === undefined)
          throw new ForkError({ code: "missingPiece", url: this.#url, hash: toHex(left[index]!) });
        found.push(piece);
      }
      left = left.slice(pieces.length);
    }
    return found;
  }

  async #fetch(hashes: readonly Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]> {
    const url = this.#url;
    const body = { hashes: hashes.map(toHex) };
    const answer = await callRoute(this.#http, statePiecesRoute, { body }).catch((cause: unknown) => {
      if (isNotOffered(cause)) throw new ForkError({ code: "noPieces", url }, { cause });
      throw new ForkError({ code: "gone", url, reason: errorText(cause) }, { cause });
    });
    const pieces = answer.pieces.slice(0, hashes.length).map((text, index) => this.#checked(text, hashes[index]!));
    if (pieces.length === 0) throw new ForkError({ code: "gone", url, reason: "it answers with nothing" });
    this.fetched += pieces.length;
    this.#kept.write((tables) => {
      const table = tables(nodesTable);
      for (const [index, piece] of pieces.entries()) if (piece !== undefined) table.put(hashes[index]!, piece);
    });
    return pieces;
  }

  /** @throws {ForkError} `wrongPiece` */
  #checked(text: string | null, hash: Uint8Array): Uint8Array | undefined {
    if (text === null) return undefined;
    const bytes = fromHex(text);
    const actual = blake2b256(bytes);
    if (equalBytes(actual, hash)) return bytes;
    throw new ForkError({ code: "wrongPiece", url: this.#url, hash: toHex(hash), actual: toHex(actual) });
  }
}

function isNotOffered(error: unknown): boolean {
  if (!(error instanceof ClientError)) return false;
  const { failure } = error;
  return failure.code === "notOffered" || (failure.code === "refused" && failure.status === 404);
}

/**
 * Looks where a fork is to begin.
 *
 * @param at a block's hash or height; `undefined`: the last finalized block
 * @throws {ForkError} `badUrl`, `noNode`, `noBlock`
 */
export async function forkPointOf(text: string, at: string | undefined): Promise<ForkPoint> {
  const url = urlOf(text);
  const client = new HttpClient({ url, timeoutMs, retries: 0 });
  await client.status().catch((cause: unknown) => {
    throw new ForkError({ code: "noNode", url, reason: errorText(cause) }, { cause });
  });
  const named = at ?? "last-finalized-block";
  try {
    const hash = at === undefined ? undefined : await hashOf(client, at);
    const { blockInfo } = hash === undefined ? await client.lastFinalizedBlock() : await client.block(hash);
    const { blockHash, blockNumber, timestamp, postStateHash, shardId } = blockInfo;
    return { url, blockHash, blockNumber, timestamp, stateHash: postStateHash, shardName: shardId };
  } catch (cause) {
    throw new ForkError({ code: "noBlock", url, at: named, reason: errorText(cause) }, { cause });
  }
}

async function hashOf(client: HttpClient, at: string): Promise<string> {
  if (!/^\d{1,15}$/.test(at)) return at;
  const blocks = await client.blockSpan(Number(at), Number(at));
  const [block] = blocks;
  if (block === undefined) throw new TypeError("there is none at this height");
  if (blocks.length > 1) throw new TypeError("there are several at this height; name one by its hash");
  return block.blockHash;
}

function urlOf(text: string): string {
  try {
    const url = new URL(text.trim());
    if (url.protocol === "http:" || url.protocol === "https:") return url.href.replace(/\/+$/, "");
  } catch {
    // Told below.
  }
  throw new ForkError({ code: "badUrl", text });
}
