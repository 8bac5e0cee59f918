import { type Config, historyWindow, readConfig } from "@vedette/config";
import {
  checkFiles,
  compactData,
  type DataStats,
  dataStats,
  dialectOfData,
  migrateData,
  type OfflineData,
  openOffline,
  pruneData,
  type RepairedData,
  type ReportProgress,
  repairData,
  ruleSetOfData,
  sealData,
  verifyData,
} from "@vedette/node/data";
import { exitCodes } from "../exitCodes.js";
import { configSourcesOf, type GivenOptions } from "../runOptions.js";
import { StageProgress } from "./StageProgress.js";

/** The actions on a data directory. */
export type DbAction = "stats" | "verify" | "compact" | "prune" | "migrate";

/** Where the answer goes, and how far the work is. */
export interface DbOutput {
  readonly print: (text: string) => void;
  readonly progress: Pick<NodeJS.WriteStream, "isTTY" | "write">;
}

/** The standard output, and for the progress the standard error. */
export const standardOutput: DbOutput = { print: (text) => void process.stdout.write(text), progress: process.stderr };

/** The answer for people, line by line, and for programs. */
interface Answer {
  readonly lines: readonly string[];
  readonly json: object;
  readonly isGood: boolean;
}

interface Work {
  readonly path: string;
  readonly shard: string;
  readonly window: bigint | undefined;
  readonly config: Config;
  readonly repairs: boolean;
  readonly report: ReportProgress;
  readonly signal: AbortSignal;
}

/**
 * Does something with a data directory, with its progress on the standard error.
 *
 * @returns the exit code
 * @throws {ConfigError}, {DataDirectoryError}, {StoreError} with what to do
 */
