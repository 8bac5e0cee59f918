import { errorText } from "@vedette/errors";
import type { Deploy } from "@vedette/protocol";
import type { Budget } from "@vedette/rholang";
import { isStoreFailure } from "@vedette/store";
import type { PlaySpace } from "@vedette/tuplespace";
import { ExecutionError } from "../ExecutionError.js";
import type { Runtime } from "../runtime/Runtime.js";
import { type PlayedDeploy, playDeploy } from "./playDeploy.js";

/** When a deploy is tried, and for how long. */
export interface DeployTry {
  /** Its place in the list of deploys; if it has several tries, those after the one that was made are skipped. */
  readonly index: number;
  /** Milliseconds that it may take, its charge and refund among them. */
  readonly maximumMs: number;
  /** It is skipped when this many milliseconds have passed since the first try began. */
  readonly beginBeforeMs: number;
  /** When it cannot be executed, tries that have one of these names too are passed over. */
  readonly names: readonly string[];
}

/** A deploy that cannot be executed, or not within its time. */
export interface LeftOutDeploy {
  readonly index: number;
  readonly reason: string;
  /** It took all of the time or of the memory that it was given; without a limit it may be executed. */
  readonly isLimit: boolean;
  /** No processor was free for it during its time: that is not the deploy's fault. */
  readonly isOfMachine?: boolean;
}

/** With waiting, a try may take this many times as long as without: beyond that others wait too long. */
const patience = 4;

/** The budget of one try after the other. What a try waits for a free processor is not time that it takes. */
export class TryBudget implements Budget {
  readonly isOutOfMemory: () => boolean;
  readonly maxTokens: number | undefined;
  deadlineMs = Number.POSITIVE_INFINITY;
  readonly #limits: PlayLimits;
  #try = { startMs: 0, waitedBeforeMs: 0, maximumMs: Number.POSITIVE_INFINITY };

  constructor(limits: PlayLimits) {
    const { isOutOfMemory, maxTokens } = limits;
    this.#limits = limits;
    this.isOutOfMemory = isOutOfMemory ?? (() => false);
    this.maxTokens = maxTokens;
  }

  readonly nowMs = (): number => {
    const nowMs = this.#limits.nowMs();
    if (nowMs > this.deadlineMs) {
      const { startMs, maximumMs } = this.#try;
      this.deadlineMs = startMs + Math.min(maximumMs + this.waitedMs(), patience * maximumMs);
    }
    return nowMs;
  };

  /** A try begins. */
  begin(maximumMs: number): void {
    const startMs = this.#limits.nowMs();
    this.#try = { startMs, waitedBeforeMs: this.#limits.waitedMs?.() ?? 0, maximumMs };
    this.deadlineMs = startMs + maximumMs;
  }

