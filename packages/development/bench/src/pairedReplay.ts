import type { NodeProcess } from "@vedette/cli/testing";
import type { LoadGenerator } from "./LoadGenerator.js";
import type { LoadPlan, LoadResult } from "./LoadPlan.js";
import { executorTime, threadTimes } from "./threadTimes.js";

/** Blocks that the program has to compile itself and that caches have to fill; under load too, which is not counted. */
const warmUpBlocks = 28;
/** Blocks of a span, and blocks before it, after the load begins or ends, that are not counted: connections open. */
const lengths = {
  requests: { settle: 3, counted: 9 },
  subscriptions: { settle: 9, counted: 14 },
} as const;

/** Blocks with or without load. */
interface Span {
  /** The block at its end. */
  readonly to: number;
  readonly msOfBlock: number;
  /** The executor's time: running, and waiting for a core. */
  readonly ranMsOfBlock: number;
  readonly waitedMsOfBlock: number;
}

/** The loss of a replay under load. */
export interface ReplayLoss {
  /** Blocks per second without load. */
  readonly blocksPerSecond: number;
  /** Percent of the speed, and the standard error of that. */
  readonly loss: number;
  readonly uncertainty: number;
  /** Percent by which the executor itself works longer on a block; `undefined` where the system does not report it. */
  readonly slowdown: number | undefined;
  /** Percent of its time that the executor waits for a core more than without load. */
  readonly waiting: number | undefined;
  readonly load: LoadResult;
}

/**
 * Replays a chain of equal blocks on an observer, with and without load by turns. What else happens on the machine
 * changes more slowly than that, so that each loaded span is compared with those beside it.
 *
 * @param last number of the chain's newest block
 */
export async function pairedReplay(
  observer: NodeProcess,
  generator: LoadGenerator,
  { plan, last }: { readonly plan: LoadPlan; readonly last: number },
): Promise<ReplayLoss> {
  await reach(observer, warmUpBlocks / 2);
  generator.begin(plan);
  await reach(observer, warmUpBlocks);
  await generator.end();
  const { settle, counted } = lengths[plan.kind];
  const spans: Span[] = [];
  let at = warmUpBlocks;
  let isBegun = false;
  for (let isLoaded = false; at + settle + counted <= last; isLoaded = !isLoaded) {
    if (!isLoaded && isBegun) generator.pause();
    if (isLoaded && isBegun) generator.goOn();
    if (isLoaded && !isBegun) generator.begin(plan);
    isBegun ||= isLoaded;
    const from = await reach(observer, at + settle);
    if (from + counted > last) break;
    const counting = await span(observer, from, from + counted);
    spans.push(counting);
    at = counting.to;
  }
  const load = await generator.end();
  return { ...lossOf(spans), load };
}

/** @returns the block that was reached, perhaps a later one */
async function reach(observer: NodeProcess, number: number): Promise<number> {
  await observer.lineHoweverLate(blockLine(number));
  const newest = observer.lines.findLast((line) => anyBlock.test(line))!;
  return Number(anyBlock.exec(newest)![1]);
}

/** Blocks are written to disk in groups and logged then: a span ends with a group, not within one. */
async function span(observer: NodeProcess, from: number, least: number): Promise<Span> {
  const pid = observer.pid ?? 0;
  const before = threadTimes(pid);
  const to = await reach(observer, least);
  const executor = executorTime(pid, before, threadTimes(pid));
  const blocks = to - from;
  return {
    to,
    msOfBlock: (timeOf(observer, to) - timeOf(observer, from)) / blocks,
    ranMsOfBlock: (executor?.ranMs ?? Number.NaN) / blocks,
    waitedMsOfBlock: (executor?.waitedMs ?? Number.NaN) / blocks,
  };
}

/** Spans without load have even indexes. */
function lossOf(spans: readonly Span[]): Omit<ReplayLoss, "load"> {
  const free = spans.filter((_, index) => index % 2 === 0);
  const loaded = spans.filter((_, index) => index % 2 === 1);
  const losses = loaded.map(({ msOfBlock }, index) => {
    const beside = free.slice(index, index + 2).map((one) => one.msOfBlock);
    return (1 - mean(beside) / msOfBlock) * 100;
  });
  const loss = mean(losses);
  const squares = losses.map((one) => (one - loss) ** 2);
  const known = (value: number) => (Number.isNaN(value) ? undefined : value);
  const [freeMs, loadedMs] = [mean(free.map((one) => one.msOfBlock)), mean(loaded.map((one) => one.msOfBlock))];
  const [freeRan, loadedRan] = [mean(free.map((one) => one.ranMsOfBlock)), mean(loaded.map((one) => one.ranMsOfBlock))];
  const waiting = (some: readonly Span[], ms: number) => mean(some.map((one) => one.waitedMsOfBlock)) / ms;
  return {
    blocksPerSecond: 1000 / freeMs,
    loss,
    uncertainty: Math.sqrt(mean(squares) / Math.max(1, losses.length - 1)),
    slowdown: known((loadedRan / freeRan - 1) * 100),
    waiting: known((waiting(loaded, loadedMs) - waiting(free, freeMs)) * 100),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

const anyBlock = /Block #(\d+) \([0-9a-f]+\.\.\.\) processing finished/;

/** The log line of a block that was added to the chain. */
function blockLine(number: number): RegExp {
  return new RegExp(`Block #${number} \\([0-9a-f]+\\.\\.\\.\\) processing finished`);
}

function timeOf(observer: NodeProcess, number: number): number {
  const line = observer.lines.find((one) => blockLine(number).test(one));
  return Date.parse((JSON.parse(line ?? "{}") as { time: string }).time);
}
