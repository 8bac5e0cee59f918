import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { blake2b256, equalBytes, toHex } from "@vedette/crypto";
import { LmdbStore, tablesOf } from "@vedette/store";
import { seededRandom } from "@vedette/testing";
import { StateStore } from "../history/StateStore.js";

const child = fileURLToPath(new URL("../../dist/testing/pruningChild.js", import.meta.url));
/** A round is some sixty slices. */
const maxSlices = 150;

/**
 * Kills a program amid its pruning so often, each time on what the last one left, and reads every recorded state.
 *
 * @returns the phases in which it was killed
 * @throws TypeError when a state is not whole, or the program ends by itself
 */
export async function killPruning(
  folder: string,
  { kills, seed }: { readonly kills: number; readonly seed: number },
): Promise<ReadonlySet<string>> {
  const random = seededRandom(seed);
  const phases = new Set<string>();
  for (let kill = 0; kill < kills; kill += 1) {
    phases.add(await killAfter(folder, seed, 1 + Math.floor(random() * maxSlices)));
    await using store = new LmdbStore(join(folder, "state"), { tables: tablesOf("state") });
    const roots = [...store.table("roots").range()].flatMap(([key]) => (key.length === 32 ? [key] : []));
    if (roots.length <= 5) throw new TypeError(`${roots.length} states are left after ${kill + 1} kills, seed ${seed}`);
    const states = new StateStore(store);
    for (const root of roots) checkWhole(states, root);
  }
  return phases;
}

/** @returns the phase in which it was killed */
async function killAfter(folder: string, seed: number, slices: number): Promise<string> {
  const program = spawn(process.execPath, [child, folder, String(seed)], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(program, "exit");
  let lines = 0;
  let phase = "";
  for await (const line of createInterface({ input: program.stdout })) {
    phase = line;
    lines += 1;
    if (lines === slices) program.kill("SIGKILL");
  }
  const [code, signal] = await exited;
  if (signal !== "SIGKILL") throw new TypeError(`the program ended by itself with ${code ?? signal}, seed ${seed}`);
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
