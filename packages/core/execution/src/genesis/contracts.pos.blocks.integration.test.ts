import { toHex } from "@vedette/crypto";
import { usualCases } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { testAddress } from "../contractTest/genesisState.js";
import {
  active,
  addPrinting,
  ask,
  balance,
  bonded,
  bondsOf,
  bondTerm,
  expectVaultsAmong,
  failing,
  grounds,
  invalidBlockOf,
  nameOf,
  people,
  personBalance,
  posBalance,
  queryTerm,
  soleExpr,
  stakes,
  unbondTerm,
  vaultAddress,
  walletBalance,
} from "../testing/posGrounds.js";

describe.each(grounds)("$name", ({ chain, bondOfNothing, slashEvents }) => {
  describe("epochs", () => {
    test("queries of the node answer on genesis", () => {
      const on = chain();
      expect(bonded(on)).toEqual(stakes);
      expect(active(on)).toEqual(["v1", "v2", "v3"]);
      for (const method of ["getQuarantineLength", "getEpochLength"])
        expect(soleExpr(on.ask(queryTerm(method)))).toMatchObject({ kind: "GInt", value: 4n });
      expect(ask(on, "getCurrentEpochRewards")).toEqual({ v1: 0n, v2: 0n, v3: 0n });
      expect(posBalance(on)).toBe(6000n);
    });

    test("a number of active validators without a limit", () => {
      const on = chain({ numberOfActiveValidators: Number.MAX_SAFE_INTEGER });
      expect(active(on)).toEqual(["v1", "v2", "v3"]);
      on.addUntil(4);
      expect(active(on)).toEqual(["v1", "v2", "v3"]);
    });

    test("bonding, rewards, leaving, quarantine and payout", () => {
      const on = chain();
      const total = () => people.reduce((sum, name) => sum + personBalance(on, name), posBalance(on));
      const money = total();

      expect(addPrinting(on, { deploys: [{ deployer: "u1", term: bondTerm(6000n) }] })).toBe("(true, Nil)");
      expect(bonded(on)).toEqual({ ...stakes, u1: 6000n });
      expect(active(on)).toEqual(["v1", "v2", "v3"]);
      const fees = posBalance(on) - 12_000n;
      expect(fees).toBeGreaterThan(0n);
      expect(ask(on, "getCurrentEpochRewards")).toEqual({ ...shares(fees, stakes), u1: 0n });

      on.addUntil(4);
      expect(active(on)).toEqual(["u1", "v1", "v2", "v3"]);
      const first = { ...shares(fees, stakes), u1: 0n };
      expect(ask(on, "getRewards")).toEqual(first);
      expect(ask(on, "getCurrentEpochRewards")).toEqual(shares(remainder(fees, first), { ...stakes, u1: 6000n }));

      expect(addPrinting(on, { deploys: [{ deployer: "v2", term: unbondTerm }] })).toBe("(true, Nil)");
      expect(ask(on, "getPendingWithdrawer")).toEqual({ v2: 12n });
      expect(bonded(on)).toHaveProperty("v2", 2000n);

      on.addUntil(7);
      const free = posBalance(on) - 12_000n - sum(first);
      on.addUntil(8);
      const second = shares(free, { ...stakes, u1: 6000n });
      const rewards = { v1: add(first, second, "v1"), v2: add(first, second, "v2") };
      expect(ask(on, "getRewards")).toMatchObject(rewards);
      expect(bonded(on)).toEqual({ v1: 1000n, v3: 3000n, u1: 6000n });
      expect(active(on)).toEqual(["u1", "v1", "v3"]);
      expect(ask(on, "getWithdrawers")).toEqual({ v2: "(2000, 12)" });
      expect(ask(on, "getPendingWithdrawer")).toEqual({});

      on.addUntil(11);
      const before = personBalance(on, "v2");
      on.addUntil(12);
      expect(personBalance(on, "v2") - before).toBe(2000n + rewards.v2);
      expect(ask(on, "getWithdrawers")).toEqual({});
      expect(ask(on, "getRewards")).not.toHaveProperty("v2");
      expect(total()).toBe(money);
    });

    test("a validator that bonds again during the quarantine gets both stakes", () => {
      const on = chain({ quarantineLength: 6 });
      on.add({ deploys: [{ deployer: "v2", term: unbondTerm }] });
      on.addUntil(4);
      expect(addPrinting(on, { deploys: [{ deployer: "v2", term: bondTerm(50n) }] })).toBe("(true, Nil)");
      expect(addPrinting(on, { deploys: [{ deployer: "v2", term: unbondTerm }] })).toBe("(true, Nil)");
      on.addUntil(8);
      expect(ask(on, "getWithdrawers")).toEqual({ v2: "(2050, 14)" });
      on.addUntil(15);
      const before = personBalance(on, "v2");
      on.addUntil(16);
      expect(personBalance(on, "v2") - before).toBeGreaterThanOrEqual(2050n);
      expect(ask(on, "getWithdrawers")).toEqual({});
    });

    test("the first keys are active where there are more", () => {
      const on = chain({ numberOfActiveValidators: 2 });
      const first = on.bonds().map(({ validator }) => nameOf(validator));
      expect(active(on)).toEqual(first.slice(0, 2).sort());
      on.add({ deploys: [{ deployer: first[0]!, term: unbondTerm }] });
      on.addUntil(4);
      expect(active(on)).toEqual(first.slice(1, 3).sort());
      const left = on.bonds().filter(({ validator }) => active(on).includes(nameOf(validator)));
      const free = posBalance(on) - 6000n - sum(ask(on, "getRewards"));
      const byName = Object.fromEntries(left.map(({ validator, stake }) => [nameOf(validator), stake]));
      expect(ask(on, "getCurrentEpochRewards")).toMatchObject(shares(free, byName));
    });

    const largeNumbers = [
      ["large stakes", { v1: 4_000_000_000_000_000_000n, v2: 1_000_000_000_000_000_003n, v3: 7n }, 30_000_000_000_000n],
      ["large stakes and fees", { v1: 2n ** 61n, v2: 2n ** 61n + 5n, v3: 1n }, 2n ** 60n],
      ["large fees", { v1: 100n, v2: 2_000_000n, v3: 1_000_000_000n }, 2n ** 61n],
      ["the stakes of the development network", { v1: 10n ** 13n, v2: 10n ** 13n, v3: 10n ** 13n }, 10n ** 9n],
    ] as const;
    test.each(usualCases(largeNumbers, 2))("rewards do not wrap around with %s", (_, large, fee) => {
      const wallets = [{ address: testAddress("u1"), balance: 2n ** 61n + 10n }];
      const on = chain({ bonds: bondsOf(large), wallets });
      on.add({ deploys: [{ deployer: "u1", term: failing, phloLimit: fee }] });
      const fees = posBalance(on) - sum(large);
      expect(fees).toBe(fee);
      const rewards = ask(on, "getCurrentEpochRewards");
      const exact = shares(fees, large);
      // Two parts of all in 2^30, and one unit of rounding, where units have to be brought below 2^30.
      const greatestError = sum(large) < 2n ** 30n ? 0n : fees / 2n ** 29n + 1n;
      for (const name of ["v1", "v2", "v3"]) {
        const error = exact[name]! - (rewards[name] as bigint);
        expect(error, name).toBeGreaterThanOrEqual(0n);
        expect(error, name).toBeLessThanOrEqual(greatestError);
      }
      on.addUntil(4);
      const later = ask(on, "getCurrentEpochRewards");
      const both = Object.entries(rewards).map(([name, amount]) => [name, BigInt(amount) + BigInt(later[name]!)]);
      expect(ask(on, "getRewards")).toEqual(Object.fromEntries(both));
    });

    test("stakes below one unit and a minimum of 0 do not stop the chain", () => {
      const small = chain({ minimumBond: 5000n, bonds: bondsOf({ v1: 1000n }) });
      small.add({ deploys: [{ deployer: "u1", term: "Nil" }] });
      small.addUntil(4);
      expect(ask(small, "getRewards")).toEqual({ v1: 0n });
      const free = chain({ minimumBond: 0n });
      expect(addPrinting(free, { deploys: [{ deployer: "u1", term: bondTerm(0n) }] })).toBe(
        `(false, "${bondOfNothing}")`,
      );
      free.addUntil(4);
      expect(sum(ask(free, "getRewards"))).toBeGreaterThan(0n);
    });
  });

  describe("slashing", () => {
    test("takes the stake of the block's sender; the validator comes back with nothing", () => {
      const on = chain();
      on.add({ slashes: [invalidBlockOf("v3")] });
      expect(bonded(on)).toEqual({ v1: 1000n, v2: 2000n, v3: 0n });
      expect(active(on)).toEqual(["v1", "v2"]);
      expect(balance(on, vaultAddress(on, "getCoopVault"))).toBe(3000n);
      expect(posBalance(on)).toBe(3000n);
      on.add({ deploys: [{ deployer: "u1", term: "Nil" }] });
      const fees = posBalance(on) - 3000n;
      expect(ask(on, "getCurrentEpochRewards")).toEqual({ ...shares(fees, { v1: 1000n, v2: 2000n }), v3: 0n });
      on.addUntil(4);
      // Quirk 41 §6.9.4: chosen by key, not by stake.
      expect(active(on)).toEqual(["v1", "v2", "v3"]);
    });

    test("of one validator twice takes nothing more", () => {
      const on = chain();
      on.add({ slashes: [invalidBlockOf("v3"), { ...invalidBlockOf("v3"), blockHash: new Uint8Array(32) }] });
      expect(balance(on, vaultAddress(on, "getCoopVault"))).toBe(3000n);
      expect(bonded(on)).toHaveProperty("v3", 0n);
    });

    test("of all validators does not stop the epochs", () => {
      const on = chain();
      on.add({
        deploys: [{ deployer: "u1", term: "Nil" }],
        slashes: [invalidBlockOf("v1"), invalidBlockOf("v2"), invalidBlockOf("v3")],
      });
      on.addUntil(8);
      expect(bonded(on)).toEqual({ v1: 0n, v2: 0n, v3: 0n });
      expect(ask(on, "getRewards")).toEqual({ v1: 0n, v2: 0n, v3: 0n });
    });

    test("gives the rewards of the past to the others", () => {
      const on = chain();
      on.add({ deploys: [{ deployer: "u1", term: "Nil" }] });
      on.addUntil(4);
      const rewards = ask(on, "getRewards");
      on.add({ slashes: [invalidBlockOf("v3")] });
      expect(ask(on, "getRewards")).toHaveProperty("v3", 0n);
      const free = posBalance(on) - 3000n - (rewards["v1"] as bigint) - (rewards["v2"] as bigint);
      expect(ask(on, "getCurrentEpochRewards")).toMatchObject(shares(free, { v1: 1000n, v2: 2000n }));
    });

    test("of a leaving validator: the quarantine ends with nothing to pay", () => {
      const on = chain();
      on.add({ deploys: [{ deployer: "v3", term: unbondTerm }] });
      on.add({ slashes: [invalidBlockOf("v3")] });
      on.addUntil(4);
      expect(ask(on, "getWithdrawers")).toEqual({ v3: "(0, 8)" });
      const before = personBalance(on, "v3");
      on.addUntil(8);
      expect(ask(on, "getWithdrawers")).toEqual({});
      expect(personBalance(on, "v3")).toBe(before);
    });
  });

  describe("payment of deploys", () => {
    test("takes what was used, also of a deploy that fails", () => {
      const on = chain();
      const { played } = on.add({
        deploys: [
          { deployer: "u1", term: "@0!(1)", phloLimit: 5000n, phloPrice: 3n },
          { deployer: "u2", term: failing, phloLimit: 5000n, phloPrice: 2n },
        ],
      });
      const [first, second] = played.deploys;
      expect(second).toMatchObject({ failed: true, cost: 5000n });
      expect(personBalance(on, "u1")).toBe(walletBalance - 3n * first!.cost);
      expect(personBalance(on, "u2")).toBe(walletBalance - 10_000n);
      expect(posBalance(on)).toBe(6000n + 3n * first!.cost + 10_000n);
    });

    test.each([
      ["nothing is offered", { deployer: "u1", term: "Nil", phloPrice: 0n }, "Amount must be positive value"],
      [
        "the offer is too large for a number",
        { deployer: "u1", term: "Nil", phloPrice: 2n ** 62n },
        "Amount must be positive value",
      ],
      ["the vault holds less", { deployer: "u1", term: "Nil", phloLimit: walletBalance + 1n }, "Insufficient funds"],
      ["there is no vault", { deployer: "poor", term: "Nil" }, "Insufficient funds"],
    ])("is refused if %s, and the next deploy is not concerned", (_, deploy, reason) => {
      const on = chain();
      const { played } = on.add({
        deploys: [
          { phloLimit: 3n, ...deploy },
          { deployer: "u2", term: "@0!(1)" },
        ],
      });
      const [first, second] = played.deploys;
      expect(first).toMatchObject({ failed: false, cost: 0n, systemDeployError: `Deploy payment failed: ${reason}` });
      expect(second).toMatchObject({ failed: false, systemDeployError: "" });
      expect(personBalance(on, "u1")).toBe(walletBalance);
    });

    test("is cheap: a bound for the events that replay has to follow", () => {
      const on = chain();
      const { played } = on.add({ deploys: [{ deployer: "u1", term: "Nil" }], slashes: [invalidBlockOf("v3")] });
      expect(played.deploys[0]!.log.length).toBeLessThanOrEqual(57);
      expect(played.systemDeploys.map(({ log }) => log.length <= slashEvents)).toEqual([true, true]);
      expect(played.systemDeploys[1]!.log.length).toBeLessThanOrEqual(18);
      on.addUntil(3);
      expect(on.add().played.systemDeploys[0]!.log.length).toBeLessThanOrEqual(44);
    });

    test("leaves no trace of a deployer without a vault", () => {
      const on = chain();
      const without = on.make(on.genesis, {}).played.postState;
      const refused = on.make(on.genesis, { deploys: [{ deployer: "poor", term: "@0!(1)" }] }).played;
      expect(refused.deploys[0]).toHaveProperty("systemDeployError", "Deploy payment failed: Insufficient funds");
      expect(toHex(refused.postState)).toBe(toHex(without));
    });

    test("finds vaults among many", () => expectVaultsAmong(chain, 40));

    test("does not meet a user's log", () => {
      const on = chain();
      const setLog = `new lookup(\`rho:registry:lookup\`), id(\`rho:rchain:deployerId\`), vaultsCh, foundCh, keyCh, log, r in {
      lookup!(\`rho:rchain:asiVault\`, *vaultsCh) |
      contract log(@entry) = { @0!(1 + "a") } |
      for (@(_, vaults) <- vaultsCh) {
        @vaults!("findOrCreate", "${testAddress("v2")}", *foundCh) | @vaults!("deployerAuthKey", *id, *keyCh) |
        for (@(true, vault) <- foundCh & key <- keyCh) { @vault!("setLog", *log, *key, *r) }
      }
    }`;
      expect(on.add({ deploys: [{ deployer: "v2", term: setLog }] }).played.deploys[0]).toMatchObject({
        failed: false,
      });
      const pay = `new lookup(\`rho:registry:lookup\`), id(\`rho:rchain:deployerId\`), vaultsCh, foundCh, keyCh, r in {
      lookup!(\`rho:rchain:asiVault\`, *vaultsCh) |
      for (@(_, vaults) <- vaultsCh) {
        @vaults!("findOrCreate", "${testAddress("v2")}", *foundCh) | @vaults!("deployerAuthKey", *id, *keyCh) |
        for (@(true, vault) <- foundCh & key <- keyCh) { @vault!("transfer", "${testAddress("u1")}", 1, *key, *r) }
      }
    }`;
      expect(on.add({ deploys: [{ deployer: "v2", term: pay }] }).played.deploys[0]).toMatchObject({ failed: true });
      expect(addPrinting(on, { deploys: [{ deployer: "v2", term: unbondTerm }] })).toBe("(true, Nil)");
      on.addUntil(7);
      const before = personBalance(on, "v2");
      on.addUntil(8);
      expect(personBalance(on, "v2")).toBeGreaterThan(before);
    });

    test("does not hang on a vault if another deploy receives its calls", () => {
      const on = chain();
      const steal = `new lookup(\`rho:registry:lookup\`), vaultsCh, foundCh in {
      lookup!(\`rho:rchain:asiVault\`, *vaultsCh) |
      for (@(_, vaults) <- vaultsCh) {
        @vaults!("findOrCreate", "${testAddress("u2")}", *foundCh) |
        for (@(true, vault) <- foundCh) { for (...@call <= @vault) { @"stolen"!(call) } }
      }
    }`;
      on.add({ deploys: [{ deployer: "u1", term: steal }] });
      expect(addPrinting(on, { deploys: [{ deployer: "u2", term: bondTerm(5n) }] })).toBe("(true, Nil)");
      expect(on.ask('new return in { for (@call <- @"stolen") { return!(call) } }')).toEqual([]);
    });
  });

  test("a contract that a deploy registers is found in later blocks", () => {
    const on = chain();
    const register = `new insertArbitrary(\`rho:registry:insertArbitrary\`), stdout(\`rho:io:stdout\`), double, uriCh in {
    contract double(@n, ret) = { ret!(n * 2) } |
    insertArbitrary!(bundle+{*double}, *uriCh) |
    for (@uri <- uriCh) { stdout!(("Registered", uri)) }
  }`;
    const uri = /`(rho:id:[a-z0-9]+)`/.exec(addPrinting(on, { deploys: [{ deployer: "u1", term: register }] }))?.[1];
    on.add();
    const call = `new return, rl(\`rho:registry:lookup\`), ch in {
    rl!(\`${uri}\`, *ch) | for (@double <- ch) { @double!(21, *return) }
  }`;
    expect(soleExpr(on.ask(call))).toMatchObject({ kind: "GInt", value: 42n });
  });
});

/** Each validator's part of the fees, by the formula of 41 §6.9.4 with a unit of 1. */
function shares(fees: bigint, byName: Readonly<Record<string, bigint>>): Record<string, bigint> {
  const all = sum(byName);
  return Object.fromEntries(Object.entries(byName).map(([name, stake]) => [name, (fees * stake) / all]));
}

function sum(byName: Readonly<Record<string, bigint | string>>): bigint {
  return Object.values(byName).reduce<bigint>((total, value) => total + BigInt(value), 0n);
}

function remainder(fees: bigint, given: Readonly<Record<string, bigint>>): bigint {
  return fees - sum(given);
}

function add(one: Readonly<Record<string, bigint>>, other: Readonly<Record<string, bigint>>, name: string): bigint {
  return one[name]! + other[name]!;
}
