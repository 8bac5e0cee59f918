import { TestValidator, testGenesis } from "@vedette/chain/testing";
import { toHex } from "@vedette/crypto";
import { type Block, f1r3node, hashKey } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { blocksAround, importedBlocks } from "@vedette/sync";
import { f1r3nodeSpace } from "@vedette/tuplespace";
import { beforeAll, describe, expect, test } from "vitest";
import { f1r3nodeFloorsOfChain } from "./f1r3nodeFloors.js";
import { decodeFloors, encodeFloors } from "./SnapshotFloors.js";

const heights = 90;
/** Blocks of one height come side by side. */
const names = ["v1", "v2"];
const floors = f1r3nodeFloorsOfChain(() => 0n);

describe("floors of a chain that is long, so that a snapshot does not go down to genesis", () => {
  let server: TestValidator;
  let block: Block;
  const known = new Map<string, Block>();
  const find = (hash: Uint8Array) => known.get(hashKey(hash));
  const state = { store: new MemoryStore(tablesOf("state")), form: f1r3nodeSpace };

  beforeAll(async () => {
    const genesis = testGenesis({ v1: 10, v2: 10 }, new Uint8Array(0), f1r3node);
    const validators = names.map((name) => new TestValidator(name, genesis, { followsFloors: true }));
    server = validators[0]!;
    let deploys = 0n;
    for (let height = 1; height <= heights; height += 1) {
      const made: Block[] = [];
      for (const one of validators) {
        deploys += 1n;
        one.deploy({ timestamp: deploys, validAfterBlockNumber: BigInt(height - 1) });
        made.push(await one.make());
      }
      for (const [at, one] of validators.entries())
        for (const other of made.filter((_, index) => index !== at)) expect(await one.take(other)).toEqual(["Valid"]);
    }
    block = server.chain.blocks.find(server.chain.dag.lastFinalized()!.hash)!;
    const source = sourceOf();
    const lowest = floors.lowest(block, floors.collect(source, block, [block.hash]), (hash) =>
      server.chain.blocks.find(hash),
    );
    const around = blocksAround(block, (hash) => server.chain.blocks.find(hash), lowest);
    if (around.kind !== "whole") throw new TypeError("a block is missing");
    for (const hash of around.hashes) known.set(hashKey(hash), server.chain.blocks.find(hash)!);
  });

  function sourceOf() {
    const { dag, blocks } = server.chain;
    return { dialect: f1r3node, form: f1r3nodeSpace, state: state.store, dag, blocks, chain: server.store };
  }

  const others = () =>
    importedBlocks(
      block,
      [...known.values()].sort((left, right) => Number(right.number - left.number)).map(({ hash }) => hash),
    );
  const claimed = () =>
    decodeFloors(
      encodeFloors(
        floors.collect(
          sourceOf(),
          block,
          [...known.values()].map(({ hash }) => hash),
        ),
      ),
    )!;

  test("are written, read again, and hold against the blocks", () => {
    expect([...known.values()].every(({ number }) => number > 0n)).toBe(true);
    const checked = floors.check({ block, others: others(), floors: claimed(), find, state });
    if ("wrong" in checked) throw new TypeError("it is refused");
    const own = checked.floors.find(({ hash }) => hashKey(hash) === hashKey(block.hash));
    const { floors: derivation } = server.f1r3node!.consensus;
    expect(toHex(own!.floor)).toBe(toHex(derivation.floorOf(server.chain.dag.require(block.hash)).hash));
    const found = new Set(checked.floors.map(({ hash }) => hashKey(hash)));
    const unknown = [...known.values()].filter(({ hash }) => !found.has(hashKey(hash)));
    // The final blocks of the lowest are not here.
    const lowest = Number(
      [...known.values()].reduce((least, { number }) => (number < least ? number : least), 10_000n),
    );
    for (const { number } of unknown) expect(Number(number)).toBeLessThan(lowest + 4);
  });

  test("cannot all be derived from the blocks alone", () => {
    const checked = floors.check({ block, others: others(), floors: [], find, state });
    expect("floors" in checked && checked.floors).toEqual([]);
  });

  test("are refused where one differs from what the blocks give", () => {
    const all = claimed();
    const one = all.findIndex(({ hash }) => hashKey(hash) === hashKey(block.hash));
    const parent = find(block.parents[0]!)!;
    const lied = all.with(one, { ...all[one]!, floor: parent.hash });
    expect(floors.check({ block, others: others(), floors: lied, find, state })).toEqual({ wrong: block.hash });
  });

  test("that are cut off are no floors", () => {
    expect(decodeFloors(encodeFloors(claimed()).subarray(1))).toBeUndefined();
  });
});
