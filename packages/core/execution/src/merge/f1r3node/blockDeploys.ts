import type { Block } from "@vedette/protocol";
import { type MergedDeploy, MergeError, type NumberChanges, systemDeployId } from "@vedette/tuplespace";

/**
 * The deploys of a block that a merge may take over: user deploys that did not fail, also where the charge did, and
 * system deploys that succeeded.
 *
 * @param numbers each deploy's changes of number channels, user deploys then system deploys
 * @throws {MergeError} `deployCount` when there is not one entry per deploy
 * @spec 61 §12.4
 */
export function blockDeploys({ hash, body }: Block, numbers: readonly NumberChanges[]): MergedDeploy[] {
  const { deploys, systemDeploys } = body;
  const count = deploys.length + systemDeploys.length;
  if (numbers.length !== count)
    throw new MergeError({ code: "deployCount", mergeables: numbers.length, deploys: count });
  const merged: MergedDeploy[] = [];
  deploys.forEach(({ deploy, cost, log, failed }, index) => {
    const { signature: id, validAfterBlockNumber: validAfter } = deploy;
    if (!failed) merged.push({ id, cost, log, numbers: numbers[index]!, validAfter });
  });
  systemDeploys.forEach(({ systemDeploy, log, error }, index) => {
    if (error !== "") return;
    const id = systemDeployId(hash, systemDeploy.kind);
    merged.push({ id, cost: 0n, log, numbers: numbers[deploys.length + index]! });
  });
  return merged;
}
