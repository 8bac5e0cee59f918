import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { throwGarbageAway } from "./deepStack.js";
import { privateMemory } from "./privateMemory.js";
import { returnFreedMemory } from "./returnFreedMemory.js";

/** So small that the allocator takes it from an arena. */
const pieceBytes = 60_000;
const pieces = 2_000;
const ending = new AbortController();
afterEach(() => ending.abort());

/** Most of them dropped; what is held lies between them. */
function scattered(): Uint8Array[] {
  const made = Array.from({ length: pieces }, () => Buffer.allocUnsafeSlow(pieceBytes).fill(1));
  return made.filter((_, at) => at % 40 === 0);
}

if (privateMemory("self") !== undefined)
  test("pages between what is held are given back", async () => {
    const held = scattered();
    // Dropped objects are freed by and by.
    let atRest = Number.POSITIVE_INFINITY;
    for (let now = privateMemory("self")!; now < atRest; now = privateMemory("self")!) {
      atRest = now;
      throwGarbageAway();
      await sleep(200);
    }
    returnFreedMemory(ending.signal, 50);
    await expect.poll(() => atRest - privateMemory("self")!).toBeGreaterThan((pieces * pieceBytes) / 2);
    expect(held.every((piece) => piece[pieceBytes - 1] === 1)).toBe(true);
  });
