import type { NodeView } from "./NetworkWatch.js";

/** A line of some node, for those who watch. */
export interface ShownLine {
  readonly node: string;
  readonly time: string;
  readonly text: string;
}

/** What the view of a terminal is made from. */
export interface ViewFacts {
  readonly nodes: readonly NodeView[];
  readonly lines: readonly ShownLine[];
  readonly nowMs: number;
  /** Columns and rows of the terminal. */
  readonly width: number;
  readonly height: number;
  /** What is going on or can be done, below everything. */
  readonly footer: string;
}

interface Column {
  readonly title: string;
  readonly isNumber: boolean;
  readonly cell: (node: NodeView, nowMs: number) => string;
}

const none = "–";

const columns: readonly Column[] = [
  { title: "node", isNumber: false, cell: ({ name }) => name },
  { title: "role", isNumber: false, cell: ({ role }) => role },
  { title: "HTTP", isNumber: true, cell: ({ httpPort }) => String(httpPort) },
  { title: "state", isNumber: false, cell: ({ state }) => state },
  { title: "block", isNumber: true, cell: ({ height }) => numberText(height) },
  { title: "final", isNumber: true, cell: ({ finalized }) => numberText(finalized) },
  { title: "peers", isNumber: true, cell: ({ peers }) => numberText(peers) },
  { title: "memory", isNumber: true, cell: ({ memoryBytes }) => memoryText(memoryBytes) },
  { title: "last block", isNumber: true, cell: ({ lastBlockMs }, nowMs) => ageText(lastBlockMs, nowMs) },
];

/** The view of a running network: a table of its nodes, what does not run and why, the last lines of their logs. */
export function renderView({ nodes, lines, nowMs, width, height, footer }: ViewFacts): string {
  const table = tableOf(nodes, nowMs);
  const ailing = nodes.flatMap(({ name, reason, restarts }) =>
    reason === undefined ? [] : [`${name}: ${reason}${restarts > 0 ? ` (started again ${restarts} times)` : ""}`],
  );
  const fixed = table.length + ailing.length + 4;
  const room = Math.max(0, Math.min(lines.length, height - fixed));
  const shown = lines.slice(lines.length - room).map(printShownLine);
  const blank = shown.length === 0 ? [] : [""];
  return ["", ...table, ...ailing, ...blank, ...shown, "", footer].map((line) => cut(line, width)).join("\n");
}

/** A line of a node's log as it is shown: when, who, what. */
export function printShownLine({ node, time, text }: ShownLine): string {
  return `${time.slice(11, 19)} ${node.padEnd(10)} ${text}`;
}

/** The network in one line, for logs that are not a terminal. */
export function summaryLine(nodes: readonly NodeView[]): string {
  const of = ({ name, state, height, finalized, memoryBytes }: NodeView) =>
    `${name} ${state === "running" ? `${numberText(height)}/${numberText(finalized)}` : state} ${memoryText(memoryBytes)}`;
  return `block/final: ${nodes.map(of).join(", ")}`;
}

function tableOf(nodes: readonly NodeView[], nowMs: number): string[] {
  const rows = [
    columns.map(({ title }) => title),
    ...nodes.map((node) => columns.map(({ cell }) => cell(node, nowMs))),
  ];
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  return rows.map((row) =>
    row
      .map((text, at) => (columns[at]!.isNumber ? text.padStart(widths[at]!) : text.padEnd(widths[at]!)))
      .join("  ")
      .trimEnd(),
  );
}

function numberText(value: number | undefined): string {
  return value === undefined ? none : String(value);
}

function memoryText(bytes: number | undefined): string {
  return bytes === undefined ? none : `${Math.round(bytes / (1 << 20))} MB`;
}

function ageText(timeMs: number | undefined, nowMs: number): string {
  if (timeMs === undefined) return none;
  const seconds = Math.max(0, Math.round((nowMs - timeMs) / 1_000));
  return seconds < 120 ? `${seconds} s ago` : `${Math.floor(seconds / 60)} min ago`;
}

function cut(line: string, width: number): string {
  return line.length > width ? `${line.slice(0, Math.max(0, width - 1))}…` : line;
}
