import type { BlockInfo } from "@vedette/api/grpc";
import type { NodeClient } from "@vedette/client/node";
import type { DeployLedger, LedgerDeploy } from "./DeployLedger.js";

interface KnownBlock {
  readonly hash: string;
  readonly number: number;
  readonly parents: readonly string[];
  readonly deploys: readonly LedgerDeploy[];
  /** Deploys that the block's merge gave up. */
  readonly rejected: readonly string[];
}

const depth = 10;
const mostHashes = 10_000;
/** Blocks so far below a final one are not named by new ones. @spec 40 §11 */
const lifespan = 50;

/** The reads from the followed node. */
export type FollowedNode = Pick<NodeClient, "block" | "blocks" | "lastFinalizedBlock" | "latestBlock">;

/** Counts the final blocks that have a deploy which a merge rejected. */
export type CountRejections = (deployId: string) => Promise<number>;

/** Follows a node's chain and reports to the ledger which deploys are in blocks, and which are final. */
export class ChainFollower {
  readonly #client: FollowedNode;
  readonly #ledger: DeployLedger;
  readonly #blocks = new Map<string, KnownBlock>();
  readonly #finalized = new Set<string>();
  readonly #countRejections: CountRejections;
  /** Deploys that final blocks list as given up, and the height of the last block that does. */
  readonly #named = new Map<string, number>();
  #height = 0;
  #finalizedNumber = 0;
  #finalizedHash = "";
  #lowest = 0;

  constructor(client: FollowedNode, ledger: DeployLedger, countRejections: CountRejections) {
    this.#client = client;
    this.#ledger = ledger;
    this.#countRejections = countRejections;
  }

  get height(): number {
    return this.#height;
  }

  get finalizedNumber(): number {
    return this.#finalizedNumber;
  }

  get finalizedHash(): string {
    return this.#finalizedHash;
  }

  /** Takes the last finalized block as the beginning: it and its ancestors do not count. */
  async begin(): Promise<void> {
    const last = knownBlock(await this.#client.lastFinalizedBlock());
    this.#lowest = last.number - lifespan;
    for (const block of await this.#unknownAncestors(last)) this.#finalized.add(block.hash);
    this.#setFinalized(last);
    this.#height = Number((await this.#client.latestBlock()).blockNumber);
  }

  /** Looks once at what is new. @throws {ClientError} */
  async look(nowMs: () => number): Promise<void> {
    const newest = await this.#client.blocks(depth);
    for (const { blockHash, blockNumber } of newest) {
      this.#height = Math.max(this.#height, Number(blockNumber));
      if (!this.#blocks.has(blockHash) && !this.#finalized.has(blockHash))
        this.#ledger.included((await this.#block(blockHash)).deploys, nowMs());
    }
    const last = knownBlock(await this.#client.lastFinalizedBlock());
    if (last.hash === this.#finalizedHash) return;
    this.#blocks.set(last.hash, last);
    await this.#finalize(last, nowMs);
    // A later merge may keep a deploy that one gave up, so they are read again with every step.
    for (const id of this.#named.keys()) this.#ledger.rejected(id, await this.#countRejections(id));
    this.#setFinalized(last);
  }

  /** A final block makes all its ancestors final. */
  async #finalize(last: KnownBlock, nowMs: () => number): Promise<void> {
    for (const { hash, number, deploys, rejected } of await this.#unknownAncestors(last)) {
      this.#finalized.add(hash);
      for (const id of rejected) this.#named.set(id, number);
      this.#ledger.finalized(deploys, nowMs());
      this.#blocks.delete(hash);
    }
    this.#forget();
  }

  /** A block and its ancestors, without those that are known to be final. */
  async #unknownAncestors(last: KnownBlock): Promise<KnownBlock[]> {
    const found = new Map([[last.hash, last]]);
    for (const { parents } of found.values()) {
      for (const hash of parents) {
        if (found.has(hash) || this.#finalized.has(hash)) continue;
        const block = await this.#block(hash);
        if (block.number >= this.#lowest) found.set(hash, block);
      }
    }
    return [...found.values()];
  }

  async #block(hash: string): Promise<KnownBlock> {
    const known = this.#blocks.get(hash);
    if (known !== undefined) return known;
    const block = knownBlock(await this.#client.block(hash));
    this.#blocks.set(hash, block);
    return block;
  }

  #setFinalized({ hash, number }: KnownBlock): void {
    this.#finalizedHash = hash;
    this.#finalizedNumber = number;
  }

  #forget(): void {
    for (const [hash, { number }] of this.#blocks)
      if (number < this.#finalizedNumber - lifespan) this.#blocks.delete(hash);
    for (const [id, number] of this.#named) if (number < this.#finalizedNumber - lifespan) this.#named.delete(id);
    for (const hash of this.#finalized) {
      if (this.#finalized.size <= mostHashes) return;
      this.#finalized.delete(hash);
    }
  }
}

function knownBlock({ blockInfo, deploys }: BlockInfo): KnownBlock {
  const { blockHash: hash, blockNumber, parentsHashList: parents, rejectedDeploys } = blockInfo!;
  return {
    hash,
    number: Number(blockNumber),
    parents,
    deploys: deploys.map(({ sig: id, deployer, cost, phloPrice, errored: isErrored }) => ({
      ...{ id, deployer, cost, phloPrice, isErrored },
    })),
    rejected: rejectedDeploys.map(({ sig }) => sig),
  };
}
