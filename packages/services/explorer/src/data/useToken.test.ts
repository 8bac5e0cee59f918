import { expect, test } from "vitest";
import { shownToken } from "./useToken.js";

test("amounts are shown in the network's token, and in coins where its node names none", () => {
  const coins = { symbol: "coins", decimals: 8 };
  expect(shownToken(undefined)).toEqual(coins);
  expect(shownToken({})).toEqual(coins);
  const fire = { symbol: "F1R3", decimals: 3 };
  expect(shownToken({ nativeTokenSymbol: "F1R3", nativeTokenDecimals: 3 })).toEqual(fire);
});
