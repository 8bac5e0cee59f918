import { MemoryStore } from "@vedette/store";
import { expect, test } from "vitest";
import { testHash } from "../testing/testBlock.js";
import { BlockBuffer } from "./BlockBuffer.js";
import { CyclicDependencyResolver } from "./CyclicDependencyResolver.js";

test("a stalled node looks the longer for circles the more blocks wait, and not at all where none does", async () => {
  const buffer = new BlockBuffer(new MemoryStore(["bufferedBlocks"]));
  let yields = 0;
  const yieldNow = async () => void (yields += 1);
  const doubt = new CyclicDependencyResolver({
    ...{ blocks: { get: () => undefined }, dag: { changes: () => 0 }, buffer, timers: { yieldNow } },
    ...{ isIdle: () => true, fetchAnew: () => {} },
  });
  const yieldsOfSearch = async () => {
    yields = 0;
    await doubt.seek();
    return yields;
  };
  await doubt.seek();
  expect(await yieldsOfSearch()).toBe(0);
  const line = Array.from({ length: 41 }, (_, index) => testHash(`line ${index}`));
  for (const [index, hash] of line.slice(1).entries()) {
    buffer.add(hash, [line[index]!]);
    if (index === 2) expect(await yieldsOfSearch()).toBe(1);
  }
  expect(await yieldsOfSearch()).toBe(13);
});
