import { decideBlocks, putUndecided } from "@vedette/chain";
import { TestDag } from "@vedette/chain/testing";
import { expect, test } from "vitest";
import { LocalFeed, type LocalSources } from "./LocalFeed.js";

/** Readers that take their time, in which something happens. */
function readersWith(meanwhile: () => void): LocalSources["readers"] {
  const call = async (_method: string, { blocks }: { readonly blocks: readonly unknown[] }) => {
    await Promise.resolve();
    meanwhile();
    return blocks.map(() => undefined);
  };
  return { call } as unknown as LocalSources["readers"];
}

test("a block that becomes final while its transfers are read is told as final, and not as forked away", async () => {
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
    ...{ dag, store, log: undefined as never, faultTolerance: () => 1 },
    findBytes: (hash) => hash,
    readers: readersWith(finalize),
  });
  const { blocks } = await feed.blocks(1n);
  const fates = new Map(blocks.map(({ bytes, fate }) => [Buffer.from(bytes).toString("hex"), fate]));
  const fateOf = ({ hash }: typeof genesis) => fates.get(Buffer.from(hash).toString("hex"));
  expect([fateOf(one), fateOf(other)]).toEqual(["finalized", "forkedAway"]);
});
