import { fromHex } from "@vedette/crypto";
import { type Block, decodeBlock, f1r3node, hashKey } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { lengthPrefixed, readChainFile } from "@vedette/testing";
import { Dag } from "../dag/Dag.js";
import { BlockLineage } from "../finality/f1r3node/blockLineage.js";
import { MemoryFloorCache } from "../finality/f1r3node/FloorCache.js";
import { Floors } from "../finality/f1r3node/Floors.js";
import { StateLineage } from "../finality/f1r3node/StateLineage.js";

/** The facts that f1r3node reports about a block of a recorded chain. Hashes and keys are hex. */
export interface F1r3nodeBlockFacts {
  readonly hash: string;
  readonly number: number;
  readonly sender: string;
  readonly floor: string;
  readonly frontier: string | null;
  readonly faultTolerance: number;
  readonly finalized: boolean;
  readonly directlyFinalized: boolean;
  readonly bonds: readonly { readonly validator: string; readonly stake: number }[];
  readonly mergeBase: string;
  readonly appliedFromScope: readonly string[];
  readonly rejectedDeploys: readonly { readonly id: string; readonly duplicate: boolean; readonly carrier: string }[];
}

/** A recorded block with the reported facts. */
export interface F1r3nodeBlock {
  readonly block: Block;
  readonly facts: F1r3nodeBlockFacts;
}

/** Reads a chain of f1r3node, block by block. @throws Error for a recorded chain when the recordings are not there */
export function f1r3nodeChain(chain: string): readonly F1r3nodeBlock[] {
  const lines = new TextDecoder().decode(readChainFile(chain, "blocks.jsonl")).trim().split("\n");
  return lengthPrefixed(readChainFile(chain, "blocks.bin")).map((bytes, index) => ({
    block: decodeBlock(bytes, f1r3node.blockForm),
    facts: JSON.parse(lines[index]!) as F1r3nodeBlockFacts,
  }));
}

/** A DAG of blocks of f1r3node, with what is derived from it. */
export class F1r3nodeDag {
  readonly store = new MemoryStore(tablesOf("chain"));
  readonly dag = new Dag(this.store);
  readonly blocks = new Map<string, Block>();
  readonly facts = new BlockLineage({ find: (hash) => this.find(hash) });
  readonly lineage = new StateLineage(this.dag, this.facts);
  readonly floors: Floors;

  /** @param tolerance parts of a million */
  constructor(tolerance: bigint) {
    const { dag, lineage } = this;
    this.floors = new Floors({ dag, lineage, cache: new MemoryFloorCache(), tolerance: () => tolerance });
  }

  insert(block: Block, invalid = false): void {
    this.blocks.set(hashKey(block.hash), block);
    this.dag.insert(block, { invalid, approved: block.number === 0n });
  }

  find(hash: Uint8Array | string): Block | undefined {
    return this.blocks.get(hashKey(typeof hash === "string" ? fromHex(hash) : hash));
  }
}
