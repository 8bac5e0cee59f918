import { errorClass } from "@vedette/errors";
import type { Statement } from "./StreamNames.js";

/** Why nothing can be published, or why a message is refused. */
export type StreamFailure =
  | { readonly code: "unusable"; readonly server: string; readonly reason: string }
  | { readonly code: "otherStream"; readonly stream: string; readonly reason: string }
  | { readonly code: "messageWrong"; readonly subject: string; readonly reason: string }
  | { readonly code: "stateMissing"; readonly height: bigint; readonly reason: string }
  | { readonly code: "noLog"; readonly path: string }
  /** On this machine's disk. */
  | { readonly code: "noRoom"; readonly reason: string }
  /** Publishers found different things of a block. */
  | { readonly code: "differs"; readonly hash: string; readonly valid: string; readonly invalid: string }
  /** A publisher's statement about a block cannot be true. */
  | {
      readonly code: "refused";
      readonly hash: string;
      readonly number: number;
      readonly by: string;
      readonly reason: string;
    }
  /** Too few publishers make the same statement about a block yet. */
  | {
      readonly code: "tooFew";
      readonly hash: string;
      readonly what: Statement;
      readonly by: readonly string[];
      /** Publishers that gave another content of it. */
      readonly others: readonly string[];
      readonly needed: number;
    }
  /** A parent or dependency of a block is not here. */
  | { readonly code: "gap"; readonly hash: string; readonly number: number; readonly reason: string }
  | { readonly code: "otherNetwork"; readonly found: string; readonly expected: string }
  | { readonly code: "otherDialect"; readonly found: string; readonly expected: string }
  | { readonly code: "otherBeginning"; readonly found: string; readonly expected: string }
  | { readonly code: "noBeginning"; readonly number: number }
  /** The stream has a block that cannot be of the chain that is here. */
  | { readonly code: "otherChain"; readonly number: number; readonly found: string; readonly expected: string }
  /** Nothing in the stream shows that it is of the chain that is here. */
  | { readonly code: "notJoined"; readonly number: number; readonly hash: string };

/** A fault of a stream; the message states what to do. */
export class StreamError extends errorClass("StreamError", sentence) {}

function sentence(failure: StreamFailure): string {
  switch (failure.code) {
    case "unusable":
      return `The NATS server ${failure.server} cannot be used: ${failure.reason}`;
    case "otherStream":
      return `The stream ${failure.stream} is not one of ours: ${failure.reason}; delete it, or set another --stream`;
    case "messageWrong":
      return `The message ${failure.subject} is wrong: ${failure.reason}`;
    case "stateMissing":
      return `The state after block #${failure.height} is incomplete here (${failure.reason}), perhaps pruned: keep more states (storage.state-retention), or recreate the stream`;
    case "differs":
      return `Publishers differ about block ${failure.hash}: it is valid for ${failure.valid}, and invalid for ${failure.invalid}. This replica stays before it. One of the two nodes is wrong: find out which, stop its publisher, delete the stream, and let the other one fill it again`;
    case "refused":
      return `Publisher ${failure.by} published an impossible block #${failure.number} (${failure.hash}): ${failure.reason}. This replica stays before it. Check the publisher's node; if the stream was damaged, delete it and let publishers fill it again`;
    case "tooFew": {
      const { by, others, needed } = failure;
      const said = by.length === 0 ? "no publisher" : `${by.length} (${by.join(", ")})`;
      const otherwise = others.length === 0 ? "" : `; different content from ${others.join(", ")}`;
      return `Block ${failure.hash} is ${failure.what} according to ${said}, ${needed} required${otherwise}. This replica waits before it: check that the publishers run. Streams of publishers without confirmations must be deleted and filled again`;
    }
    case "gap":
      return `Block #${failure.number} (${failure.hash}) does not continue the stored chain: ${failure.reason}. Messages are missing in the stream: start from a newer snapshot in an empty data directory, or let a publisher fill the stream again`;
    case "otherNetwork":
      return `The stream is of network '${failure.found}', and not of '${failure.expected}'; check --network-id and casper.shard-name`;
    case "otherDialect":
      return `The stream has blocks of the dialect '${failure.found}', and this replica is for '${failure.expected}'; give another stream, or the replica's own dialect`;
    case "otherBeginning":
      return `The stream begins with block ${failure.found}, and not with ${failure.expected}`;
    case "noBeginning":
      return `The stream begins with block #${failure.number}, and this data directory is empty: give --snapshot and --block`;
    case "otherChain":
      return `The stream is of another chain that has the same network id: its block #${failure.number} is ${failure.found}, but ${failure.expected} here. Use the stream of this chain (--nats, --network-id), or an empty data directory`;
    case "notJoined":
      return `The stream does not contain the last final block here, #${failure.number} (${failure.hash}), or a later one. It may belong to another chain with the same network id, or be filling again: served data may be old until that block arrives`;
    case "noRoom":
      return `cannot write messages of the stream: ${failure.reason}`;
    case "noLog":
      return `no events in ${failure.path} yet: start its node first`;
  }
}
