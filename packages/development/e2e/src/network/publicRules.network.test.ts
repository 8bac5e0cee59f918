import { expect, test } from "vitest";
import { NetworkProcesses } from "./NetworkProcesses.js";
import { expectAgreement } from "./networkChecks.js";

test("with one parent and a threshold of 0.99, as on the public network, what all validators have built on is final", async () => {
  await using network = await NetworkProcesses.start({
    ...{ validators: 3, rhythmMs: 500, parents: 1, faultTolerance: 0.99 },
  });
  await network.finalizes(network.names, 6);
  const { finalized } = (await network.heights("observer"))!;
  expect(await network.stop("validator2")).toBe(130);
  // Without one of them nothing more becomes final than what it has spoken for.
  const others = network.names.filter((name) => name !== "validator2");
  await network.until("the others make blocks", async () => {
    return ((await network.heights("observer"))?.height ?? 0) > finalized + 12;
  });
  const { height, finalized: held } = (await network.heights("observer"))!;
  expect(height - held).toBeGreaterThan(6);
  network.restart("validator2");
  await network.finalizes(network.names, height);
  await expectAgreement(network, others);
  await expectAgreement(network);
});
