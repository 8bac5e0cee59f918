import { type Block, hashKey } from "@vedette/protocol";
import type { BlockValidationPort, SyncDagView } from "../ports/ChainPort.js";
import type { EmitSyncEvent } from "../SyncEvent.js";
import type { BlockBuffer } from "./BlockBuffer.js";
import type { BlockDependencyScheduler } from "./BlockDependencyScheduler.js";

/** The parts that an admission works with. */
export interface SettledBlockOptions {
  /** The block that the chain began with. */
  readonly approved: Block;
  readonly buffer: Pick<BlockBuffer, "isAwaited">;
  readonly dag: SyncDagView;
  readonly validation: BlockValidationPort;
  readonly placement: Pick<BlockDependencyScheduler, "unmetOf">;
  /** Keys of hashes of which no other copy is looked at. */
  readonly inProcess: Set<string>;
  readonly emit: EmitSyncEvent;
  /** Called with an admitted block, so that those that wait for it go on. */
  readonly release: (hash: Uint8Array) => void;
}

/** Blocks that are taken in unjudged in one run. @spec 61 §16.5 */
const maxAdmitted = 512;

/**
 * Adds blocks to the DAG without validation where they cannot be validated: a node that began at a state lacks blocks
 * beside it, and the blocks below these.
 *
 * @spec 61 §16.5
 */
export class SettledBlockAdmission {
  readonly #use: SettledBlockOptions;
  #admitted = 0;

  constructor(use: SettledBlockOptions) {
    this.#use = use;
  }

  /** Whether another block needs a block, and its creator is known. */
  isAllowed(block: Block): boolean {
    const { approved, buffer, dag, validation } = this.#use;
    if (validation.admitSettled === undefined || this.#admitted >= maxAdmitted) return false;
    if (approved.parents.length === 0 || block.number > approved.number) return false;
    return buffer.isAwaited(block.hash) && dag.knowsValidator(block.sender);
  }

  /** Whether such a block cannot even be judged, since something that it refers to is not here. */
  isLacking(block: Block): boolean {
    if (!this.isAllowed(block)) return false;
    const unmet = this.#use.placement.unmetOf(block);
    return unmet !== undefined && unmet.length > 0;
  }

  /** @returns whether it is in the DAG now */
  async admit(block: Block): Promise<boolean> {
    const { emit, validation, inProcess, release } = this.#use;
    const key = hashKey(block.hash);
    this.#admitted += 1;
    inProcess.add(key);
    try {
      if ((await validation.admitSettled?.(block)) !== true) return false;
    } finally {
      inProcess.delete(key);
    }
    emit({ type: "blockAdmitted", block });
    release(block.hash);
    return true;
  }
}
