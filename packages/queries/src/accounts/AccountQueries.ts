import {
  type BlockDecision,
  type BlockMetadata,
  type DagView,
  type DeployFate,
  decisionOf,
  fateInBlock,
  fateOutside,
  findRefusedDeploy,
  findRejection,
} from "@vedette/chain";
import { blake2b256, compareBytes, equalBytes, vaultAddressOfPublicKey } from "@vedette/crypto";
import { type Deploy, decodeDeploy, hashKey, type ProcessedDeploy, rnodeRust } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import { ApiError } from "../ApiError.js";
import type { BlockQueries } from "../block/BlockQueries.js";
import type { AccountProgress } from "./AccountFollower.js";
import type { AccountIndex } from "./AccountIndex.js";
import { type DeployEntry, decodeDeployEntry, decodeTransferEntry, type TransferEntry } from "./accountEntries.js";
import { type AccountPlace, type EntryKind, encodePlace, isPlace, placeIn } from "./accountKeys.js";
import { entryOf } from "./entriesOfBlock.js";

/** An entry with its block. */
export interface Placed<T> {
  readonly entry: T;
  readonly place: AccountPlace;
  readonly decision: BlockDecision;
  /** The block whose merge gave up the deploy of a final block. */
  readonly rejectedBy: Uint8Array | undefined;
}

/** The latest entries, and after which to go on. */
export interface AccountPage<T> {
  readonly entries: readonly Placed<T>[];
  readonly next: string | undefined;
}

/** Which entries are wanted. */
export interface AccountQuestion {
  readonly address: string;
  readonly limit: number;
  readonly after: AccountPlace | undefined;
  /** Whether blocks that were forked away are wanted too. */
  readonly forks: boolean;
}

/** A block that has a deploy, and what became of the deploy there. */
export interface Inclusion {
  readonly block: BlockMetadata;
  readonly decision: BlockDecision;
  /** As in {@link Placed}. */
  readonly rejectedBy: Uint8Array | undefined;
  readonly outcome: Pick<DeployEntry, "cost" | "errored" | "systemDeployError">;
}

/** A deploy and the blocks that have it, the one that counts first. */
export interface DeployHistory {
  readonly status: DeployFate;
  /** Why this node tries it no more. */
  readonly reason?: string | undefined;
  readonly deploy: Deploy;
  readonly inclusions: readonly Inclusion[];
}

/** Whether what a deploy did is final, as the newer dialect tells it. @spec 50 §1.14 */
export interface DeployFinalization {
  readonly state: "Finalized" | "Failed" | "Pending" | "Expired";
  /** Merges that gave it up. */
  readonly rejections: number;
  /** Hash of the highest block that has it or gave it up. */
  readonly latestBlock: Uint8Array | undefined;
}

/** What the answers are made from. */
export interface AccountReads {
  readonly dag: DagView;
  readonly blocks: Pick<BlockQueries, "told">;
  /** Has the tables of the chain environment. */
  readonly store: Store;
  readonly index: AccountIndex;
  readonly progress: () => AccountProgress;
  /** The machine's, unless given. */
  readonly nowMs?: (() => number) | undefined;
  readonly retriesRejected: boolean;
}

/** Entries that are looked at for one page: those of other forks are passed over. */
const mostSeen = 2_000;
/** Blocks with the same deploy that are told. */
const mostInclusions = 16;
const arrivalBytes = 8;
const order: readonly (BlockDecision | "rejected")[] = ["finalized", "pending", "rejected", "forkedAway"];

/** Answers about the history of accounts. @spec 50 §1.13 */
export class AccountQueries {
  readonly #reads: AccountReads;

  constructor(reads: AccountReads) {
    this.#reads = reads;
  }

