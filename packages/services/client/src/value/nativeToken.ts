/** The token of a network: what its amounts are called, and how many of the smallest unit make one. */
export interface NativeToken {
  readonly symbol: string;
  /** One token is 10 to the power of it, in the smallest unit. */
  readonly decimals: number;
}

/** The token facts in a node's status; rnode nodes have none. @spec 50 §10 */
export interface TokenFacts {
  readonly nativeTokenSymbol?: string | undefined;
  readonly nativeTokenDecimals?: number | undefined;
}

/** The token of rnode networks, which have no other. @spec 41 §10.2 */
export const asiToken: NativeToken = { symbol: "ASI", decimals: 8 };

/** More has no network: genesis refuses it. @spec 61 §18.1 */
const maxDecimals = 18;
const maxWholeDigits = 19;

/**
 * Returns the token of a node's network.
 *
 * @returns `undefined` if the node's facts are not a valid token
 * @spec 41 §10.2, 50 §10
 */
export function nativeTokenOf({
  nativeTokenSymbol: symbol = "",
  nativeTokenDecimals: decimals = 0,
}: TokenFacts): NativeToken | undefined {
  if (symbol === "") return asiToken;
  return Number.isInteger(decimals) && decimals >= 0 && decimals <= maxDecimals ? { symbol, decimals } : undefined;
}

/** An amount of the smallest unit as a decimal number of tokens: `1.5`. No digit is lost. */
export function printTokens(amount: bigint, decimals: number): string {
  const unit = 10n ** BigInt(decimals);
  const size = amount < 0n ? -amount : amount;
  const rest = (size % unit).toString().padStart(decimals, "0").replace(/0+$/, "");
  return `${amount < 0n ? "-" : ""}${size / unit}${rest === "" ? "" : `.${rest}`}`;
}

/** Reads a number of tokens: `1.5`. @returns the smallest unit; `undefined` where it is none, or finer than that */
export function parseTokens(text: string, decimals: number): bigint | undefined {
  const [, whole, rest = ""] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined || whole.length > maxWholeDigits || rest.length > decimals) return undefined;
  return BigInt(whole) * 10n ** BigInt(decimals) + BigInt(rest.padEnd(decimals, "0") || "0");
}
