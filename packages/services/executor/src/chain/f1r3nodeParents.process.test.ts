import { expect, test } from "vitest";
import { F1r3nodeTestNetwork, ownBeginning } from "../testing/F1r3nodeTestNetwork.js";
import type { F1r3nodeValidator } from "../testing/F1r3nodeValidator.js";

test("a deploy of a tip without final effects in its state is in the next block's state, and the block is valid", async () => {
  const network = await F1r3nodeTestNetwork.begin(ownBeginning());
  const [v1, v2, v3] = network.validators as [F1r3nodeValidator, F1r3nodeValidator, F1r3nodeValidator];
  // Two make blocks final while the third, with more stake than either, receives none.
  v1.deploy("u1", "Nil");
  const first = await v1.make();
  v2.deploy("u2", '@"cell"!("kept", 7)');
  const withheld = await v2.make();
  expect(await v3.take(first)).toBe("Valid");
  const second = await v3.make();
  expect(await v1.take(second)).toBe("Valid");
  const [mine, other] = [await v1.make(), await v3.make()];
  expect(await v1.take(other)).toBe("Valid");
  expect(await v1.take(withheld)).toBe("Valid");
  const made = await v1.make();
  network.blocks.push(made);
  expect(network.countAfter(made)).toBe(7n);
  expect(made.parents).toContainEqual(withheld.hash);
  expect(made.parents[0]).not.toEqual(withheld.hash);
  expect(v1.events.map(({ type }) => type)).toContain("parentsExchanged");
  for (const block of [first, second, mine, other, made]) expect(await v2.take(block)).toBe("Valid");
  for (const block of [mine, withheld, made]) expect(await v3.take(block)).toBe("Valid");
}, 300_000);
