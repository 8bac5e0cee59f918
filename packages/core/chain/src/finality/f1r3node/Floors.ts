import { compareBytes } from "@vedette/crypto";
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
  derive({ parents, justifications }: FloorRequest): FloorFacts {
    const inherited = parents.map((parent) => this.floorOf(parent));
    return this.deriveFrom(parents, justifications, inherited);
  }

  /**
   * Returns a function that finds the final frontier of a block under certain latest messages.
   *
   * @returns a function from a block to its frontier, which throws as {@link floorOf}
   * @spec 61 §13.2
   */
  frontiersUnder(justifications: readonly Justification[]): (block: BlockMetadata) => BlockMetadata {
    const witnesses = this.witnessesOf(justifications);
    return (block) => {
      this.floorOf(block);
      return this.frontierOf(block, witnesses);
    };
  }

  private witnessesOf(justifications: readonly Justification[]): JustifiedFinality {
    const tolerance = this.sources.tolerance();
    return new JustifiedFinality(this.sources.dag, justifications, (total) => neededClique(total, tolerance));
  }

  private frontierOf(block: BlockMetadata, witnesses: JustifiedFinality): BlockMetadata {
    const { dag, cache } = this.sources;
    const pivot = cache.find(block.hash)?.frontier;
    return frontierOf(dag, block, witnesses, pivot === undefined ? undefined : dag.require(pivot));
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
    const { floor, frontier } = this.deriveFrom(parents, block.justifications, inherited);
    cache.put(block.hash, { floor: floor.hash, frontier: frontier.hash });
    return [];
  }

  private deriveFrom(
    parents: readonly BlockMetadata[],
    justifications: readonly Justification[],
    inherited: readonly BlockMetadata[],
  ): FloorFacts {
    const { lineage } = this.sources;
    const witnesses = this.witnessesOf(justifications);
    const frontiers = parents.map((parent) => this.frontierOf(parent, witnesses));
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

function distinct(blocks: readonly BlockMetadata[]): BlockMetadata[] {
  return [...new Map(blocks.map((block) => [block.key, block])).values()];
}

function higherFirst(left: BlockMetadata, right: BlockMetadata): number {
  if (left.number !== right.number) return left.number > right.number ? -1 : 1;
  return compareBytes(right.hash, left.hash);
}
