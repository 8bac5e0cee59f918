import { seedOfToday } from "@vedette/testing";
import { beforeAll, expect, test } from "vitest";
import { FleetProcesses, whyNoFleet } from "./FleetProcesses.js";
import { printFigures, runUnderKills, type UnderKillsOptions } from "./runUnderKills.js";

/**
 * Tests that a reader of a fleet under kills gets every event once and no wrong answer; left out, with a message, if it
 * cannot run.
 */
export function testUnderKills(options: Omit<UnderKillsOptions, "seed">): void {
  const why = whyNoFleet();
  if (why !== undefined) process.stderr.write(`a fleet with killed members is not tried: ${why}\n`);
  beforeAll(() => {
    if (why === undefined) FleetProcesses.build();
  });
  test.skipIf(why !== undefined)(
    `a reader of a fleet with members that are killed for ${options.durationMs / 1_000} s gets every event once, and no wrong answer`,
    async () => {
      expect.hasAssertions();
      await expectNothingLost({ ...options, seed: seedOfToday() });
    },
  );
}

/** Runs a fleet under kills, prints what came of it, and wants nothing wrong, lost, doubled or unanswered. */
async function expectNothingLost(options: UnderKillsOptions): Promise<void> {
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
