import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { privateMemory } from "@vedette/executor/threads";
import type { ShownProgress } from "@vedette/terminal";
import type { NetworkRun, RunningMember } from "./NetworkRun.js";
import type { MemberStatus } from "./NodeStatus.js";
import type { MemberPlan, MemberRole } from "./planNetwork.js";
import { printEnd, type SupervisedProcess } from "./SupervisedProcess.js";

/** The state of a node, in a word or two. */
export type NodeState =
  | "starting"
  | "ceremony"
  | "joining"
  | "syncing"
  | "running"
  | "stalled"
  | "no answer"
  | "restarting"
  | "stopping"
  | "stopped";

/** The facts about a node that a display shows. */
export interface NodeView {
  readonly name: string;
  readonly role: MemberRole;
  /** Port of the node's HTTP API; `undefined` for members without one. */
  readonly httpPort: number | undefined;
  readonly state: NodeState;
  /** Why it does not run. */
  readonly reason: string | undefined;
  readonly restarts: number;
  readonly height: number | undefined;
  readonly finalized: number | undefined;
  readonly peers: number | undefined;
  readonly memoryBytes: number | undefined;
  readonly lastBlockMs: number | undefined;
  /** Its report of silent validators and stalled finality. */
  readonly finality: string | undefined;
  /** The progress of a node that is behind. */
  readonly progress: ShownProgress | undefined;
}

const answerMs = 900;
/** A node that does not answer after this time is no longer starting. */
const startMs = 30_000;

/** Queries the status of every node, at once and with a short time limit. */
export async function watchNetwork<Plan extends MemberPlan>(run: NetworkRun<Plan>): Promise<readonly NodeView[]> {
  const pids = run.nodes.flatMap(({ process }) => process.pid ?? []);
  const [memory, statuses] = await Promise.all([
    processMemory(pids),
    Promise.all(
      run.nodes.map(({ process, status }) => (process.pid === undefined ? undefined : status.read(answerMs))),
    ),
  ]);
  return run.nodes.map((node, at) => nodeView(node, statuses[at], memory));
}

function nodeView(
  { plan, process }: RunningMember<MemberPlan>,
  status: MemberStatus | undefined,
  memory: ReadonlyMap<number, number>,
): NodeView {
  const { state, pid } = process;
  const reason = state.type === "waiting" || state.type === "ended" ? printEnd(state.end) : undefined;
  return {
    name: plan.name,
    role: plan.role,
    httpPort: plan.ports?.http,
    state: stateOf(process, plan, status),
    reason,
    restarts: process.restarts,
    height: status?.height,
    finalized: status?.finalized,
    peers: status?.peers,
    memoryBytes: pid === undefined ? undefined : memory.get(pid),
    lastBlockMs: status?.lastBlockMs,
    finality: status?.finality,
    progress: status?.progress,
  };
}

function stateOf(
  { state }: SupervisedProcess,
  { role, ports }: MemberPlan,
  status: MemberStatus | undefined,
): NodeView["state"] {
  if (state.type === "idle") return "starting";
  if (state.type === "waiting") return "restarting";
  if (state.type === "stopping") return "stopping";
  if (state.type !== "running") return "stopped";
  if (ports === undefined) return "running";
  if (status === undefined) return performance.now() - state.sinceMs > startMs ? "no answer" : "starting";
  if (status.phase === "stalled") return "stalled";
  if (status.height === undefined) return role === "observer" || role === "replica" ? "joining" : "ceremony";
  return status.phase === "replaying" || status.phase === "importingState" ? "syncing" : "running";
}

const execute = promisify(execFile);
const psTimeoutMs = 1_000;

/**
 * Returns the private memory of processes in bytes; processes that cannot be read are left out. Where the system
 * reports resident memory only, which has mapped files in it, it returns that.
 */
async function processMemory(pids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (pids.length === 0) return new Map();
  return process.platform === "linux" ? memoryFromKernel(pids) : memoryFromPs(pids);
}

function memoryFromKernel(pids: readonly number[]): Map<number, number> {
  const sizes = new Map<number, number>();
  for (const pid of pids) {
    const bytes = privateMemory(pid);
    if (bytes !== undefined) sizes.set(pid, bytes);
  }
  return sizes;
}

async function memoryFromPs(pids: readonly number[]): Promise<Map<number, number>> {
  const sizes = new Map<number, number>();
  try {
    const { stdout } = await execute("ps", ["-o", "pid=,rss=", "-p", pids.join(",")], { timeout: psTimeoutMs });
    for (const [, pid, kilobytes] of stdout.matchAll(/^\s*(\d+)\s+(\d+)/gm))
      sizes.set(Number(pid), Number(kilobytes) * 1024);
  } catch {
    // The view goes on without.
  }
  return sizes;
}
