import { info, type Log } from "@vedette/config/log";
import { fromHexPadded, toHex } from "@vedette/crypto";
import { type Bond, hashKey } from "@vedette/protocol";
import { GenesisSetupError } from "./GenesisSetupError.js";
import { type FileLine, parseAmount, readGenesisFile, shownLine } from "./readGenesisFile.js";

/** A validator of the bonds file, and the line that names it. */
export interface FileBond extends Bond {
  readonly line: number;
}

const form = "<public_key> <stake>";
// Quirk 40 §10.4: whatever follows the digits is not looked at.
const bondPattern = /^([0-9a-fA-F]+) ([0-9]+)/;

/**
 * The first validators, from the bonds file; a later line of the same key replaces an earlier one.
 *
 * @returns `undefined` where there is no file
 * @throws {GenesisSetupError} `badLine`, `unreadable`
 * @spec 40 §10.4
 */
export function readBondsFile(path: string, log: Log): readonly FileBond[] | undefined {
  const lines = readGenesisFile(path);
  if (lines === undefined) return undefined;
  log(info(`Parsing bonds file ${path}.`));
  const bonds = new Map<string, FileBond>();
  for (const line of lines) {
    const bond = parseBond(line, path);
    log(info(`Bond loaded ${toHex(bond.validator)} => ${bond.stake}`));
    bonds.set(hashKey(bond.validator), bond);
  }
  return [...bonds.values()];
}

function parseBond(line: FileLine, path: string): FileBond {
  const refuse = (problem: string) =>
    new GenesisSetupError({ code: "badLine", file: "BONDS", path, line: line.number, problem });
  const [, key, digits] = bondPattern.exec(line.text) ?? [];
  if (key === undefined || digits === undefined) {
    // Quirk 40 §10.4: two back-quotes at the end.
    throw refuse(`INVALID LINE FORMAT: \`${form}\`, actual: \`${shownLine(line)}\`\``);
  }
  const validator = fromHexPadded(key);
  if (validator === undefined) throw refuse(`INVALID PUBLIC KEY: \`${key}\``);
  const stake = parseAmount(digits);
  if (stake === undefined) throw refuse(`INVALID STAKE \`${digits.slice(0, 100)}\`. Please put positive number.`);
  return { validator, stake, line: line.number };
}
