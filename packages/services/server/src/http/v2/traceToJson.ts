import type { ProgramTrace, TraceSource, TraceStep } from "@vedette/execution";

/** A program's trace in the form of Vedette's own routes. @spec 41 §8.5 */
export function traceToJson({ parsingPhlo, otherPhlo, unfinished, isCut, steps }: ProgramTrace) {
  return {
    ...{ parsingPhlo, otherPhlo, isCut },
    unfinished: unfinished.map((place) => ({ line: place?.line ?? null, column: place?.column ?? null })),
    steps: steps.map(stepToJson),
  };
}

function stepToJson({ source, senders, receiver, ...step }: TraceStep) {
  return {
    kind: step.kind,
    source: sourceToJson(source),
    phlo: step.phlo,
    channels: [...step.channels],
    data: step.data.map((texts) => [...texts]),
    patterns: step.patterns.map((texts) => [...texts]),
    isPersistent: step.isPersistent,
    isPeek: step.isPeek,
    senders: senders.map(sourceToJson),
    receiver: receiver === undefined ? null : sourceToJson(receiver),
  };
}

function sourceToJson(source: TraceSource) {
  const { line = null, column = null } = (source.kind === "program" ? source.place : undefined) ?? {};
  return { kind: source.kind, line, column };
}
