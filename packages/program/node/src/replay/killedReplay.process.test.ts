import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chainDirectory, fastFolder, ownChain, ownF1r3nodeChain, recordedBlocks, usualCases } from "@vedette/testing";
import { afterAll, expect, test } from "vitest";
import { openOffline } from "../db/OfflineData.js";
import { verifyData } from "../db/verifyData.js";

const child = fileURLToPath(new URL("../../dist/testing/replayChild.js", import.meta.url));
const folder = mkdtempSync(join(fastFolder, "vedette-killed-replay-"));
const chains = [ownChain, ownF1r3nodeChain];
const { signal } = new AbortController();
afterAll(() => rmSync(folder, { recursive: true }));

/** Replays, killed after a number of printed blocks. @returns whether it was killed, and how many blocks it printed */
async function replay(
  chain: string,
  killAfter?: number,
): Promise<{ readonly isKilled: boolean; readonly printed: number }> {
  const args = [
    child,
    chainDirectory(chain),
    join(folder, chain),
    "4",
    ...(killAfter === undefined ? [] : [String(killAfter)]),
  ];
  const program = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(program, "exit");
  let printed = 0;
  for await (const _line of createInterface({ input: program.stdout })) printed += 1;
  const [code, sign] = await exited;
  if (sign === null) expect(code).toBe(0);
  return { isKilled: sign === "SIGKILL", printed };
}

/** Heights of the chain that is on disk, which must be whole. */
async function heights(chain: string): Promise<number> {
  await using data = await openOffline(join(folder, chain), { isWritten: false, shard: "root" });
  expect((await verifyData(data, () => {}, signal)).problems).toEqual([]);
  return Number(data.dag.nextBlockNumber());
}

// Both chains are replayed in killedReplay.long.test.ts.
test.each(usualCases(chains))(
  "a replay of %s that is killed leaves whole blocks with their states, and goes on behind them",
  async (chain) => {
    const all = recordedBlocks(chain).length;
    const found: number[] = [];
    for (const killAfter of [6, 3]) {
      expect(await replay(chain, killAfter)).toEqual({ isKilled: true, printed: killAfter });
      found.push(await heights(chain));
    }
    expect(found).toEqual([...found].sort((left, right) => left - right));
    expect(await replay(chain)).toMatchObject({ isKilled: false });
    expect(await heights(chain)).toBeGreaterThan(found.at(-1)!);
    expect(await replay(chain)).toEqual({ isKilled: false, printed: 0 });
    expect(all).toBeGreaterThan(10);
  },
);
