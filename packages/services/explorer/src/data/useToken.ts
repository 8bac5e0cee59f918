import { asiToken, type NativeToken, nativeTokenOf, type TokenFacts } from "@vedette/client";
import { plainText } from "../text/hiddenCharacters.js";
import { useStatus } from "./useStatus.js";

/** The token that amounts are shown in, once the node has reported it. */
export function useToken(): NativeToken {
  return shownToken(useStatus().data);
}

/** Returns a network's token. Nodes of rnode report no symbol: their amounts are called coins. @spec 50 §10 */
export function shownToken(status: TokenFacts = {}): NativeToken {
  const token = nativeTokenOf(status);
  if (token === undefined || token === asiToken) return { ...asiToken, symbol: "coins" };
  return { ...token, symbol: plainText(token.symbol) };
}
