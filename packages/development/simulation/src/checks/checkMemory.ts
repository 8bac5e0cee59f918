import { Chain, type ChainRules } from "@vedette/chain";
import { equalBytes, toHex } from "@vedette/crypto";
import type { SimulatedNode } from "../node/SimulatedNode.js";
import { SimulationFailure } from "./SimulationFailure.js";

/** Marks of the entries of blocks that wait, and of those that are waited for. */
const [waitingMark, awaitedMark] = [Uint8Array.of(0), Uint8Array.of(1)];

/**
 * Checks that a process's memory equals the data that a restart would find, also after a failed transaction. @throws
 * {SimulationFailure}
 */
export function checkMemory({ name, process, disk }: SimulatedNode, rules: ChainRules): void {
  if (process?.isAlive !== true) return;
  const fail = (what: string): never => {
    throw new SimulationFailure("memory holds what the disk holds", `${name}: ${what}`);
  };
  const { chain } = process;
  const reopened = new Chain({
    ...{ store: disk.memory.chain, rules, nowMs: () => 0 },
    execution: { replay: neverExecutes, bonds: neverExecutes, parentsPostState: neverExecutes },
  });
  const [found, known] = [reopened.dag.lastFinalized(), chain.dag.lastFinalized()];
  if (found?.key !== known?.key || (found !== undefined && !equalBytes(found.hash, known!.hash)))
    fail("another last final block");
  if (latestOf(reopened) !== latestOf(chain)) fail("other latest messages");
  if (offendersOf(reopened) !== offendersOf(chain)) fail("other proofs");
  const waiting = [...disk.memory.chain.table("bufferedBlocks").range({ from: waitingMark, to: awaitedMark })].length;
  const { waitingBlocks, state } = process.engine.value.status();
  if (state === "running" && waiting !== waitingBlocks) fail(`${waitingBlocks} blocks wait, ${waiting} on disk`);
  const pooled = disk.memory.chain.table("deployPool").count();
  if (process.proposing !== undefined && process.proposing.pool.size !== pooled)
    fail(`${process.proposing.pool.size} deploys wait, ${pooled} on disk`);
}

function latestOf({ dag }: Chain): string {
  return dag
    .latestMessages()
    .map(({ validator, hash }) => `${toHex(validator)} ${toHex(hash)}`)
    .join();
}

function offendersOf({ dag }: Chain): string {
  return dag.unpunishedProofs().map(toHex).sort().join();
}

async function neverExecutes(): Promise<never> {
  throw new TypeError("nothing is executed to look at a disk");
}
