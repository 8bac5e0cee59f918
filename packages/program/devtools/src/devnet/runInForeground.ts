import { writeFileSync } from "node:fs";
import { type NodeContext, noteContext } from "@vedette/config";
import { createDisplay, type Display, type DisplayStyle, showNetwork } from "./NetworkDisplay.js";
import { NetworkRun, type RunOptions } from "./NetworkRun.js";
import { isWorthShowing } from "./NodeLine.js";
import { launcherPath } from "./openNetwork.js";
import type { MemberPlan } from "./planNetwork.js";

/** The processes that run in the foreground, and how they are shown. */
export interface ForegroundRun<Plan extends MemberPlan> extends Pick<RunOptions<Plan>, "programOf" | "beforeStart"> {
  /** The network's. */
  readonly directory: string;
  readonly members: readonly Plan[];
  readonly isRestarted: boolean;
  readonly style: DisplayStyle;
  /** How commands reach what runs, and where that is noted while it does. */
  readonly context: NodeContext;
  readonly contextFile: string | undefined;
}

const graceMs = 20_000;
/** One Ctrl-C can arrive twice, from the terminal and from the program that has started us. */
const sameSignalMs = 1_000;

/**
 * Runs processes and shows how they are, until SIGINT, SIGTERM or SIGHUP.
 *
 * @returns the exit code: 1 when one had to be killed
 */
export async function runInForeground<Plan extends MemberPlan>(given: ForegroundRun<Plan>): Promise<number> {
  const { directory, members, isRestarted, style, programOf, beforeStart } = given;
  const display = createDisplay(style, process.stdout);
  const run = new NetworkRun(members, {
    ...{ isRestarted, programOf, beforeStart },
    onLine: ({ name: node }, line) => {
      if (isWorthShowing(line)) display.line({ node, time: line.time ?? new Date().toISOString(), text: line.text });
    },
  });
  writeFileSync(launcherPath(directory), `${JSON.stringify({ pid: process.pid })}\n`, { mode: 0o600 });
  using stop = untilStopped(() => run.kill(), display);
  using _noted = noteContext(given.context, given.contextFile, (text) => display.say(text));
  const shown = new AbortController();
  const showing = showNetwork(run, display, shown.signal);
  await run.start(stop.signal);
  await stop.asked;
  const killed = await run.stop(graceMs);
  shown.abort();
  await showing;
  display.say(killed.length === 0 ? "All nodes have stopped." : `Killed, as they did not stop: ${killed.join(", ")}`);
  display.end();
  return killed.length === 0 ? 0 : 1;
}

interface StopRequest extends Disposable {
  readonly asked: Promise<void>;
  readonly signal: AbortSignal;
}

/** The first signal requests an orderly end, the second one an immediate end. */
function untilStopped(kill: () => void, display: Display): StopRequest {
  const controller = new AbortController();
  const asked = new Promise<void>((resolve) => controller.signal.addEventListener("abort", () => resolve()));
  let firstAtMs: number | undefined;
  const onSignal = () => {
    if (firstAtMs === undefined) {
      firstAtMs = performance.now();
      display.say("Stopping all nodes; Ctrl-C again kills them at once.");
      controller.abort();
    } else if (performance.now() - firstAtMs > sameSignalMs) kill();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, onSignal);
  return {
    asked,
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
