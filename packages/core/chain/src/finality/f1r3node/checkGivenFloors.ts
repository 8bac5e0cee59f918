import { equalBytes } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { ChainError } from "../../ChainError.js";
import { AncestorWalk } from "../../dag/AncestorWalk.js";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import { Dag } from "../../dag/Dag.js";
import { genesisFirst } from "../../dag/firstMessage.js";
import type { Insertion } from "../../dag/insertBlock.js";
import { BlockLineage } from "./blockLineage.js";
import { type DerivedFloor, MemoryFloorCache } from "./FloorCache.js";
import { Floors } from "./Floors.js";
import { StateLineage } from "./StateLineage.js";
import type { BlockFloor } from "./StoredFloorCache.js";

/** Blocks that a node begins with, and the floors that a peer states for them. */
export interface UnverifiedFloors {
  /** In any order; the highest first is quickest. */
  readonly blocks: Iterable<{ readonly block: Block; readonly insertion: Insertion }>;
  readonly find: (hash: Uint8Array) => Block | undefined;
  /** By `hashKey` of the block. */
  readonly given: ReadonlyMap<string, DerivedFloor>;
  /** Fault tolerance from which a block is final, in parts of a million. */
  readonly tolerance: bigint;
}

/** The given floors that can be used. */
export interface F1r3nodeCheck {
  readonly floors: readonly BlockFloor[];
  /** Blocks with a floor that follows from those of their parents and differs from the given one. */
  readonly contradicted: readonly Uint8Array[];
  /** Floors that were taken as they were given. */
  readonly trusted: number;
}

/**
 * Compares the floors that a peer states with the blocks.
 *
 * A floor follows from those of the parents. So only the floors of the lowest blocks have to be trusted: their parents
 * are not stored, or their finality goes below them. Floors above are derived, and a peer that states another is wrong.
 *
 * @spec 61 §16.4
 * @cost the derivation of each block
 */
export function checkGivenFloors({ blocks, find, given, tolerance }: UnverifiedFloors): F1r3nodeCheck {
  const dag = new Dag(new MemoryStore(tablesOf("chain")), undefined, genesisFirst);
  const inserted: Uint8Array[] = [];
  dag.replaceAll(noting(blocks, inserted), () => {});
  const cache = new MemoryFloorCache(Number.POSITIVE_INFINITY);
  const lineage = new StateLineage(dag, new BlockLineage({ find }));
  const check = new Check(dag, new Floors({ dag, lineage, cache, tolerance: () => tolerance }), cache, given);
  const ascending = inserted.map((hash) => dag.require(hash)).sort((left, right) => Number(left.number - right.number));
  check.edge = edgeOf(dag, ascending);
  for (const block of ascending) check.take(block);
  return check;
}

function* noting(
  blocks: UnverifiedFloors["blocks"],
  inserted: Uint8Array[],
): Generator<{ readonly block: Block; readonly insertion: Insertion }> {
  for (const one of blocks) {
    inserted.push(one.block.hash);
    yield one;
  }
}

/** The height of the highest block that refers to one which is not there; below any where all are. */
function edgeOf(dag: Dag, blocks: readonly BlockMetadata[]): bigint {
  const isThere = (hash: Uint8Array) => dag.has(hash);
  let edge = -1n;
  for (const { number, parents, justifications } of blocks) {
    if (number <= edge) continue;
    const isWhole = parents.every(isThere) && justifications.every(({ latestBlockHash }) => isThere(latestBlockHash));
    if (!isWhole) edge = number;
  }
  return edge;
}

class Check implements F1r3nodeCheck {
  edge = -1n;
  readonly floors: BlockFloor[] = [];
  readonly contradicted: Uint8Array[] = [];
  trusted = 0;
  private readonly dag: Dag;
  private readonly derivation: Floors;
  private readonly cache: MemoryFloorCache;
  private readonly given: ReadonlyMap<string, DerivedFloor>;

  constructor(dag: Dag, derivation: Floors, cache: MemoryFloorCache, given: ReadonlyMap<string, DerivedFloor>) {
    this.dag = dag;
    this.derivation = derivation;
    this.cache = cache;
    this.given = given;
  }

  /** The parents of a block have been taken before. */
  take(block: BlockMetadata): void {
    const given = this.given.get(block.key);
    const derived = this.derive(block);
    if (derived === "contradiction") {
      this.contradicted.push(block.hash);
      return;
    }
    if (derived !== undefined) {
      if (given !== undefined && !isSame(given, derived)) this.contradicted.push(block.hash);
      this.floors.push({ hash: block.hash, ...derived });
    } else if (given !== undefined && this.isPossible(block, given)) {
      this.cache.put(block.hash, given);
      this.trusted += 1;
      this.floors.push({ hash: block.hash, ...given });
    }
  }

  /** @returns `undefined` where it depends on what is not here */
  private derive(block: BlockMetadata): DerivedFloor | "contradiction" | undefined {
    if (!block.parents.every((hash) => this.isAboveEdge(hash))) return undefined;
    try {
      this.derivation.floorOf(block);
      return this.cache.find(block.hash);
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      return error.failure.code === "floorUnsafe" && this.given.has(block.key) ? "contradiction" : undefined;
    }
  }

  /** Whether what is final for a parent is known, and all that one looks at from there is here. */
  private isAboveEdge(parent: Uint8Array): boolean {
    const known = this.dag.has(parent) ? this.cache.find(parent) : undefined;
    if (known === undefined) return false;
    if (this.edge < 0n) return true;
    return [known.floor, known.frontier].every(
      (hash) => hash !== undefined && this.dag.require(hash).number > this.edge,
    );
  }

  /** Only what is here can be a floor; and what a block holds for final lies in its past. */
  private isPossible(block: BlockMetadata, { floor, frontier }: DerivedFloor): boolean {
    if (frontier === undefined) return block.parents.length === 0 && equalBytes(floor, block.hash);
    const [low, high] = [this.dag.find(floor), this.dag.find(frontier)];
    if (low === undefined || high === undefined || low.number >= block.number || high.number >= block.number)
      return false;
    const past = new AncestorWalk(this.dag, block);
    return past.includes(low) && past.includes(high);
  }
}

function isSame(left: DerivedFloor, right: DerivedFloor): boolean {
  if (!equalBytes(left.floor, right.floor)) return false;
  if (left.frontier === undefined || right.frontier === undefined) return left.frontier === right.frontier;
  return equalBytes(left.frontier, right.frontier);
}
