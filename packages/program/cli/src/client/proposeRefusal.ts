import { ClientError } from "@vedette/client";
import { CommandError } from "./CommandError.js";

/** Why a node makes no block now, and what to do about it, a sentence each. */
interface Explanation {
  readonly cause: string;
  readonly remedy: string;
}

/** By the name of the status in `Failure: <status> (seqNum <n>)`. @spec 40 §9.8, 50 §2.1 */
const byStatus: Readonly<Record<string, Explanation>> = {
  NoNewDeploys: {
    cause: "No deploy waits on this node that a block could hold.",
    remedy: "Hand one in with `vedette deploy -f <file>`, or let the node make blocks by itself (casper.heartbeat).",
  },
  NotBonded: {
    cause: "The node's validator key has no stake, or is not among the active validators of this epoch.",
    remedy:
      "Look with `vedette bonds`, then bond the key with `vedette bond --stake <amount>` and wait for the next epoch (`vedette epoch-info`), or use a validator.",
  },
  NotEnoughNewBlocks: {
    cause: "It is not the turn of this validator: since its last block too little stake has made blocks of its own.",
    remedy:
      "Wait for blocks of the others (`vedette blocks 5`) or propose on another validator; alone in a network, set casper.synchrony-constraint-threshold to 0.",
  },
  TooFarAheadOfLastFinalized: {
    cause: "The chain is too many blocks ahead of the last finalized one, which is stalled.",
    remedy: "See that most of the stake is there and makes blocks (`vedette status`, `vedette bonds`), then try again.",
  },
  InternalDeployError: {
    cause: "A waiting deploy could not be executed, so that there is no block.",
    remedy: "Propose once more: what cannot be executed is given up; the node's log names the deploy.",
  },
  BugError: {
    cause: "The node could not make the block for a reason that it did not expect.",
    remedy: "Look into the node's log for the error, and try again.",
  },
  NotSynchronized: {
    cause: "The node does not know yet whether it made a block at this number before.",
    remedy: "Wait until it is in sync with its peers (`vedette status`), then try again.",
  },
};

/** Explanations by the texts of nodes that have no proposals. */
const byText: readonly (readonly [RegExp, Explanation])[] = [
  [
    /another propose is in progress/,
    { cause: "The node is making a block at this moment.", remedy: "Wait for it, then try again." },
  ],
  [
    /read-only node/,
    {
      cause: "The node has no validator key, so that it makes no blocks.",
      remedy: "Use a validator's operator port: -H <host> -p <gRPC port>, or `vedette context list`.",
    },
  ],
  [
    /casper instance is not available/i,
    {
      cause: "The node takes no part in the chain yet: it still joins, or waits for genesis.",
      remedy: "Wait until `vedette status` shows a block number, then try again.",
    },
  ],
];

/**
 * Requests a block, and explains why none was made.
 *
 * @throws {CommandError} `noBlock`: the node's words, a sentence of cause, one of remedy
 */
export async function proposeWithHint(ask: () => Promise<string>): Promise<string> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ClientError) || error.failure.code !== "refused") throw error;
    const explanation = explain(error.message);
    if (explanation === undefined) throw error;
    throw new CommandError({ code: "noBlock", said: error.message, ...explanation }, { cause: error });
  }
}

function explain(said: string): Explanation | undefined {
  const status = /^Failure: (\w+) \(seqNum -?\d+\)/.exec(said)?.[1];
  if (status !== undefined && Object.hasOwn(byStatus, status)) return byStatus[status];
  return byText.find(([pattern]) => pattern.test(said))?.[1];
}
