import type { Block } from "@vedette/protocol";
import {
  type DeployChain,
  deployChains,
  type MergeDeploy,
  MergeError,
  type NumberDifferences,
  type StateStore,
  StateView,
  systemDeployId,
} from "@vedette/tuplespace";

/**
 * Returns a block's contribution to a merge: its deploys in groups that are kept or rejected together.
 *
 * Quirk 40 §12.2: a failed deploy is left out with all its log, so a merge takes back its charge and refund.
 *
 * @param states      has the block's pre-state and post-state
 * @param differences each deploy's changes of number channels, user deploys then system deploys
 * @param byEvidence  see {@link deployChains}
 * @throws {MergeError} `deployCount` when there is not one entry per deploy; `emptyChange`, `joinMissing`
 * @spec 40 §12.2, 30 §A.3
 * @cost grows with the block's events, and with the square of its deploys
 */
export function blockChains(
  states: StateStore,
  block: Block,
  differences: readonly NumberDifferences[],
  byEvidence = false,
): readonly DeployChain[] {
  const { deploys, systemDeploys, state } = block.body;
  const count = deploys.length + systemDeploys.length;
  if (differences.length !== count)
    throw new MergeError({ code: "deployCount", mergeables: differences.length, deploys: count });
  const entries: MergeDeploy[] = [];
  deploys.forEach(({ deploy, cost, log, failed }, index) => {
    if (!failed) entries.push({ id: deploy.signature, cost, log, numberChannels: differences[index]! });
  });
  systemDeploys.forEach(({ systemDeploy, log, error }, index) => {
    if (error !== "") return;
    const id = systemDeployId(block.hash, systemDeploy.kind);
    entries.push({ id, cost: 0n, log, numberChannels: differences[deploys.length + index]! });
  });
  const [before, after] = [state.preStateHash, state.postStateHash].map((root) => new StateView(states, root));
  return deployChains(entries, before!, after!, byEvidence);
}
