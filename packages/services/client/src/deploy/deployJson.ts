import type { deployRequest, Static } from "@vedette/api";
import { toHex } from "@vedette/crypto";
import type { Deploy } from "@vedette/protocol";

/** A signed deploy as `POST /api/deploy` takes it. @spec 50 §1.7 */
export function deployJson(deploy: Deploy): Static<typeof deployRequest> {
  const { term, timestamp, phloPrice, phloLimit, validAfterBlockNumber, shardId, expirationTimestamp } = deploy;
  return {
    data: {
      ...{ term, timestamp, phloPrice, phloLimit, validAfterBlockNumber, shardId },
      ...(expirationTimestamp === undefined ? {} : { expirationTimestamp }),
    },
    deployer: toHex(deploy.deployer),
    signature: toHex(deploy.signature),
    sigAlgorithm: deploy.algorithm,
  };
}
