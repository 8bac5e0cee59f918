import { describe, expect, test } from "vitest";
import { testAddress } from "../contractTest/genesisState.js";
import {
  ask,
  bonded,
  bondsOf,
  expectVaultsAmong,
  grounds,
  posBalance,
  unbondTerm,
  walletBalance,
} from "../testing/posGrounds.js";

describe.each(grounds)("$name", ({ chain }) => {
  test("more than 100 do not leave at a time; the others are kept for their whole quarantine", () => {
    const names = Array.from({ length: 103 }, (_, index) => `validator ${index}`);
    const wallets = names.map((name) => ({ address: testAddress(name), balance: walletBalance }));
    const on = chain({ bonds: names.map((name) => bondsOf({ [name]: 10n })[0]!), wallets });
    on.add({ deploys: names.map((deployer) => ({ deployer, term: unbondTerm })) });
    on.addUntil(4);
    const late = Object.keys(bonded(on));
    expect(late).toHaveLength(3);
    expect(new Set(Object.values(ask(on, "getWithdrawers")))).toEqual(new Set(["(10, 8)"]));
    expect(Object.values(ask(on, "getPendingWithdrawer"))).toEqual([8n, 8n, 8n]);
    on.addUntil(8);
    expect(bonded(on)).toEqual({});
    expect(ask(on, "getWithdrawers")).toEqual(Object.fromEntries(late.map((name) => [name, "(10, 12)"])));
    on.addUntil(12);
    expect(ask(on, "getWithdrawers")).toEqual({});
    expect(posBalance(on)).toBeLessThan(103n);
  });

  test("vaults are found among many", () => expectVaultsAmong(chain, 600));
});
