import { ChainError } from "../ChainError.js";

/** More steps than any network of a hundred validators needs that is not built to be hard. */
const maximumSteps = 500_000;

const bitsOfWord = 32;

/** Which nodes of a graph are connected, one bit a pair. Each node counts as connected with itself. */
export class Connections {
  readonly words: number;
  readonly rows: Uint32Array;

  constructor(nodes: number) {
    this.words = Math.ceil(nodes / bitsOfWord);
    this.rows = new Uint32Array(nodes * this.words);
    for (let node = 0; node < nodes; node += 1) this.#set(node, node);
  }

  connect(left: number, right: number): void {
    this.#set(left, right);
    this.#set(right, left);
  }

  areConnected(left: number, right: number): boolean {
    return ((this.rows[left * this.words + (right >>> 5)]! >>> (right & 31)) & 1) === 1;
  }

  #set(row: number, column: number): void {
    this.rows[row * this.words + (column >>> 5)]! |= 1 << (column & 31);
  }
}

/**
 * The weight of the heaviest set of nodes that are all connected with each other; a single node is such a set.
 *
 * @spec 40 §8.1
 * @param weights one a node, not negative
 * @throws {ChainError} `tooComplex`: finding cliques has no fast way in general
 * @cost square of the number of nodes when all agree; the worst case is cut off
 */
export function heaviestClique(weights: readonly bigint[], connections: Connections): bigint {
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
export function hasHeavyClique(weights: readonly bigint[], connections: Connections, needed: bigint): boolean {
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
  readonly #connections: Connections;
  #best = 0n;
  #enough: bigint | undefined;
  #steps = 0;

  constructor(weights: readonly bigint[], connections: Connections) {
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
    const { left, isEnough } = this.#wellConnected(nodes, needed);
    if (left.length === 0) return needed <= 0n;
    return isEnough || this.#descend(left, 0n);
  }

  /**
   * Nodes without those that are connected with too little for a set of this weight, and so are not in one.
   *
   * @returns `isEnough`: all of them with a weight are connected, and weigh enough
   */
  #wellConnected(nodes: readonly number[], needed: bigint): { left: readonly number[]; isEnough: boolean } {
    const among = new Uint32Array(this.#connections.words);
    for (const node of nodes) among[node >>> 5]! |= 1 << (node & 31);
    for (let left = nodes; ; ) {
      const sum = this.#sumOf(left);
      if (sum < needed) return { left: [], isEnough: false };
      const most = sum - needed;
      const missing = left.map((node) => this.#notConnected(node, among, most));
      const remaining = left.filter((_, index) => missing[index]! <= most);
      if (remaining.length === left.length) return { left, isEnough: missing.every((weight) => weight === 0n) };
      for (const [index, node] of left.entries()) if (missing[index]! > most) among[node >>> 5]! &= ~(1 << (node & 31));
      left = remaining;
    }
  }

  /** The weight of what a node is not connected with, of some nodes; as soon as that is more than `most`, some of it. */
  #notConnected(node: number, among: Uint32Array, most: bigint): bigint {
    const { rows, words } = this.#connections;
    let weight = 0n;
    for (let word = 0; word < words; word += 1)
      for (let bits = among[word]! & ~rows[node * words + word]!; bits !== 0; bits &= bits - 1) {
        weight += this.#weights[word * bitsOfWord + 31 - Math.clz32(bits & -bits)]!;
        if (weight > most) return weight;
      }
    return weight;
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
    return this.#connections.areConnected(left, right);
  }
}
