import type { DeployTransfers, TransferView } from "@vedette/api";
import type { BlockMetadata } from "@vedette/chain";
import { toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import { dropOldest } from "@vedette/errors";
import { foundValue } from "@vedette/executor";
import type { QueryReaders } from "@vedette/executor/threads";
import { type Block, encodeBlock } from "@vedette/protocol";
import type { TransferEntry } from "../accounts/accountEntries.js";
import { transferEntries } from "../accounts/entriesOfBlock.js";

/** Blocks with kept transfers, the oldest dropped first: a block's transfers never change. */
const maxStored = 256;
/** Blocks with more transfers are not kept. */
const maxInKept = 1_000;
const timeoutMs = 20_000;
/** Longest time that an answer about a block waits for its transfers; after that it comes without them. */
const patienceMs = 5_000;

/**
 * Returns the transfers of deploys, as they were recorded when their block was executed here.
 *
 * @spec 41 §8.3, 50 §10.3
 */
export class TransferQueries {
  readonly #readers: QueryReaders;
  readonly #kept = new Map<string, MovedInBlock>();
  readonly #asked = new Map<string, Promise<MovedInBlock | undefined>>();

  constructor(readers: QueryReaders) {
    this.#readers = readers;
  }

  /** As {@link ofBlock}, with all that was moved, whosever it was. */
  async entriesOfBlock(
    metadata: BlockMetadata,
    read: () => Block,
    untilMs = longestWait(),
  ): Promise<readonly TransferEntry[] | undefined> {
    return (await this.#find(metadata, read, untilMs))?.entries;
  }

  /**
   * @param read gives the block, if it must be read
   * @param untilMs end of the wait: {@link longestWait}, for several blocks the same
   * @returns `undefined` if they are not known here, or not available now
   */
  async ofBlock(
    metadata: BlockMetadata,
    read: () => Block,
    untilMs = longestWait(),
  ): Promise<DeployTransfers | undefined> {
    return (await this.#find(metadata, read, untilMs))?.byDeploy;
  }

  async #find({ key }: BlockMetadata, read: () => Block, untilMs: number): Promise<MovedInBlock | undefined> {
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const asked = this.#asked.get(key);
    if (asked !== undefined) return inTime(asked, untilMs);
    const block = read();
    if (block.body.deploys.length === 0) return nothingMoved;
    const asking = this.#ask(key, block).finally(() => this.#asked.delete(key));
    this.#asked.set(key, asking);
    return inTime(asking, untilMs);
  }

  /** Goes on when no client waits any more: the next request finds the result. */
  async #ask(key: string, block: Block): Promise<MovedInBlock | undefined> {
    const call = { blocks: [{ block: encodeBlock(block), invalidBlocks: [] }], timeoutMs };
    const answer = await this.#readers.call("transfers", call, timeoutMs).catch(() => undefined);
    const noted = foundValue(answer?.[0]);
    if (noted === undefined) return undefined;
    const entries = transferEntries(block, noted);
    const found = { entries, byDeploy: byDeploy(entries) };
    this.#keep(key, found);
    return found;
  }

  #keep(key: string, found: MovedInBlock): void {
    if (found.entries.length > maxInKept) return;
    this.#kept.set(key, found);
    dropOldest(this.#kept, maxStored);
  }
}

/** By `performance.now`, when an answer goes out without what it still waits for. */
export function longestWait(): number {
  return performance.now() + patienceMs;
}

/** A block that was not noted is executed again, which may take long, or wait for others. */
function inTime<T>(asked: Promise<T>, untilMs: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), untilMs - performance.now());
    asked.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}

interface MovedInBlock {
  readonly entries: readonly TransferEntry[];
  /** For each deploy, the amounts taken from the vault of its own key. */
  readonly byDeploy: DeployTransfers;
}

const nothingMoved: MovedInBlock = { entries: [], byDeploy: new Map() };

/** Those that take from the vault of the deploy's own key, in genesis too. */
function byDeploy(entries: ReturnType<typeof transferEntries>): DeployTransfers {
  const found = new Map<string, TransferView[]>();
  for (const { kind, from, to, amount, failReason, deploy } of entries) {
    if ((kind !== "deploy" && kind !== "genesis") || deploy === undefined) continue;
    if (from !== vaultAddressOfPublicKey(deploy.deployer)) continue;
    const id = toHex(deploy.deployId);
    const transfers = found.get(id) ?? [];
    transfers.push({ from, to, amount, failReason });
    found.set(id, transfers);
  }
  return found;
}
