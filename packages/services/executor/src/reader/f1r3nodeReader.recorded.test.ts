import { readFileSync } from "node:fs";
import { join } from "node:path";
import { blake2b256, toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import { transactionsOf } from "@vedette/execution";
import { type Block, encodeBlock } from "@vedette/protocol";
import { MemoryStore, type Store, tablesOf } from "@vedette/store";
import { recordedDirectory } from "@vedette/testing";
import { channelsHash, continuationsKey, stateTables, verifyProof } from "@vedette/tuplespace";
import { beforeAll, describe, expect, test } from "vitest";
import { f1r3nodeForms } from "../dialect/f1r3nodeForms.js";
import { foundValue } from "../report/LookupResult.js";
import { type F1r3nodeChain, f1r3nodeChain } from "../testing/f1r3nodeChain.js";
import { StateReader } from "./StateReader.js";

const chains = recordedDirectory("chains-r");
const timeoutMs = 3_600_000;
const dummy = new Uint8Array(65).fill(4);

describe("states of the newer node", () => {
  let chain: F1r3nodeChain;
  let reader: StateReader;
  beforeAll(() => {
    chain = f1r3nodeChain("solo-r", 5n);
    const signals = { isCancelled: () => false, nowMs: () => performance.now() };
    reader = new StateReader(chain.store, signals, { forms: f1r3nodeForms });
  });

  const last = () => chain.blocks.at(-1)!;
  const rootAfter = ({ body }: Block) => body.state.postStateHash;
  const callOf = (block: Block) => ({ block: encodeBlock(block), invalidBlocks: [] });

  function explore(source: string, form: "json" | "tagged" = "json"): unknown {
    const call = { root: rootAfter(last()), source, deployer: dummy, signature: dummy, timestamp: 0n };
    const answer = reader.explore({ ...call, timeoutMs, form });
    if (answer.kind !== "values") return answer;
    return answer.values.terms.map((term) => JSON.parse(String(term)) as unknown);
  }

  test("render values of all kinds", () => {
    const values = [
      "1.5",
      "5n",
      "1r / 2r",
      "1.25p2",
      "[1, {|[2, 3]|}]",
      '{"a": 1.5, (1, 2): Nil, [3]: true}',
      "bundle+{*return}",
      "{ @1!(2) }",
    ];
    const rendered = values.map((value) => explore(`new return in { return!(${value}) }`));
    expect(rendered.slice(0, 4)).toEqual([
      [{ ExprFloat: { data: 1.5 } }],
      [{ ExprBigInt: { data: "5" } }],
      [{ ExprBigRat: { numerator: "1", denominator: "2" } }],
      [{ ExprFixedPoint: { value: "125", scale: 2 } }],
    ]);
    const int = (data: number) => ({ ExprInt: { data } });
    const list = (...data: unknown[]) => ({ ExprList: { data } });
    expect(rendered[4]).toEqual([list(int(1), list(list(int(2), int(3))))]);
    const entries = { a: { ExprFloat: { data: 1.5 } }, '{"ExprList":{"data":[{"ExprInt":{"data":3}}]}}': true };
    expect(rendered[5]).toEqual([
      {
        ExprMap: {
          data: { ...entries, '{"ExprList":{"data":[{"ExprInt":{"data":3}}]}}': { ExprBool: { data: true } } },
        },
      },
    ]);
    expect(rendered[6]).toMatchObject([{ ExprBundle: { read: false, write: true } }]);
    expect(rendered[7]).toEqual([{ ExprUnknown: { type_name: "Process" } }]);
    expect(explore("new return in { return!(1r / 2r) }", "tagged")).toEqual([
      { type: "ExprBigRat", numerator: "1", denominator: "2" },
    ]);
  });

  test("answer programs of their language by its rules", () => {
    expect(explore('new return in { if ("ä".length() == 2) { return!("bytes") } else { return!("units") } }')).toEqual([
      { ExprString: { data: "bytes" } },
    ]);
    expect(explore("new return, c in { c!(3) | for (@x <- c where x > 2) { return!(x) } }")).toEqual([
      { ExprInt: { data: 3 } },
    ]);
    expect(explore("new return in { return!(1 +) }")).toMatchObject({ kind: "failed" });
    expect(reader.checkTerm("new return in { return!(1 +) }")).toMatch(/./);
    expect(reader.checkTerm("if (true) { Nil }")).toBeUndefined();
  });

  test("return the bonds, and what vaults hold", () => {
    const { bonds } = last().body.state;
    const text = ({ validator, stake }: (typeof bonds)[number]) => `${toHex(validator)} ${stake}`;
    expect(reader.bonds(rootAfter(last())).map(text)).toEqual(bonds.map(text));
    const network = JSON.parse(readFileSync(join(chains, "solo-r", "network.json"), "utf8")) as {
      readonly wallets: readonly { readonly address: string; readonly balance: string }[];
    };
    const addresses = network.wallets.map(({ address }) => address);
    const root = rootAfter(chain.blocks[0]!);
    expect(reader.balances({ root, addresses, timeoutMs })).toEqual(
      network.wallets.map(({ balance }) => BigInt(balance)),
    );
  });

  test("changed by the transfers of each block, kept or found by replaying it", () => {
    const signals = { isCancelled: () => false, nowMs: () => performance.now() };
    const unnoted = new StateReader(withoutNotes(chain.store), signals, { forms: f1r3nodeForms });
    const types = new Set<string>();
    for (const block of chain.blocks.slice(1)) {
      const [transfers] = reader.transfers({ blocks: [callOf(block)], timeoutMs });
      expect(unnoted.transfers({ blocks: [callOf(block)], timeoutMs })).toEqual([transfers]);
      const changes = new Map<string, bigint>();
      const add = (address: string, amount: bigint) => changes.set(address, (changes.get(address) ?? 0n) + amount);
      for (const { transfer, type } of transactionsOf(block, foundValue(transfers)!)!) {
        if (transfer.failure !== undefined || transfer.isReverted) continue;
        add(transfer.from, -transfer.amount);
        add(transfer.to, transfer.amount);
        types.add(type);
      }
      const addresses = [...changes.keys()];
      const before = reader.balances({ root: block.body.state.preStateHash, addresses, timeoutMs })!;
      const after = reader.balances({ root: rootAfter(block), addresses, timeoutMs })!;
      expect(
        after.map((balance, index) => balance - before[index]!),
        `#${block.number}`,
      ).toEqual([...changes.values()]);
      const deployers = block.body.deploys.map(({ deploy }) => vaultAddressOfPublicKey(deploy.deployer)!);
      const paid = block.body.deploys.filter(({ systemDeployError }) => systemDeployError === "").length;
      expect(deployers.filter((address) => changes.has(address)).length).toBeGreaterThanOrEqual(paid);
    }
    expect([...types].sort()).toEqual(["PreCharge", "Refund", "UserDeploy"]);
  });

  test("are reported as in the logs of their blocks, and deploys traced", () => {
    for (const block of chain.blocks.slice(1, 4)) {
      const report = reader.report({ ...callOf(block), form: "json", maxBytes: 64 << 20, timeoutMs });
      if (report.kind !== "json") throw new TypeError(report.kind === "failed" ? report.message : report.kind);
      expect(toHex(report.postState)).toBe(toHex(rootAfter(block)));
      const { deploys } = JSON.parse(`{${new TextDecoder().decode(report.text)}}`) as Reported;
      const comms = deploys.map(
        (one) => one.report.flatMap(({ events }) => events).filter(({ report: { type } }) => type === "comm").length,
      );
      const logged = block.body.deploys.map(({ log }) => log.filter(({ kind }) => kind === "comm").length);
      const failed = block.body.deploys.map((one) => one.failed);
      expect(comms.filter((_, index) => !failed[index])).toEqual(logged.filter((_, index) => !failed[index]));
      expect(reader.report({ ...callOf(block), form: "message", maxBytes: 64 << 20, timeoutMs }).kind).toBe("message");
      expect(foundValue(reader.notes({ ...callOf(block), timeoutMs }))).toHaveLength(block.body.deploys.length);
      const traced = reader.trace({ ...callOf(block), index: 0, timeoutMs });
      expect(traced).toMatchObject({ kind: "traced", cost: block.body.deploys[0]!.cost });
    }
  });

  test("prove what they hold at a name, and no leaf passes for another kind", () => {
    const root = rootAfter(last());
    const names = [{ form: "uri" as const, text: "rho:registry:lookup" }];
    const question = {
      root,
      kind: "continuations" as const,
      names,
      withBytes: true,
      withProof: true,
      most: 5,
      timeoutMs,
    };
    const answer = reader.entries(question);
    if (answer.kind !== "entries") throw new TypeError(answer.kind);
    expect(answer.count).toBe(1);
    expect(answer.proof!.format).toBe("vedette-state-proof-rust/1");
    const { nodes, leaf } = answer.proof!;
    const key = continuationsKey(channelsHash([blake2b256(answer.channels[0]!)]));
    expect(verifyProof(root, key, { nodes, leaf }, f1r3nodeForms.space)).toEqual(leaf);
    const renamed = Uint8Array.of(1, ...leaf!.subarray(1));
    expect(() => verifyProof(root, key, { nodes, leaf: renamed }, f1r3nodeForms.space)).toThrow("holds something else");
  });
});

/** The same states, of which nothing is known but themselves. */
function withoutNotes(store: Store): MemoryStore {
  const bare = new MemoryStore(tablesOf("state"));
  bare.write((tables) => {
    for (const name of Object.values(stateTables))
      for (const [key, value] of store.table(name).range()) tables(name).put(key, value);
  });
  return bare;
}

interface Reported {
  readonly deploys: readonly {
    readonly report: readonly { readonly events: readonly { readonly report: { readonly type: string } }[] }[];
  }[];
}
