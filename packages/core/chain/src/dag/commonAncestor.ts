import { compareSignedBytes } from "@vedette/crypto";
import { dropOldest } from "@vedette/errors";
import type { BlockMetadata } from "./BlockMetadata.js";
import type { DagView } from "./DagView.js";

/** A search that came to certain blocks, and what it found. */
interface KnownSearch {
  /** In ascending order. */
  readonly open: readonly BlockMetadata[];
  readonly above: bigint;
  readonly found: BlockMetadata | undefined;
}

/**
 * By the highest block. PERF: while validators make blocks at the same time, the result is far below, and all searches
 * of one chain go the same way after a few heights.
 */
const knownSearches = new Map<BlockMetadata, KnownSearch>();
const maxKnown = 64;

/**
 * The lowest universal common ancestor of blocks: the one block through which all ways down lead.
 *
 * @param above there may be none above this height: then `undefined`, as for no blocks
 * @spec 40 §7.3
 * @cost the blocks down to where an earlier search went on, or to the result
 */
export function commonAncestor(
  dag: Pick<DagView, "find">,
  blocks: readonly BlockMetadata[],
  above = -1n,
): BlockMetadata | undefined {
  const search = new AncestorSearch(dag, blocks);
  const passed: (readonly BlockMetadata[])[] = [];
  let known: KnownSearch | undefined;
  for (let height = search.highest?.number; search.open.length > 1 && search.highest!.number > above; search.step()) {
    if (search.highest!.number === height) continue;
    height = search.highest!.number;
    known = knownSearch(search.open, above);
    if (known !== undefined) break;
    if (passed.length < maxKnown) passed.push([...search.open]);
  }
  const ownFound = search.open.length === 1 ? search.open[0] : undefined;
  const found = known === undefined ? ownFound : known.found && dag.find(known.found.hash, known.found.key);
  // A block that is missing now may arrive later.
  if (search.isComplete) remember(passed, { above, found });
  return found;
}

/** The highest last, as the next search comes to them first. */
function remember(passed: readonly (readonly BlockMetadata[])[], outcome: Omit<KnownSearch, "open">): void {
  for (const open of passed.toReversed()) {
    const highest = open.at(-1)!;
    knownSearches.delete(highest);
    knownSearches.set(highest, { open, ...outcome });
  }
  dropOldest(knownSearches, maxKnown);
}

function knownSearch(open: readonly BlockMetadata[], above: bigint): KnownSearch | undefined {
  const known = knownSearches.get(open.at(-1)!);
  return known?.above === above && areSame(known.open, open) ? known : undefined;
}

/** Replaces the highest block by its parents, time and again. */
class AncestorSearch {
  /** In ascending order. */
  readonly open: BlockMetadata[] = [];
  isComplete = true;
  readonly #dag: Pick<DagView, "find">;
  readonly #keys = new Set<string>();

  constructor(dag: Pick<DagView, "find">, blocks: readonly BlockMetadata[]) {
    this.#dag = dag;
    for (const block of blocks) if (!this.#keys.has(block.key)) this.#add(block);
  }

  get highest(): BlockMetadata | undefined {
    return this.open.at(-1);
  }

  step(): void {
    const highest = this.open.pop()!;
    this.#keys.delete(highest.key);
    for (const [index, key] of highest.parentKeys.entries()) {
      if (this.#keys.has(key)) continue;
      const parent = this.#dag.find(highest.parents[index]!, key);
      if (parent === undefined) this.isComplete = false;
      else this.#add(parent);
    }
  }

  #add(block: BlockMetadata): void {
    this.#keys.add(block.key);
    let at = this.open.length;
    while (at > 0 && isAbove(this.open[at - 1]!, block)) at -= 1;
    this.open.splice(at, 0, block);
  }
}

function areSame(one: readonly BlockMetadata[], other: readonly BlockMetadata[]): boolean {
  return one.length === other.length && one.every((block, index) => block === other[index]);
}

function isAbove(left: BlockMetadata, right: BlockMetadata): boolean {
  if (left.number !== right.number) return left.number > right.number;
  return compareSignedBytes(left.hash, right.hash) > 0;
}
