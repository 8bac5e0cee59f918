import type { BlockMetadata, DagView } from "@vedette/chain";
import { equalBytes } from "@vedette/crypto";
import { deployRandom } from "@vedette/execution";
import { type Bond, hashKey } from "@vedette/protocol";
import { ApiError } from "../ApiError.js";
import type { StateReads } from "../state/StateReads.js";

/** Most names in one answer. @spec 50 §1.9 */
const maxNames = 1024;

/** Answers about validators, and what a client wants to know before it deploys. @spec 50 §1.9, §3.4 */
export class ValidatorQueries {
  readonly #dag: DagView;
  readonly #states: StateReads;
  readonly #ownKey: Uint8Array | undefined;

  /** @param ownKey public key of this node's validator, if it has one */
  constructor(dag: DagView, states: StateReads, ownKey: Uint8Array | undefined) {
    this.#dag = dag;
    this.#states = states;
    this.#ownKey = ownKey;
  }

  /** Whether a key has a stake in the last finalized state, be it 0. @throws {ApiError} @spec 50 §3.4 */
  async isBonded(publicKey: Uint8Array): Promise<boolean> {
    const block = this.#dag.lastFinalized();
    if (block === undefined)
      throw new ApiError("Error: Could not check if validator is bonded, casper instance was not available yet.", {
        reason: "notRunning",
      });
    const bonds = await this.#states.bonds(block.postStateHash);
    return bonds.some(({ validator }) => equalBytes(validator, publicKey));
  }

  /** Stakes of all validators in the state after a block. @throws {ApiError} @spec 50 §10.5 */
  bondsOf({ postStateHash }: BlockMetadata): Promise<readonly Bond[]> {
    return this.#states.bonds(postStateHash);
  }

  /** Sequence number of this node's latest block; -1 when it has none. @throws {ApiError} @spec 50 §1.9 */
  ownSequenceNumber(): number {
    if (this.#dag.lastFinalized() === undefined) {
      // Quirk 50 §1.9: the text is that of another method.
      const text = "Error: Could not execute exploratory deploy, casper instance was not available yet.";
      throw new ApiError(text, { reason: "notRunning" });
    }
    const hash = this.#ownKey === undefined ? undefined : this.#dag.latestMessage(hashKey(this.#ownKey));
    return hash === undefined ? -1 : this.#dag.require(hash).sequenceNumber;
  }

  /** The first private names that a deploy will draw. @spec 50 §1.9, 21 §1.2 */
  privateNames(deployer: Uint8Array, timestamp: bigint, count: number): Uint8Array[] {
    const random = deployRandom(deployer, timestamp);
    return Array.from({ length: Math.max(0, Math.min(count, maxNames)) }, () => random.next());
  }
}
