import { blake2b256 } from "@vedette/crypto";
import { MemoryStore, tablesOf } from "@vedette/store";
import { expect, test } from "vitest";
import { StateStore, stateTables } from "../history/StateStore.js";
import { findMissing } from "./findMissing.js";

test("a tree of few nodes in very many places is refused, instead of being walked for ever", () => {
  const store = new MemoryStore(tablesOf("state"));
  const leaf = new Uint8Array(32);
  let below = Uint8Array.of(0, 0, ...leaf);
  store.write((tables) => {
    for (let level = 0; level < 20; level += 1) {
      const hash = blake2b256(below);
      tables(stateTables.nodes).put(hash, below);
      below = Uint8Array.from(Array.from({ length: 256 }, (_, index) => [index, 0x80, ...hash]).flat());
    }
    tables(stateTables.nodes).put(blake2b256(below), below);
    tables(stateTables.leaves).put(leaf, leaf);
  });
  expect(() => findMissing(new StateStore(store), blake2b256(below))).toThrow("the same nodes again and again");
});
