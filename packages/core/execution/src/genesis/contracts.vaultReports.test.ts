import { fromHex, toHex } from "@vedette/crypto";
import type { Block, ProcessedDeploy } from "@vedette/protocol";
import { matchDatum } from "@vedette/rholang";
import {
  channelHash,
  ETuple,
  type Expr,
  emptyBitSet,
  encodePar,
  GPrivate,
  GString,
  Par,
  printPar,
} from "@vedette/terms";
import { type ReportEvent, ReportingSpace, StateView } from "@vedette/tuplespace";
import { beforeAll, describe, expect, test } from "vitest";
import { testAddress } from "../contractTest/genesisState.js";
import { rnodeExecution } from "../form/rnodeExecution.js";
import { StateMerger } from "../merge/StateMerger.js";
import { storedNumber } from "../numberChannels.js";
import { replayDeploy } from "../replay/replayDeploy.js";
import { blockDataOf, mergeableTag, Runtime } from "../runtime/Runtime.js";
import { TestChain, type TestDeploy } from "../testing/TestChain.js";
import { walletBalanceTerm, walletTransferTerm } from "../testing/walletTerms.js";

const transferChannel = Par.of({
  unforgeables: [new GPrivate(fromHex("72d0f333c719323406901bca34c2935e4d92c31402fa80a2c273422e923af550"))],
});
const [u1, u2, u3, zoe] = ["u1", "u2", "u3", "zoe"].map((name) => testAddress(name)) as [
  string,
  string,
  string,
  string,
];
const phloLimit = 3_000_000n;
const walletBalance = 50_000_000_000_000_000n;

let chain: TestChain;
let parent: Block;
beforeAll(() => {
  chain = new TestChain();
  parent = chain.add().block;
});

function blockOf(...deploys: readonly TestDeploy[]): Block {
  return chain.make(parent, { deploys: deploys.map((deploy) => ({ phloLimit, ...deploy })) }).block;
}

/** A transfer in the form of reports. @spec 41 §8.3 */
interface Transfer {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  /** `undefined` for success. */
  readonly failure: string | undefined;
}

/** The transfers in each part of a deploy: charge, program, refund. */
function transfersOf(block: Block, processed: ProcessedDeploy): Transfer[][] {
  const space = new ReportingSpace(chain.states, matchDatum, block.body.state.preStateHash);
  const runtime = new Runtime(space, { replay: true, form: rnodeExecution });
  runtime.enterBlock(blockDataOf(block), []);
  expect(replayDeploy(runtime, processed, true)).toHaveProperty("numberChannels");
  return space.takeReport().groups.map((group) => transfersIn(group));
}

function transfersIn(events: readonly ReportEvent[]): Transfer[] {
  return events.flatMap((event) => {
    if (event.kind !== "comm" || toHex(encodePar(event.consume.channels[0]!)) !== toHex(encodePar(transferChannel)))
      return [];
    const { pars } = event.produces[0]!.data;
    expect(pars).toHaveLength(6);
    expect(pars[5]!.unforgeables.map(({ kind }) => kind)).toEqual(["GPrivate"]);
    const failure = failureAt(pars[5]!, events);
    return [{ from: text(pars[0]!), to: text(pars[2]!), amount: number(pars[3]!), failure }];
  });
}

function failureAt(answer: Par, events: readonly ReportEvent[]): string | undefined {
  let failure: string | undefined;
  for (const event of events) {
    if (event.kind !== "produce" || toHex(encodePar(event.channel)) !== toHex(encodePar(answer))) continue;
    const result = sole(event.data.pars[0]!);
    if (result.kind !== "ETuple") throw new Error(`The result is ${result.kind}`);
    const isDone = sole(result.ps[0]!);
    failure = isDone.kind === "GBool" && isDone.value ? undefined : text(result.ps[1]!);
  }
  return failure;
}

function sole(par: Par): Expr {
  expect(par.exprs).toHaveLength(1);
  return par.exprs[0]!;
}
function text(par: Par): string {
  const expr = sole(par);
  if (expr.kind !== "GString") throw new Error(`${printPar(par)} is no text`);
  return expr.value;
}
function number(par: Par): bigint {
  const expr = sole(par);
  if (expr.kind !== "GInt") throw new Error(`${printPar(par)} is no number`);
  return expr.value;
}

function balanceAt(address: string): bigint {
  return number(chain.ask(walletBalanceTerm(address))[0]!);
}

