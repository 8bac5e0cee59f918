import { asiToken, type NativeToken, nativeTokenOf, type TokenFacts } from "@vedette/client";
import { plainText } from "../text/hiddenCharacters.js";
import { useStatus } from "./useStatus.js";

/** What amounts of the network are shown in, as far as its node has told. */
export function useToken(): NativeToken {
  return shownToken(useStatus().data);
}

/** A network of rnode has no symbol that its node tells: its amounts are called coins. @spec 50 §10 */
export function shownToken(status: TokenFacts = {}): NativeToken {
  const token = nativeTokenOf(status);
  if (token === undefined || token === asiToken) return { ...asiToken, symbol: "coins" };
  return { ...token, symbol: plainText(token.symbol) };
}
