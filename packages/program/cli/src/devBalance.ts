import { type NativeToken, nativeTokenOf } from "@vedette/client";
import { type DialectName, keyOf } from "@vedette/config";
import { unitsOf } from "./client/amount.js";
import type { GivenAmount } from "./client/givenAmount.js";
import { networkDialects } from "./client/networkDialects.js";

/** The inputs that decide which token a chain for development has. */
interface DevTokenChoice {
  readonly dialect: DialectName;
  /** Another network with the state from which it begins. */
  readonly fork?: string | undefined;
}

/**
 * Returns the initial balance of each account on a chain for development, in the smallest unit. @throws {CommandError}
 * `badArgument`
 */
export function devBalance(given: GivenAmount, choice: DevTokenChoice): bigint {
  return unitsOf(given, "--balance", devToken(choice));
}

/** The token of another f1r3node network is not known before its node has answered. */
function devToken({ dialect, fork }: DevTokenChoice): NativeToken | undefined {
  const { token } = networkDialects[dialect];
  if (token !== undefined || fork !== undefined) return token;
  return nativeTokenOf({
    nativeTokenSymbol: String(keyOf("casper.genesis-block-data.native-token-symbol").default),
    nativeTokenDecimals: Number(keyOf("casper.genesis-block-data.native-token-decimals").default),
  });
}
