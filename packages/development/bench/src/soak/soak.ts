import { setTimeout as sleep } from "node:timers/promises";
import { isSound, Load, type LoadReport, printReport, SeededNumbers } from "@vedette/devtools/devnet";
import { NetworkProcesses } from "@vedette/e2e";
import { errorText } from "@vedette/errors";
import type { AdjustableClock } from "./AdjustableClock.js";
import { type ChaosTarget, disturbances } from "./disturbances.js";
import { EndedNodes } from "./EndedNodes.js";
import { MeasurementWindows } from "./MeasurementWindows.js";
import { type Sample, SoakWatch } from "./SoakWatch.js";

/** How long and how hard. */
export interface SoakOptions {
  readonly durationMs: number;
  readonly seed: number;
  /** Between the end of one disturbance and the next. */
  readonly restMs: number;
  readonly clock: AdjustableClock | undefined;
  /** Folder for the logs of nodes that end by themselves. */
  readonly logs: string;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
  readonly onSample?: ((sample: Sample) => void) | undefined;
}

/** One line of the end: how a figure of a node has gone since it was warm. */
export interface SoakLine {
  readonly node: string;
  readonly figure: string;
  readonly unit: string;
  readonly first: number;
  readonly last: number;
  readonly most: number;
  readonly perHour: number | undefined;
}

/** The result of a soak. */
export interface SoakResult {
  readonly lines: readonly SoakLine[];
  /** The load of the three quarters that are measured. */
  readonly load: LoadReport;
  readonly done: Readonly<Record<string, number>>;
  /** The unexpected events. */
  readonly faults: readonly string[];
}

const settings = { validators: 3, wallets: 8, rhythmMs: 3_000, faultTolerance: 0.1 } as const;
const victim = "validator3";
const usual = { transfersPerSecond: 0.4, callsPerSecond: 0.1 } as const;
/** The first quarter is not measured: it has more of everything, so that caches are full and code is compiled by then. */
const warmShare = 1 / 4;
const warmTimes = 4;
/** Somewhat more than the longest takes, the hostile explorations. */
const disturbanceMs = 60_000;
const calm = new MeasurementWindows();
const figures = [
  { figure: "private", unit: "MB", scale: 1e6 },
  { figure: "stacks", unit: "MB", scale: 1e6 },
  { figure: "arenas", unit: "MB", scale: 1e6 },
  { figure: "heapBreak", unit: "MB", scale: 1e6 },
  { figure: "rest", unit: "MB", scale: 1e6 },
  { figure: "heap", unit: "MB", scale: 1e6 },
  { figure: "heapPages", unit: "MB", scale: 1e6 },
  { figure: "executor", unit: "MB", scale: 1e6 },
  { figure: "readers", unit: "MB", scale: 1e6 },
  { figure: "mapped", unit: "MB", scale: 1e6 },
  { figure: "threads", unit: "", scale: 1 },
  { figure: "files", unit: "", scale: 1 },
  { figure: "sockets", unit: "", scale: 1 },
  { figure: "handles", unit: "", scale: 1 },
  { figure: "loopDelayMs", unit: "ms", scale: 1 },
] as const;

