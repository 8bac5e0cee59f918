import { F1r3nodeDag, f1r3nodeChain } from "@vedette/chain/testing";
import { encodeBlock, f1r3node } from "@vedette/protocol";
import { afterAll, describe, expect, test } from "vitest";
import { TestPlaces } from "../testing/index.js";
import { ChangeWriter } from "../write/ChangeWriter.js";
import { LocalFeed, type LocalSources, methodsOf } from "./LocalFeed.js";
import { type CallFeed, PortFeed } from "./PortFeed.js";

const chain = f1r3nodeChain("trio-r");

describe(`a chain of f1r3node in the tables`, () => {
  const places = new TestPlaces("sqlite");
  afterAll(() => places[Symbol.asyncDispose]());

  test("has its blocks' records of the deploys that they gave up", async () => {
    const made = new F1r3nodeDag(100_000n);
    for (const { block } of chain) made.insert(block);
    const noReaders = { call: () => Promise.reject(new TypeError("there are no states")) };
    const feed = new LocalFeed({
      ...{ dag: made.dag, store: made.store, log: undefined as never, faultTolerance: () => 1 },
      reporting: { form: f1r3node.blockForm, invalidBlocksFor: () => [] },
      findBytes: (hash) => encodeBlock(made.find(hash)!),
      readers: noReaders as unknown as LocalSources["readers"],
    });
    const call = (async (method: keyof ReturnType<typeof methodsOf>, argument: never) =>
      methodsOf(feed)[method](argument)) as unknown as CallFeed;
    const port = new PortFeed(call, async () => undefined);
    await using database = await places.database();
    const writer = new ChangeWriter(database);
    for (let from: bigint | undefined = 0n; from !== undefined; ) {
      const { changes, next } = await port.blocks(from);
      await writer.write(changes, { cursor: "here", backfill: undefined });
      from = next;
    }
    const rows = await database.db.selectFrom("block_rejections").selectAll().execute();
    const rejections = rows.map((row) =>
      [row["block_hash"], row["deploy_id"], Boolean(row["is_duplicate"]), row["carrier_hash"]].join(" "),
    );
    const recorded = chain.flatMap(({ facts }) =>
      facts.rejectedDeploys.map(({ id, duplicate, carrier }) => [facts.hash, id, duplicate, carrier].join(" ")),
    );
    expect(recorded.length).toBe(25);
    expect(rejections.sort()).toEqual(recorded.sort());
  });
});
