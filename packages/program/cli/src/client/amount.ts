import { type NativeToken, parseTokens, printTokens } from "@vedette/client";
import { CommandError } from "./CommandError.js";
import type { GivenAmount } from "./givenAmount.js";

const largestAmount = 2n ** 63n - 1n;

/**
 * An amount in the smallest unit.
 *
 * @param option that gave it
 * @param token  of the network; `undefined` where it is not known
 * @throws {CommandError} `badArgument`
 */
export function unitsOf(given: GivenAmount, option: `--${string}`, token: NativeToken | undefined): bigint {
  const units = given.units === undefined ? unitsOfTokens(given, token) : given.units;
  if (units !== undefined && units >= 1n && units <= largestAmount) return units;
  const others =
    token === undefined
      ? ", as the network's token is not known"
      : `, or in ${token.symbol}, the network's token, with ${token.decimals} digits behind the point at most`;
  throw new CommandError({
    code: "badArgument",
    name: option,
    expected: `a whole number from 1 to ${largestAmount} in the smallest unit${others}`,
  });
}

function unitsOfTokens(
  { tokens, symbol }: { readonly tokens: string; readonly symbol: string },
  token: NativeToken | undefined,
): bigint | undefined {
  if (token === undefined || symbol.toUpperCase() !== token.symbol.toUpperCase()) return undefined;
  return parseTokens(tokens, token.decimals);
}

/** Prints an amount in the smallest unit and in the token, where that is known: `150000000 (1.5 ASI)`. */
export function printAmount(amount: bigint, token: NativeToken | undefined): string {
  return token === undefined ? `${amount}` : `${amount} (${printTokens(amount, token.decimals)} ${token.symbol})`;
}