/** Runs a network of five under load and disturbances, and returns the memory that its processes held. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { clock, durationMs, seed, signal, onProgress, logs } = options;
  const ofVictim = (name: string) => (name === victim && clock !== undefined ? clock.variables : {});
  await using network = await NetworkProcesses.start(settings, {}, ofVictim);
  await network.finalizes(network.names, 1);
  using watch = new SoakWatch(network, calm, options.onSample);
  using ended = new EndedNodes(network, logs);
  const begunMs = performance.now();
  const warmMs = begunMs + durationMs * warmShare;
  const faults: string[] = [];
  const observer = network.node("observer").plan.ports;
  const shared = {
    // The last two pay for what does harm.
    wallets: network.wallets.slice(0, -2),
    validatorPorts: network.validators
      .filter((name) => name !== victim)
      .map((name) => network.node(name).plan.ports.grpcExternal),
    observerPort: observer.grpcExternal,
    observerHttpPort: observer.http,
    nodes: network.names.map((name) => ({ name, httpPort: network.node(name).plan.ports.http })),
    signal,
    admission: () => calm.pass(0, signal),
    onProgress: onceAMinute(onProgress),
  };
  const run = async (times: number, phaseMs: number): Promise<LoadReport> => {
    const transfersPerSecond = times * usual.transfersPerSecond;
    const shape = { seed, transfersPerSecond, callsPerSecond: times * usual.callsPerSecond, durationMs: phaseMs };
    using load = new Load({ shape, dialect: "rnode", ...shared });
    const report = await load.run();
    if (!isSound(report)) faults.push(`the load's books are not sound:\n${printReport(report)}`);
    return report;
  };
  const disturbing = new AbortController();
  const disturbed: ChaosTarget = { network, victim, clock, signal: AbortSignal.any([signal, disturbing.signal]) };
  const disturber = disturb(disturbed, { ...options, warmMs }, faults);
  setTimeout(() => disturbing.abort(), durationMs).unref();
  await run(warmTimes, durationMs * warmShare);
  const report = await run(1, Math.max(0, begunMs + durationMs - performance.now()));
  disturbing.abort();
  const done = await disturber;
  await agree(network).catch((error: unknown) => faults.push(String(error)));
  const steady = watch.steadyNodes(warmMs);
  const lines = steady.flatMap((node) =>
    figures.flatMap(({ figure, unit, scale }) => {
      const course = watch.course(node, figure, warmMs);
      if (course === undefined) return [];
      const { first, last, most, perHour } = course;
      const scaled = { first: first / scale, last: last / scale, most: most / scale };
      return [{ node, figure, unit, ...scaled, perHour: perHour === undefined ? undefined : perHour / scale }];
    }),
  );
  ended.look();
  return { lines, load: report, done, faults: [...faults, ...ended.ends] };
}

function onceAMinute(report: (text: string) => void): (text: string) => void {
  let nextMs = 0;
  return (text) => {
    if (performance.now() < nextMs) return;
    nextMs = performance.now() + 60_000;
    report(text);
  };
}

/** One disturbance after the other, in an order that the seed gives, all of them before any comes again. */
async function disturb(
  disturbed: ChaosTarget,
  { seed, restMs, warmMs, onProgress }: SoakOptions & { readonly warmMs: number },
  faults: string[],
): Promise<Record<string, number>> {
  const numbers = new SeededNumbers(seed);
  const names = Object.keys(disturbances);
  const done: Record<string, number> = {};
  const { signal, network } = disturbed;
  for (let round: string[] = []; !signal.aborted; ) {
    if (round.length === 0) round = [...names];
    const [name] = round.splice(numbers.below(round.length), 1);
    await calm.pass(disturbanceMs, signal);
    if (signal.aborted) break;
    onProgress(`now: ${name}`);
    try {
      await disturbances[name!]!(disturbed, numbers);
      done[name!] = (done[name!] ?? 0) + 1;
      await sleep(performance.now() < warmMs ? restMs / warmTimes : restMs, undefined, { signal });
      for (const one of network.names)
        if (network.node(one).process.state.type !== "running") throw new Error(`${one} does not run`);
    } catch (error) {
      if (!signal.aborted) faults.push(`${name}: ${errorText(error)}`);
    }
  }
  if (network.node(victim).process.state.type !== "running") network.restart(victim);
  return done;
}

/** All nodes have the same final block of one height, and go on. */
async function agree(network: NetworkProcesses): Promise<void> {
  const { finalized = 0 } = (await network.heights("observer")) ?? {};
  await network.finalizes(network.names, finalized + 1);
  const [first, ...others] = await Promise.all(network.names.map((name) => network.blocks(name, finalized, finalized)));
  const hashes = (blocks: typeof first) =>
    (blocks ?? []).map(({ blockHash, postStateHash }) => `${blockHash} ${postStateHash}`).sort();
  for (const other of others)
    if (hashes(other).join() !== hashes(first).join()) throw new Error(`the nodes differ at height ${finalized}`);
}