  /** How long the try has waited. */
  waitedMs(): number {
    return (this.#limits.waitedMs?.() ?? 0) - this.#try.waitedBeforeMs;
  }
}

/** The limits on the play of a block besides phlo. */
export interface PlayLimits {
  /** A clock that is never set. */
  readonly nowMs: () => number;
  /** How long this thread has waited for a free processor; left out: not known, so that all time counts. */
  readonly waitedMs?: (() => number) | undefined;
  readonly isOutOfMemory?: () => boolean;
  /** Most tokens of a deploy's program. */
  readonly maxTokens?: number | undefined;
  /** Milliseconds for the system deploys together; left out: without end. */
  readonly systemMs?: number | undefined;
}

/** Deploys that were executed, in this order, and those that could not be; the rest was passed over. */
export interface TriedDeploys {
  readonly played: readonly PlayedDeploy[];
  readonly leftOut: readonly LeftOutDeploy[];
  /** The total duration of the executed deploys. */
  readonly playedMs: number;
}

/** Deploys to try. */
export interface TryPlan {
  readonly deploys: readonly Deploy[];
  readonly tries: readonly DeployTry[];
  /** Whether a deploy that was played can be in the block; throws where not. Left out: every one can. */
  readonly check?: ((played: PlayedDeploy) => void) | undefined;
  /** Receives the outcome of each deploy before the next one begins. */
  readonly listener: TryListener;
}

/** Receives what the deploys of a block do. */
export interface TryListener {
  deploy(errors: PlayedDeploy["errors"]): void;
  /** Nothing of it is left. */
  leftOut(): void;
}

/**
 * Executes deploys one after the other, and leaves out those that cannot be executed: no result of them exists that a
 * block could hold, and they leave no trace in the space.
 *
 * Only the maker of a block may choose so; in replay every deploy of a block counts.
 *
 * @param begins called with the index of each deploy before it is played, so that it is known even if this thread ends
 * @spec 40 §9.5, 41 §2.1, 61 §17, §20.3
 */
export function tryDeploys(
  runtime: Runtime<PlaySpace>,
  { deploys, tries, check, listener }: TryPlan,
  budget: TryBudget,
  begins: (index: number) => void = () => {},
): TriedDeploys {
  const played: PlayedDeploy[] = [];
  const leftOut: LeftOutDeploy[] = [];
  let playedMs = 0;
  const done = new Set<number>();
  const stopped = new Set<string>();
  const beganMs = budget.nowMs();
  for (const { index, maximumMs, beginBeforeMs, names } of tries) {
    const deploy = deploys[index];
    const startMs = budget.nowMs();
    const isBarred = done.has(index) || names.some((name) => stopped.has(name));
    if (deploy === undefined || isBarred || startMs - beganMs >= beginBeforeMs) continue;
    done.add(index);
    begins(index);
    budget.begin(maximumMs);
    const outcome = tryDeploy(runtime, deploy, check);
    const elapsedMs = budget.nowMs() - startMs;
    if ("played" in outcome) {
      listener.deploy(outcome.played.errors);
      played.push(outcome.played);
      playedMs += elapsedMs;
    } else {
      listener.leftOut();
      const fault = faultOf(outcome.error, { maximumMs, elapsedMs, waitedMs: budget.waitedMs() });
      if (fault.isOfMachine !== true) for (const name of names) stopped.add(name);
      leftOut.push({ index, ...fault });
    }
  }
  return { played, leftOut, playedMs };
}

function tryDeploy(
  runtime: Runtime<PlaySpace>,
  deploy: Deploy,
  check: TryPlan["check"],
): { readonly played: PlayedDeploy } | { readonly error: unknown } {
  const { space } = runtime;
  space.settle();
  const before = space.softCheckpoint();
  try {
    const played = runtime.form.playDetermined(() => runtime.keepingFacts(() => playDeploy(runtime, deploy, true)));
    check?.(played);
    space.checkCommit();
    return { played };
  } catch (error) {
    space.revert(before);
    // The deploy is not to blame for the disk.
    if (isStoreFailure(error)) throw error;
    return { error };
  }
}

interface TryTimes {
  readonly maximumMs: number;
  readonly elapsedMs: number;
  readonly waitedMs: number;
}

function faultOf(error: unknown, { maximumMs, elapsedMs, waitedMs }: TryTimes): Omit<LeftOutDeploy, "index"> {
  const stopped =
    error instanceof ExecutionError && error.failure.code === "stopped" ? error.failure.reason : undefined;
  const after = `stopped after ${Math.round(elapsedMs)} ms`;
  if (stopped === "deadline") {
    const reason = `time limit of ${Math.round(maximumMs)} ms for one deploy: ${after}`;
    if (elapsedMs - waitedMs > maximumMs) return { reason, isLimit: true };
    const waited = `${Math.round(waitedMs)} ms of them waiting for a free processor`;
    return { reason: `${reason}, ${waited}`, isLimit: true, isOfMachine: true };
  }
  if (stopped === "memory") return { reason: `memory limit for one deploy: ${after}`, isLimit: true };
  return { reason: errorText(error), isLimit: false };
}
