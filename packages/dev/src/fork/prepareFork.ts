import { genesisBlock } from "@vedette/chain";
import type { Config } from "@vedette/config";
import { emptyBytes, fromHex } from "@vedette/crypto";
import { type Bond, rnodeScala } from "@vedette/protocol";
import { onEmptyChain } from "../onEmptyChain.js";
import type { DevPlan } from "../planDev.js";
import type { ForkPoint } from "./Origin.js";

/** Stake of the one validator of a fork. */
const stake = 1_000n;

/**
 * Puts the first block of a fork into an empty folder: it has the number, the time and the state of the block that is
 * forked from, and nothing of what led there.
 */
export async function prepareFork(config: Config, point: ForkPoint, bonds: readonly Bond[], path: string) {
  const stateHash = fromHex(point.stateHash);
  await onEmptyChain(config, path, async ({ executor, chain }) => {
    await executor.recordRoot(stateHash);
    const state = { preStateHash: stateHash, postStateHash: stateHash, bonds, blockNumber: point.blockNumber };
    const body = { state, deploys: [], systemDeploys: [], extraBytes: emptyBytes, rejectedDeploys: [] };
    const { timestamp, shardName } = point;
    const content = { timestamp, shardName, bonds, deploys: [], judgesByEvidence: false };
    const block = genesisBlock(body, content, rnodeScala);
    chain.adoptImported({ candidate: { block, requiredSignatures: 0 }, signatures: [] }, []);
  });
}

/** Who is bonded on a fork, whatever the contract in the state says: its one validator. */
export function forkBonds(validator: Uint8Array): readonly Bond[] {
  return [{ validator, stake }];
}

/**
 * Executes blocks as usual, but has it that the fork's validator is the only one: the state is another network's, whose
 * validators are not here.
 */
export function forkExecution(bonds: readonly Bond[]): NonNullable<DevPlan["execution"]> {
  return (usual) => ({
    ...usual,
    bonds: async () => bonds,
    activeValidators: async () => bonds.map(({ validator }) => validator),
    async play(request) {
      const outcome = await usual.play(request);
      if (outcome.kind !== "played") return outcome;
      return { ...outcome, body: { ...outcome.body, state: { ...outcome.body.state, bonds } } };
    },
  });
}
