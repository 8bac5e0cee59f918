import { writeFileSync } from "node:fs";
import { noteContext } from "@vedette/config";
import { contextOfNetwork } from "./contextOfNetwork.js";
import { firstLines } from "./firstLines.js";
import { createDisplay, type Display, type DisplayStyle, showNetwork } from "./NetworkDisplay.js";
import { NetworkRun, nodeProgram } from "./NetworkRun.js";
import { isWorthShowing } from "./NodeLine.js";
import { launcherPath, type OpenNetwork, type OpenOptions, openNetwork } from "./openNetwork.js";

/** What `vedette network` was given. */
export interface NetworkCommand extends OpenOptions {
  readonly style: DisplayStyle;
  readonly isRestarted: boolean;
  readonly version: string;
  /** Path of the program that the nodes run. */
  readonly program: string;
  /** Makes the files and runs nothing. */
  readonly isOnlyPrepared: boolean;
  /** Where the network is noted while it runs, for the commands of its user. */
  readonly contextFile: string | undefined;
}

const graceMs = 20_000;
/** One Ctrl-C can arrive twice, from the terminal and from the program that has started us. */
const sameSignalMs = 1_000;

/**
 * Runs a local network in the foreground until SIGINT, SIGTERM or SIGHUP.
 *
 * @returns the exit code: 1 when a node had to be killed
 * @throws {LocalNetworkError} what keeps it from starting
 */
export async function runNetwork(command: NetworkCommand): Promise<number> {
  await using network = await openNetwork(command);
  const display = createDisplay(command.style, process.stdout);
  introduce(network, command);
  if (command.isOnlyPrepared) return 0;
  const run = new NetworkRun(network.plan.nodes, {
    isRestarted: command.isRestarted,
    programOf: (node) => nodeProgram(command.program, node),
    onLine: ({ name: node }, line) => {
      if (isWorthShowing(line)) display.line({ node, time: line.time ?? new Date().toISOString(), text: line.text });
    },
  });
  writeFileSync(launcherPath(network.plan.directory), `${JSON.stringify({ pid: process.pid })}\n`, { mode: 0o600 });
  using stop = untilStopped(() => run.kill(), display);
  using _noted = noteContext(contextOfNetwork(network.plan, process.pid), command.contextFile, (text) =>
    display.say(text),
  );
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

function introduce(network: OpenNetwork, { style, isFresh, version, isOnlyPrepared }: NetworkCommand): void {
  const { plan, identity, isNew, wallets, removed } = network;
  if (style !== "json") {
    if (isFresh && removed.length > 0)
      process.stdout.write(`Removed the network that was in ${plan.directory}: ${removed.join(", ")}\n`);
    process.stdout.write(`${firstLines(network, version, isOnlyPrepared)}\n`);
    return;
  }
  const nodes = plan.nodes.map(({ name, role, ports }) => ({ name, role, ports }));
  const facts = wallets.map(({ name, address, privateKey, balance }) => ({
    name,
    address,
    privateKey,
    balance: String(balance),
  }));
  const first = {
    type: "network",
    networkId: identity.networkId,
    directory: plan.directory,
    isNew,
    nodes,
    wallets: facts,
  };
  process.stdout.write(`${JSON.stringify(first)}\n`);
}

interface StopRequest extends Disposable {
  readonly asked: Promise<void>;
  readonly signal: AbortSignal;
}

/** The first signal asks for an orderly end, the second for one at once. */
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
