import { compareBytes, equalBytes } from "@vedette/crypto";
import type { Justification } from "@vedette/protocol";
import { ChainError } from "../../ChainError.js";
import { AncestorWalk } from "../../dag/AncestorWalk.js";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import type { DagView } from "../../dag/DagView.js";
import { JustifiedFinality } from "../JustifiedFinality.js";
import type { FloorCache } from "./FloorCache.js";
import { frontierOf } from "./frontier.js";
import { neededClique } from "./neededClique.js";
import type { StateLineage } from "./StateLineage.js";

/** The blocks that are final for a block with certain parents and justifications. @spec 61 §13.3 */
export interface FloorFacts {
  readonly floor: BlockMetadata;
  /** The main parent's frontier. */
  readonly frontier: BlockMetadata;
  /** The floors of the parents and this one, each once: what is in their states must not be lost. */
  readonly settled: readonly BlockMetadata[];
}

/** A request for a block's floor: its parents, the main one first, and the latest messages that it knows of. */
export interface FloorRequest {
  readonly parents: readonly BlockMetadata[];
  readonly justifications: readonly Justification[];
}

/** The sources that floors are derived from. */
export interface FloorSources {
  readonly dag: DagView;
  readonly lineage: StateLineage;
  readonly cache: FloorCache;
  /** Fault tolerance from which a block is final, in parts of a million; read from the state. */
  readonly tolerance: () => bigint;
}

/**
 * The finalized floors of blocks. Each block's parents and justifications decide what is final for it, so all nodes
 * find the same floor.
 *
 * @spec 61 §13
 */
export class Floors {
  private readonly sources: FloorSources;
  /** PERF: a block's floor is derived when it is judged, and again when it is in the DAG. */
  #last: (FloorRequest & { readonly facts: FloorFacts }) | undefined;

  constructor(sources: FloorSources) {
    this.sources = sources;
  }

  /**
   * The floor of a block of the DAG. Those of its ancestors are derived before where they are not known.
   *
   * @throws {ChainError} `floorUnsafe`, `stateParentMissing`, `blockMissing`, `tooComplex`
   * @spec 61 §13.3
   */
  floorOf(block: BlockMetadata): BlockMetadata {
    const { dag, cache } = this.sources;
    const waiting = [block];
    for (let next = waiting.at(-1); next !== undefined; next = waiting.at(-1)) {
      const missing = cache.find(next.hash) === undefined ? this.deriveOrMissing(next) : [];
      if (missing.length === 0) waiting.pop();
      else waiting.push(...missing);
    }
    return dag.require(cache.find(block.hash)!.floor);
  }

  /** The floor of a block with these parents and justifications, whether or not there is one. @throws as {@link floorOf} */
  derive(request: FloorRequest): FloorFacts {
    const inherited = request.parents.map((parent) => this.floorOf(parent));
    return this.deriveFrom(request, inherited);
  }

  /** Finds the final frontier of each block under certain latest messages. @throws as {@link floorOf} @spec 61 §13.2 */
  frontiersUnder(justifications: readonly Justification[], blocks: readonly BlockMetadata[]): readonly BlockMetadata[] {
    for (const block of blocks) this.floorOf(block);
    return this.frontiersOf(blocks, this.witnessesOf(justifications));
  }

  private witnessesOf(justifications: readonly Justification[]): JustifiedFinality {
    const tolerance = this.sources.tolerance();
    return new JustifiedFinality(this.sources.dag, justifications, (total) => neededClique(total, tolerance));
  }

  /** PERF: the search from the highest pivot finds most of what is final; below it, little is left to judge. */
  private frontiersOf(blocks: readonly BlockMetadata[], witnesses: JustifiedFinality): readonly BlockMetadata[] {
    const { dag, cache } = this.sources;
    const searches = blocks.map((block) => {
      const pivot = cache.find(block.hash)?.frontier;
      return { block, pivot: pivot === undefined ? undefined : dag.require(pivot) };
    });
    const frontiers = new Map<BlockMetadata, BlockMetadata>();
    for (const { block, pivot } of searches.toSorted(higherPivotFirst))
      frontiers.set(block, frontierOf(dag, block, witnesses, pivot));
    return blocks.map((block) => frontiers.get(block)!);
  }

