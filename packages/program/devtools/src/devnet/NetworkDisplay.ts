import { coloursOf, LiveText, plainText } from "@vedette/terminal";
import type { NetworkRun } from "./NetworkRun.js";
import { type NodeView, watchNetwork } from "./NetworkWatch.js";
import { type NodeLogLine, printShownLine, renderView, summaryLine } from "./networkView.js";
import type { MemberPlan } from "./planNetwork.js";

/** How a running network is shown. */
export type DisplayStyle = "view" | "plain" | "json";

/** Shows a running network. */
export interface Display {
  /** A line of a node that matters. */
  line(line: NodeLogLine): void;
  /** Receives the state of the nodes every second. */
  nodes(nodes: readonly NodeView[]): void;
  /** Shows the present activity. */
  say(text: string): void;
  /** Leaves the last view on the screen. */
  end(): void;
}

const keptLines = 200;
const plainEveryMs = 30_000;
const jsonEveryMs = 5_000;

/** The display of a style. */
export function createDisplay(style: DisplayStyle, out: NodeJS.WriteStream): Display {
  if (style === "view") return liveDisplay(out);
  return style === "json" ? jsonDisplay(out) : plainDisplay(out);
}

/** Sends the state of the nodes to a display until the signal. */
export async function showNetwork<Plan extends MemberPlan>(
  run: NetworkRun<Plan>,
  display: Display,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const beganMs = performance.now();
    const nodes = await watchNetwork(run);
    if (signal.aborted) return;
    display.nodes(nodes);
    await pause(Math.max(100, 1_000 - (performance.now() - beganMs)), signal);
  }
}

function liveDisplay(out: NodeJS.WriteStream): Display {
  const paint = coloursOf(out, process.env);
  const lines: NodeLogLine[] = [];
  let nodes: readonly NodeView[] = [];
  let footer = "Ctrl-C stops the network.";
  const view = new LiveText(out, (size) =>
    renderView({ nodes, lines, nowMs: Date.now(), ...size, footer: plainText(footer), paint }),
  );
  const draw = () => {
    if (nodes.length > 0) view.paint();
  };
  return {
    line(line) {
      lines.push(line);
      if (lines.length > keptLines) lines.splice(0, lines.length - keptLines);
    },
    nodes(now) {
      nodes = now;
      draw();
    },
    say(text) {
      footer = text;
      draw();
    },
    end() {
      view.end();
    },
  };
}

function plainDisplay(out: NodeJS.WriteStream): Display {
  const now = every(plainEveryMs);
  let states = "";
  return {
    line: (line) => out.write(`${printShownLine(line)}\n`),
    nodes(nodes) {
      const newStates = nodes.map(({ state }) => state).join();
      if (now() || newStates !== states) out.write(`${summaryLine(nodes)}\n`);
      states = newStates;
    },
    say: (text) => out.write(`${text}\n`),
    end: () => undefined,
  };
}

function jsonDisplay(out: NodeJS.WriteStream): Display {
  const now = every(jsonEveryMs);
  const print = (value: object) => out.write(`${JSON.stringify(value)}\n`);
  return {
    line: (line) => print({ type: "line", ...line }),
    nodes: (nodes) => now() && print({ type: "status", time: new Date().toISOString(), nodes }),
    say: (text) => print({ type: "message", text }),
    end: () => undefined,
  };
}

function every(intervalMs: number): () => boolean {
  let lastMs = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - lastMs < intervalMs) return false;
    lastMs = performance.now();
    return true;
  };
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done, { once: true });
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
  });
}
