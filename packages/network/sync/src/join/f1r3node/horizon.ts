import { deployLifespan } from "@vedette/chain";
import { type Block, type FloorSeed, hashKey } from "@vedette/protocol";

/** How far a joiner of f1r3node's networks looks back. @spec 61 §16.4, §18 */
export interface HorizonDepths {
  /** `max-parent-depth`; `undefined` where it is unlimited. */
  readonly parentDepth: bigint | undefined;
  /** `mergeable-channels-gc-depth-buffer`. */
  readonly depthBuffer: bigint;
  /** How long deploys live, in blocks; f1r3node's without. */
  readonly lifespan?: bigint;
}

/**
 * Finality of a chain that merges is never further behind; a seed that contradicts this is not followed down.
 * @spec 61 §12.3
 */
const maxFloorLag = 256n;

/** The height from which on states and entries are wanted. @spec 61 §16.4 (step 4) */
export function horizonOf(number: bigint, { parentDepth, depthBuffer }: HorizonDepths): bigint {
  return parentDepth === undefined ? 0n : atLeastGenesis(number - parentDepth - depthBuffer);
}

/** The height down to which blocks are fetched. @spec 61 §16.4 (step 2) */
export function lowestOf(number: bigint, depths: HorizonDepths, seed: FloorSeed | undefined): bigint {
  const { lifespan = deployLifespan } = depths;
  const lowest = depths.parentDepth === undefined ? 0n : atLeastGenesis(horizonOf(number, depths) - lifespan);
  if (seed === undefined) return lowest;
  return atLeastGenesis(least(lowest, least(seed.floorNumber, seed.frontierNumber) - 1n));
}

/** A seed that can be one of this block. @returns `undefined` for others @spec 61 §16.4 */
export function usableSeed({ number }: Block, seed: FloorSeed | undefined): FloorSeed | undefined {
  if (seed === undefined || seed.floorHash.length !== 32 || seed.frontierHash.length !== 32) return undefined;
  const isUsable = [seed.floorNumber, seed.frontierNumber].every(
    (height) => height >= 0n && height < number && height >= number - maxFloorLag,
  );
  return isUsable ? seed : undefined;
}

/** Returns the states before and after these blocks, each once. @param blocks the highest first */
export function statesOf(blocks: Iterable<Block>): Uint8Array[] {
  const states = new Map<string, Uint8Array>();
  for (const { body } of blocks)
    for (const hash of [body.state.postStateHash, body.state.preStateHash]) states.set(hashKey(hash), hash);
  return [...states.values()];
}

function atLeastGenesis(height: bigint): bigint {
  return height < 0n ? 0n : height;
}

function least(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
