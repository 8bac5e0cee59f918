import { type BlockCodec, dialectOfForm, type ProcessedDeploy } from "@vedette/protocol";

/**
 * Whether a deploy's effect is in the state of the block that executed it.
 *
 * @param form of the block
 * @spec 40 §12.5, 61 §12.4
 */
export function takesEffect(
  { failed, systemDeployError }: Pick<ProcessedDeploy, "failed" | "systemDeployError">,
  form: BlockCodec,
): boolean {
  return !failed && (systemDeployError === "" || dialectOfForm(form).unpaidDeploysTakeEffect);
}
