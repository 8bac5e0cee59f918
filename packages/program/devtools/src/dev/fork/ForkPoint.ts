import { HttpClient } from "@vedette/client";
import type { DialectName } from "@vedette/config";
import { errorText, withoutPasswords } from "@vedette/errors";
import type { F1r3nodeFacts } from "../devConfig.js";
import { ForkError } from "./ForkError.js";

/** Where a fork begins. Hashes are hexadecimal. */
export interface ForkPoint {
  /** For people, and to be kept: without what logs in there. */
  readonly url: string;
  readonly blockHash: string;
  readonly blockNumber: bigint;
  /** Unix milliseconds. */
  readonly timestamp: bigint;
  readonly stateHash: string;
  readonly shardName: string;
  /** The facts that an f1r3node network reports about itself; left out: it is of rnode. */
  readonly f1r3node?: F1r3nodeFacts | undefined;
}

const timeoutMs = 10_000;

/**
 * Looks where a fork is to begin.
 *
 * @param at a block's hash or height; `undefined`: the last finalized block
 * @throws {ForkError} `badUrl`, `noNode`, `noBlock`
 */
export async function forkPointOf(text: string, at: string | undefined): Promise<ForkPoint> {
  const asked = forkUrl(text);
  const url = withoutPasswords(asked);
  const client = new HttpClient({ url: asked, timeoutMs, retries: 0 });
  const status = await client.apiStatus().catch((cause: unknown) => {
    throw new ForkError({ code: "noNode", url, reason: errorText(cause) }, { cause });
  });
  const named = at ?? "last-finalized-block";
  try {
    const hash = at === undefined ? undefined : await hashOf(client, at);
    const { blockInfo } = hash === undefined ? await client.lastFinalizedBlock() : await client.block(hash);
    const { blockHash, blockNumber, timestamp, postStateHash, shardId } = blockInfo;
    return {
      url,
      blockHash,
      blockNumber,
      timestamp,
      stateHash: postStateHash,
      shardName: shardId,
      ...f1r3nodeFactsOf(status),
    };
  } catch (cause) {
    throw new ForkError({ code: "noBlock", url, at: named, reason: errorText(cause) }, { cause });
  }
}

/** @throws {ForkError} `otherDialect` */
export function requireDialect({ url, f1r3node }: Pick<ForkPoint, "url" | "f1r3node">, wanted: DialectName): void {
  const found = f1r3node === undefined ? "rnode" : "f1r3node";
  if (found !== wanted) throw new ForkError({ code: "otherDialect", url, found, wanted });
}

/** Nodes of f1r3node networks report their token in the status; other nodes do not. @spec 50 §10 */
function f1r3nodeFactsOf(status: Awaited<ReturnType<HttpClient["apiStatus"]>>): Pick<ForkPoint, "f1r3node"> {
  const { nativeTokenName: tokenName, nativeTokenSymbol: tokenSymbol, nativeTokenDecimals: tokenDecimals } = status;
  const { epochLength } = status;
  if (tokenName === undefined || tokenSymbol === undefined || tokenDecimals === undefined || epochLength === undefined)
    return {};
  return { f1r3node: { tokenName, tokenSymbol, tokenDecimals, epochLength } };
}

async function hashOf(client: HttpClient, at: string): Promise<string> {
  if (!/^\d{1,15}$/.test(at)) return at;
  const blocks = await client.blockSpan(Number(at), Number(at));
  const [block] = blocks;
  if (block === undefined) throw new TypeError("there is none at this height");
  if (blocks.length > 1) throw new TypeError("there are several at this height; name one by its hash");
  return block.blockHash;
}

/** The address of `--fork`, with what logs in there. @throws {ForkError} `badUrl` */
export function forkUrl(text: string): string {
  try {
    const url = new URL(text.trim());
    if (url.protocol === "http:" || url.protocol === "https:") return url.href.replace(/\/+$/, "");
  } catch {
    // Thrown below.
  }
  // A text that is not an address may have a password at any place.
  throw new ForkError({ code: "badUrl", text: text.includes("@") ? "what was given" : `'${text}'` });
}
