import type { SystemDeploy } from "@vedette/protocol";
import type { ExecutionDialect } from "../form/ExecutionDialect.js";
import { closeBlockStart, slashStart } from "./seeds.js";
import { closeBlockTerm, type SystemDeployTerm, slashTerm } from "./terms.js";

/** A system deploy in a block that can be run. */
export type BlockSystemDeploy = Exclude<SystemDeploy, { readonly kind: "empty" }>;

/**
 * The term of a slash or of the close of a block.
 *
 * @param sender the block's creator
 * @spec 41 §3.2, §3.3
 */
export function blockSystemDeployTerm(
  form: ExecutionDialect,
  systemDeploy: BlockSystemDeploy,
  sender: Uint8Array,
  sequenceNumber: number,
): SystemDeployTerm {
  switch (systemDeploy.kind) {
    case "slash": {
      const { issuerPublicKey, invalidBlockHash } = systemDeploy;
      const start = slashStart(form, sender, sequenceNumber, invalidBlockHash);
      return slashTerm(form, issuerPublicKey, invalidBlockHash, start);
    }
    case "closeBlock":
      return closeBlockTerm(form, closeBlockStart(form, sender, sequenceNumber));
  }
}
