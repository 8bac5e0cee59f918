import { compareBytes } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import { GPrivate, Par } from "@vedette/terms";
import { PlaySpace } from "@vedette/tuplespace";
import { describe, expect, test } from "vitest";
import { testAddress } from "../contractTest/genesisState.js";
import { f1r3nodeExecution } from "../form/f1r3nodeExecution.js";
import { rnodeExecution } from "../form/rnodeExecution.js";
import { StateMerger } from "../merge/StateMerger.js";
import { bonds } from "../query/proofOfStake.js";
import { deployRandom } from "../systemDeploy/seeds.js";
import type { F1r3nodeTestChain } from "../testing/F1r3nodeTestChain.js";
import {
  ask,
  balance,
  bonded,
  bondsOf,
  bondTerm,
  f1r3nodeChain,
  invalidBlockOf,
  personBalance,
  posBalance,
  rnodeChain,
  stakes,
  unbondTerm,
  vaultAddress,
} from "../testing/posGrounds.js";
import { walletTransferTerm } from "../testing/walletTerms.js";
import { contractSigner } from "./systemKeys.js";

describe("on rnode networks alone", () => {
  test("a slash of a validator that has left is refused, so that no block is made", () => {
    const on = rnodeChain();
    on.add({ deploys: [{ deployer: "v3", term: unbondTerm }] });
    on.addUntil(4);
    expect(() => on.add({ slashes: [invalidBlockOf("v3")] })).toThrow("Validator is not bonded");
  });

  test("payments of parallel blocks can be merged", () => {
    const on = rnodeChain();
    const parent = on.add().block;
    const blocks: Block[] = ["u1", "u2", "u3"].map(
      (deployer, index) =>
        on.make(parent, { sender: `v${index + 1}`, deploys: [{ deployer, term: `@"${deployer}"!(1)` }] }).block,
    );
    const merged = new StateMerger(on.states, on.store).merge(parent.body.state.postStateHash, blocks);
    expect(merged.rejectedDeploys).toEqual([]);
    expect(bonds(on.states, merged.stateHash, { form: rnodeExecution })).toHaveLength(3);
  });

  test("of parallel blocks that both bond one of the deploys is rejected, and its stake is not taken", () => {
    const on = rnodeChain();
    const parent = on.add().block;
    const blocks = ["u1", "u2"].map(
      (deployer, index) =>
        on.make(parent, { sender: `v${index + 1}`, deploys: [{ deployer, term: bondTerm(50n) }] }).block,
    );
    const merged = new StateMerger(on.states, on.store).merge(parent.body.state.postStateHash, blocks);
    expect(merged.rejectedDeploys).toHaveLength(1);
    const stakesOfAll = bonds(on.states, merged.stateHash, { form: rnodeExecution }).map(({ stake }) => stake);
    expect(stakesOfAll.toSorted((one, other) => Number(one - other))).toEqual([50n, 1000n, 2000n, 3000n]);
  });
});

