import { vaultAddressOfUnforgeable } from "@vedette/crypto";
import { contractSigner } from "../genesis/systemKeys.js";
import { deployRandom } from "../systemDeploy/seeds.js";

/**
 * The address of the vault that holds all stakes and what was paid for deploys: the fifth name that the proof-of-stake
 * contract draws, there from genesis on.
 */
export const proofOfStakeAddress: string = (() => {
  const { key, timestamp } = contractSigner("PoS.rhox");
  const names = deployRandom(key.publicKey, timestamp);
  for (let drawn = 0; drawn < 4; drawn += 1) names.next();
  return vaultAddressOfUnforgeable(names.next());
})();
