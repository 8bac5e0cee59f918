import {
  type BlockFinality,
  type BlockMetadata,
  blocksSince,
  type DagView,
  type DeployLifecycleStatus,
  deployRecords,
  type FinalDeployStatus,
  type FindFinalStatus,
  finalityOf,
  findLeftDeploy,
  findRejection,
  type LineageSource,
  statusSoFar,
  takesEffect,
} from "@vedette/chain";
import { blake2b256, equalBytes, vaultAddressOfPublicKey } from "@vedette/crypto";
import { type BlockCodec, type Deploy, decodeDeploy, f1r3node, type ProcessedDeploy } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import { ApiError } from "../ApiError.js";
import type { BlockQueries } from "../block/BlockQueries.js";
import type { AccountProgress } from "./AccountFollower.js";
import type { AccountIndex } from "./AccountIndex.js";
import { type DeployEntry, decodeDeployEntry, decodeTransferEntry, type TransferEntry } from "./accountEntries.js";
import { type AccountEntryKind, type AccountPlace, encodePlace, isPlace, placeIn } from "./accountKeys.js";
import { entryOf } from "./entriesOfBlock.js";

/** An entry with its block. */
export interface Placed<T> {
  readonly entry: T;
  readonly place: AccountPlace;
  readonly finality: BlockFinality;
  /** The block with the merge that gave up the deploy of a final block. */
  readonly rejectedBy: Uint8Array | undefined;
}

/** The latest entries, and after which to go on. */
export interface AccountPage<T> {
  readonly entries: readonly Placed<T>[];
  readonly next: string | undefined;
}

/** Which entries are wanted. */
export interface AccountHistoryQuery {
  readonly address: string;
  readonly limit: number;
  readonly after: AccountPlace | undefined;
  /** Whether blocks that were forked away are wanted too. */
  readonly forks: boolean;
}

/** A block that has a deploy, and what became of the deploy there. */
export interface Inclusion {
  readonly block: BlockMetadata;
  readonly finality: BlockFinality;
  /** As in {@link Placed}. */
  readonly rejectedBy: Uint8Array | undefined;
  readonly outcome: Pick<DeployEntry, "cost" | "errored" | "systemDeployError">;
}

/** The transfers of a deploy from and to a vault. */
export interface OwnTransfers {
  readonly vault: string;
  readonly transfers: readonly TransferEntry[];
}

/** A deploy and the blocks that have it, the one that counts first. */
export interface DeployHistory {
  readonly status: DeployLifecycleStatus;
  /** Why this node tries it no more. */
  readonly reason?: string | undefined;
  readonly deploy: Deploy;
  readonly inclusions: readonly Inclusion[];
}

/** Whether what a deploy did is final, in the words of f1r3node. @spec 50 §1.14 */
export interface DeployFinalization {
  readonly state: "Finalized" | "Failed" | "Pending" | "Expired";
  /** Records of merges that they gave it up. */
  readonly rejections: number;
  /** Hash of the highest block that has it; while nothing is decided, or that has a record that it was given up. */
  readonly latestBlock: Uint8Array | undefined;
}

/** How much of the chain answers are made from. */
export interface AccountFacts extends AccountProgress {
  /** Whether nothing of the chain is missing, from genesis on. */
  readonly isComplete: boolean;
  /** The heights from which on blocks, and what they moved, are known. */
  readonly blocksSince: bigint;
  readonly transfersSince: bigint;
}

/** The sources of the answers. */
export interface AccountReads {
  readonly dag: DagView;
  readonly blocks: Pick<BlockQueries, "read">;
  /** Has the tables of the chain environment. */
  readonly store: Store;
  readonly index: AccountIndex;
  readonly progress: () => AccountProgress;
  /** Finds the final status of a deploy. */
  readonly finalStatusOf: FindFinalStatus;
  /** The lineage facts in the bodies of blocks. */
  readonly facts: LineageSource;
  /** The encoding of the chain's blocks. */
  readonly form: BlockCodec;
}

/** Entries that are looked at for one page: those of other forks are passed over. */
const maxSeen = 2_000;
/** Most blocks with the same deploy in one answer. */
const maxInclusions = 16;
const arrivalBytes = 8;
const states = { finalized: "Finalized", failed: "Failed", expired: "Expired" } as const satisfies {
  readonly [status in FinalDeployStatus]: DeployFinalization["state"];
};
const order: readonly (BlockFinality | "rejected")[] = ["finalized", "pending", "rejected", "forkedAway"];

/** Answers about the history of accounts. @spec 50 §1.13 */
export class AccountQueries {
  readonly #reads: AccountReads;

  constructor(reads: AccountReads) {
    this.#reads = reads;
  }

  /** How much of the chain is known. */
  facts(): AccountFacts {
    const { done, total } = this.#reads.progress();
    const blocksSince = this.blocksSince();
    const known = this.#reads.index.transfersSince();
    const transfersSince = known < blocksSince ? blocksSince : known;
    // A block without the transfers that it has is not done, so that nothing is missing where all are.
    return { done, total, isComplete: done === total && transfersSince === 0n, blocksSince, transfersSince };
  }

