// Covers: light, simulation
import { expect, test } from "vitest";
import { simulateLight } from "./simulateLight.js";

const networks = Number(process.env["VEDETTE_LONG_SIMULATIONS"] ?? 1_000);
const first = Number(process.env["VEDETTE_FIRST_SEED"] ?? 1);

test(`light clients of ${networks} networks accept final blocks alone, whatever a server shows`, async () => {
  const failures: string[] = [];
  const sums = { blocks: 0, sideBlocks: 0, lies: 0, tried: 0, shown: 0, takeovers: 0 };
  for (let seed = first; seed < first + networks; seed += 1) {
    const { wrong, reportsTakeover, blocks, sideBlocks, lies, tried, shown } = await simulateLight(seed);
    if (wrong.length > 0) failures.push(`seed ${seed}: ${wrong.join("; ")}`);
    sums.blocks += blocks;
    sums.sideBlocks += sideBlocks;
    sums.lies += lies;
    sums.tried += tried;
    sums.shown += shown;
    sums.takeovers += reportsTakeover === true ? 1 : 0;
  }
  process.stdout.write(`light clients: ${JSON.stringify(sums)}\n`);
  expect(failures).toEqual([]);
});