export async function runDb(
  action: DbAction,
  options: GivenOptions,
  { print, progress: stream }: DbOutput = standardOutput,
): Promise<number> {
  const config = configOf(options);
  const controller = new AbortController();
  const stop = () => controller.abort();
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  const progress = new StageProgress(stream, () => performance.now());
  try {
    const answer = await answers[action]({
      path: config["storage.data-dir"],
      shard: config["casper.shard-name"],
      config,
      repairs: options["repair"] === true,
      window: historyWindow(config["storage.state-retention"], config["casper.height-constraint-threshold"]),
      report: (stage, done, total) => progress.report(stage, done, total),
      signal: controller.signal,
    });
    progress.end();
    print(options["json"] === true ? `${jsonText(answer.json)}\n` : `${answer.lines.join("\n")}\n`);
    return answer.isGood ? exitCodes.success : exitCodes.failure;
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

/** Reads the configuration without a dialect and a rule set: the directory's data decide them. */
function configOf(options: GivenOptions): Config {
  const sources = configSourcesOf(options);
  const { config } = readConfig(sources);
  const path = config["storage.data-dir"];
  const { name } = dialectOfData(path);
  const ruleSet = ruleSetOfData(path) ?? config["casper.rule-set"];
  if (name === config.dialect && ruleSet === config["casper.rule-set"]) return config;
  const own = [["dialect", name] as const, ...(ruleSet === undefined ? [] : [["casper.rule-set", ruleSet] as const])];
  return readConfig({ ...sources, options: new Map([...(sources.options ?? []), ...own]) }).config;
}

const answers: Readonly<Record<DbAction, (work: Work) => Promise<Answer>>> = {
  stats: async (work) => {
    await using data = await openOffline(work.path, { isWritten: false, shard: work.shard });
    const stats = dataStats(data);
    return { lines: statsLines(stats), json: stats, isGood: true };
  },
  verify: async (work) => {
    const repaired = work.repairs ? await repairData(work.path, work) : undefined;
    const before = repaired === undefined ? [] : repairLines(repaired);
    const files = await checkFiles(work.path, work.report, work.signal);
    // Opening a damaged file would trust its content.
    if (files.problemCount > 0)
      return {
        lines: [...before, ...files.problems, `${files.problemCount} problems in the files; ${repairHint}`],
        json: { ...repairJson(repaired), ...files },
        isGood: false,
      };
    await using data = await openOffline(work.path, { isWritten: false, shard: work.shard });
    const found = await verifyData(data, work.report, work.signal);
    const looked = `${found.blocks} blocks, ${found.states} states with ${found.nodes} nodes, ${found.leaves} leaves`;
    const wrong = `${found.problemCount} problems; ${repaired === undefined ? repairHint : leftHint}`;
    const lines = [...before, ...found.problems, `${looked}: ${found.problemCount === 0 ? "all is well" : wrong}`];
    return { lines, json: { ...repairJson(repaired), ...found }, isGood: found.problemCount === 0 };
  },
  compact: async ({ path, shard, report }) => {
    const files = await compactData(path, shard, report);
    const lines = files.map(
      ({ name, beforeBytes, afterBytes }) => `${name}: ${megabytes(beforeBytes)} before, ${megabytes(afterBytes)} now`,
    );
    return { lines, json: { files }, isGood: true };
  },
  prune: async ({ window, ...work }) => {
    if (window === undefined)
      return wrongly("storage.state-retention is archive, which keeps all states; choose the kept ones with --history");
    return withWritten(work, async (data) => {
      const pruned = await pruneData(data, window, work);
      if (pruned === undefined) return wrongly("Nothing is final yet in this data directory; nothing was changed");
      const { forgotten, removed, from } = pruned;
      const text = `${forgotten} states forgotten, ${removed} entries thrown away; states are there from block #${from} on`;
      return { lines: [text, "`vedette db compact` makes the files smaller"], json: pruned, isGood: true };
    });
  },
  migrate: async (work) => {
    const migrated = await withWritten(work, (data) => migrateData(data, work));
    const files = await sealData(work.path, work);
    const text = `${migrated.blocks} blocks packed, ${migrated.nodes} nodes stored as changes, ${migrated.records} records written anew, ${files} files given checksums`;
    const json = { ...migrated, files };
    return { lines: [text, "`vedette db compact` makes the files smaller"], json, isGood: true };
  },
};

const repairHint = "check the disk, then run `vedette db verify --repair`";
const leftHint =
  "the node fetches from peers what it can; what is left needs an empty data directory and the same keys";

function repairLines(repaired: RepairedData): readonly string[] {
  const { damages, setAside, rebuilt, executed, missingBlocks, missingStates, asked } = repaired;
  const lines = [`${damages} damaged pages and values`];
  for (const file of setAside) lines.push(`the damaged file is kept as ${file}; remove it when all is well`);
  if (rebuilt !== undefined && rebuilt.blocks === 0)
    lines.push(
      asked === "peers"
        ? "the chain cannot be made anew here: the node joins its network again at its next start"
        : "the chain cannot be made anew here: the replica begins again at its next start, with its stream or a snapshot",
    );
  else if (rebuilt !== undefined)
    lines.push(`the chain was made anew from ${rebuilt.blocks} blocks; ${rebuilt.left} others have no place in it`);
  if (executed > 0) lines.push(`${executed} blocks were executed again for what their states lacked`);
  const source = asked === "peers" ? "from peers by the running node" : "from its stream by the running replica";
  if (missingBlocks > 0) lines.push(`${missingBlocks} blocks will be fetched ${source}`);
  if (missingStates > 0) lines.push(`${missingStates} states will be fetched ${source}`);
  return lines;
}

function repairJson(repaired: RepairedData | undefined): object {
  return repaired === undefined ? {} : { repaired };
}

async function withWritten<Result>(
  { path, shard }: Pick<Work, "path" | "shard">,
  work: (data: OfflineData) => Promise<Result>,
): Promise<Result> {
  await using data = await openOffline(path, { isWritten: true, shard });
  return await work(data);
}

function wrongly(text: string): Answer {
  return { lines: [text], json: { error: text }, isGood: false };
}

function statsLines({ path, blocks, lowestHeight, highestHeight, finalHeight, statesFrom, environments }: DataStats) {
  const heightText = (height: bigint | undefined) => (height === undefined ? "none" : `#${height}`);
  const lines = [
    `${path}: ${blocks} blocks from ${heightText(lowestHeight)} to ${heightText(highestHeight)}, final up to ${heightText(finalHeight)}`,
    statesFrom === undefined ? "states: none was forgotten" : `states: from #${statesFrom} on`,
  ];
  for (const { name, fileBytes, freeBytes, tables } of environments) {
    lines.push("", `${name}: ${megabytes(fileBytes)}, of it ${megabytes(freeBytes)} free`);
    for (const table of tables.toSorted((one, other) => other.sizeBytes - one.sizeBytes)) {
      const perBlock = blocks === 0 ? "" : `${Math.round(table.sizeBytes / blocks)} bytes a block`;
      const [entries, size] = [`${table.entries} entries`, megabytes(table.sizeBytes)];
      lines.push(`  ${table.name.padEnd(18)}${entries.padStart(18)}${size.padStart(12)}  ${perBlock}`.trimEnd());
    }
  }
  return lines;
}

/** A size for people. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function jsonText(value: object): string {
  return JSON.stringify(value, (_key, member) => (typeof member === "bigint" ? Number(member) : member), 2);
}
