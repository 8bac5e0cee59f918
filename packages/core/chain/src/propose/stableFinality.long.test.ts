import { expect, test } from "vitest";
import { expectStableFinality, slowNetworks } from "../testing/SlowNetwork.js";

const seeds = Array.from({ length: 40 }, (_, index) => index + 1);

for (const [name, byName] of slowNetworks)
  for (const maximumParents of [1, 10])
    test(`what is final stays so, and for all, when blocks come late: ${name}, at most ${maximumParents} parents, ${seeds.length} networks`, async () => {
      for (const seed of seeds) await expectStableFinality(seed, byName, maximumParents);
      expect(seeds).not.toEqual([]);
    });
