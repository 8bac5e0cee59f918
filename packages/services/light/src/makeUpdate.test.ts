import { gzipSync } from "node:zlib";
import type { BlockMetadata } from "@vedette/chain/finality";
import { toHex } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import { expect, test } from "vitest";
import { makeUpdate, packUpdate, rnodeRules, unpackUpdate, verifyUpdate } from "./index.js";
import { trustedBlockOf } from "./TrustedBlock.js";
import { ChainSource, SignedNetwork } from "./testing/index.js";

class CountedSource extends ChainSource {
  reads = 0;

  override find(hash: Uint8Array): BlockMetadata | undefined {
    this.reads += 1;
    return super.find(hash);
  }
}

test("where nothing can be shown the search ends soon, however long the chain is", async () => {
  const network = new SignedNetwork({ v1: 100, v2: 100, v3: 100 });
  const blocks = [network.genesis];
  let tip: Block = network.genesis;
  // Blocks have one parent, and none builds on those of v2 and v3 (70 §4.5).
  for (let height = 0; height < 600; height += 1) {
    tip = network.make({ creator: "v1", parents: [tip] });
    blocks.push(tip, ...["v2", "v3"].map((creator) => network.make({ creator, parents: [tip] })));
  }
  const source = new CountedSource(blocks, tip);
  expect(await makeUpdate(source, trustedBlockOf(network.genesis), rnodeRules(0.99))).toBeUndefined();
  expect(source.reads).toBeLessThan(50_000);
});

test("a hundred validators that take turns: what is found in between too complex does not end the search", async () => {
  const names = Array.from({ length: 100 }, (_, at) => `v${at + 1}`);
  const network = new SignedNetwork(Object.fromEntries(names.map((name) => [name, 100])));
  const chain = network.chain(network.genesis, ...names, ...names, ...names);
  const trusted = trustedBlockOf(network.genesis);
  const rules = rnodeRules(0.66);
  const update = (await makeUpdate(new ChainSource([network.genesis, ...chain], chain[100]!), trusted, rules))!;
  expect(verifyUpdate(trusted, update, rules).trusted.number).toBe(101n);
  expect(update.blocks.length).toBeLessThan(202);
  const packed = packUpdate(update, trusted.known);
  expect(unpackUpdate(packed, trusted.known)).toEqual(update);
  // As it is sent.
  expect(gzipSync(toHex(packed)).length).toBeLessThan(40_000);
});
