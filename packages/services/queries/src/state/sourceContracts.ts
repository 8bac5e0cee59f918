import type { ProgramForms } from "@vedette/rholang";
import type { New, Par, Receive } from "@vedette/terms";

/**
 * The kind of a variable around a contract of a program: a name that a `new` makes, a fixed value, or a value that is
 * only known when the program runs.
 */
export type OuterVariable = { readonly kind: "made" | "unknown" } | { readonly kind: "fixed"; readonly value: Par };

/** A receive of a program, with the variables around it, the innermost last. */
export interface SourceContract {
  readonly receive: Receive;
  readonly around: readonly OuterVariable[];
}

/** Parts of a program that are looked at. */
const maxParts = 5_000;

const unknown = (count: number) => Array.from({ length: count }, () => ({ kind: "unknown" }) as const);

/** A part of a program, with the variables around it. */
interface Step {
  readonly par: Par;
  readonly around: readonly OuterVariable[];
}

/** The receives of a program, also those within others. @returns `undefined` where the program has too many parts */
export function sourceContracts(program: Par, urns: ProgramForms["urns"]): SourceContract[] | undefined {
  const found: SourceContract[] = [];
  const steps: Step[] = [{ par: program, around: [] }];
  for (let step = steps.pop(), parts = 1; step !== undefined; step = steps.pop()) {
    const inner = within(step, urns);
    parts += inner.length;
    if (parts > maxParts) return undefined;
    steps.push(...inner);
    for (const receive of step.par.receives) found.push({ receive, around: step.around });
  }
  return found;
}

function within({ par, around }: Step, urns: ProgramForms["urns"]): Step[] {
  const bound = (count: number) => [...around, ...unknown(count)];
  return [
    ...par.receives.map(({ body, bindCount }) => ({ par: body, around: bound(bindCount) })),
    ...par.news.map((made) => ({ par: made.p, around: [...around, ...variablesOf(made, urns)] })),
    ...par.bundles.map(({ body }) => ({ par: body, around })),
    ...par.matches.flatMap(({ cases }) =>
      cases.map(({ source, freeCount }) => ({ par: source, around: bound(freeCount) })),
    ),
    ...par.conditionals.flatMap(({ ifTrue, ifFalse }) => [ifTrue, ifFalse].map((branch) => ({ par: branch, around }))),
  ];
}

/** Simple names come first, then one for each URI. */
function variablesOf({ bindCount, uri, injections }: New, urns: ProgramForms["urns"]): OuterVariable[] {
  const simple = Array.from({ length: bindCount - uri.length }, () => ({ kind: "made" }) as const);
  const named = uri.map((urn): OuterVariable => {
    const value = injections.get(urn) ?? urns.get(urn);
    return value === undefined ? { kind: "unknown" } : { kind: "fixed", value };
  });
  return [...simple, ...named];
}
