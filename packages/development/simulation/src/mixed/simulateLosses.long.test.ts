// Covers: chain, simulation
import type { NodeMake } from "@vedette/chain/testing";
import { expect, test } from "vitest";
import { simulateLosses } from "./simulateLosses.js";

const networks = Number(process.env["VEDETTE_LONG_SIMULATIONS"] ?? 60);

async function lostOf(makeOf: (index: number) => NodeMake): Promise<number> {
  let all = 0;
  for (let seed = 1; seed <= networks; seed += 1) {
    const { lost, ...harm } = await simulateLosses(seed, makeOf);
    expect(harm, `seed ${seed}`).toMatchObject({ repeated: 0, refusals: 0, confusable: 0 });
    all += lost;
  }
  return all;
}

test(`${networks} networks lose no deploy where all are Vedette, and fewer the more of them are`, async () => {
  const [alone, half, none] = [
    await lostOf(() => "f1r3node"),
    await lostOf((index) => (index < 2 ? "f1r3node" : "vedette")),
    await lostOf(() => "vedette"),
  ];
  expect(alone).toBeGreaterThan(0);
  expect(half).toBeLessThanOrEqual(alone);
  expect(none).toBe(0);
});
