import { type BlockCodec, f1r3node, type ProcessedDeploy } from "@vedette/protocol";

/**
 * Whether a deploy's effect is in the state of the block that executed it. With f1r3node that of one that could
 * not be paid is: it came to nothing, and that is done.
 *
 * @param form of the block
 * @spec 40 §12.5, 61 §12.4
 */
export function takesEffect(
  { failed, systemDeployError }: Pick<ProcessedDeploy, "failed" | "systemDeployError">,
  form: BlockCodec,
): boolean {
  return !failed && (form === f1r3node.blockForm || systemDeployError === "");
}
