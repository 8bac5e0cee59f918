import type { SystemDeploy } from "@vedette/protocol";
import { closeBlockRandom, slashRandom } from "./seeds.js";
import { closeBlockTerm, type SystemDeployTerm, slashTerm } from "./terms.js";

/** A system deploy that stands in a block and can be run. */
export type BlockSystemDeploy = Exclude<SystemDeploy, { readonly kind: "empty" }>;

/**
 * The term of a slash or of the close of a block.
 *
 * @param sender the block's creator
 * @spec 41 §3.2, §3.3
 */
export function blockSystemDeployTerm(
  systemDeploy: BlockSystemDeploy,
  sender: Uint8Array,
  sequenceNumber: number,
): SystemDeployTerm {
  switch (systemDeploy.kind) {
    case "slash": {
      const { issuerPublicKey, invalidBlockHash } = systemDeploy;
      return slashTerm(issuerPublicKey, invalidBlockHash, slashRandom(sender, sequenceNumber));
    }
    case "closeBlock":
      return closeBlockTerm(closeBlockRandom(sender, sequenceNumber));
  }
}
