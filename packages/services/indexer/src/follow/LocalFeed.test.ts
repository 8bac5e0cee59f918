import { decideBlocks, putUndecided } from "@vedette/chain";
import { TestDag } from "@vedette/chain/testing";
import { f1r3node, rnode } from "@vedette/protocol";
import { expect, test } from "vitest";
import { LocalFeed, type LocalSources } from "./LocalFeed.js";

const reporting = { form: rnode.blockForm, invalidBlocksFor: () => [] };

/** Readers that take their time, in which something happens. */
function readersWith(whileReading: () => void): LocalSources["readers"] {
  const call = async (_method: string, { blocks }: { readonly blocks: readonly unknown[] }) => {
    await Promise.resolve();
    whileReading();
    return blocks.map(() => ({ kind: "never" }));
  };
  return { call } as unknown as LocalSources["readers"];
}

test("blocks that are decided about while their transfers are read are all reported as they were before", async () => {
  const made = new TestDag({ a: 1, b: 1 });
  const { genesis, dag, store } = made;
  const [one, other] = ["a", "b"].map((creator) =>
    made.add({ creator, parents: [genesis], justifications: { a: genesis, b: genesis } }),
  ) as [typeof genesis, typeof genesis];
  store.write((tables) => {
    for (const { hash } of [one, other]) putUndecided(tables, dag.require(hash));
  });
  const finalize = () => {
    const finalized = [dag.require(one.hash)];
    store.write((tables) => void decideBlocks(tables, finalized, { dag, hasOneParent: true }));
    dag.recordFinalized(finalized[0]!, []);
  };
  const feed = new LocalFeed({
    ...{ dag, store, log: undefined as never, faultTolerance: () => 1, reporting },
    findBytes: (hash) => hash,
    readers: readersWith(finalize),
  });
  const { blocks } = await feed.blocks(1n);
  const fates = new Map(blocks.map(({ bytes, fate }) => [Buffer.from(bytes).toString("hex"), fate]));
  const fateOf = ({ hash }: typeof genesis) => fates.get(Buffer.from(hash).toString("hex"));
  expect([fateOf(one), fateOf(other)]).toEqual(["pending", "pending"]);
  const again = await feed.blocks(1n);
  expect(again.blocks.map(({ fate }) => fate).toSorted()).toEqual(["finalized", "forkedAway"]);
  const final = again.blocks.find(({ fate }) => fate === "finalized");
  expect(final?.finalizedAt).toEqual({ height: 1n, timestamp: other.header.timestamp });
  expect(again.blocks.filter(({ finalizedAt }) => finalizedAt === undefined)).toHaveLength(1);
});

test("the lengths of epochs are queried from the contract under its name on the network", async () => {
  const { dag, store, genesis } = new TestDag({ a: 1 });
  dag.recordFinalized(dag.require(genesis.hash), []);
  for (const [dialect, name] of [
    [rnode, "rho:rchain:pos"],
    [f1r3node, "rho:system:pos"],
  ] as const) {
    const asked: string[] = [];
    const call = async (_: string, { source }: { readonly source: string }) => {
      asked.push(source);
      return { kind: "values", values: { form: "json", terms: ['{"ExprInt":{"data":10}}'] } };
    };
    const feed = new LocalFeed({
      ...{ dag, store, log: undefined as never, faultTolerance: () => 1, findBytes: (hash) => hash },
      reporting: { form: dialect.blockForm, invalidBlocksFor: () => [] },
      readers: { call } as unknown as LocalSources["readers"],
    });
    expect((await feed.about()).epoch).toEqual({ epochLength: 10n, quarantineLength: 10n });
    expect(asked.every((source) => source.includes(`\`${name}\``))).toBe(true);
  }
});

test("only what is on disk is reported: many entries are read in the moment in which all is, and reported piece by piece", async () => {
  const made = new TestDag({ a: 1 });
  const { genesis, dag, store } = made;
  const hashes: Uint8Array[] = [];
  let last = genesis;
  const grow = (blocks: number) => {
    for (let count = 0; count < blocks; count += 1) {
      last = made.add({ creator: "a", parents: [last], justifications: { a: last } });
      store.write((tables) => putUndecided(tables, dag.require(last.hash)));
      hashes.push(last.hash);
    }
  };
  grow(150);
  const log = {
    id: new Uint8Array(8),
    newest: () => hashes.length,
    oldest: () => 1,
    placeOf: (cursor: string) => ({ entry: Number(cursor.split("-")[1]) }),
    read: (entry: number) => ({ kind: "blockAdded", hash: hashes[entry - 1]! }),
  } as unknown as LocalSources["log"];
  const held: (() => void)[] = [];
  const feed = new LocalFeed({
    ...{ dag, store, log, faultTolerance: () => 1, reporting, readers: readersWith(() => {}) },
    findBytes: (hash) => hash,
    onDisk: (work) => void held.push(work),
  });
  const added: string[] = [];
  let cursor = `${"00".repeat(8)}-0`;
  const begun = feed.changes(cursor);
  expect(held).toHaveLength(1);
  held.pop()!();
  // Later events were not there in that moment.
  grow(10);
  for (let answer = await begun; ; answer = await feed.changes(cursor)) {
    if (answer.kind !== "changes") throw new Error(answer.kind);
    for (const change of answer.changes)
      if (change.kind === "blockAdded") added.push(Buffer.from(change.block.bytes).toString("hex"));
    expect(answer.changes.length).toBeLessThanOrEqual(64);
    cursor = answer.cursor;
    if (!answer.hasMore) break;
  }
  expect(added).toEqual(hashes.slice(0, 150).map((hash) => Buffer.from(hash).toString("hex")));
  expect(held).toEqual([]);
  void feed.changes(cursor);
  expect(held).toHaveLength(1);
});

test("blocks with unknown transfers are handed out when these are known, and not without them", async () => {
  const made = new TestDag({ a: 1 });
  const { genesis, dag, store } = made;
  const one = made.add({ creator: "a", parents: [genesis], justifications: { a: genesis } });
  store.write((tables) => putUndecided(tables, dag.require(one.hash)));
  let answer: unknown = { kind: "notYet" };
  const feed = new LocalFeed({
    ...{ dag, store, log: undefined as never, faultTolerance: () => 1, reporting, findBytes: (hash) => hash },
    readers: { call: async () => [answer] } as unknown as LocalSources["readers"],
  });
  await expect(feed.blocks(1n)).rejects.toMatchObject({ failure: { code: "notYet" } });
  const moved = { deploys: [], systemDeploys: [] };
  answer = { kind: "found", value: moved };
  expect((await feed.blocks(1n)).blocks.map(({ transfers }) => transfers)).toEqual([moved]);
});
