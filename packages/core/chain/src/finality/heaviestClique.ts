import { ChainError } from "../ChainError.js";

/** More steps than any network of a hundred validators needs that is not built to be hard. */
const maximumSteps = 500_000;

/**
 * The weight of the heaviest set of nodes that are all connected with each other; a single node is such a set.
 *
 * @spec 40 §8.1
 * @param weights   one a node, not negative
 * @param connections by pair of different nodes, row × number of nodes + column: 1 where they are connected; symmetric
 * @throws {ChainError} `tooComplex`: finding cliques has no fast way in general
 * @cost square of the number of nodes when all agree; the worst case is cut off
 */
export function heaviestClique(weights: readonly bigint[], connections: Uint8Array): bigint {
  return new CliqueSearch(weights, connections).heaviest();
}

/**
 * Whether a clique of the graph is heavy enough.
 *
 * Gives the same result as {@link heaviestClique}, but looks at few connections where the result is false.
 *
 * @param needed the smallest weight that is enough
 * @spec 40 §8.2
 * @throws {ChainError} `tooComplex`
 */
export function hasHeavyClique(weights: readonly bigint[], connections: Uint8Array, needed: bigint): boolean {
  const search = new CliqueSearch(weights, connections);
  return search.hasHeavy([...weights.keys()], needed);
}

/**
 * Finds cliques of one graph.
 *
 * By branch and bound: nodes that are not connected with each other share a color, and a clique has one of each color.
 */
export class CliqueSearch {
  readonly #weights: readonly bigint[];
  readonly #connections: Uint8Array;
  #best = 0n;
  #enough: bigint | undefined;
  #steps = 0;

  /** @param connections as of {@link heaviestClique} */
  constructor(weights: readonly bigint[], connections: Uint8Array) {
    this.#weights = weights;
    this.#connections = connections;
  }

  /** As {@link heaviestClique}. */
  heaviest(): bigint {
    [this.#best, this.#enough, this.#steps] = [0n, undefined, 0];
    this.#descend([...this.#weights.keys()], 0n);
    return this.#best;
  }

  /** As {@link hasHeavyClique}, among some nodes. */
  hasHeavy(nodes: readonly number[], needed: bigint): boolean {
    [this.#best, this.#enough, this.#steps] = [needed - 1n, needed, 0];
    const left = this.#wellConnected(nodes, needed);
    return left.length > 0 ? this.#descend(left, 0n) : needed <= 0n;
  }

  /** Nodes without those that are connected with too little for a set of this weight, and so are not in one. */
  #wellConnected(nodes: readonly number[], needed: bigint): readonly number[] {
    let left = nodes;
    for (let before = -1; before !== left.length; ) {
      before = left.length;
      const sum = this.#sumOf(left);
      if (sum < needed) return [];
      const among = left;
      left = among.filter((node) => {
        let reachable = sum;
        return among.every((other) => {
          if (other === node || this.#areConnected(node, other)) return true;
          reachable -= this.#weights[other]!;
          return reachable >= needed;
        });
      });
    }
    return left;
  }

  /**
   * Looks for the heaviest set of some nodes that goes with what was chosen.
   *
   * @param weight of what was chosen
   * @returns whether it is enough
   */
  #descend(nodes: readonly number[], weight: bigint): boolean {
    if (weight > this.#best) this.#best = weight;
    if (this.#enough !== undefined && this.#best >= this.#enough) return true;
    const colors = this.#colored(nodes);
    if (colors.length === nodes.length) return nodes.length > 0 && this.#descend([], weight + this.#sumOf(nodes));
    const order = colors.flat();
    const bounds = this.#boundsOf(colors);
    for (let at = order.length - 1; at >= 0; at -= 1) {
      if (weight + bounds[at]! <= this.#best) return false;
      const chosen = order[at]!;
      const rest: number[] = [];
      for (let index = 0; index < at; index += 1)
        if (this.#areConnected(chosen, order[index]!)) rest.push(order[index]!);
      if (this.#descend(rest, weight + this.#weights[chosen]!)) return true;
    }
    return false;
  }

  /** The large ones last: where all others have one node, these are connected with each other, and one choice ends it. */
  #colored(nodes: readonly number[]): readonly (readonly number[])[] {
    const colors: number[][] = [];
    for (const node of nodes) {
      this.#steps += 1 + colors.length;
      if (this.#steps > maximumSteps)
        throw new ChainError({ code: "tooComplex", what: "The heaviest clique of validators", limit: maximumSteps });
      const color = colors.find((others) => others.every((other) => !this.#areConnected(node, other)));
      if (color === undefined) colors.push([node]);
      else color.push(node);
    }
    return colors.sort((left, right) => left.length - right.length);
  }

  /** For each node, the most that a clique of those up to it weighs. */
  #boundsOf(colors: readonly (readonly number[])[]): readonly bigint[] {
    const bounds: bigint[] = [];
    let below = 0n;
    for (const color of colors) {
      let heaviest = 0n;
      for (const node of color) {
        if (this.#weights[node]! > heaviest) heaviest = this.#weights[node]!;
        bounds.push(below + heaviest);
      }
      below += heaviest;
    }
    return bounds;
  }

  #sumOf(nodes: readonly number[]): bigint {
    let sum = 0n;
    for (const node of nodes) sum += this.#weights[node]!;
    return sum;
  }

  #areConnected(left: number, right: number): boolean {
    return this.#connections[left * this.#weights.length + right] === 1;
  }
}
