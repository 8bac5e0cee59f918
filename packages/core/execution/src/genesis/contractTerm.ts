import { contractSource, type SystemContract } from "@vedette/contracts";
import { compareSignedBytes, toHex } from "@vedette/crypto";
import type { Bond } from "@vedette/protocol";
import type { GenesisParameters } from "./GenesisParameters.js";

/**
 * The text of a contract's deploy.
 *
 * @spec 41 §5.2
 */
export function contractTerm(contract: SystemContract, parameters: GenesisParameters): string {
  const source = contractSource(contract);
  const filled = contract === "PoS.rhox" ? fillMacros(source, posMacros(parameters, compareSignedBytes)) : source;
  return stripMargin(`//Loaded from resource file <<${contract}>>\n${filled}\n`);
}

/**
 * Quirk 41 §5.2: blank text before the first `#` of a line is removed, with the `#`.
 *
 * @spec 41 §5.2
 */
export function stripMargin(text: string): string {
  return text
    .split("\n")
    .map((line) => line.replace(/^[\0-\x20]*#/, ""))
    .join("\n");
}

/** Replaces `$$name$$`; a macro without a value stays as it is. @spec 41 §5.2 */
export function fillMacros(text: string, macros: readonly (readonly [string, string])[]): string {
  return macros.reduce((filled, [name, value]) => filled.replaceAll(`$$${name}$$`, () => value), text);
}

/**
 * Returns the texts that replace the macros of PoS, in the order of replacement.
 *
 * @param compareKeys the order in which validators are listed
 * @spec 41 §5.2, 61 §11
 */
export function posMacros(parameters: GenesisParameters, compareKeys: CompareKeys): [string, string][] {
  const keys = parameters.posMultiSigPublicKeys.map((key) => `${" ".repeat(14)}"${key}".hexToBytes()`);
  return [
    ["minimumBond", `${parameters.minimumBond}`],
    ["maximumBond", `${parameters.maximumBond}`],
    ["initialBonds", initialBonds(parameters.bonds, compareKeys)],
    ["epochLength", `${parameters.epochLength}`],
    ["quarantineLength", `${parameters.quarantineLength}`],
    ["numberOfActiveValidators", `${parameters.numberOfActiveValidators}`],
    ["posMultiSigPublicKeys", `[\n${keys.join(",\n")}\n${" ".repeat(12)}]`],
    ["posMultiSigQuorum", `${parameters.posMultiSigQuorum}`],
  ];
}

type CompareKeys = (one: Uint8Array, other: Uint8Array) => number;

function initialBonds(bonds: readonly Bond[], compareKeys: CompareKeys): string {
  const sorted = [...bonds].sort((one, other) => compareKeys(one.validator, other.validator));
  const entries = sorted.map(({ validator, stake }) => ` "${toHex(validator)}".hexToBytes() : ${stake}`);
  return `{${entries.join(", ")}}`;
}

/**
 * Bonds in the order in which genesis lists them.
 *
 * Quirk 41 §5.2: keys are compared as signed bytes, 0x80 to 0xff before 0x00 to 0x7f.
 *
 * @spec 41 §5.2, §5.3
 */
export function sortBonds(bonds: readonly Bond[]): Bond[] {
  return [...bonds].sort((one, other) => compareSignedBytes(one.validator, other.validator));
}
