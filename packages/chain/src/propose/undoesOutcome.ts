import { blake2b256, toHex } from "@vedette/crypto";
import type { MergedState } from "@vedette/execution";
import { hashKey } from "@vedette/protocol";
import type { Chain } from "../Chain.js";
import { AncestorWalk } from "../dag/AncestorWalk.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { MergeScope } from "../merge/scope.js";

/**
 * Whether a merge takes a deploy out of the state that the main parent has left it in, or puts one into it that was
 * given up there.
 *
 * A state goes on along main parents. As long as no block undoes what its main parent's state has, a deploy that is
 * once in the state of a final block is in that of every later one.
 *
 * @throws {ChainError} `blockMissing`
 * @spec 40 §16.7
 * @cost reads the merged blocks
 */
export function undoesOutcome(main: BlockMetadata, scope: MergeScope, merged: MergedState, chain: Chain): boolean {
  const { dag, blocks } = chain;
  const givenUpBefore = new Set(chain.rejectionsBetween(dag.require(scope.base), main).rejected.map(nameOf));
  const givenUpNow = new Set(
    merged.rejections.map(({ blockHash, deployId }) => nameOf({ blockHash, idHash: blake2b256(deployId) })),
  );
  const mains = new AncestorWalk(dag, main);
  const [before, now, again] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const blockHash of scope.blocks) {
    const isBelowMain = mains.includes(dag.require(blockHash));
    for (const { deploy, failed } of blocks.find(blockHash)?.body.deploys ?? []) {
      if (failed) continue;
      const id = hashKey(deploy.signature);
      const name = nameOf({ blockHash, idHash: blake2b256(deploy.signature) });
      const isKept = !givenUpNow.has(name);
      if (isKept) now.add(id);
      if (!isBelowMain) continue;
      if (!givenUpBefore.has(name)) before.add(id);
      else if (isKept) again.add(id);
    }
  }
  return [...before].some((id) => !now.has(id)) || [...again].some((id) => !before.has(id));
}

function nameOf({ blockHash, idHash }: { readonly blockHash: Uint8Array; readonly idHash: Uint8Array }): string {
  return toHex(blockHash) + toHex(idHash);
}