  /** How much of the chain is known. */
  facts(): AccountProgress & { readonly isComplete: boolean; readonly transfersSince: bigint } {
    const { done, total } = this.#reads.progress();
    // A block without the transfers that it has is not done, so that nothing is missing where all are.
    return { done, total, isComplete: done === total, transfersSince: this.#reads.index.transfersSince() };
  }

  deploys(question: AccountQuestion): AccountPage<DeployEntry> {
    return this.#page("deploys", question, decodeDeployEntry, ({ deployId }) => deployId);
  }

  transfers(question: AccountQuestion): AccountPage<TransferEntry> {
    return this.#page("transfers", question, decodeTransferEntry, ({ deploy }) => deploy?.deployId);
  }

  /** @returns `undefined` when neither a block nor the pool has it */
  deploy(signature: Uint8Array): DeployHistory | undefined {
    const [first, ...others] = this.#blocksOf(signature);
    const pooled = this.#pooled(signature);
    const processed = first === undefined ? undefined : this.#processed(first, signature);
    if (first === undefined || processed === undefined)
      return pooled === undefined
        ? this.#refused(signature)
        : { status: this.#statusOutside(pooled, true), deploy: pooled, inclusions: [] };
    const { deploy } = processed;
    const inclusions = [
      this.#inclusion(first, signature, entryOf(processed)),
      ...others.flatMap((block) => this.#inclusionIn(block, deploy)),
    ];
    return { status: this.#status(deploy, inclusions[0]!, pooled !== undefined), deploy, inclusions };
  }

  /** @throws {ApiError} when the node is not running yet @spec 50 §1.14 */
  finalization(signature: Uint8Array): DeployFinalization {
    const { dag } = this.#reads;
    if (dag.nextBlockNumber() === 0n) throw new ApiError(notRunningText, { reason: "notRunning" });
    const known = this.deploy(signature);
    if (known === undefined) return { state: "Pending", rejections: 0, latestBlock: undefined };
    const living = known.inclusions.filter(({ decision }) => decision !== "forkedAway");
    const rejections = new Map(living.flatMap(({ rejectedBy: by }) => (by === undefined ? [] : [[hashKey(by), by]])));
    const merges = [...rejections.values()].flatMap((hash) => dag.find(hash) ?? []);
    const latest = [...living.map(({ block }) => block), ...merges].sort(laterFirst)[0];
    return { state: this.#finality(known), rejections: rejections.size, latestBlock: latest?.hash };
  }

  #finality({ status, deploy }: DeployHistory): DeployFinalization["state"] {
    switch (status) {
      case "finalized":
        return "Finalized";
      case "failed":
        return "Failed";
      case "rejected":
        // A later merge may decide anew, as long as a block can have it.
        return this.#statusOutside(deploy, false) === "expired" ? "Expired" : "Pending";
      case "expired":
        return "Expired";
      default:
        return "Pending";
    }
  }

  #page<T>(
    kind: EntryKind,
    question: AccountQuestion,
    decode: (value: Uint8Array) => T,
    deployOf: (entry: T) => Uint8Array | undefined,
  ): AccountPage<T> {
    const { address, limit, after, forks } = question;
    const entries: Placed<T>[] = [];
    let seen = 0;
    let last: AccountPlace | undefined;
    for (const { place, value } of this.#reads.index.entries(kind, address, after)) {
      if (entries.length === limit || seen === mostSeen) return { entries, next: last && cursorOf(last) };
      seen += 1;
      last = place;
      const block = this.#reads.dag.find(place.blockHash);
      // The index may know blocks of a chain that this node no longer has.
      if (block === undefined) continue;
      const decision = this.#decision(block);
      if (decision === "forkedAway" && !forks) continue;
      const entry = decode(value);
      const deployId = deployOf(entry);
      const rejectedBy = deployId === undefined ? undefined : this.#rejection(block, deployId);
      entries.push({ entry, place, decision, rejectedBy });
    }
    return { entries, next: undefined };
  }

  /** The valid blocks that have a deploy, the one that counts first. */
  #blocksOf(signature: Uint8Array): BlockMetadata[] {
    const { dag } = this.#reads;
    return dag
      .blocksOfDeploy(signature)
      .slice(-mostInclusions)
      .map((hash) => dag.require(hash))
      .filter(({ invalid }) => !invalid)
      .map((block) => ({ block, rank: this.#rank(block, signature) }))
      .sort((left, right) => left.rank - right.rank)
      .map(({ block }) => block);
  }

  #rank(block: BlockMetadata, signature: Uint8Array): number {
    return order.indexOf(this.#rejection(block, signature) === undefined ? this.#decision(block) : "rejected");
  }

  #inclusion(block: BlockMetadata, deployId: Uint8Array, outcome: DeployEntry): Inclusion {
    return { block, decision: this.#decision(block), rejectedBy: this.#rejection(block, deployId), outcome };
  }

  /** Only what is final was rejected for good. @spec 40 §12.3 */
  #rejection(block: BlockMetadata, deployId: Uint8Array): Uint8Array | undefined {
    return block.finalized ? findRejection(this.#reads.store, block.hash, deployId) : undefined;
  }

  #processed(metadata: BlockMetadata, signature: Uint8Array): ProcessedDeploy | undefined {
    const { block } = this.#reads.blocks.told(metadata);
    return block.body.deploys.find(({ deploy }) => equalBytes(deploy.signature, signature));
  }

  /** Reading a block takes a while, so that of the others is told what the index has. */
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

  #status(deploy: Deploy, { decision, rejectedBy, outcome }: Inclusion, isPooled: boolean): DeployFate {
    const hasFailed = outcome.errored || outcome.systemDeployError !== "";
    return fateInBlock(deploy, { decision, isRejected: rejectedBy !== undefined, hasFailed }, this.#outlook(isPooled));
  }

  #statusOutside(deploy: Deploy, isPooled: boolean): ReturnType<typeof fateOutside> {
    return fateOutside(deploy, this.#outlook(isPooled));
  }

  #outlook(isPooled: boolean) {
    const { dag, nowMs = Date.now, retriesRejected } = this.#reads;
    return { isPooled, nextBlockNumber: dag.nextBlockNumber(), nowMs: nowMs(), retriesRejected };
  }

  #decision(block: BlockMetadata): BlockDecision {
    return decisionOf(block, this.#reads.dag, this.#reads.store);
  }

  #refused(signature: Uint8Array): DeployHistory | undefined {
    const refused = findRefusedDeploy(this.#reads.store, signature, rnodeRust.blockForm);
    if (refused === undefined) return undefined;
    const { deploy, reason } = refused;
    const status = this.#statusOutside(deploy, false);
    return status === "expired"
      ? { status, deploy, inclusions: [] }
      : { status: "refused", reason, deploy, inclusions: [] };
  }

  #pooled(signature: Uint8Array): Deploy | undefined {
    const value = this.#reads.store.table("deployPool").get(blake2b256(signature));
    // That form has what deploys of any dialect have.
    return value === undefined ? undefined : decodeDeploy(value.subarray(arrivalBytes), rnodeRust.blockForm);
  }
}

const notRunningText = "Error: Could not compute deploy finalization status, casper instance was not available yet.";

function laterFirst(left: BlockMetadata, right: BlockMetadata): number {
  if (left.number !== right.number) return left.number > right.number ? -1 : 1;
  return compareBytes(right.hash, left.hash);
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
