import { seedOfToday } from "@vedette/testing";
import { beforeAll, expect, test } from "vitest";
import { expectNothingLost } from "./fleet/expectNothingLost.js";
import { FleetProcesses, whyNoFleet } from "./fleet/FleetProcesses.js";

const why = whyNoFleet();
if (why !== undefined) process.stderr.write(`a fleet whose members are killed is not tried: ${why}\n`);

beforeAll(() => {
  if (why === undefined) FleetProcesses.build();
}, 900_000);

test.skipIf(why !== undefined)(
  "who reads from a fleet whose members are killed at random gets every event once, and no wrong answer",
  async () => {
    expect.hasAssertions();
    await expectNothingLost({
      size: { validators: 1, rhythmMs: 1_500, replicas: 2 },
      seed: seedOfToday(),
      durationMs: 40_000,
      followers: 12,
      readers: 2,
    });
  },
);
