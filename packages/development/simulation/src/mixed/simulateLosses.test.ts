import { expect, test } from "vitest";
import { simulateLosses } from "./simulateLosses.js";

// With f1r3node's choice of parents alone the first of them loses deploys.
test.each([13, 1])(
  "no deploy is lost in a network with validators that are cut off now and then (seed %i)",
  async (seed) => {
    const { blocks, finalHeight, ...harm } = await simulateLosses(seed, () => "vedette");
    expect(harm).toMatchObject({ lost: 0, repeated: 0, refusals: 0, confusable: 0 });
    expect(finalHeight).toBeGreaterThan(10);
    expect(blocks).toBeGreaterThan(50);
  },
);