  /** The height from which on blocks are here. */
  blocksSince(): bigint {
    return blocksSince(this.#reads.dag);
  }

  deploys(question: AccountHistoryQuery): AccountPage<DeployEntry> {
    return this.#page("deploys", question, decodeDeployEntry, ({ deployId }) => deployId);
  }

  transfers(question: AccountHistoryQuery): AccountPage<TransferEntry> {
    return this.#page("transfers", question, decodeTransferEntry, ({ deploy }) => deploy?.deployId);
  }

  /** @returns `undefined` when no block has it, and it neither waits in the pool nor left it */
  deploy(signature: Uint8Array): DeployHistory | undefined {
    const [first, ...others] = this.#blocksOf(signature);
    const pooled = this.#pooled(signature);
    const processed = first === undefined ? undefined : this.#processed(first, signature);
    if (first === undefined || processed === undefined) return this.#outside(signature, pooled);
    const { deploy } = processed;
    const inclusions = [
      this.#inclusion(first, signature, entryOf(processed)),
      ...others.flatMap((block) => this.#inclusionIn(block, deploy)),
    ];
    const isPooled = pooled !== undefined;
    return { status: this.#reads.finalStatusOf(deploy) ?? this.#soFar(inclusions[0]!, isPooled), deploy, inclusions };
  }

  /**
   * Returns the recorded transfers of a deploy from and to the vault of its own key in a block.
   *
   * @returns `undefined` if they are not known
   */
  ownTransfers(block: BlockMetadata, { deployer, signature }: Deploy): OwnTransfers | undefined {
    const { index } = this.#reads;
    const vault = vaultAddressOfPublicKey(deployer);
    if (vault === undefined || !index.hasTransfers(block.hash)) return undefined;
    const found = [...index.entriesIn("transfers", vault, { height: block.number, blockHash: block.hash })];
    const transfers = found.map(({ value }) => decodeTransferEntry(value)).filter(isOfDeploy(signature));
    return { vault, transfers };
  }

  /** As this one, for questions that follow each other: a block that several of them need is read once. */
  forMany(): AccountQueries {
    const { blocks } = this.#reads;
    let last: { readonly key: string; readonly content: ReturnType<typeof blocks.read> } | undefined;
    const read = (metadata: BlockMetadata) => {
      if (last?.key !== metadata.key) last = { key: metadata.key, content: blocks.read(metadata) };
      return last.content;
    };
    return new AccountQueries({ ...this.#reads, blocks: { read } });
  }

  /** Returns the status of the valid blocks from one height to another, both included. @spec 50 §1.13 */
  finalityOfHeights(from: bigint, to: bigint): Pick<Inclusion, "block" | "finality">[] {
    const { dag } = this.#reads;
    return [...dag.blocksByHeight(from, to)].map(({ hash }) => {
      const block = dag.require(hash);
      return { block, finality: this.#finality(block) };
    });
  }

  /** Returns the status of the valid blocks with a hash that begins with these digits, the lowest first. */
  finalityOfPrefix(digits: string, most: number): Pick<Inclusion, "block" | "finality">[] {
    const found = this.#reads.dag.blocksByPrefix(digits, most).filter(({ invalid }) => !invalid);
    const ascending = [...found].sort((one, other) => Number(one.number - other.number));
    return ascending.map((block) => ({ block, finality: this.#finality(block) }));
  }

  /** @throws {ApiError} when the node is not running yet @spec 50 §1.14 */
  finalization(signature: Uint8Array): DeployFinalization {
    const { dag, facts, finalStatusOf } = this.#reads;
    if (dag.nextBlockNumber() === 0n) throw new ApiError(notRunningText, { reason: "notRunning" });
    const { latest, latestNamed, rejections } = deployRecords(signature, dag, facts);
    const deploy = latest === undefined ? undefined : this.#processed(latest, signature)?.deploy;
    // A deploy that no block ever had has no final status.
    const status = deploy === undefined ? undefined : finalStatusOf(deploy);
    if (status === undefined) return { state: "Pending", rejections, latestBlock: latestNamed?.hash };
    return { state: states[status], rejections, latestBlock: latest?.hash };
  }

  #page<T>(
    kind: AccountEntryKind,
    question: AccountHistoryQuery,
    decode: (value: Uint8Array) => T,
    deployOf: (entry: T) => Uint8Array | undefined,
  ): AccountPage<T> {
    const { address, limit, after, forks } = question;
    const entries: Placed<T>[] = [];
    let seen = 0;
    let last: AccountPlace | undefined;
    for (const { place, value } of this.#reads.index.entries(kind, address, after)) {
      if (entries.length === limit || seen === maxSeen) return { entries, next: last && cursorOf(last) };
      seen += 1;
      last = place;
      const block = this.#reads.dag.find(place.blockHash);
      // The index may know blocks of a chain that this node no longer has.
      if (block === undefined) continue;
      const finality = this.#finality(block);
      if (finality === "forkedAway" && !forks) continue;
      const entry = decode(value);
      const deployId = deployOf(entry);
      const rejectedBy = deployId === undefined ? undefined : this.#rejection(block, deployId);
      entries.push({ entry, place, finality, rejectedBy });
    }
    return { entries, next: undefined };
  }

  /** The valid blocks that have a deploy, the one that counts first. */
  #blocksOf(signature: Uint8Array): BlockMetadata[] {
    const { dag } = this.#reads;
    return dag
      .blocksOfDeploy(signature)
      .slice(-maxInclusions)
      .map((hash) => dag.require(hash))
      .filter(({ invalid }) => !invalid)
      .map((block) => ({ block, rank: this.#rank(block, signature) }))
      .sort((left, right) => left.rank - right.rank)
      .map(({ block }) => block);
  }

  #rank(block: BlockMetadata, signature: Uint8Array): number {
    return order.indexOf(this.#rejection(block, signature) === undefined ? this.#finality(block) : "rejected");
  }

  #inclusion(block: BlockMetadata, deployId: Uint8Array, outcome: DeployEntry): Inclusion {
    return { block, finality: this.#finality(block), rejectedBy: this.#rejection(block, deployId), outcome };
  }

  /** Only what is final was rejected for good. @spec 40 §12.3 */
  #rejection(block: BlockMetadata, deployId: Uint8Array): Uint8Array | undefined {
    return block.finalized ? findRejection(this.#reads.store, block.hash, deployId) : undefined;
  }

  #processed(metadata: BlockMetadata, signature: Uint8Array): ProcessedDeploy | undefined {
    const { block } = this.#reads.blocks.read(metadata);
    return block.body.deploys.find(({ deploy }) => equalBytes(deploy.signature, signature));
  }

  /** Uses what the index has of the block: reading the block itself would take a while. */
  #inclusionIn(block: BlockMetadata, { deployer, signature }: Deploy): Inclusion[] {
    const address = vaultAddressOfPublicKey(deployer);
    if (address === undefined) return [];
    const place = { height: block.number, blockHash: block.hash };
    for (const { value } of this.#reads.index.entriesIn("deploys", address, place)) {
      const outcome = decodeDeployEntry(value);
      if (equalBytes(outcome.deployId, signature)) return [this.#inclusion(block, signature, outcome)];
    }
    return [];
  }

  #soFar({ finality, rejectedBy, outcome }: Inclusion, isPooled: boolean): DeployLifecycleStatus {
    const { form } = this.#reads;
    const { errored: failed, systemDeployError } = outcome;
    const hasEffect = takesEffect({ failed, systemDeployError }, form);
    const inclusion = { finality, isRejected: rejectedBy !== undefined, hasEffect };
    return statusSoFar(inclusion, { isPooled, retriesRejected: form === f1r3node.blockForm });
  }

  /** Returns the history of a deploy that no valid block has. */
  #outside(signature: Uint8Array, pooled: Deploy | undefined): DeployHistory | undefined {
    const left = pooled === undefined ? findLeftDeploy(this.#reads.store, signature, f1r3node.blockForm) : undefined;
    const deploy = pooled ?? left?.deploy;
    if (deploy === undefined) return undefined;
    const status = this.#reads.finalStatusOf(deploy);
    if (status !== undefined) return { status: status, deploy, inclusions: [] };
    const reason = left?.reason;
    return { status: reason === undefined ? "pending" : "refused", reason, deploy, inclusions: [] };
  }

  #finality(block: BlockMetadata): BlockFinality {
    return finalityOf(block, this.#reads.dag, this.#reads.store);
  }

  #pooled(signature: Uint8Array): Deploy | undefined {
    const value = this.#reads.store.table("deployPool").get(blake2b256(signature));
    // That form has what deploys of any dialect have.
    return value === undefined ? undefined : decodeDeploy(value.subarray(arrivalBytes), f1r3node.blockForm);
  }
}

const notRunningText = "Error: Could not compute deploy finalization status, casper instance was not available yet.";

/** Separates what a deploy itself moved from what the protocol moved for it. */
export function isOfDeploy(signature: Uint8Array): (entry: TransferEntry) => boolean {
  return ({ kind, deploy }) =>
    (kind === "deploy" || kind === "genesis") && deploy !== undefined && equalBytes(deploy.deployId, signature);
}

/** Text of a cursor: opaque to clients. */
function cursorOf(place: AccountPlace): string {
  return Buffer.from(encodePlace(place)).toString("base64url");
}

/** @returns `undefined` for what is no cursor */
export function placeOfCursor(text: string): AccountPlace | undefined {
  const bytes = new Uint8Array(Buffer.from(text, "base64url"));
  return isPlace(bytes) && Buffer.from(bytes).toString("base64url") === text ? placeIn(bytes) : undefined;
}
