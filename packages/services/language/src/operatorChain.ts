import type { AnyProcess } from "./ProgramSource.js";

/** An operator or a method call; its left side may be one again, to any depth. */
export type OperatorProcess<P> = Extract<P, { kind: "Binary" | "Matches" | "Conjunction" | "Disjunction" | "Method" }>;

/**
 * Takes a chain of operators and methods apart, which nests to the left without end.
 *
 * @param isApart whether a left side is taken as a whole, because of signs around it
 */
export function operatorChain<P extends AnyProcess>(
  outermost: P,
  isApart: (process: P) => boolean = () => false,
): { readonly first: P; readonly chain: readonly OperatorProcess<P>[] } {
  const chain: OperatorProcess<P>[] = [];
  let first = outermost;
  while (isOperation(first) && (first === outermost || !isApart(first))) {
    chain.push(first);
    first = leftOf<P>(first);
  }
  return { first, chain: chain.reverse() };
}

function isOperation<P extends AnyProcess>(process: P): process is OperatorProcess<P> {
  const { kind } = process;
  return (
    kind === "Binary" || kind === "Matches" || kind === "Conjunction" || kind === "Disjunction" || kind === "Method"
  );
}

function leftOf<P extends AnyProcess>(operation: OperatorProcess<AnyProcess>): P {
  const left = operation.kind === "Matches" || operation.kind === "Method" ? operation.target : operation.left;
  // A part of a program of the same grammar.
  return left as P;
}

/** Returns the right side of an operator. */
export function rightOf<P extends AnyProcess>(operation: Exclude<OperatorProcess<AnyProcess>, { kind: "Method" }>): P {
  return (operation.kind === "Matches" ? operation.pattern : operation.right) as P;
}
