// Covers: chain, network, node
import { expect, test } from "vitest";
import { expectUnharmed } from "./expectUnharmed.js";

test.each(["trio", "trio-r"])(
  "a bonded validator that signs absurd blocks freezes neither the node that it calls nor those that receive them: %s",
  async (chain) => {
    expect.hasAssertions();
    await expectUnharmed({ chain, every: 1, isMeasured: true });
  },
);
