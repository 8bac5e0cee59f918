import { JsonFloat, printJson } from "@vedette/api";
import type { BlockFinality, BlockMetadata, ChainMoment, FinalDeployStatus, FindFinalStatus } from "@vedette/chain";
import { blocksSince, finalityOf } from "@vedette/chain";
import { systemNames } from "@vedette/client";
import { fromHex, toHex } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import type { BlockTransfers, DeployNote, Registration } from "@vedette/execution";
import { foundValue, type LookupResult } from "@vedette/executor";
import { type QueryReaders, ReaderPoolError, type TakeTurn } from "@vedette/executor/threads";
import { type Dialect, dialectOfForm } from "@vedette/protocol";
import { blockCallOf, type CallSources } from "@vedette/queries";
import { type EventLog, EventsError, printEntryCursor } from "@vedette/queries/events";
import type { Store } from "@vedette/store";
import type { JudgedFacts, RejectionFacts } from "../facts/IndexBlockFacts.js";
import { IndexError } from "../IndexError.js";
import type { FeedFacts, FeedTop } from "./ChainFeed.js";

/** The sources from which a node supplies its index. */
export interface LocalSources extends CallSources {
  readonly log: EventLog;
  /** Has the tables of the chain environment. */
  readonly store: Store;
  /** The block message. */
  readonly findBytes: (hash: Uint8Array) => Uint8Array | undefined;
  readonly readers: QueryReaders;
  /** Finds final statuses of deploys; default: none are reported. */
  readonly finalStatusOf?: FindFinalStatus;
  /** As the HTTP API reports it, from -1 to 1. */
  readonly faultTolerance: (block: BlockMetadata) => number;
  /**
   * Does a work in a moment in which all that is seen of the chain is on disk; left out: that is so at any time. The
   * index must not know what the chain may lose.
   */
  readonly onDisk?: TakeTurn;
}

/** A block to index, not decoded yet. Plain values, so that it can cross threads. */
export interface RawBlock {
  /** The block message. */
  readonly bytes: Uint8Array;
  /** Dialect of the block; earlier versions leave it out and mean rnode. */
  readonly dialect?: Dialect["name"];
  readonly transfers: BlockTransfers | undefined;
  readonly fate: BlockFinality;
  readonly rejections: readonly RejectionFacts[];
  /** The fault tolerance of a final block, if it is known. */
  readonly faultTolerance?: number | undefined;
  readonly finalizedAt?: ChainMoment | undefined;
}

/** An entry of the log, without its block if that was deleted. */
export type RawChange =
  | { readonly kind: "blockAdded"; readonly block: RawBlock }
  | {
      readonly kind: "blockFinalized" | "blockOrphaned" | "deploysRejected" | "deploysRestored";
      readonly hash: string;
      readonly rejections: readonly RejectionFacts[];
      readonly faultTolerance?: number | undefined;
      readonly finalizedAt?: ChainMoment | undefined;
    };

/** As `FeedChanges`, unread. */
export type RawChanges =
  | { readonly kind: "gone" | "unknown" }
  | {
      readonly kind: "changes";
      readonly changes: readonly RawChange[];
      readonly cursor: string;
      readonly hasMore: boolean;
    };

/** As `FeedBlocks`, unread. */
export interface RawBlocks {
  readonly blocks: readonly RawBlock[];
  readonly next: bigint | undefined;
  readonly top: bigint;
}

type LogEntry = NonNullable<ReturnType<EventLog["read"]>>;
type OtherChange = Exclude<RawChange, { readonly kind: "blockAdded" }>;
type OtherEntry = LogEntry & { readonly kind: OtherChange["kind"] };
type BlockRead = Omit<RawBlock, "transfers">;

/** Entries of the log that are sent together, with what was known of their blocks in one moment. */
interface Piece {
  /** A block is named by its hash. */
  readonly entries: readonly (OtherChange | { readonly added: string })[];
  readonly blocks: ReadonlyMap<string, BlockRead>;
  readonly bytes: number;
  /** Number of the last entry. */
  readonly last: number;
  readonly cursor: string;
  readonly hasMore: boolean;
}

/** Most blocks, or entries, in one answer; and about how many bytes of blocks. */
const maxConcurrent = 64;
const maxBytes = 4 << 20;
/** That are read in one moment. */
const maxPieces = 8;
const timeoutMs = 60_000;

/**
 * Supplies a node's chain to the index, on the main thread: it hands out stored bytes and reads nothing of them, so that
 * the index costs the node next to nothing.
 */
