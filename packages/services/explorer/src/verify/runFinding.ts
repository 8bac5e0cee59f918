import { toHex } from "@vedette/client";
import type { Checkpoint } from "@vedette/light";
import type { Block } from "@vedette/protocol";
import { type Finding, findingOf, type Standing } from "./Finding.js";
import type { OwnRun, ProgramTask, RunReply } from "./runMessages.js";

/** A program that a node has run after a block. */
export interface CheckedRun {
  readonly source: string;
  readonly blockHash: string;
  readonly phloLimit: bigint;
}

/** A finding about a program, with what it returned in this browser. */
export interface RunFinding extends Finding {
  readonly own?: OwnRun;
}

/** Returns the checkpoint at a block with a checked hash. @param rules of its network */
export function checkpointAt({ hash, number, header, shardId }: Block, rules: Checkpoint): Checkpoint {
  const place = { blockHash: toHex(hash), blockNumber: Number(number), timestamp: Number(header.timestamp) };
  return { ...rules, ...place, shardId };
}

/** @param standing of the block after which the program ran */
export function findingOfRun(
  reply: RunReply<ProgramTask>,
  { number }: Pick<Block, "number">,
  standing: Standing,
): Finding {
  const { lies } = reply;
  if ("problem" in reply) return findingOf({ isFinal: false, left: [`the program: ${reply.problem}`], lies });
  const { root, read } = reply.own;
  return findingOf({
    isFinal: standing.isSettled,
    checked: [
      `the program ran in this browser on the state ${root}, which the hash of block #${number} covers`,
      `it read ${read.length} pieces of that state; each has the hash by which the piece above names it`,
      ...standing.checked,
    ],
    left: [...standing.left, "what the program printed, and its steps: they are the node's"],
    lies,
  });
}

/** Adds the lie of a node that reports other results for a program whose results depend on the state alone. */
export function comparedResults(finding: RunFinding, reported: readonly (string | null)[]): RunFinding {
  const { own } = finding;
  if (own === undefined) return finding;
  const { results, error, root } = own;
  // A failure here shows nothing about the node.
  if (results === undefined)
    return {
      ...finding,
      ...findingOf({ isFinal: false, left: [`the program failed here: ${error}`], lies: finding.lies }),
    };
  const [claim, shown] = [reported, results].map((terms) => terms.map(String).join(", ")) as [string, string];
  if (shown === claim) return finding;
  const lie = {
    field: "results",
    reported: claim,
    shown,
    evidence: `the program, run in this browser on the state ${root}`,
  };
  return { ...finding, ...findingOf({ isFinal: false, lies: [...finding.lies, lie] }) };
}
