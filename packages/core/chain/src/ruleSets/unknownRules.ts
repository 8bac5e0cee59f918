import type { Block } from "@vedette/protocol";
import { casperVersion } from "../genesis/genesisBlock.js";
import { f1r3nodeRuleSets } from "./f1r3nodeRuleSets.js";

/** Versions of blocks for which there are rules here. */
const knownVersions = [...new Set([casperVersion, ...f1r3nodeRuleSets.flatMap(({ blockVersions }) => blockVersions)])];

/** Whether there are rules here for blocks of a version. @spec 61 §24 */
export function isKnownVersion(version: bigint): boolean {
  return knownVersions.includes(version);
}

/**
 * The message about a block of a newer version than this node has rules for, which it does not judge; `undefined` for
 * other blocks.
 *
 * @spec 61 §24
 */
export function unknownRulesText({ header, number }: Pick<Block, "header" | "number">): string | undefined {
  if (knownVersions.some((known) => header.version <= known)) return undefined;
  return (
    `this network uses rules of a newer version (block version ${header.version} at #${number}); ` +
    `Vedette knows block version ${knownVersions.join(", ")}`
  );
}
