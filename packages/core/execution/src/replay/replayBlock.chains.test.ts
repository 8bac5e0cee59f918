import { toHex } from "@vedette/crypto";
import { chainsThatAreThere } from "@vedette/testing";
import { expect, test } from "vitest";
import { rnodeExecution } from "../form/rnodeExecution.js";
import { KnownBonds } from "../query/KnownBonds.js";
import { bonds } from "../query/proofOfStake.js";
import { recordedReplay } from "../testing/recordedReplay.js";
import { printReplayFailure } from "./ReplayFailure.js";

for (const chain of chainsThatAreThere("solo", "trio", "merge", "equivocation-v1", "equivocation-v3b")) {
  test(`every valid block of ${chain} replays to its post-state`, () => {
    let known: KnownBonds | undefined;
    for (const { states, replayed, facts, name } of recordedReplay(chain)) {
      if ("failure" in replayed)
        expect.fail(`${name} deploy ${replayed.deployIndex}: ${printReplayFailure(replayed.failure)}`);
      expect(toHex(replayed.postState), name).toBe(facts.postState);
      const found = bonds(states, replayed.postState, { form: rnodeExecution }).map(
        ({ validator, stake }) => `${toHex(validator)} ${stake}`,
      );
      // The program that was run for the state before serves for this one, unless it has other bonds.
      known ??= new KnownBonds(states, rnodeExecution);
      expect(known.of(replayed.postState), name).toEqual(bonds(states, replayed.postState, { form: rnodeExecution }));
      expect(found.sort()).toEqual(facts.bonds.map(({ validator, stake }) => `${validator} ${stake}`).sort());
    }
  });
}
