import { usualCases } from "@vedette/testing";
import { StateStore } from "@vedette/tuplespace";
import { expect, test } from "vitest";
import { rnodeExecution } from "../form/rnodeExecution.js";
import { droppingStore } from "../report/droppingStore.js";
import { recordedReplay } from "../testing/recordedReplay.js";
import { traceDeploy } from "./traceDeploy.js";

test.each(usualCases(["solo", "merge"]))("the phlo of the steps of deploys of %s adds up to their costs", (chain) => {
  let deploys = 0;
  let placed = 0;
  for (const { block, store, replay, name } of recordedReplay(chain)) {
    // The long chain has many blocks of a kind.
    if (block.parents.length === 0 || block.number % (chain === "solo" ? 5n : 2n) !== 0n) continue;
    for (const [index, { failed, cost, systemDeployError }] of block.body.deploys.entries()) {
      if (failed || systemDeployError !== "") continue;
      const trace = traceDeploy(new StateStore(droppingStore(store)), { ...replay, form: rnodeExecution }, index);
      if ("code" in trace) expect.fail(`${name}: ${trace.code}`);
      const { parsingPhlo, otherPhlo, steps, isCut } = trace;
      const sum = steps.reduce((total, { phlo }) => total + phlo, parsingPhlo + otherPhlo);
      if (!isCut) expect([name, index, sum]).toEqual([name, index, cost]);
      placed += steps.filter(({ source }) => source.kind === "program" && source.place !== undefined).length;
      deploys += 1;
    }
  }
  expect(deploys).toBeGreaterThan(4);
  expect(placed).toBeGreaterThan(deploys);
});
