// Covers: chain, network, node
import { expect, test } from "vitest";
import { NetworkProcesses } from "./NetworkProcesses.js";
import { expectAgreement } from "./networkChecks.js";

test("three validators make genesis in a ceremony and finalize; one falls silent and returns", async () => {
  await using network = await NetworkProcesses.start({ validators: 3, rhythmMs: 500 });
  await network.finalizes(network.names, 6);
  const { blocks } = await expectAgreement(network);
  const creators = new Set(blocks.map(({ sender }) => sender).filter((sender) => sender !== ""));
  expect(creators.size).toBeGreaterThan(1);

  expect(await network.stop("validator3")).toBe(130);
  const others = network.names.filter((name) => name !== "validator3");
  const { finalized: before } = (await network.heights("observer"))!;
  await network.finalizes(others, before + 5);

  network.restart("validator3");
  const { finalized: silent } = (await network.heights("observer"))!;
  await network.finalizes(network.names, silent + 5);
  await network.until("blocks of the one that returned are final", async () => {
    const { finalized } = (await network.heights("observer"))!;
    const blocks = await network.blocks("observer", silent + 1, finalized);
    return blocks.some(({ sender }) => sender === network.validatorKey("validator3"));
  });
  await expectAgreement(network);
});
