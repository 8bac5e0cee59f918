import {
  ageText,
  type Colour,
  columnsOf,
  countText,
  cutLine,
  memoryText,
  noColours,
  type Paint,
  plainText,
  progressText,
  type TableColumn,
  tableLines,
  wrapLine,
} from "@vedette/terminal";
import type { NodeState, NodeView } from "./NetworkWatch.js";

/** A line of a node's log, for a display. */
export interface NodeLogLine {
  readonly node: string;
  readonly time: string;
  readonly text: string;
}

/** The sources of the view of a terminal. */
export interface ViewFacts {
  readonly nodes: readonly NodeView[];
  readonly lines: readonly NodeLogLine[];
  readonly nowMs: number;
  /** Columns and rows of the terminal. */
  readonly width: number;
  readonly height: number;
  /** The present activity or the possible actions, below everything. */
  readonly footer: string;
  /** Without it: no colours. */
  readonly paint?: Paint;
}

interface NodeColumn extends TableColumn {
  readonly cell: (node: NodeView, nowMs: number) => string;
}

const columns: readonly NodeColumn[] = [
  { title: "node", cell: ({ name }) => name },
  { title: "role", cell: ({ role }) => role },
  { title: "HTTP", isNumber: true, cell: ({ httpPort }) => String(httpPort ?? "") },
  { title: "state", cell: ({ state }) => state },
  { title: "block", isNumber: true, cell: ({ height }) => countText(height) },
  { title: "final", isNumber: true, cell: ({ finalized }) => countText(finalized) },
  { title: "peers", isNumber: true, cell: ({ peers }) => countText(peers) },
  { title: "memory", isNumber: true, cell: ({ memoryBytes }) => memoryText(memoryBytes) },
  { title: "last block", isNumber: true, cell: ({ lastBlockMs }, nowMs) => ageText(lastBlockMs, nowMs) },
];

/** States that are no passing ones. */
const stateColours: Partial<Readonly<Record<NodeState, Colour>>> = {
  running: "green",
  stalled: "red",
  "no answer": "red",
  restarting: "yellow",
  stopped: "red",
};

/**
 * The view of a running network: a table of its nodes, how far those are that are behind, what does not run and why, the last lines of their logs.
 *
 * Where a terminal is too low the lines of logs go first, then nodes from the end on; the footer stays.
 */
export function renderView(facts: ViewFacts): string[] {
  const { nodes, lines, width, height, footer, paint = noColours } = facts;
  const ailing = nodes.flatMap(({ name, reason, restarts }) =>
    reason === undefined
      ? []
      : [paint("red", oneLine(`${name}: ${reason}${restarts > 0 ? ` (started again ${restarts} times)` : ""}`))],
  );
  const finality = finalityOf(nodes).flatMap((text) =>
    wrapLine(oneLine(text), width).map((part) => paint("yellow", part)),
  );
  const behind = nodes.flatMap(({ name, progress }) =>
    progress === undefined ? [] : [`${name}: ${progressText(progress)}`],
  );
  const head = ["", ...tableOf(facts), ...behind, ...ailing, ...finality].slice(0, Math.max(0, height - 2));
  const room = Math.max(0, Math.min(lines.length, height - head.length - 3));
  const shown = lines.slice(lines.length - room).map(printShownLine);
  const blank = shown.length === 0 ? [] : [""];
  const below = height > 1 ? ["", footer] : [footer];
  return [...head, ...blank, ...shown, ...below].map((line) => cutLine(line, width));
}

/** A line of a node's log as it is shown: time, node, text. */
export function printShownLine({ node, time, text }: NodeLogLine): string {
  return oneLine(`${time.slice(11, 19)} ${node.padEnd(10)} ${text}`);
}

/** Returns a node's or a dying process's text, on one line and without anything that drives the terminal. */
function oneLine(text: string): string {
  return plainText(text).replaceAll(/[\n\t]+/g, " ");
}

/** Returns what most of the reporting nodes report about finality: they need not see the same. */
function finalityOf(nodes: readonly NodeView[]): string[] {
  const counts = new Map<string, number>();
  for (const { finality } of nodes) if (finality !== undefined) counts.set(finality, (counts.get(finality) ?? 0) + 1);
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most === undefined ? [] : [most[0]];
}

/** The network in one line, for logs that are not a terminal. */
export function summaryLine(nodes: readonly NodeView[]): string {
  const of = ({ name, state, height, finalized, memoryBytes }: NodeView) =>
    `${name} ${state === "running" && height !== undefined ? `${countText(height)}/${countText(finalized)}` : state} ${memoryText(memoryBytes)}`;
  return oneLine([`block/final: ${nodes.map(of).join(", ")}`, ...finalityOf(nodes)].join("; "));
}

/** The columns that a narrow terminal omits, in this order. */
const dispensable = ["role", "memory", "HTTP"];

function tableOf({ nodes, nowMs, width, paint = noColours }: ViewFacts): string[] {
  const tableWith = (shown: readonly NodeColumn[]) => {
    const rows = nodes.map((node) =>
      shown.map(({ title, cell }) => {
        const colour = title === "state" ? stateColours[node.state] : undefined;
        return colour === undefined ? cell(node, nowMs) : paint(colour, cell(node, nowMs));
      }),
    );
    return tableLines(shown, rows);
  };
  let shown = columns;
  let lines = tableWith(shown);
  for (const title of dispensable) {
    if (Math.max(...lines.map(columnsOf)) <= width) break;
    shown = shown.filter((column) => column.title !== title);
    lines = tableWith(shown);
  }
  const [titles = "", ...rows] = lines;
  return [paint("bold", titles), ...rows];
}
