import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LossyLines } from "@vedette/config/log";
import { type NodeLine, printNodeLine } from "./NodeLine.js";
import { StatusReader } from "./NodeStatus.js";
import { configPath } from "./networkFiles.js";
import type { MemberPlan, NodePlan } from "./planNetwork.js";
import { type Backoff, type ProcessCommand, printEnd, SupervisedProcess } from "./SupervisedProcess.js";

/** How the processes of a network are run. */
export interface RunOptions<Plan extends MemberPlan = NodePlan> {
  /** Whether a node that ends is started again. */
  readonly isRestarted: boolean;
  readonly onLine: (node: Plan, line: NodeLine) => void;
  readonly programOf: (node: Plan) => ProcessCommand;
  /** Waits until a process may begin that needs others. */
  readonly beforeStart?: ((node: Plan, signal: AbortSignal) => Promise<void>) | undefined;
  readonly backoff?: Backoff;
}

/** One process of a running network. */
export interface RunningMember<Plan extends MemberPlan = NodePlan> {
  readonly plan: Plan;
  readonly process: SupervisedProcess;
  readonly status: StatusReader;
}

const firstNodeMs = 10_000;
const answerMs = 2_000;
const pollMs = 100;

/** The processes of a local network. */
export class NetworkRun<Plan extends MemberPlan = NodePlan> {
  readonly #options: RunOptions<Plan>;
  readonly #nodes: RunningMember<Plan>[] = [];

  constructor(plans: readonly Plan[], options: RunOptions<Plan>) {
    this.#options = options;
    for (const plan of plans) this.add(plan);
  }

  get nodes(): readonly RunningMember<Plan>[] {
    return this.#nodes;
  }

  /** Takes one more node, not started yet. */
  add(plan: Plan): RunningMember<Plan> {
    mkdirSync(plan.directory, { recursive: true, mode: 0o700 });
    const log = new LogFile(join(plan.directory, "node.log"));
    const { isRestarted, onLine, backoff, programOf } = this.#options;
    const note = (text: string) => log.write(`${new Date().toISOString()} [LAUNCHER] ${text}`);
    const process = new SupervisedProcess({
      program: programOf(plan),
      isRestarted,
      onLine: (line) => {
        log.write(printNodeLine(line));
        onLine(plan, line);
      },
      onStateChange: (state) => {
        if (state.type === "running") note(`started as process ${state.pid}`);
        if (state.type === "waiting" || state.type === "ended") note(printEnd(state.end));
      },
      backoff,
    });
    const node = { plan, process, status: new StatusReader(plan.ports?.http) };
    this.#nodes.push(node);
    return node;
  }

  /** Starts the node that the others join through, and the others as soon as it answers. */
  async start(signal: AbortSignal): Promise<void> {
    const [first, ...others] = this.#nodes;
    first?.process.start();
    const giveUpMs = performance.now() + firstNodeMs;
    while (!signal.aborted && performance.now() < giveUpMs && (await first?.status.read(answerMs)) === undefined)
      await sleep(pollMs);
    await Promise.all(
      others.map(async ({ plan, process }) => {
        await this.#options.beforeStart?.(plan, signal);
        if (!signal.aborted) process.start();
      }),
    );
  }

  /** Ends all of them. @returns the names of those that had to be killed */
  async stop(graceMs: number): Promise<string[]> {
    const ends = await Promise.all(this.#nodes.map(({ process }) => process.stop(graceMs)));
    return this.#nodes.filter((_, at) => ends[at]?.signal === "SIGKILL").map(({ plan }) => plan.name);
  }

  /** Ends all of them at once; they are not started again when `stop` was called before. */
  kill(): void {
    for (const { process } of this.#nodes) void process.kill();
  }
}

/**
 * A node's process. Variables that would override its configuration are removed.
 *
 * @param vedette path of the program that users call
 * @spec 50 §5.1
 */
export function nodeProgram(vedette: string, plan: NodePlan): ProcessCommand {
  return ownProgram(vedette, ["run", "-c", configPath(plan)]);
}

/** A process of our own program. @param vedette path of the program that users call */
export function ownProgram(vedette: string, args: readonly string[]): ProcessCommand {
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("VEDETTE_")));
  return { command: process.execPath, args: [vedette, ...args], environment: { ...allocatorSettings, ...own } };
}

/**
 * How glibc's allocator is to work in a node's process, as variables of its environment; it reads them at its start
 * alone. Left to itself it has an arena for nearly every thread, and learns from the first large pieces that are freed
 * to give back nothing smaller: what abuse has taken stays. Elsewhere than on Linux with glibc they mean nothing.
 */
export const allocatorSettings = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "1048576",
} as const;

const defaultLimitBytes = 16 << 20;

/** A log that keeps its last part and the part before that, each of a bounded size; a full disk ends nothing. */
export class LogFile {
  readonly path: string;
  readonly #limitBytes: number;
  readonly #lines = new LossyLines((text) => this.#append(text));
  #sizeBytes: number;

  constructor(path: string, limitBytes = defaultLimitBytes) {
    this.path = path;
    this.#limitBytes = limitBytes;
    mkdirSync(dirname(path), { recursive: true });
    this.#sizeBytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }

  write(line: string): void {
    this.#lines.write(`${line}\n`);
  }

  #append(text: string): void {
    const bytes = Buffer.from(text);
    if (this.#sizeBytes > 0 && this.#sizeBytes + bytes.length > this.#limitBytes) {
      renameSync(this.path, `${this.path}.1`);
      this.#sizeBytes = 0;
    }
    appendFileSync(this.path, bytes);
    this.#sizeBytes += bytes.length;
  }
}
