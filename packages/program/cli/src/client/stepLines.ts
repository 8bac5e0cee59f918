/** The program that made a step. */
interface ShownSource {
  readonly kind: "program" | "system" | "earlier";
  readonly line: number | null;
  readonly column: number | null;
}

/** A step of a trace, of a node's or of a test's. */
export interface TraceStepRow {
  readonly kind: "produce" | "consume" | "comm";
  readonly source: ShownSource;
  readonly phlo: bigint | number;
  readonly channels: readonly string[];
  readonly data: readonly (readonly string[])[];
  readonly patterns: readonly (readonly string[])[];
  readonly isPersistent: boolean;
  readonly isPeek: boolean;
  readonly senders: readonly ShownSource[];
  readonly receiver: ShownSource | null;
}

/** Steps for people, a line each. @spec 41 §8.5 */
export function stepLines(steps: readonly TraceStepRow[]): string[] {
  const width = String(steps.length).length;
  return steps.map((step, index) => {
    const source = `${String(index + 1).padStart(width)}  ${sourceText(step.source).padEnd(12)}`;
    return `${source}  ${step.kind.padEnd(7)}  ${String(step.phlo).padStart(7)} phlo  ${happening(step)}`;
  });
}

/** The place as `3:5`, or `line unknown`. */
export function placeText(line: number | null, column: number | null): string {
  return line === null ? "line unknown" : `${line}:${column}`;
}

function happening({ kind, channels, data, patterns, isPersistent, isPeek, senders, receiver }: TraceStepRow): string {
  switch (kind) {
    case "produce":
      return `@{${channels[0]}}${isPersistent ? "!!" : "!"}(${data[0]?.join(", ")})`;
    case "consume": {
      const arrow = isPersistent ? "<=" : isPeek ? "<<-" : "<-";
      const binds = channels.map((channel, index) => `${patterns[index]?.join(", ")} ${arrow} @{${channel}}`);
      return `for (${binds.join(" & ")})`;
    }
    case "comm": {
      const met = channels.map((channel, index) => `(${data[index]?.join(", ")}) on @{${channel}}`);
      const parties = [...senders.map(sourceText), receiver === null ? "" : `→ ${sourceText(receiver)}`].join(" ");
      return `${met.join(" & ")}, ${parties}`;
    }
  }
}

function sourceText({ kind, line, column }: ShownSource): string {
  return kind === "program" ? placeText(line, column) : kind;
}
