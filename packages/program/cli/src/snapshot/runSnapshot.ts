import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Config, parseDurationMs, readConfig } from "@vedette/config";
import { loadNodeIdentity } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { loadForms } from "@vedette/executor";
import { type Checkpoint, checkpointFormat } from "@vedette/light";
import { openReadOnly, ruleSetOf } from "@vedette/node/data";
import { findDialect } from "@vedette/protocol";
import type { CreatedSnapshot } from "@vedette/replication/snapshot";
import {
  createSnapshot,
  findManifests,
  findSnapshot,
  type Manifest,
  openPlace,
  pruneSnapshots,
  type SnapshotCreator,
  type SnapshotStorage,
  verifySnapshot,
} from "@vedette/replication/snapshot";
import { CommandError } from "../client/CommandError.js";
import { type DbOutput, megabytes, standardOutput } from "../db/runDb.js";
import { StageProgress } from "../db/StageProgress.js";
import { exitCodes } from "../exitCodes.js";
import { givenCheckpoint } from "../light/readCheckpointFile.js";
import { configSourcesOf, countOf, type GivenOptions, textOf } from "../runOptions.js";
import { restoreData } from "./restoreData.js";

/** The actions on snapshots. */
export type SnapshotAction = "create" | "restore" | "list" | "verify" | "prune";

const minEveryMs = 1_000;
/** Timers take no more. */
const maxEveryMs = 20 * 86_400_000;

interface Work {
  readonly place: SnapshotStorage;
  readonly options: GivenOptions;
  readonly config: () => Config;
  readonly report: (stage: string, done: number, total: number | undefined) => void;
  readonly signal: AbortSignal;
}

interface Answer {
  readonly lines: readonly string[];
  readonly json: object;
}

/** Waits for this time, or until a signal. */
export type WaitForSignal = (ms: number, signal: AbortSignal) => Promise<void>;

const waitInRealTime: WaitForSignal = (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {});

/**
 * Runs an action on snapshots and writes its progress to the standard error. `create` with `every` goes on until a
 * signal, and reports a snapshot that failed.
 *
 * @returns the exit code
 * @throws {SnapshotError}, {CommandError}, {ConfigError}, {DataDirectoryError}, {StoreError} with what to do
 */
export async function runSnapshot(
  action: SnapshotAction,
  options: GivenOptions,
  { print, progress: stream }: DbOutput = standardOutput,
  wait: WaitForSignal = waitInRealTime,
): Promise<number> {
  const controller = new AbortController();
  const stop = () => controller.abort();
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  const progress = new StageProgress(stream, () => performance.now());
  const answer = async (asked: SnapshotAction, where: SnapshotStorage) => {
    const { lines, json } = await answers[asked]({
      place: where,
      options,
      config: () => readConfig(configSourcesOf(options)).config,
      report: (stage, done, total) => progress.report(stage, done, total),
      signal: controller.signal,
    });
    progress.end();
    print(options["json"] === true ? `${JSON.stringify(json, undefined, 2)}\n` : `${lines.join("\n")}\n`);
  };
  try {
    const everyMs = everyOf(options);
    const place = await openPlace(
      needed(options, "location", "the folder of the snapshots, for example --location /mnt/snapshots"),
      {
        endpoint: textOf(options, "endpoint"),
        region: textOf(options, "region"),
      },
    );
    if (everyMs === undefined) {
      await answer(action, place);
      return exitCodes.success;
    }
    while (!controller.signal.aborted) {
      try {
        await answer("create", place);
        if (options["keep"] !== undefined) await answer("prune", place);
      } catch (error) {
        progress.end();
        if (!controller.signal.aborted) print(`${errorText(error)}; retry in ${String(options["interval"])}\n`);
      }
      await wait(everyMs, controller.signal);
    }
    return exitCodes.success;
  } catch (error) {
    progress.end();
    if (!controller.signal.aborted) throw error;
    print("Interrupted. Nothing is lost; call it again to go on.\n");
    return exitCodes.interrupted;
  } finally {
    process.off("SIGINT", stop);
    process.off("SIGTERM", stop);
  }
}

