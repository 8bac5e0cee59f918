import { PerformanceObserver } from "node:perf_hooks";
import { setImmediate as yieldNow } from "node:timers/promises";
import { getHeapSpaceStatistics } from "node:v8";
import { runInThisContext } from "node:vm";
import { expect, test } from "vitest";
import { dropUnusedCode } from "./dropUnusedCode.js";
import { reduceHeap } from "./reduceHeap.js";

const functionCount = 1_000;
const calls = 200;
const maxCollections = 30;

function codeBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === "code_space")!.space_used_size;
}

/** Makes garbage of some age, as work does: a requested collection does not count for a function's age. */
async function collectByWork(until: () => boolean): Promise<void> {
  let collections = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries()) if ((detail as { kind: number }).kind === 4) collections += 1;
  });
  observer.observe({ entryTypes: ["gc"] });
  let held: unknown[] = [];
  while (collections < maxCollections && !until()) {
    held.push(Array.from({ length: 20_000 }, (_, at) => ({ at })));
    if (held.length > 30) held = [];
    await yieldNow();
  }
  observer.disconnect();
}

test("machine code that does not run any more goes, and the functions go on", async () => {
  dropUnusedCode();
  const texts = Array.from(
    { length: functionCount },
    (_, at) => `(list) => { let sum = ${at}; for (const one of list) sum += one; return sum; }`,
  );
  await reduceHeap();
  const before = codeBytes();
  const functions = runInThisContext(`[${texts.join(",")}]`) as ((list: number[]) => number)[];
  for (let call = 0; call < calls; call += 1) for (const sum of functions) sum([call, 1, 2]);
  const more = codeBytes() - before;
  expect(more).toBeGreaterThan(200 * functionCount);
  await collectByWork(() => codeBytes() - before < more / 4);
  expect(codeBytes() - before).toBeLessThan(more / 4);
  expect(functions.map((sum) => sum([1, 2, 3]))).toEqual(functions.map((_, at) => at + 6));
});
