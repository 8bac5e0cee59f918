import { type Deploy, type DeployKey, signDeploy } from "@vedette/protocol";
import type { ChainRules } from "../ChainRules.js";

/**
 * Makes the filler deploy of dev mode: it does nothing, and pays for it.
 *
 * @spec 40 §9.5, §11
 */
export function dummyDeploy(
  key: DeployKey,
  facts: { readonly timestamp: bigint; readonly number: bigint; readonly rules: ChainRules },
): Deploy {
  const { shardName, minimumPhloPrice } = facts.rules;
  return signDeploy(
    {
      term: "Nil",
      timestamp: facts.timestamp,
      phloLimit: 90_000n,
      // rnode uses 1, which makes the block invalid if the minimum is higher.
      phloPrice: minimumPhloPrice > 1n ? minimumPhloPrice : 1n,
      validAfterBlockNumber: facts.number - 1n,
      shardId: shardName,
    },
    key,
  );
}
