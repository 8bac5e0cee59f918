import { toHex } from "@vedette/crypto";
import { F1r3nodeStates } from "@vedette/execution";
import { decodeBlock, encodeBlock, f1r3node, hashBlock } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { f1r3nodeSpace, StateStore } from "@vedette/tuplespace";
import { expect, test } from "vitest";
import { f1r3nodeGenesisCase } from "./f1r3nodeGenesisCase.js";
import { testKey } from "./ProposeNetwork.js";

function newStates(): F1r3nodeStates {
  const store = new MemoryStore(tablesOf("state"));
  return new F1r3nodeStates(store, new StateStore(store, { form: f1r3nodeSpace }));
}

test("an f1r3node network begins with a block of our own that others replay", () => {
  const made = f1r3nodeGenesisCase(newStates(), { stakes: { v1: 1000, v2: 1100, v3: 900 }, payers: ["u1"] });
  const block = decodeBlock(encodeBlock(made), f1r3node.blockForm);
  expect(hashBlock(block, f1r3node)).toEqual(made.hash);
  expect(toHex(block.body.state.preStateHash)).toBe("facf59ccc55ee2c04802c7399bcff0d15154f70e0d2bc40cf041aac0a89499c1");
  const states = newStates();
  const replayed = states.replay({ block, preState: states.makeEmpty(), invalidBlocks: [] });
  const { postStateHash, bonds } = block.body.state;
  expect(replayed).toMatchObject({ postState: postStateHash });
  const byName = (found: typeof bonds) => new Set(found.map(({ validator, stake }) => `${toHex(validator)} ${stake}`));
  const stakes = Object.entries({ v1: 1000, v2: 1100, v3: 900 });
  expect(byName(bonds)).toEqual(new Set(stakes.map(([name, stake]) => `${toHex(testKey(name).publicKey)} ${stake}`)));
  expect(states.committee(postStateHash)).toEqual(bonds);
});
