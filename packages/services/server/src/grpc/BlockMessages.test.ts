import type { BlockMetadata } from "@vedette/chain";
import { fromHex } from "@vedette/crypto";
import { BlockQueries } from "@vedette/queries";
import { insertLine, TestQueries } from "@vedette/queries/testing";
import { expect, test } from "vitest";
import { BlockMessages } from "./BlockMessages.js";

/** Every block is a large one; counts how often one is read for messages. */
class LargeBlocks extends BlockQueries {
  reads = 0;
  tolerance = 0.25;

  override isLarge(): boolean {
    return true;
  }

  override read(metadata: BlockMetadata) {
    this.reads += 1;
    return super.read(metadata);
  }

  override faultTolerance(): number {
    return this.tolerance;
  }
}

function messagesOfLine(transfers?: { readonly ofBlock: () => Promise<undefined> }) {
  const node = TestQueries.empty();
  const [, ...hashes] = insertLine(node.chain, 3);
  const blocks = new LargeBlocks(node.chain, 50);
  const [first, second] = hashes.map((hash) => node.chain.dag.require(fromHex(hash))) as [BlockMetadata, BlockMetadata];
  return { blocks, messages: new BlockMessages({ blocks, transfers } as never), first, second };
}

const enoughRoom = async () => undefined;

test("two requests for one large block at the same time get the same message, of one reading", async () => {
  let goOn = () => {};
  const held = new Promise<undefined>((resolve) => (goOn = () => resolve(undefined)));
  const { blocks, messages, first, second } = messagesOfLine({ ofBlock: () => held });
  const asked = [first, first, second].map((block) => messages.full(block, { client: undefined }, enoughRoom));
  await Promise.resolve();
  goOn();
  const [one, other, another] = await Promise.all(asked);
  expect(other).toBe(one);
  expect(another?.blockInfo?.blockHash).not.toBe(one?.blockInfo?.blockHash);
  expect(blocks.reads).toBe(2);
});

test("a light info with another fault tolerance needs no block, and leaves that of before as it was", () => {
  const { blocks, messages, first } = messagesOfLine();
  const before = messages.light(first);
  blocks.tolerance = 0.5;
  expect(messages.light(first)).toEqual({ ...before, faultTolerance: 0.5 });
  expect([before.faultTolerance, blocks.reads]).toEqual([0.25, 1]);
});
