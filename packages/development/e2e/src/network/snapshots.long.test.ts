// Covers: node, replication/snapshot, sync
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { program } from "@vedette/cli/testing";
import { balanceTerm } from "@vedette/client";
import type { NodePlan } from "@vedette/devtools/devnet";
import { expect, test } from "vitest";
import { dialectNames, type ListedBlock, NetworkProcesses } from "./NetworkProcesses.js";
import { deployIsFinal, transferBy } from "./networkDeploys.js";

const stepMs = 100;
const amount = 12_345n;

interface Facts {
  readonly block: { readonly hash: string; readonly number: number };
  readonly blocks: number;
  readonly nodes: number;
  readonly horizon?: { readonly states: number; readonly numbers: number };
}

interface Sync {
  readonly state: string;
  readonly verifiedFrom: number | string | null;
  readonly history: object | null;
}

/** Runs `vedette snapshot` as a process of its own. @returns its output, `undefined` if it was killed */
async function snapshot(args: readonly string[], isToKill?: () => boolean): Promise<string | undefined> {
  const child = spawn(process.execPath, [program, "snapshot", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  const looking = isToKill && setInterval(() => isToKill() && child.kill("SIGKILL"), 1);
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  clearInterval(looking);
  if (signal === "SIGKILL") return undefined;
  if (code !== 0) throw new Error(`vedette snapshot ${args.join(" ")} ended with ${code ?? signal}: ${said}`);
  return said;
}

/** Fills a directory, killed ever later until it comes to its end. @returns how many times it was killed */
async function restoreThroughKills(args: readonly string[], directory: string): Promise<number> {
  for (let kills = 0; ; kills += 1) {
    const endsAt = performance.now() + kills * stepMs;
    const said = await snapshot(["restore", ...args], () => performance.now() >= endsAt);
    if (said === undefined) continue;
    // A kill may come between the last step and the end of the process.
    expect(said).toMatch(kills === 0 ? /all checked/ : /all checked|already: nothing is left to do/);
    expect(isRestoring(directory)).toBe(false);
    return kills;
  }
}

/** Begins to fill a directory, and is killed amid that. */
async function restoreInPart(args: readonly string[], directory: string): Promise<void> {
  const before = new Set(readdirSync(directory));
  for (let tries = 0; tries < 20; tries += 1) {
    await snapshot(["restore", ...args], () => isRestoring(directory));
    if (isRestoring(directory)) return;
    // It was at its end sooner than it was seen at work.
    for (const name of readdirSync(directory))
      if (!before.has(name)) rmSync(join(directory, name), { recursive: true });
  }
  throw new Error("no restore could be killed amid its work");
}

function isRestoring(directory: string): boolean {
  return existsSync(join(directory, "restoring"));
}

test.each(dialectNames)(
  "observers begin with a snapshot that was made beside a node at work, through kills, and follow to the tip: %s",
  async (dialect) => {
    await using network = await NetworkProcesses.start({ validators: 2, rhythmMs: 1_000, dialect });
    const [from, to] = network.wallets;
    await network.finalizes(network.names, 4);
    const id = await transferBy(network, "validator1", { from: from!, to: to!, amount });
    await deployIsFinal(network, "observer", id);

    const { directory } = network.node("observer").plan;
    const place = join(directory, "..", "snapshots");
    mkdirSync(place);
    const made = JSON.parse(
      (await snapshot(["create", `--data-dir=${directory}`, `--location=${place}`, "--json"]))!,
    ) as Facts;
    const { hash, number } = made.block;
    expect(made.nodes).toBeGreaterThan(100);
    expect(made.horizon !== undefined).toBe(dialect === "f1r3node");
    if (made.horizon !== undefined) {
      // Blocks without deploys lead to the state that they began with.
      expect(made.horizon.states).toBeGreaterThan(0);
      expect(made.horizon.numbers).toBeGreaterThan(3);
    }
    expect(await snapshot(["verify", `--location=${place}`])).toContain("all is well");
    expect(await snapshot(["list", `--location=${place}`])).toContain(`#${number}`);

    const restoring = ({ directory: path }: NodePlan) => [
      ...[`--data-dir=${path}`, `--location=${place}`, `--block=${hash}`, `--dialect=${dialect}`],
    ];
    let kills = 0;
    await network.join("late", "observer", {
      more: { "protocol-client.disable-lfs": false, "sync.verify-delay": "0 seconds" },
      prepare: async (plan) => {
        kills = await restoreThroughKills(restoring(plan), plan.directory);
      },
    });
    expect(kills).toBeGreaterThan(3);
    const target = (await network.heights("observer"))!.finalized + 3;
    await network.finalizes(["observer", "late"], target);
    const blocksOf = async (name: string) =>
      (await network.blocks(name, number, target))
        .map(({ blockHash, postStateHash }: ListedBlock) => `${blockHash} ${postStateHash}`)
        .sort();
    expect(await blocksOf("late")).toEqual(await blocksOf("observer"));
    expect(await balanceAt(network, "late", to!.address)).toBe(await balanceAt(network, "observer", to!.address));
    // It began with the snapshot, and requested no state; by f1r3node's rules the blocks above need the states
    // of floors and merge bases below it, which a snapshot has too (61 §16.4, the horizon).
    expect(network.log("late", 10_000)).not.toContain("Sending StoreItemsRequest");

    // The history before is replayed in the background, until the node has proven the state that it began with.
    await network.until("the whole chain is verified", async () => {
      return Number((await syncOf(network, "late")).verifiedFrom) === 0;
    });
    expect(await syncOf(network, "late")).toMatchObject({ history: null });

    // It goes on where it was, however it ended.
    await network.kill("late");
    network.restart("late");
    const { finalized } = (await network.heights("observer"))!;
    await network.finalizes(["late"], finalized + 2);

    await expect(snapshot(["restore", ...restoring(network.node("observer").plan)])).rejects.toThrow("in use");

    // A directory that was left half filled is none that is begun with: its node joins by its peers.
    await network.join("half", "observer", {
      more: { "protocol-client.disable-lfs": false },
      prepare: async (plan) => {
        await restoreInPart(restoring(plan), plan.directory);
        expect(readdirSync(plan.directory)).toContain("chain");
      },
    });
    const height = (await network.heights("observer"))!.finalized;
    await network.finalizes(["half"], height + 2);
    expect(await balanceAt(network, "half", to!.address)).toBe(await balanceAt(network, "observer", to!.address));
  },
);

async function syncOf(network: NetworkProcesses, name: string): Promise<Sync> {
  return ((await network.get(name, "/status")) as { syncStatus: Sync }).syncStatus;
}

async function balanceAt(network: NetworkProcesses, name: string, address: string): Promise<bigint> {
  using client = network.client(name);
  const { data } = await client.explore(balanceTerm(address, network.dialect));
  const expr = data[0]?.exprs[0];
  if (expr?.kind !== "GInt") throw new Error("no balance is returned");
  return BigInt(expr.value);
}
