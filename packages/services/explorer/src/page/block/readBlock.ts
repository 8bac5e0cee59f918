import { blockBytesRoute } from "@vedette/api";
import { fromHex, toHex } from "@vedette/client";
import {
  type Block,
  type Dialect,
  decodeBlock,
  type Event,
  f1r3node,
  hashBlock,
  rnode,
  WireError,
} from "@vedette/protocol";
import { node } from "../../data/node.js";

/** One entry of a block's event log. */
export interface BlockEvent {
  readonly of: string;
  readonly kind: Event["kind"];
  readonly hash: string;
  readonly channels: readonly string[];
  readonly isPersistent: boolean;
}

/** Fetches a block as peers send it, reads it, and hashes it: in the way of either family of nodes. */
export async function readBlock(hash: string, signal?: AbortSignal) {
  const { bytes } = await node.call(blockBytesRoute, { params: { hash } }, { signal });
  return { ...contentOf(fromHex(bytes), hash), bytes };
}

const dialects = [rnode, f1r3node];

/** Decodes what only a block's bytes contain. @throws {WireError} where they are those of no block */
export function contentOf(bytes: Uint8Array, hash: string) {
  const own = dialects.map((dialect) => blockOf(bytes, hash, dialect)).find((block) => block !== undefined);
  const isOwnHash = own !== undefined;
  const { deploys, systemDeploys } = (own ?? decodeBlock(bytes, rnode.blockForm)).body;
  const logs = [
    ...deploys.flatMap(({ log }, index) => log.map((event) => happening(`deploy ${index + 1}`, event))),
    ...systemDeploys.flatMap(({ log, systemDeploy }) => log.map((event) => happening(systemDeploy.kind, event))),
  ];
  const ofSystem = systemDeploys.map(({ systemDeploy: { kind }, error, log }) => ({ kind, error, events: log.length }));
  return { isOwnHash, systemDeploys: ofSystem, logs };
}

/** Returns the block if it is one of this dialect with this hash; its form has fields that others lack. */
export function blockOf(bytes: Uint8Array, hash: string, dialect: Dialect): Block | undefined {
  try {
    const block = decodeBlock(bytes, dialect.blockForm);
    return toHex(hashBlock(block, dialect)) === hash ? block : undefined;
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}

function happening(of: string, event: Event): BlockEvent {
  const { kind } = event;
  if (kind === "produce")
    return {
      ...{ of, kind, hash: toHex(event.hash) },
      channels: [toHex(event.channelsHash)],
      isPersistent: event.persistent,
    };
  const { hash, channelsHashes, persistent } = kind === "comm" ? event.consume : event;
  return { of, kind, hash: toHex(hash), channels: channelsHashes.map(toHex), isPersistent: persistent };
}
