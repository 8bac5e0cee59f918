// Covers: chain, node, store
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "vitest";
import { dialectNames, NetworkProcesses } from "./NetworkProcesses.js";
import { expectAgreement } from "./networkChecks.js";

/** Kills of each process; all five are killed. */
const rounds = Number(process.env["VEDETTE_LONG_KILL_ROUNDS"] ?? 2);
const rhythmMs = 1_000;

test.each(dialectNames)(
  `${rounds * 5} kills at random moments: each node catches up, nothing final is lost, no validator equivocates: %s`,
  async (dialect) => {
    await using network = await NetworkProcesses.start({ validators: 3, rhythmMs, dialect });
    await network.finalizes(network.names, 3);
    for (let round = 0; round < rounds; round++) {
      for (const name of network.names) {
        await sleep(randomInt(2 * rhythmMs));
        const { finalized: before } = (await network.heights(name)) ?? { finalized: 0 };
        await network.kill(name);
        await sleep(randomInt(3 * rhythmMs));
        network.restart(name);
        await network.finalizes([name], before);
        const { finalized } = (await network.heights("observer")) ?? { finalized: before };
        await network.finalizes(network.names, finalized + 2);
      }
      await expectAgreement(network);
    }
  },
);
