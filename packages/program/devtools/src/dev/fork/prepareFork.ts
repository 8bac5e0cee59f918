import { genesisBlock } from "@vedette/chain";
import { emptyBytes, fromHex } from "@vedette/crypto";
import type { NodeResources } from "@vedette/node/run";
import { type Bond, findDialect } from "@vedette/protocol";
import { withEmptyChain } from "../withEmptyChain.js";
import type { ForkPoint } from "./ForkPoint.js";

/**
 * Puts the first block of a fork into a folder that has none: it has the number, the time and the state of the block that is
 * forked from, and nothing of what led there.
 */
export async function prepareFork(ground: NodeResources, point: ForkPoint, bonds: readonly Bond[]): Promise<void> {
  const { config, directory, executor, emptyStateHash } = ground;
  const stateHash = fromHex(point.stateHash);
  const place = { config, executor, emptyStateHash, chainDirectory: directory.chain };
  await withEmptyChain(place, async (chain) => {
    await executor.recordRoot(stateHash);
    const state = { preStateHash: stateHash, postStateHash: stateHash, bonds, blockNumber: point.blockNumber };
    const body = { state, deploys: [], systemDeploys: [], extraBytes: emptyBytes, rejectedDeploys: [] };
    const { timestamp, shardName } = point;
    const content = { timestamp, shardName, bonds, deploys: [], judgesByEvidence: false };
    const block = genesisBlock(body, content, findDialect(config.dialect)!);
    chain.adoptImported({ candidate: { block, requiredSignatures: 0 }, signatures: [] }, []);
  });
}
