import type { BlockMetadata } from "@vedette/chain";
import { toHex } from "@vedette/crypto";
import type { BlockCall, ReportAnswer } from "@vedette/executor";
import type { QueryReaders } from "@vedette/executor/threads";
import { ApiError } from "../ApiError.js";
import type { BlockQueries } from "../block/BlockQueries.js";
import { RoomCache } from "../block/RoomCache.js";
import { FairQueue } from "../explore/FairQueue.js";
import { mapToApiError } from "../mapToApiError.js";
import { shownBytes } from "../state/longNames.js";
import { blockCallOf, type CallSources } from "./blockCall.js";

/** The report of a block, as JSON: the members after `block-info`. @spec 50 §2.2 */
export interface ReportText {
  readonly block: BlockMetadata;
  readonly members: string;
}

/** The report of a block, as encoded messages: fields 2 to 4 of `BlockEventInfo`. @spec 50 §3.3 */
export interface ReportMessages {
  readonly block: BlockMetadata;
  readonly deploys: readonly Uint8Array[];
  readonly systemDeploys: readonly Uint8Array[];
  readonly postState: Uint8Array;
}

/** The transfers of a block as `TransactionResponse`. @spec 50 §1.9 */
export interface TransactionsText {
  readonly text: string;
  /** Whether the list stays as it is: an empty one may only lack a report. */
  readonly isSettled: boolean;
}

/** The sources of reports. */
export interface ReportSources extends CallSources {
  readonly blocks: Pick<BlockQueries, "bytesOf">;
  readonly readers: QueryReaders;
  /** On a node without a validator's key; dev mode does not matter. @spec 50 §9 */
  readonly isAllowed: boolean;
  /** `api-server.enable-reporting` */
  readonly isEnabled: boolean;
}

/** The limits of a reader for a report: its time, and the room for its text. */
const timeoutMs = 60_000;
const maxBytes = 64 << 20;
/** Room for reports that were made. */
const cacheBytes = 128 << 20;
/** One at a time, so that other questions find a reader; few may wait, and not for long. */
const queue = { running: 1, ofOneClient: 4, waiting: 32, longestWaitMs: 30_000 } as const;

/** The answer of rnode's stub of a reporting runtime. */
const emptyStateHash = new TextEncoder().encode("empty");
const noTransactions: TransactionsText = { text: '{"data":[]}', isSettled: false };

type RealReport = Exclude<ReportAnswer, { readonly kind: "failed" }>;

/**
 * Answers about what happened in blocks.
 *
 * Quirk 50 §2.2: a node that does not report gives empty reports. Unlike rnode's they are not kept, so that
 * real ones take their place as soon as it does.
 *
 * @spec 41 §8, 50 §2.2
 */
export class ReportQueries {
  readonly #sources: ReportSources;
  readonly #cache = new RoomCache<RealReport>({ units: cacheBytes });
  readonly #running = new Map<string, Promise<RealReport>>();
  readonly #gate = new FairQueue(queue);

  constructor(sources: ReportSources) {
    this.#sources = sources;
  }

  /** @param client the address that it is counted for @throws {ApiError} @spec 50 §2.2 */
  async text(hash: Uint8Array, isForced: boolean, client?: string): Promise<ReportText> {
    const block = this.#requireBlock(hash);
    if (!this.#sources.isEnabled) {
      const members = `"deploys":[],"system-deploys":[],"post-state-hash":"${toHex(emptyStateHash)}"`;
      return { block, members };
    }
    const report = await this.#report(block, "json", isForced, client);
    const text = report.kind === "json" ? decoder.decode(report.text) : "";
    return { block, members: `${text},"post-state-hash":"${toHex(report.postState)}"` };
  }

  /** @throws {ApiError} @spec 50 §3.4 */
  async messages(hash: Uint8Array, isForced: boolean, client?: string): Promise<ReportMessages> {
    const block = this.#requireBlock(hash);
    const nothing = { block, deploys: [], systemDeploys: [], postState: emptyStateHash };
    if (!this.#sources.isEnabled) return nothing;
    const report = await this.#report(block, "message", isForced, client);
    return report.kind === "message" ? { ...report, block } : nothing;
  }

  /**
   * Returns the transfers of a block between vaults.
   *
   * Quirk 41 §8.3: any failure of the report makes the list empty.
   *
   * @throws {ApiError} when a deploy's report has a number of parts that has no meaning
   * @spec 41 §8.3, 50 §1.9
   */
  async transactions(hash: Uint8Array): Promise<TransactionsText> {
    const { dag, isAllowed, isEnabled, readers } = this.#sources;
    const block = dag.find(hash);
    if (!isAllowed || !isEnabled || block === undefined) return noTransactions;
    const call = { ...this.blockCall(block), timeoutMs };
    const answer = await mapToApiError(readers.call("transactions", call, timeoutMs));
    switch (answer.kind) {
      case "found":
        return { text: answer.text, isSettled: true };
      case "unknown":
        return noTransactions;
      case "miscounted":
        throw new ApiError(`It is not possible that user report ${answer.report} amount is not equal to 1,2 or 3`, {
          kind: "exception",
        });
    }
  }

  /** A block as readers want it, with the invalid blocks that its creator could see. @throws {ApiError} @spec 40 §5.5 */
  blockCall(metadata: BlockMetadata): BlockCall {
    return blockCallOf(this.#sources.blocks.bytesOf(metadata), this.#sources);
  }

  #requireBlock(hash: Uint8Array): BlockMetadata {
    const { dag, isAllowed } = this.#sources;
    if (dag.lastFinalized() === undefined)
      throw new ApiError("Error: Could not get event data.", { reason: "notRunning" });
    if (!isAllowed)
      throw new ApiError("Block report can only be executed on read-only RNode.", { reason: "readOnlyWanted" });
    const block = dag.find(hash);
    if (block === undefined) throw new ApiError(`Block ${shownBytes(hash)} not found`, { reason: "unknownBlock" });
    return block;
  }

  async #report(
    block: BlockMetadata,
    form: "json" | "message",
    isForced: boolean,
    client: string | undefined,
  ): Promise<RealReport> {
    const key = `${form}${block.key}`;
    const known = isForced ? undefined : this.#cache.get(key);
    if (known !== undefined) return known;
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const started = this.#make(block, form, client).finally(() => this.#running.delete(key));
    this.#running.set(key, started);
    const made = await started;
    this.#cache.set(key, made, sizeOf(made));
    return made;
  }

  async #make(block: BlockMetadata, form: "json" | "message", client: string | undefined): Promise<RealReport> {
    const call = { ...this.blockCall(block), form, maxBytes, timeoutMs };
    const { readers } = this.#sources;
    // Others may wait for the same report, so it goes on when a client leaves.
    const answer = await mapToApiError(this.#gate.run({ client }, () => readers.call("report", call, timeoutMs)));
    if (answer.kind === "failed") throw new ApiError(answer.message, { kind: "exception", reason: "failed" });
    return answer;
  }
}

const decoder = new TextDecoder();

function sizeOf(report: RealReport): number {
  if (report.kind === "json") return report.text.length;
  return [...report.deploys, ...report.systemDeploys].reduce((sum, { length }) => sum + length, 0);
}