  /** @returns the parents with floors that must be known first; none if the floor was derived */
  private deriveOrMissing(block: BlockMetadata): readonly BlockMetadata[] {
    const { dag, cache } = this.sources;
    if (block.parents.length === 0) {
      cache.put(block.hash, { floor: block.hash, frontier: undefined });
      return [];
    }
    const parents = block.parents.map((hash) => dag.require(hash));
    const missing = parents.filter(({ hash }) => cache.find(hash) === undefined);
    if (missing.length > 0) return missing;
    const inherited = parents.map(({ hash }) => dag.require(cache.find(hash)!.floor));
    const { floor, frontier } = this.deriveFrom({ parents, justifications: block.justifications }, inherited);
    cache.put(block.hash, { floor: floor.hash, frontier: frontier.hash });
    return [];
  }

  private deriveFrom(request: FloorRequest, inherited: readonly BlockMetadata[]): FloorFacts {
    if (this.#last === undefined || !areSame(this.#last, request))
      this.#last = { ...request, facts: this.deriveAnew(request, inherited) };
    const { floor, frontier, settled } = this.#last.facts;
    // Their flags may have changed.
    const now = ({ hash, key }: BlockMetadata) => this.sources.dag.require(hash, key);
    return { floor: now(floor), frontier: now(frontier), settled: settled.map(now) };
  }

  private deriveAnew({ parents, justifications }: FloorRequest, inherited: readonly BlockMetadata[]): FloorFacts {
    const { lineage } = this.sources;
    const witnesses = this.witnessesOf(justifications);
    const frontiers = this.frontiersOf(parents, witnesses);
    const candidates = distinct([...inherited, ...frontiers]).sort(higherFirst);
    const soundness = new Soundness(this.sources, parents);
    const floors = distinct(inherited);
    const floor = candidates.find((candidate) => {
      const line = lineage.lineOf(candidate);
      return floors.every((other) => line.includes(other) || soundness.allows(candidate, other));
    });
    if (floor === undefined) throw new ChainError({ code: "floorUnsafe", parents: parents.map(({ hash }) => hash) });
    return { floor, frontier: frontiers[0]!, settled: distinct([...floors, floor]) };
  }
}

/** Which candidates would not undo what a parent holds for final. @spec 61 §13.3 (step 2) */
class Soundness {
  private readonly sources: FloorSources;
  private readonly pasts: readonly AncestorWalk[];

  constructor(sources: FloorSources, parents: readonly BlockMetadata[]) {
    this.sources = sources;
    this.pasts = parents.map((parent) => new AncestorWalk(sources.dag, parent));
  }

  allows(candidate: BlockMetadata, inherited: BlockMetadata): boolean {
    const { dag, lineage } = this.sources;
    if (lineage.contains(candidate, inherited)) return true;
    if (new AncestorWalk(dag, candidate).includes(inherited)) return false;
    if (!this.pasts.some((past) => past.includes(inherited) && past.includes(candidate))) return false;
    const meeting = lineage.meeting(candidate, inherited);
    return meeting !== undefined && lineage.introducedSince(candidate, meeting).size === 0;
  }
}

function areSame(one: FloorRequest, other: FloorRequest): boolean {
  const { parents, justifications } = other;
  return (
    one.parents.length === parents.length &&
    one.justifications.length === justifications.length &&
    one.parents.every(({ key }, index) => key === parents[index]!.key) &&
    one.justifications.every(({ validator, latestBlockHash }, index) => {
      const compared = justifications[index]!;
      return equalBytes(latestBlockHash, compared.latestBlockHash) && equalBytes(validator, compared.validator);
    })
  );
}

function distinct(blocks: readonly BlockMetadata[]): BlockMetadata[] {
  return [...new Map(blocks.map((block) => [block.key, block])).values()];
}

function higherPivotFirst(left: { pivot: BlockMetadata | undefined }, right: typeof left): number {
  return Number((right.pivot?.number ?? -1n) - (left.pivot?.number ?? -1n));
}

function higherFirst(left: BlockMetadata, right: BlockMetadata): number {
  if (left.number !== right.number) return left.number > right.number ? -1 : 1;
  return compareBytes(right.hash, left.hash);
}
