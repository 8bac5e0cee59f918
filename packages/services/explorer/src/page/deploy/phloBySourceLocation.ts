/** The source of a step. */
export interface StepSource {
  readonly kind: "program" | "system" | "earlier";
  readonly line: number | null;
  readonly column: number | null;
}

/** The total cost of the steps of one place in a program. */
export interface PlaceCost {
  readonly place: string;
  readonly steps: number;
  readonly phlo: bigint;
}

/** Describes the place in words. */
export function placeOf({ kind, line, column }: StepSource): string {
  if (kind === "system") return "built-in";
  if (kind === "earlier") return "an earlier deploy";
  return line === null ? "somewhere" : `${line}:${column ?? 1}`;
}

/** The places of a program, the one that cost most first. */
export function phloBySourceLocation(
  steps: readonly { readonly source: StepSource; readonly phlo: bigint }[],
): PlaceCost[] {
  const places = new Map<string, PlaceCost>();
  for (const { source, phlo } of steps) {
    const place = placeOf(source);
    const known = places.get(place) ?? { place, steps: 0, phlo: 0n };
    places.set(place, { place, steps: known.steps + 1, phlo: known.phlo + phlo });
  }
  return [...places.values()].sort((one, other) => (other.phlo < one.phlo ? -1 : other.phlo > one.phlo ? 1 : 0));
}