const answers: Readonly<Record<SnapshotAction, (work: Work) => Promise<Answer>>> = {
  create: async ({ place, options, config, report, signal }) => {
    const settings = config();
    await using source = await openReadOnly(settings["storage.data-dir"]);
    const begunMs = performance.now();
    const blocksFrom = countOf(options, "--blocks-from", Number.MAX_SAFE_INTEGER, 0);
    const made = await createSnapshot({
      ...{ source, place, signal, at: textOf(options, "at"), maker: makerIn(settings), nowMs: Date.now },
      blocksFrom: blocksFrom === undefined ? undefined : BigInt(blocksFrom),
      thresholdPpm: thresholdIn(settings),
      ruleSet: source.ruleSet ?? ruleSetOf(settings),
      report: (nodes, leaves) => report("nodes and leaves written", nodes + leaves, undefined),
    });
    const bytes = made.chunks.reduce((sum, chunk) => sum + chunk.bytes, 0);
    const seconds = ((performance.now() - begunMs) / 1_000).toFixed(1);
    const lines = [
      `Snapshot of block #${made.block.number} (${made.block.hash}) in ${place.label}`,
      `${made.nodes} nodes, ${made.leaves} leaves, ${made.blocks} blocks${belowOf(made.horizon?.states)}: ${megabytes(bytes)} in ${made.chunks.length} chunks, ${seconds} s`,
      `To begin with it: vedette snapshot restore --location ${place.label} --block ${made.block.hash} --data-dir <empty directory>`,
      ...checkpointLine(made),
    ];
    return { lines, json: factsOf({ ...made, maker: undefined }) };
  },
  restore: async ({ place, options, config, report, signal }) => {
    const checkpoint = givenCheckpoint(options);
    const given = textOf(options, "block") ?? checkpoint?.blockHash;
    const trusted = needed(
      { ...options, ...(given !== undefined && { block: given }) },
      "block",
      "the hash of a final block, or --checkpoint, from a source that you trust",
    );
    const settings = config();
    const path = settings["storage.data-dir"];
    const begunMs = performance.now();
    const restoring = { place, trusted, checkpoint, maker: textOf(options, "createdBy"), settings, report, signal };
    const { manifest, isDoneBefore } = await restoreData(restoring);
    if (isDoneBefore) {
      const line = `${path} begins with block #${manifest.block.number} already: nothing is left to do`;
      return { lines: [line], json: factsOf(manifest) };
    }
    const seconds = ((performance.now() - begunMs) / 1_000).toFixed(1);
    const lines = [
      `${path} begins with block #${manifest.block.number}: ${manifest.nodes} nodes and ${manifest.leaves} leaves, all checked, in ${seconds} s`,
      "A node that is started on it fetches what came since, and replays what lies before in the background.",
      ...checkpointLine(manifest),
    ];
    return { lines, json: factsOf(manifest) };
  },
  list: async ({ place }) => {
    const manifests = await findManifests(place);
    const lines = manifests.map((manifest) => {
      const bytes = manifest.chunks.reduce((sum, chunk) => sum + chunk.bytes, 0);
      const { block, madeAt, maker, shard } = manifest;
      const height = `#${block.number}`.padEnd(10);
      return `${height}${block.hash}  ${megabytes(bytes).padStart(10)}  ${new Date(madeAt).toISOString()}  ${shard}  ${maker === undefined ? "not signed" : `by ${maker}`}`;
    });
    const none = [`There is no snapshot in ${place.label}`];
    return { lines: lines.length === 0 ? none : lines, json: { snapshots: manifests.map(factsOf) } };
  },
  verify: async ({ place, options, report, signal }) => {
    const manifest = await findSnapshot(place, textOf(options, "block"));
    const dialect = findDialect(manifest.dialect)!;
    const { space: form } = await loadForms(dialect.name);
    const found = await verifySnapshot(place, manifest, { dialect, form, report, signal });
    const looked = `${found.blocks} blocks, ${found.nodes} nodes, ${found.leaves} leaves${belowOf(found.states)}`;
    return {
      lines: [`Snapshot of block #${manifest.block.number} (${manifest.block.hash}): ${looked}: all is well`],
      json: { ...factsOf(manifest), verified: found },
    };
  },
  prune: async ({ place, options }) => {
    const keep = countOf(options, "--keep", 999_999) ?? 3;
    const pruned = await pruneSnapshots(place, { keep, nowMs: Date.now() });
    const lines = [
      `${pruned.snapshots.length} snapshots thrown away, ${pruned.chunks} chunks with ${megabytes(pruned.bytes)}`,
      "Chunks stay for a day after they were written, since a restore may be using them.",
    ];
    return { lines, json: pruned };
  },
};

/** Returns the additional needs of f1r3node networks. */
function belowOf(states = 0): string {
  return states === 0 ? "" : `, ${states} states below it`;
}

/** The printed facts of a snapshot: all but the list of chunks. */
function factsOf({ chunks, ...facts }: Omit<Manifest, "maker"> & { readonly maker: string | undefined }) {
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.bytes, 0);
  return { ...facts, chunks: chunks.length, bytes };
}

/** The network's threshold in the node's settings; `undefined` if finality tolerates no fault. */
function thresholdIn(config: Config): number | undefined {
  const threshold = config["casper.fault-tolerance-threshold"];
  return threshold >= 0 && threshold <= 1 ? Math.round(threshold * 1e6) : undefined;
}

/** The node's own key signs what it makes, where it has one. */
function makerIn(config: Config): SnapshotCreator | undefined {
  const [certificate, key] = [config["tls.certificate-path"], config["tls.key-path"]];
  if (!existsSync(certificate) || !existsSync(key)) return undefined;
  return loadNodeIdentity({ certificatePath: certificate, keyPath: key, isCustomCertificate: true }, Date.now());
}

/** Between the beginnings of two snapshots; `undefined` where one is wanted. @throws {CommandError} `badArgument` */
function everyOf(options: GivenOptions): number | undefined {
  const text = textOf(options, "interval");
  if (text === undefined) return undefined;
  const milliseconds = parseDurationMs(text, true);
  if (milliseconds !== undefined && milliseconds >= minEveryMs && milliseconds <= maxEveryMs) return milliseconds;
  throw new CommandError({
    code: "badArgument",
    name: "--interval",
    expected: "a length of time from 1s to 20d, such as 6h",
  });
}

function needed(options: GivenOptions, name: string, what: string): string {
  const value = textOf(options, name);
  if (value === undefined || value === "")
    throw new CommandError({ code: "missingArgument", expected: `--${name}, ${what}` });
  return value;
}

/** The checkpoint that a snapshot carries, as `vedette light --checkpoint` reads it; nothing where it has none. */
function checkpointLine(snapshot: Omit<CreatedSnapshot, "maker">): readonly string[] {
  const { checkpoint, block, dialect, shard: shardId } = snapshot;
  if (checkpoint === undefined) return [];
  const place = { blockHash: block.hash, blockNumber: block.number, timestamp: checkpoint.timestamp };
  const { thresholdPpm } = checkpoint;
  const whole: Checkpoint = { format: checkpointFormat, dialect, shardId, ...place, thresholdPpm };
  return [`Checkpoint for light clients: ${JSON.stringify(whole)}`];
}
