import { isKnownVersion, unknownRulesText } from "@vedette/chain/finality";
import type { Block } from "@vedette/protocol";
import { LightError } from "./LightError.js";

/**
 * Refuses a block of a version that there are no rules for: nothing can be concluded from it.
 *
 * @throws {LightError} `unknownRules`
 * @spec 70 §5, 61 §24
 */
export function requireKnownVersion(block: Pick<Block, "header" | "number">): void {
  const { version } = block.header;
  if (isKnownVersion(version)) return;
  const text = unknownRulesText(block) ?? `block version ${version} at #${block.number} is not known`;
  throw new LightError({ code: "unknownRules", text });
}