export class LocalFeed {
  readonly #sources: LocalSources;
  /** Pieces that were read together with an earlier one, by the cursor after which each comes. */
  readonly #ahead = new Map<string, Piece>();
  /** A contract has them from genesis on. */
  #epoch: { readonly begunWith: string; readonly lengths: NonNullable<FeedFacts["epoch"]> } | undefined;

  constructor(sources: LocalSources) {
    this.#sources = sources;
  }

  async about(): Promise<FeedFacts> {
    const { dag } = this.#sources;
    const first = dag.approvedBlock();
    if (first === undefined) return { begunWith: undefined, epoch: undefined };
    const begunWith = toHex(first.hash);
    if (this.#epoch?.begunWith !== begunWith) {
      const lengths = await this.#onDisk(() => {
        const last = dag.lastFinalized();
        return last === undefined ? undefined : this.#epochIn(last.postStateHash);
      });
      this.#epoch = lengths && { begunWith, lengths };
    }
    const reportsVerdicts = this.#sources.finalStatusOf !== undefined;
    return { begunWith, epoch: this.#epoch?.lengths, blocksSince: blocksSince(dag), reportsVerdicts };
  }

  /** Returns the final status of deploys, in their order. */
  verdicts(deploys: readonly JudgedFacts[]): Promise<readonly (FinalDeployStatus | undefined)[]> {
    const { finalStatusOf } = this.#sources;
    return this.#onDisk(() =>
      deploys.map(({ id, validAfterBlockNumber }) =>
        finalStatusOf?.({ signature: fromHex(id), validAfterBlockNumber }),
      ),
    );
  }

  top(): Promise<FeedTop> {
    const { log, dag } = this.#sources;
    return this.#onDisk(() => ({
      cursor: printEntryCursor(log.id, log.newest()),
      nextHeight: dag.nextBlockNumber(),
    }));
  }

  blocks(from: bigint): Promise<RawBlocks> {
    return this.#onDisk(() => this.#blocksNow(from));
  }

  changes(cursor: string): Promise<RawChanges> {
    const ahead = this.#ahead.get(cursor);
    if (ahead === undefined) return this.#onDisk(() => this.#changesNow(cursor));
    this.#ahead.delete(cursor);
    return this.#changesOf(ahead);
  }

  /** The chain is read before the work waits for anything. */
  #onDisk<T>(work: () => T | Promise<T>): Promise<T> {
    const { onDisk = (now) => now() } = this.#sources;
    return new Promise((resolve, reject) => {
      onDisk(() => {
        try {
          resolve(work());
        } catch (error) {
          reject(error as Error);
        }
      });
    });
  }

  async #blocksNow(from: bigint): Promise<RawBlocks> {
    const { dag } = this.#sources;
    const top = dag.nextBlockNumber();
    const found: Uint8Array[] = [];
    let bytes = 0;
    let height = from;
    // A height is sent as a whole.
    for (const one of dag.blocksByHeight(from, top)) {
      if (one.height > height && (found.length >= maxConcurrent || bytes >= maxBytes)) break;
      height = one.height;
      found.push(one.hash);
      bytes += this.#sources.findBytes(one.hash)?.length ?? 0;
    }
    const blocks = [...(await this.#rawBlocks(this.#factsOf(found))).values()];
    return { blocks, next: found.length === 0 || height + 1n >= top ? undefined : height + 1n, top };
  }

  /** While blocks are held, a moment in which none is comes once for many: several pieces are read in it. */
  #changesNow(cursor: string): RawChanges | Promise<RawChanges> {
    const { log } = this.#sources;
    let place: number;
    try {
      place = log.placeOf(cursor).entry;
    } catch (error) {
      if (!(error instanceof EventsError)) throw error;
      return { kind: error.failure.code === "cursorTooOld" ? "gone" : "unknown" };
    }
    this.#ahead.clear();
    const first = this.#pieceAfter(place);
    let [piece, bytes] = [first, first.bytes];
    for (let read = 1; read < maxPieces && piece.hasMore && bytes < maxBytes; read += 1) {
      const before = piece.cursor;
      piece = this.#pieceAfter(piece.last);
      bytes += piece.bytes;
      this.#ahead.set(before, piece);
    }
    return this.#changesOf(first);
  }

  #pieceAfter(place: number): Piece {
    const { log, findBytes } = this.#sources;
    const newest = log.newest();
    const entries: Piece["entries"][0][] = [];
    const hashes: Uint8Array[] = [];
    let [last, bytes] = [place, 0];
    while (last < newest && entries.length < maxConcurrent && bytes < maxBytes) {
      last += 1;
      const entry = log.read(last);
      if (entry === undefined || entry.kind === "blockInvalid") continue;
      const isAdded = entry.kind === "blockAdded" || entry.kind === "chainStarted";
      entries.push(isAdded ? { added: toHex(entry.hash) } : this.#otherChange(entry as OtherEntry));
      if (!isAdded) continue;
      hashes.push(entry.hash);
      bytes += findBytes(entry.hash)?.length ?? 0;
    }
    const cursor = printEntryCursor(log.id, last);
    return { entries, blocks: this.#factsOf(hashes), bytes, last, cursor, hasMore: last < newest };
  }

  async #changesOf({ entries, blocks: read, cursor, hasMore }: Piece): Promise<RawChanges> {
    const blocks = await this.#rawBlocks(read);
    const changes = entries.flatMap((entry): RawChange[] => {
      if (!("added" in entry)) return [entry];
      const block = blocks.get(entry.added);
      return block === undefined ? [] : [{ kind: "blockAdded", block }];
    });
    return { kind: "changes", changes, cursor, hasMore };
  }

  #otherChange({ kind, hash, deploys }: OtherEntry): OtherChange {
    const rejectedBy = deploys === undefined ? "" : toHex(deploys.rejectedBy);
    const rejections = (deploys?.idHashes ?? []).map((idHash) => ({ idHash: toHex(idHash), rejectedBy }));
    const change = { kind, hash: toHex(hash), rejections };
    if (kind !== "blockFinalized") return change;
    return { ...change, faultTolerance: this.#tolerance(hash), finalizedAt: this.#sources.dag.find(hash)?.finalizedAt };
  }

  /** Balances of vaults in a state, in their order; `undefined` where it is not here, or they cannot be read. */
  balances({ root, addresses }: { readonly root: Uint8Array; readonly addresses: readonly string[] }) {
    // The state of a block that was handed out is there, as are its transfers, or it never will be.
    return patiently(() => this.#sources.readers.call("balances", { root, addresses, timeoutMs }, timeoutMs));
  }

  /** Why a block's deploys failed, in their order. @throws {IndexQueryError} `notYet` */
  async notes(bytes: Uint8Array): Promise<readonly DeployNote[] | undefined> {
    const call = { ...blockCallOf(bytes, this.#sources), timeoutMs };
    return settled(await patiently(() => this.#sources.readers.call("notes", call, timeoutMs)));
  }

  /**
   * Returns the entries that a block's deploys made in the registry, in their order. @throws {IndexQueryError} `notYet`
   */
  async registrations(bytes: Uint8Array): Promise<readonly (readonly Registration[])[] | undefined> {
    const call = { ...blockCallOf(bytes, this.#sources), timeoutMs };
    return settled(await patiently(() => this.#sources.readers.call("registrations", call, timeoutMs)));
  }

  /** Those that are there, by their hashes: what is known of one and of the others is of the same moment. */
  #factsOf(hashes: readonly Uint8Array[]): ReadonlyMap<string, BlockRead> {
    const { dag, store, findBytes } = this.#sources;
    const dialect = this.#dialect;
    const found = new Map<string, BlockRead>();
    for (const hash of hashes) {
      const bytes = findBytes(hash);
      const metadata = dag.find(hash);
      if (bytes === undefined || metadata === undefined) continue;
      const fate = finalityOf(metadata, dag, store);
      const faultTolerance = fate === "finalized" ? this.#tolerance(hash) : undefined;
      const decided = { fate, rejections: rejectionsOf(store, hash), finalizedAt: metadata.finalizedAt };
      found.set(toHex(hash), { bytes, dialect, faultTolerance, ...decided });
    }
    return found;
  }

  async #rawBlocks(read: ReadonlyMap<string, BlockRead>): Promise<ReadonlyMap<string, RawBlock>> {
    const transfers = await this.#transfers([...read.values()].map(({ bytes }) => bytes));
    return new Map([...read].map(([key, facts], index) => [key, { ...facts, transfers: transfers[index] }]));
  }

  /** Returns a block's fault tolerance; none where its validators are too many to compute it. */
  #tolerance(hash: Uint8Array): number | undefined {
    const { dag, faultTolerance } = this.#sources;
    const metadata = dag.find(hash);
    try {
      // As it is printed: in the fewest digits that identify a number of 32 bits.
      return metadata === undefined ? undefined : Number(printJson(new JsonFloat(faultTolerance(metadata))));
    } catch {
      return undefined;
    }
  }

  /** All together; where that fails, one by one. @throws {IndexQueryError} `notYet` */
  async #transfers(blocks: readonly Uint8Array[]): Promise<readonly (BlockTransfers | undefined)[]> {
    const { readers } = this.#sources;
    if (blocks.length === 0) return [];
    const ask = (some: readonly Uint8Array[]) => {
      const call = { blocks: some.map((bytes) => blockCallOf(bytes, this.#sources)), timeoutMs };
      return readers.call("transfers", call, timeoutMs);
    };
    let results: readonly (LookupResult<BlockTransfers> | undefined)[];
    try {
      results = await ask(blocks);
    } catch {
      const found: (LookupResult<BlockTransfers> | undefined)[] = [];
      for (const block of blocks) found.push((await patiently(() => ask([block])))?.[0]);
      results = found;
    }
    return results.map(settled);
  }

  get #dialect(): Dialect["name"] {
    const { reporting } = this.#sources;
    return dialectOfForm(reporting.form).name;
  }

  async #epochIn(root: Uint8Array): Promise<FeedFacts["epoch"]> {
    const { proofOfStake } = systemNames[this.#dialect];
    const ask = async (method: string) => {
      const source = `new return, lookup(\`rho:registry:lookup\`), posCh in {
        lookup!(\`${proofOfStake}\`, *posCh) | for (@(_, pos) <- posCh) { @pos!("${method}", *return) } }`;
      const unsigned = { deployer: new Uint8Array(65).fill(4), signature: new Uint8Array(), timestamp: 0n };
      const call = { ...{ root, source, timeoutMs }, ...unsigned, form: "json" } as const;
      const answer = await this.#sources.readers.call("explore", call, timeoutMs);
      if (answer.kind !== "values") throw new TypeError(errorText(answer));
      return BigInt(/-?\d+/.exec(String(answer.values.terms[0]))?.[0] ?? "0");
    };
    try {
      return { epochLength: await ask("getEpochLength"), quarantineLength: await ask("getQuarantineLength") };
    } catch {
      // The state is not here, or has another contract: epochs are left out then.
      return undefined;
    }
  }
}

/**
 * Repeats a call to readers until they answer. If a thread ended, or ran out of time, the call is repeated a few times
 * more; a lack of room for the call does not count.
 *
 * @returns `undefined` if they fail at this call
 */
async function patiently<T>(ask: () => Promise<T>): Promise<T | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      // The index waits, and repeats the request.
      if (error instanceof ReaderPoolError && error.failure.code !== "overrun") throw error;
      if (attempt === attempts) return undefined;
    }
  }
}

/** Returns the final value for the tables. @throws {IndexQueryError} `notYet`: nothing goes in then */
function settled<T>(result: LookupResult<T> | undefined): T | undefined {
  if (result?.kind === "notYet") throw new IndexError({ code: "notYet" });
  return foundValue(result);
}

const attempts = 3;
const hashBytes = 32;

/** Deploys of a final block that are not in the state. */
function rejectionsOf(store: Store, hash: Uint8Array): RejectionFacts[] {
  const end = new Uint8Array(hashBytes * 2 + 1).fill(0xff);
  end.set(hash);
  const found: RejectionFacts[] = [];
  for (const [key, value] of store.table("rejectedDeploys").range({ from: hash, to: end }))
    if (key.length === hashBytes * 2)
      found.push({ idHash: toHex(key.subarray(hashBytes)), rejectedBy: toHex(value.subarray(0, hashBytes)) });
  return found;
}

/** The methods that another thread can call. */
export type FeedMethods = {
  readonly about: () => Promise<FeedFacts>;
  readonly top: () => Promise<FeedTop>;
  readonly blocks: (from: bigint) => Promise<RawBlocks>;
  readonly changes: (cursor: string) => Promise<RawChanges>;
  readonly balances: LocalFeed["balances"];
  readonly notes: LocalFeed["notes"];
  readonly registrations: LocalFeed["registrations"];
  readonly verdicts: LocalFeed["verdicts"];
};

/** A feed's methods for `answerCalls`. */
export function methodsOf(feed: LocalFeed): FeedMethods {
  return {
    about: () => feed.about(),
    top: () => feed.top(),
    blocks: (from) => feed.blocks(from),
    changes: (cursor) => feed.changes(cursor),
    balances: (call) => feed.balances(call),
    notes: (bytes) => feed.notes(bytes),
    registrations: (bytes) => feed.registrations(bytes),
    verdicts: (deploys) => feed.verdicts(deploys),
  };
}