describe("reports", () => {
  test("of a deploy with a transfer have the charge, the transfer and the refund", () => {
    const block = blockOf({ deployer: "u1", term: walletTransferTerm(u1, u2, 7n) });
    const [processed] = block.body.deploys;
    const [charge, program, refund] = transfersOf(block, processed!);
    const pos = charge![0]!.to;
    expect(charge).toEqual([{ from: u1, to: pos, amount: phloLimit, failure: undefined }]);
    expect(program).toEqual([{ from: u1, to: u2, amount: 7n, failure: undefined }]);
    expect(refund).toEqual([{ from: pos, to: u1, amount: phloLimit - processed!.cost, failure: undefined }]);
  });

  test.each([
    [walletBalance, "Insufficient funds"],
    [2n ** 63n - 1n, "Insufficient funds"],
  ])("of a refused transfer of %s state the reason", (amount, failure) => {
    const block = blockOf({ deployer: "u1", term: walletTransferTerm(u1, u2, amount) });
    const [, program] = transfersOf(block, block.body.deploys[0]!);
    expect(program).toEqual([{ from: u1, to: u2, amount, failure }]);
  });

  test("of a transfer to a new vault", () => {
    const block = blockOf({ deployer: "u1", term: walletTransferTerm(u1, zoe, 7n) });
    const [, program] = transfersOf(block, block.body.deploys[0]!);
    expect(program).toEqual([{ from: u1, to: zoe, amount: 7n, failure: undefined }]);
  });

  test("of a deploy that cannot pay have the charge alone", () => {
    const block = blockOf({ deployer: "zoe", term: "Nil" });
    const parts = transfersOf(block, block.body.deploys[0]!);
    expect(parts).toHaveLength(1);
    expect(parts[0]).toMatchObject([{ from: zoe, amount: phloLimit, failure: "Insufficient funds" }]);
  });

  test("do not believe what a deployer sends to the own reply channel", () => {
    const lie = walletTransferTerm(u1, u2, 2n ** 62n).replace("for (@result", "resultCh!((true, Nil)) | for (@result");
    const block = blockOf({ deployer: "u1", term: lie });
    const [, program] = transfersOf(block, block.body.deploys[0]!);
    expect(program).toMatchObject([{ failure: "Insufficient funds" }]);
  });
});

describe("number channels", () => {
  test("hold the balances, and the block records what a transfer changed there", () => {
    const { played } = chain.make(parent, {
      deploys: [{ deployer: "u1", term: walletTransferTerm(u1, u2, 7n), phloLimit }],
    });
    const [changes] = played.numberChannels;
    const [{ cost }] = played.deploys as [ProcessedDeploy];
    expect(changes!.get(balanceChannel(u1))).toBe(-7n - cost);
    expect(changes!.get(balanceChannel(u2))).toBe(7n);
    expect([...changes!.values()].reduce((sum, change) => sum + change, 0n)).toBe(0n);
    expect([...changes!.values()].filter((change) => change !== 0n)).toHaveLength(3);
  });

  test("let transfers of parallel blocks be merged", () => {
    const blocks = [
      blockOf({ deployer: "u1", term: walletTransferTerm(u1, u3, 7n) }),
      blockOf({ deployer: "u2", term: walletTransferTerm(u2, u3, 5n) }),
      blockOf({ deployer: "u3", term: walletTransferTerm(u3, u1, 2n) }),
    ];
    const merged = new StateMerger(chain.states, chain.store).merge(parent.body.state.postStateHash, blocks);
    expect(merged.rejectedDeploys).toEqual([]);
    const costs = blocks.map(({ body }) => body.deploys[0]!.cost);
    const on = { ...mergedBalance(merged.stateHash) };
    expect(on.u1).toBe(walletBalance - 7n + 2n - costs[0]!);
    expect(on.u2).toBe(walletBalance - 5n - costs[1]!);
    expect(on.u3).toBe(walletBalance + 7n + 5n - 2n - costs[2]!);
  });

  test("do not let the same money be spent in parallel blocks", () => {
    const half = walletBalance / 2n + 1n;
    const blocks = [
      blockOf({ deployer: "u1", term: walletTransferTerm(u1, u3, half) }),
      blockOf({ deployer: "u1", term: `${walletTransferTerm(u1, u2, half)} | Nil` }),
    ];
    const merged = new StateMerger(chain.states, chain.store).merge(parent.body.state.postStateHash, blocks);
    expect(merged.rejectedDeploys).toHaveLength(1);
    expect(mergedBalance(merged.stateHash).u1).toBeGreaterThanOrEqual(0n);
  });

  test("a vault that two parallel blocks make is made by one of them", () => {
    const blocks = [
      blockOf({ deployer: "u1", term: walletTransferTerm(u1, zoe, 7n) }),
      blockOf({ deployer: "u2", term: walletTransferTerm(u2, zoe, 5n) }),
    ];
    const merged = new StateMerger(chain.states, chain.store).merge(parent.body.state.postStateHash, blocks);
    expect(merged.rejectedDeploys).toHaveLength(1);
    expect([5n, 7n]).toContain(numberIn(merged.stateHash, zoe));
  });
});

test("wallets read what blocks leave", () => {
  expect(balanceAt(u1)).toBe(walletBalance);
  expect(text(chain.ask(walletBalanceTerm("pretty surely invalid asi address"))[0]!)).toBe("Invalid Base58 encoding");
});

/** @returns hex of its hash */
function balanceChannel(address: string): string {
  const parts = [mergeableTag, Par.of({ exprs: [new GString(address)] })];
  return toHex(channelHash(Par.of({ exprs: [new ETuple(parts, emptyBitSet, false)] })));
}

function mergedBalance(root: Uint8Array) {
  return { u1: numberIn(root, u1), u2: numberIn(root, u2), u3: numberIn(root, u3) };
}

function numberIn(root: Uint8Array, address: string): bigint {
  return storedNumber(new StateView(chain.states, root), balanceChannel(address));
}
