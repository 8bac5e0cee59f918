import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { blake2b256, equalBytes, toHex } from "@vedette/crypto";
import { LmdbStore, tablesOf } from "@vedette/store";
import { fastFolder, seededRandom, seedOfToday } from "@vedette/testing";
import { expect, test } from "vitest";
import { StateStore } from "./StateStore.js";

const child = fileURLToPath(new URL("../../dist/testing/pruningChild.js", import.meta.url));
const kills = 5;
/** A round is some sixty slices. */
const mostSlices = 150;

test(`a program that is killed amid its pruning, ${kills} times, leaves every recorded state whole`, async () => {
  const folder = mkdtempSync(join(fastFolder, "vedette-pruning-"));
  const seed = seedOfToday();
  const random = seededRandom(seed);
  const phases = new Set<string>();
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      phases.add(await killAfter(folder, seed, 1 + Math.floor(random() * mostSlices)));
      await using store = new LmdbStore(join(folder, "state"), { tables: tablesOf("state") });
      const roots = [...store.table("roots").range()].flatMap(([key]) => (key.length === 32 ? [key] : []));
      expect(roots.length, `seed ${seed}`).toBeGreaterThan(5);
      const states = new StateStore(store);
      for (const root of roots) checkWhole(states, root);
    }
    expect(phases.has("marking") || phases.has("sweeping")).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** @returns the phase in which it was killed */
async function killAfter(folder: string, seed: number, slices: number): Promise<string> {
  const program = spawn(process.execPath, [child, folder, String(seed)], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(program, "exit");
  let told = 0;
  let phase = "";
  for await (const line of createInterface({ input: program.stdout })) {
    phase = line;
    told += 1;
    if (told === slices) program.kill("SIGKILL");
  }
  const [code, signal] = await exited;
  expect([code, signal]).toEqual([null, "SIGKILL"]);
  return phase;
}

/** Reads every node and leaf, and compares it with its hash. @throws TypeError */
function checkWhole(states: StateStore, root: Uint8Array): void {
  const pending = [root];
  for (let hash = pending.pop(); hash !== undefined; hash = pending.pop()) {
    const node = states.node(hash);
    if (!equalBytes(blake2b256(node.bytes), hash)) throw new TypeError(`node ${toHex(hash)} is another one`);
    for (let index = 0; index < 256; index += 1) {
      const offset = node.offsetOf(index);
      if (offset < 0) continue;
      const target = node.targetAt(offset);
      if (node.isPointerAt(offset)) pending.push(target);
      else if (!equalBytes(blake2b256(states.leafBytes(target) ?? new Uint8Array(0)), target))
        throw new TypeError(`leaf ${toHex(target)} is not there`);
    }
  }
}
