import { blake2b256, toHex } from "@vedette/crypto";
import { expect, test } from "vitest";
import { accountCount, devAccountsOf } from "./devAccounts.js";

test("the accounts of a seed are the same everywhere, and no two are equal", () => {
  const { users, faucet, validator, miner } = devAccountsOf("vedette dev");
  expect(users).toHaveLength(accountCount);
  expect(toHex(users[0]!.privateKey)).toBe(toHex(blake2b256(new TextEncoder().encode("vedette dev/0"))));
  expect(users.slice(0, 2).map(({ address }) => address)).toEqual([
    "1111ykYjogPNjrAN7W3AU7RHj49r8GnBBHC82TBbRZTcPCwuL3ZH1",
    "11112u59DD3CFBEpXceAt2tLACAABZ5AVo3tbfnt6A2uezgyXfDpFH",
  ]);
  expect(new Set([...users, faucet, validator, miner].map(({ address }) => address)).size).toBe(accountCount + 3);
  expect(devAccountsOf("another").users[0]!.address).not.toBe(users[0]!.address);
});
