import { usualCases } from "@vedette/testing";
import { expect, test } from "vitest";
import { expectUnharmed } from "./expectUnharmed.js";

/** Chains of either node, of those beside the checkout. */
const chains = ["trio", "trio-r"];

// All of its blocks, by either dialect, are in hostileValidator.recorded.long.test.ts.
test.each(usualCases(chains))(
  "a bonded validator that signs absurd blocks harms neither the node that it calls nor those that receive them: %s",
  async (chain) => {
    expect.hasAssertions();
    await expectUnharmed({ chain, every: 4, isMeasured: false });
  },
);
