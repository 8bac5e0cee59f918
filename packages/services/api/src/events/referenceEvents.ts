import type { JsonValue } from "../json/printJson.js";
import { printJson } from "../json/printJson.js";
import type { TransferView } from "../value/blockInfo.js";

/** A block in the messages of rnode's WebSocket, in rnode's spelling. @spec 50 §4 */
export type ReferenceEventKind = "block-created" | "block-added" | "block-finalised";

/** The facts of a block in rnode's events; byte strings in hex. */
export interface ReferenceEventBlock {
  readonly hash: string;
  /** Present on f1r3node networks only; the time is in milliseconds since 1970. @spec 50 §10 */
  readonly f1r3node?: { readonly number: bigint; readonly timestamp: bigint } | undefined;
  readonly parents: readonly string[];
  readonly justifications: readonly (readonly [validator: string, latestBlock: string])[];
  readonly deploys: readonly {
    readonly id: string;
    readonly cost: bigint;
    readonly deployer: string;
    readonly errored: boolean;
  }[];
  readonly creator: string;
  readonly sequenceNumber: number;
}

/** The first frame of every connection. @spec 50 §4 */
export const referenceStarted = '{"event":"started","schema-version":1}';

/** A frame of rnode's WebSocket. @spec 50 §4 */
export function referenceEvent(event: ReferenceEventKind, block: ReferenceEventBlock): string {
  const payload: { readonly [name: string]: JsonValue | undefined } = {
    "block-hash": block.hash,
    "block-number": block.f1r3node?.number,
    timestamp: block.f1r3node?.timestamp,
    "parent-hashes": block.parents,
    "justification-hashes": block.justifications,
    deploys: block.deploys.map(({ id, cost, deployer, errored }) => ({ id, cost, deployer, errored })),
    creator: block.creator,
    "seq-num": block.sequenceNumber,
    // The name that older builds used; their clients cannot read a payload without it.
    "deploy-ids": block.deploys.map(({ id }) => id),
  };
  return frameOf(event, payload);
}

/** An event of f1r3node's WebSocket that is not about a block; byte strings in hex. @spec 50 §10.6 */
export type F1r3nodeMoment =
  | { readonly event: "node-started"; readonly address: string }
  | {
      readonly event:
        | "sent-unapproved-block"
        | "sent-approved-block"
        | "approved-block-received"
        | "entered-running-state";
      readonly blockHash: string;
    }
  | { readonly event: "block-approval-received"; readonly blockHash: string; readonly sender: string }
  | {
      readonly event: "transfers-available";
      readonly blockHash: string;
      readonly blockNumber: bigint;
      /** All of the block's, in its order. */
      readonly deploys: readonly { readonly id: string; readonly transfers: readonly TransferView[] }[];
    };

/** A frame of f1r3node's WebSocket. @spec 50 §10.6 */
export function f1r3nodeMoment(moment: F1r3nodeMoment): string {
  return frameOf(moment.event, payloadOf(moment));
}

function payloadOf(moment: F1r3nodeMoment): { readonly [name: string]: JsonValue } {
  switch (moment.event) {
    case "node-started":
      return { address: moment.address };
    case "block-approval-received":
      return { "block-hash": moment.blockHash, sender: moment.sender };
    case "transfers-available":
      return {
        "block-hash": moment.blockHash,
        "block-number": moment.blockNumber,
        deploys: moment.deploys.map(({ id, transfers }) => ({ "deploy-id": id, transfers: transfers.map(transferOf) })),
      };
    default:
      return { "block-hash": moment.blockHash };
  }
}

function transferOf({ from, to, amount, failReason }: TransferView) {
  return { "from-addr": from, "to-addr": to, amount, success: failReason === undefined };
}

function frameOf(event: string, payload: { readonly [name: string]: JsonValue | undefined }): string {
  return printJson({ event, "schema-version": 1, payload });
}
