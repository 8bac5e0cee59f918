// Covers: chain, simulation
import { expect, test } from "vitest";
import { simulateMixed } from "./simulateMixed.js";

const networks = Number(process.env["VEDETTE_LONG_SIMULATIONS"] ?? 100);

test(`${networks} networks of both makes stay one where a validator makes two blocks at once`, async () => {
  const failures: string[] = [];
  for (let seed = 1; seed <= networks; seed += 1) {
    const { wrong } = await simulateMixed(seed);
    if (wrong.length > 0) failures.push(`seed ${seed}: ${wrong.join("; ")}`);
  }
  expect(failures).toEqual([]);
});
