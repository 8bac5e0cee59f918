import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { skipNote } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { runEndedThreads } from "../testing/runEndedThreads.js";
import { runScenario } from "../testing/runScenario.js";

const lastPlace = 5;

/** Kills a replay once it has reported a block. @returns the places of the blocks that it has reported */
async function killedReplay(stateDirectory: string, atPlace: number): Promise<number[]> {
  const module = fileURLToPath(new URL("../../dist/testing/replacedExecutor.js", import.meta.url));
  const child = spawn(process.execPath, [module, stateDirectory], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const places: number[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    places.push((JSON.parse(line) as { place: number }).place);
    if (places.at(-1) === atPlace) child.kill("SIGKILL");
  }
  await exited;
  return places;
}

describe("threads that are replaced", () => {
  test("an executor that is replaced after every answer, and killed in between, reaches the states of the blocks", async () => {
    const stateDirectory = mkdtempSync(join(tmpdir(), "vedette-executor-"));
    try {
      const before = await killedReplay(stateDirectory, 2);
      const after = (await runScenario("replacedExecutor.js", [stateDirectory])) as { place: number }[];
      const last = after.pop() as unknown as { threads: number };
      const first = after[0]!.place;
      // The block that was under way may have been finished.
      expect([before.at(-1)! + 1, before.at(-1)! + 2]).toContain(first);
      const expected = Array.from({ length: lastPlace - first + 1 }, (_, index) => first + index);
      expect(after).toEqual(expected.map((place) => ({ place, isRight: true, isKept: true })));
      expect(last.threads).toBeGreaterThan(1);
    } finally {
      rmSync(stateDirectory, { recursive: true });
    }
  });

  test("threads that end when they have nothing to do begin again for the next call, at all moments, and lose nothing", async () => {
    const { wrong, threads, written } = await runEndedThreads(6);
    expect(wrong).toEqual([]);
    // Without an end there were three.
    expect(threads).toBeGreaterThan(3);
    expect(written).toBeGreaterThan(0);
  });

  const unmeasured = existsSync("/proc/self/pagemap") ? undefined : "the system does not report memory";
  test.skipIf(unmeasured !== undefined)(
    `readers that are replaced amid queries lose none, a stack that was used goes back, and one reader at a time holds much${skipNote(unmeasured)}`,
    async () => {
      const [amid, stack, together] = (await runScenario("replacedReaders.js")) as [
        { wrong: string[]; threads: number },
        { leftMegabytes: number },
        { outcomes: string[]; maxMegabytes: number },
      ];
      expect(amid.wrong).toEqual([]);
      expect(amid.threads).toBeGreaterThan(6);
      expect(stack).toMatchObject({
        before: '{"ExprInt":{"data":1}}',
        // Its stack counts as memory: which of the two bounds it meets first is a question of when memory is looked at.
        deep: expect.stringMatching(/nested too deeply|^stopped: memory$/),
        after: '{"ExprInt":{"data":2}}',
      });
      // All of the stack is 148.
      process.stdout.write(`a stack that was used to its end leaves ${stack.leftMegabytes} MB\n`);
      expect(stack.leftMegabytes).toBeLessThan(80);
      process.stdout.write(`two programs that take all they get hold ${together.maxMegabytes} MB at most\n`);
      for (const outcome of together.outcomes) expect(outcome).toMatch(/^(stopped: (memory|deadline)|failed)$/);
      // One has 208, the other 104, and garbage: twice 208 would be 416.
      expect(together.maxMegabytes).toBeLessThan(390);
    },
  );
});
