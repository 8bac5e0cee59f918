import { GenesisError } from "./GenesisError.js";
import { checkGenesisParameters, type GenesisParameters } from "./GenesisParameters.js";

/** The name of a network's token, and its number of decimal places. @spec 61 §11 */
export interface GenesisToken {
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
}

/** The parameters of the genesis contracts on f1r3node networks. @spec 61 §11 */
export interface F1r3nodeGenesisParameters extends GenesisParameters {
  readonly nativeToken: GenesisToken;
  /** How safe a block has to be to be final, in parts of a million. @spec 61 §13 */
  readonly faultToleranceThresholdPpm: number;
}

const maxDecimals = 18;
const million = 1_000_000;

/** A threshold from -1 to 1 as the chain has it. @spec 61 §11 */
export function thresholdPpm(threshold: number): number {
  return Math.round(threshold * million);
}

/**
 * Refuses parameters of which no working network comes, or which would be program text within a contract.
 *
 * @throws {GenesisError}
 * @spec 61 §11
 */
export function checkF1r3nodeParameters(parameters: F1r3nodeGenesisParameters): void {
  checkGenesisParameters(parameters);
  const { nativeToken, faultToleranceThresholdPpm: ppm } = parameters;
  for (const name of ["name", "symbol"] as const) {
    const text = nativeToken[name];
    // A string of the newer grammar is taken verbatim: it has no way to write its own quotation mark.
    if (text === "" || /["\\\p{Cc}]|\$\$/u.test(text)) throw new GenesisError({ code: "tokenText", name, text });
  }
  checkRange("the number of the token's decimals", nativeToken.decimals, 0, maxDecimals);
  checkRange("the fault tolerance threshold in parts of a million", ppm, -million, million);
}

function checkRange(name: string, value: number, least: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  throw new GenesisError({ code: "outOfRange", name, value, least, most });
}
