import { addressOfKey, deployKeyOf, toHex } from "@vedette/client";
import { expect, test } from "vitest";
import { accountOf } from "./accountOf.js";

test("an account is found by its address, its key, and its address on Ethereum", () => {
  const key = deployKeyOf("02".repeat(32));
  const address = addressOfKey(key);
  expect(accountOf(address)).toEqual({ address, publicKey: undefined });
  expect(accountOf(toHex(key.publicKey))).toEqual({ address, publicKey: toHex(key.publicKey) });
  expect(accountOf(`0x${"ab".repeat(20)}`)?.address).toMatch(/^1111/);
  expect(accountOf("ab".repeat(20))).toEqual(accountOf(`0x${"ab".repeat(20)}`));
});

test("other texts name no account", () => {
  for (const text of [
    "",
    "1111",
    "0x",
    "<b>",
    "zz".repeat(20),
    "11112FJGZC3y931p4dMn7xfJbxC7JHmq6vQMGRPVej9HEuBTvBLkHe",
  ])
    expect(accountOf(text)).toBeUndefined();
});
