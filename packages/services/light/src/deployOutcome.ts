import { takesEffect } from "@vedette/chain/finality";
import { equalBytes } from "@vedette/crypto";
import type { Block, ProcessedDeploy } from "@vedette/protocol";
import { LightError } from "./LightError.js";

/**
 * Whether the state under a verified block has a deploy's effect. `notShown`: blocks of several parents lie between,
 * and these blocks do not state whether a merge kept the effect.
 *
 * @spec 70 §7
 */
export type DeployEffect = "inState" | "failed" | "rejected" | "notShown";

/** A deploy in a final block, with the block's statement about its execution. */
export interface IncludedDeploy {
  readonly block: Block;
  readonly processed: ProcessedDeploy;
  readonly effect: DeployEffect;
}

/**
 * Reads a deploy and its outcome from a verified path.
 *
 * @param path of `verifyPath`: a final block first, the block of the deploy last
 * @throws {LightError} `path` where the last block lacks the deploy
 * @spec 70 §7
 */
export function readIncludedDeploy(path: readonly Block[], signature: Uint8Array): IncludedDeploy {
  const index = path.length - 1;
  const block = path[index]!;
  const processed = block.body.deploys.find(({ deploy }) => equalBytes(deploy.signature, signature));
  if (processed === undefined) throw new LightError({ code: "path", index, problem: "does not have the deploy" });
  const facts = { block, processed };
  if (!takesEffect(processed, block.form)) return { ...facts, effect: "failed" };
  let effect: DeployEffect = "inState";
  for (let at = index - 1; at >= 0; at -= 1) effect = effectAfter(path[at]!, path[at + 1]!, { signature, effect });
  return { ...facts, effect };
}

/** @param effect under the block below @spec 40 §12.3, 61 §13.4 */
function effectAfter(
  { parents, body }: Block,
  below: Block,
  { signature, effect }: { readonly signature: Uint8Array; readonly effect: DeployEffect },
): DeployEffect {
  const { mergeBase, appliedFromScope = [], rejectedDeploys } = body;
  const isNamed = (one: Uint8Array) => equalBytes(one, signature);
  if (appliedFromScope.some(isNamed)) return "inState";
  if (mergeBase !== undefined && equalBytes(mergeBase, below.hash)) return effect;
  if (rejectedDeploys.some((one) => isNamed(one.signature))) return "rejected";
  return parents.length === 1 ? effect : "notShown";
}
