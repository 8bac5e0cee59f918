/** A line that a node has printed. */
export interface NodeLine {
  /** As the node wrote it; absent on lines that are not from its log. */
  readonly time: string | undefined;
  readonly level: string;
  readonly text: string;
}

/** No line of a node is shown longer; the rest is cut. */
const longestLine = 4_096;
/** A text of this length without an end of line is treated as a line. */
const longestUnended = 1 << 20;

/** The beginning of a fatal message of a program. */
const complaint = /^(vedette: |FATAL ERROR|(\S+ )?[\w.]*(Error|Exception)\b|\[ALERT\]|\[\d+\] \S+ \S+ \[FTL\])/;

/** Reads a line that a node printed: JSON of its log, or any text of a dying process. */
export function parseNodeLine(line: string): NodeLine {
  if (line.startsWith("{")) {
    try {
      const { time, level, msg } = JSON.parse(line) as Record<string, unknown>;
      if (typeof level === "string" && typeof msg === "string")
        return { time: typeof time === "string" ? time : undefined, level, text: shorten(msg) };
    } catch {
      // A line cut in two by the end of the process.
    }
  }
  return {
    time: undefined,
    level: complaint.test(line) ? "error" : "info",
    text: shorten(line.replace(/^vedette: /, "")),
  };
}

/** Returns the line as in the node's log file. @spec 50 §6.3 */
export function printNodeLine({ time, level, text }: NodeLine): string {
  return time === undefined ? text : `${time} [${level.toUpperCase()}] ${text}`;
}

const worthShowing = [
  /^Making a transition/,
  /^Block created/,
  /approvals? received|genesis (candidate|ceremony)|^Sending ApprovedBlock|^Self-approving/i,
  /^Approved state for block/,
  /^Recording invalid block/,
  /proposing using the same private key/,
  /bonded|slash/i,
  /^(SIGINT|SIGTERM) received/,
];
/** Warnings without meaning at the common start of the nodes; the view itself covers all nodes. */
const worthNothing = [
  /^No private key detected/,
  /^Can't connect to peer/,
  /^\d+ of \d+ validators silent/,
  /^Finality (stands at|moves)/,
];

/** Whether a display of the network shows this line. @spec 50 §6.2 */
export function isWorthShowing({ level, text }: NodeLine): boolean {
  if (worthNothing.some((pattern) => pattern.test(text))) return false;
  return level === "error" || level === "warn" || worthShowing.some((pattern) => pattern.test(text));
}

/** Cuts chunks of a stream into lines. */
export class LineSplitter {
  readonly #emit: (line: string) => void;
  #rest = "";

  constructor(emit: (line: string) => void) {
    this.#emit = emit;
  }

  add(text: string): void {
    const parts = (this.#rest + text).split("\n");
    this.#rest = parts.pop()!;
    for (const part of parts) this.#emit(part);
    // A program that prints no line ends must not fill the memory.
    if (this.#rest.length > longestUnended) this.end();
  }

  end(): void {
    if (this.#rest !== "") this.#emit(this.#rest);
    this.#rest = "";
  }
}

function shorten(text: string): string {
  return text.length > longestLine ? `${text.slice(0, longestLine)}…` : text;
}