describe("on f1r3node networks alone", () => {
  test("a slash of a validator that has left takes nothing, and blocks go on", () => {
    const on = f1r3nodeChain();
    on.add({ deploys: [{ deployer: "v3", term: unbondTerm }] });
    on.addUntil(4);
    on.add({ slashes: [invalidBlockOf("v3")] });
    expect(bonded(on)).toEqual({ v1: 1000n, v2: 2000n });
    expect(balance(on, vaultAddress(on, "getCoopVault"))).toBe(0n);
    expect(ask(on, "getWithdrawers")).toEqual({ v3: "(3000, 8)" });
  });

  test("a slash for an unknown block is refused, so that no block is made", () => {
    const on = f1r3nodeChain();
    const slashes = [invalidBlockOf("v3")];
    expect(() => on.add({ slashes, invalidBlocks: [] })).toThrow("invalid slash evidence");
    expect(bonded(on)).toEqual(stakes);
  });

  test("a validator that cannot be paid out stays, and is paid when an epoch ends later", () => {
    const full = 2n ** 63n - 1_000n;
    const wallets = ["u1", "v2"].map((name) => ({
      address: testAddress(name),
      balance: name === "v2" ? full : 10n ** 9n,
    }));
    const on = f1r3nodeChain({ wallets, bonds: bondsOf({ v1: 1000n, v2: 2_000_000n }) });
    on.add({ deploys: [{ deployer: "v2", term: unbondTerm, phloLimit: 100_000n }] });
    on.addUntil(8);
    expect(personBalance(on, "v2")).toBeGreaterThan(full - 100_000n);
    expect(ask(on, "getWithdrawers")).toEqual({ v2: "(2000000, 8)" });
    const pay = walletTransferTerm(testAddress("v2"), testAddress("u1"), 10n ** 9n);
    on.add({ deploys: [{ deployer: "v2", term: pay, phloLimit: 100_000n }] });
    on.addUntil(11);
    const before = personBalance(on, "v2");
    on.addUntil(12);
    expect(personBalance(on, "v2") - before).toBeGreaterThanOrEqual(2_000_000n);
    expect(ask(on, "getWithdrawers")).toEqual({});
  });

  test("payments of parallel blocks can be merged", () => {
    const on = f1r3nodeChain();
    const parent = on.add().block;
    const blocks = ["u1", "u2", "u3"].map(
      (deployer, index) =>
        on.make(parent, { sender: `v${index + 1}`, deploys: [{ deployer, term: `@"${deployer}"!(1)` }] }).block,
    );
    const merged = mergeOf(on, parent, blocks);
    expect(merged.records).toEqual([]);
    expect(on.floor.bonds(merged.stateHash)).toHaveLength(3);
  });

  test("of parallel blocks that both bond one is rejected, and its stake is not taken", () => {
    const on = f1r3nodeChain();
    const parent = on.add().block;
    const blocks = ["u1", "u2"].map(
      (deployer, index) =>
        on.make(parent, { sender: `v${index + 1}`, deploys: [{ deployer, term: bondTerm(50n) }] }).block,
    );
    const merged = mergeOf(on, parent, blocks);
    expect(merged.records).toHaveLength(1);
    const stakesOfAll = on.floor.bonds(merged.stateHash).map(({ stake }) => stake);
    expect(stakesOfAll.toSorted((one, other) => Number(one - other))).toEqual([50n, 1000n, 2000n, 3000n]);
  });

  test("of parallel blocks that all change the epoch one does, and no payment is lost", () => {
    const on = f1r3nodeChain();
    on.add({ deploys: [{ deployer: "v2", term: unbondTerm }] });
    on.addUntil(2);
    const parent = on.add().block;
    const users = ["u1", "u2", "u3"];
    const made = users.map((deployer, index) =>
      on.make(parent, { sender: `v${index + 1}`, deploys: [{ deployer, term: "Nil", phloLimit: 50_000n }] }),
    );
    const before = posBalance(on);
    const merged = mergeOf(
      on,
      parent,
      made.map(({ block }) => block),
    );
    expect(merged.records).toEqual([]);
    expect(merged.applied).toHaveLength(3);
    const space = new PlaySpace(on.states, f1r3nodeExecution.matchDatum, merged.stateHash);
    expect(space.data(posStateChannel()).map(({ a }) => a.pars.length)).toEqual([8]);
    const next = on.continueOn(merged.stateHash, parent.number + 1n);
    expect(bonded(next)).toEqual({ v1: 1000n, v3: 3000n });
    expect(ask(next, "getWithdrawers")).toEqual({ v2: "(2000, 8)" });
    const fees = made.map(({ played }) => played.deploys[0]!.cost).reduce((sum, cost) => sum + cost, 0n);
    expect(posBalance(next)).toBe(before + fees);
    next.addUntil(8);
    expect(ask(next, "getWithdrawers")).toEqual({});
    expect(posBalance(next)).toBeGreaterThanOrEqual(4000n);
  });
});

/** The channel of the message that has the state of proof of stake: the second name that its deploy draws. */
function posStateChannel(): Par {
  const { key, timestamp } = contractSigner("PoS.rhox");
  const names = deployRandom(key.publicKey, timestamp);
  names.next();
  return Par.of({ unforgeables: [new GPrivate(names.next())] });
}

/** Merges blocks beside each other on their parent. */
function mergeOf(on: F1r3nodeTestChain, parent: Block, blocks: readonly Block[]) {
  const merged = [...blocks].sort((one, other) => compareBytes(one.hash, other.hash));
  const facts = { lineage: [], settled: new Set<string>(), lateUpTo: -50n, recorded: [], priorRejections: new Map() };
  return on.floor.merge({ baseState: parent.body.state.postStateHash, merged, ...facts });
}
