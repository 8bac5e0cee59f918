import { MemoryStore } from "@vedette/store";
import { expect, test } from "vitest";
import { testHash } from "../testing/testBlock.js";
import { BlockBuffer } from "./BlockBuffer.js";
import { CyclicDependencyResolver } from "./CyclicDependencyResolver.js";

test("a node that stands still looks the longer for circles the more blocks wait, and not at all where none does", async () => {
  const buffer = new BlockBuffer(new MemoryStore(["bufferedBlocks"]));
  let breaths = 0;
  const yieldNow = async () => void (breaths += 1);
  const doubt = new CyclicDependencyResolver({
    ...{ blocks: { get: () => undefined }, dag: { changes: () => 0 }, buffer, timers: { yieldNow } },
    ...{ isIdle: () => true, fetchAnew: () => {} },
  });
  const breathsOfSearch = async () => {
    breaths = 0;
    await doubt.seek();
    return breaths;
  };
  await doubt.seek();
  expect(await breathsOfSearch()).toBe(0);
  const line = Array.from({ length: 41 }, (_, index) => testHash(`line ${index}`));
  for (const [index, hash] of line.slice(1).entries()) {
    buffer.add(hash, [line[index]!]);
    if (index === 2) expect(await breathsOfSearch()).toBe(1);
  }
  expect(await breathsOfSearch()).toBe(13);
});
