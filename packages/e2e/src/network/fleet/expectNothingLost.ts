import { expect } from "vitest";
import { printFigures, runUnderKills, type UnderKillsOptions } from "./runUnderKills.js";

/** Runs a fleet under kills, prints what came of it, and wants nothing wrong, lost, doubled or unanswered. */
export async function expectNothingLost(options: UnderKillsOptions): Promise<void> {
  process.stderr.write(`a fleet under kills: seed ${options.seed}\n`);
  const figures = await runUnderKills(options);
  process.stderr.write(printFigures(figures));
  const { http, grpc, follow, said, ended } = figures;
  for (const { reads, failed, wrong } of [http, grpc]) {
    expect(wrong).toEqual([]);
    expect(reads).toBeGreaterThan(0);
    expect(failed / reads).toBeLessThanOrEqual(0.001);
  }
  expect(follow.failures).toEqual([]);
  expect({ lost: follow.lost, doubled: follow.doubled, disordered: follow.disordered }).toEqual({
    ...{ lost: 0, doubled: 0, disordered: 0 },
  });
  expect(follow.events).toBeGreaterThan(0);
  expect(said.fleet).toEqual(said.apart);
  expect(Object.keys(said.fleet).length).toBeGreaterThan(0);
  expect(ended).toEqual([]);
}
