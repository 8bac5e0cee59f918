import { ChainError } from "../ChainError.js";

/** More steps than any network of a hundred validators needs that is not built to be hard. */
const maximumSteps = 2_000_000;

/**
 * The weight of the heaviest set of nodes that are all connected with each other; a single node is such a set.
 *
 * @spec 40 §8.1
 * @param weights   one a node, not negative
 * @param connected whether two different nodes are connected; symmetric
 * @throws {ChainError} `tooComplex`: finding cliques has no fast way in general
 * @cost square of the number of nodes when all agree; the worst case is cut off
 */
export function heaviestClique(
  weights: readonly bigint[],
  connected: (left: number, right: number) => boolean,
): bigint {
  const neighbours = weights.map((_, left) => weights.map((__, right) => left !== right && connected(left, right)));
  // Heavy and well connected nodes first: the first descent then often finds the answer.
  const order = [...weights.keys()].sort((left, right) => (weights[left]! > weights[right]! ? -1 : 1));
  const search: Search = { weights, neighbours, best: 0n, steps: 0 };
  descend(search, order, 0n);
  return search.best;
}

/**
 * Whether there is a set of nodes, all connected with each other, that is heavy enough.
 *
 * Answers what {@link heaviestClique} would, but asks for few connections where the answer is no.
 *
 * @param needed the smallest weight that is enough
 * @spec 40 §8.2
 * @throws {ChainError} `tooComplex`
 */
export function hasHeavyClique(
  weights: readonly bigint[],
  connected: (left: number, right: number) => boolean,
  needed: bigint,
): boolean {
  let nodes = [...weights.keys()];
  for (let before = -1; before !== nodes.length; ) {
    before = nodes.length;
    let sum = 0n;
    for (const node of nodes) sum += weights[node]!;
    if (sum < needed) return false;
    // Who is connected with too little cannot be in such a set, and others may then be connected with too little.
    nodes = nodes.filter((node) => {
      let reachable = sum;
      return nodes.every((other) => {
        if (other === node || connected(node, other)) return true;
        reachable -= weights[other]!;
        return reachable >= needed;
      });
    });
  }
  const rest = nodes.map((node) => weights[node]!);
  return heaviestClique(rest, (left, right) => connected(nodes[left]!, nodes[right]!)) >= needed;
}

interface Search {
  readonly weights: readonly bigint[];
  readonly neighbours: readonly (readonly boolean[])[];
  best: bigint;
  steps: number;
}

function descend(search: Search, candidates: readonly number[], weight: bigint): void {
  if (weight > search.best) search.best = weight;
  let possible = weight;
  for (const candidate of candidates) possible += search.weights[candidate]!;
  for (let i = 0; i < candidates.length; i += 1) {
    if (possible <= search.best) return;
    search.steps += candidates.length;
    if (search.steps > maximumSteps) {
      throw new ChainError({ code: "tooComplex", what: "The heaviest clique of validators", limit: maximumSteps });
    }
    const chosen = candidates[i]!;
    const connected = search.neighbours[chosen]!;
    const rest = candidates.slice(i + 1).filter((other) => connected[other]);
    descend(search, rest, weight + search.weights[chosen]!);
    possible -= search.weights[chosen]!;
  }
}
