import type { Process } from "@vedette/rholang";

/** An operator or a method call; its left side may be one again, to any depth. */
export type Operation = Extract<Process, { kind: "Binary" | "Matches" | "Conjunction" | "Disjunction" | "Method" }>;

/**
 * Takes a chain of operators and methods apart, which nests to the left without end.
 *
 * @param isApart whether a left side is to be taken as a whole, because something stands around it
 */
export function operatorChain(
  outermost: Process,
  isApart: (process: Process) => boolean = () => false,
): { readonly first: Process; readonly chain: readonly Operation[] } {
  const chain: Operation[] = [];
  let first = outermost;
  while (isOperation(first) && (first === outermost || !isApart(first))) {
    chain.push(first);
    first = leftOf(first);
  }
  return { first, chain: chain.reverse() };
}

function isOperation(process: Process): process is Operation {
  const { kind } = process;
  return (
    kind === "Binary" || kind === "Matches" || kind === "Conjunction" || kind === "Disjunction" || kind === "Method"
  );
}

function leftOf(operation: Operation): Process {
  return operation.kind === "Matches" || operation.kind === "Method" ? operation.target : operation.left;
}

/** What stands on the right of an operator. */
export function rightOf(operation: Exclude<Operation, { kind: "Method" }>): Process {
  return operation.kind === "Matches" ? operation.pattern : operation.right;
}
