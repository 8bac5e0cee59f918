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
  "who reads from a fleet whose members are killed for ten minutes gets every event once, and no wrong answer",
  async () => {
    expect.hasAssertions();
    await expectNothingLost({
      size: { validators: 2, rhythmMs: 1_500, replicas: 3 },
      seed: seedOfToday(),
      durationMs: 600_000,
      followers: 50,
      readers: 4,
    });
  },
);
