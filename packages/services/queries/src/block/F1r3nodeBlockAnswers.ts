import { setImmediate as yieldNow } from "node:timers/promises";
import { printJson, transfersInfo } from "@vedette/api";
import type { BlockMetadata } from "@vedette/chain";
import { equalBytes, toHex } from "@vedette/crypto";
import { ApiError } from "../ApiError.js";
import type { AccountQueries } from "../accounts/AccountQueries.js";
import { EncodedBody } from "../EncodedBody.js";
import type { QueuedRequest } from "../explore/FairQueue.js";
import { Overload } from "../explore/Overload.js";
import { longestWait, type TransferQueries } from "../report/TransferQueries.js";
import type { BlockAnswer } from "./BlockAnswers.js";
import type { BlockQueries } from "./BlockQueries.js";
import { LargeAnswers } from "./LargeAnswers.js";
import { printLarge, SlicedText } from "./LargeText.js";
import { ResponseCache } from "./ResponseCache.js";

/** Whether blocks are shown with their deploys, and deploys with their programs. @spec 50 §10.3, §10.4 */
export type View = "full" | "summary";

/** The sources of the answers. */
export interface F1r3nodeBlockReads {
  readonly blocks: BlockQueries;
  readonly transfers: TransferQueries;
  readonly accounts: Pick<AccountQueries, "finalization">;
}

/** The form of a requested answer, and the client with the turn. */
interface Wanted {
  readonly view: View;
  readonly request: QueuedRequest;
}

interface MadeAnswer extends BlockAnswer {
  /** Whether the transfers of its blocks are known; they may be soon. */
  readonly isComplete: boolean;
}

/** How long an answer without transfers is kept. On a node that did not execute the block they never come. */
const incompleteKeptMs = 1_000;
/** Maximum length of a list's text: beyond it, clients must request fewer blocks. */
const longestList = 32 << 20;
/** A deploy with a longer program, in UTF-16 units, is printed once for all requests. */
const maxTermUnits = 1 << 17;

/**
 * The answers about blocks in the form of f1r3node. They are kept until the chain changes, and for a moment where
 * transfers were not available; requests that come while an answer is made share it.
 *
 * @spec 50 §10.3
 */
export class F1r3nodeBlockAnswers {
  readonly #reads: F1r3nodeBlockReads;
  readonly #kept: ResponseCache<Promise<MadeAnswer>>;
  /** Lists of blocks with their deploys. */
  readonly #lists = new LargeAnswers<MadeAnswer>();

  constructor(reads: F1r3nodeBlockReads) {
    this.#reads = reads;
    this.#kept = new ResponseCache(() => reads.blocks.version);
  }

  /** @throws {ApiError} */
  block(hashText: string, view: View, request: QueuedRequest): Promise<BlockAnswer> {
    return this.#answer(`${view} block ${hashText}`, async () => {
      const { blocks } = this.#reads;
      const metadata = blocks.requireBlock(hashText);
      return this.#viewed(metadata, { view, request }, hashText.length === 64 && blocks.isSettled(metadata));
    });
  }

  /** @throws {ApiError} */
  lastFinalized(view: View, request: QueuedRequest): Promise<BlockAnswer> {
    return this.#answer(`${view} last`, async () =>
      this.#viewed(this.#reads.blocks.requireLastFinalized(), { view, request }, false),
    );
  }

  /** The blocks of the greatest heights, the greatest first. @throws {ApiError} */
  newest(depth: number, view: View, request: QueuedRequest): Promise<BlockAnswer> {
    return this.#list(`${view} newest ${depth}`, { view, request }, () => this.#reads.blocks.newest(depth));
  }

  /** The blocks of a span of heights, ascending. @throws {ApiError} */
  span(start: bigint, end: bigint, view: View, request: QueuedRequest): Promise<BlockAnswer> {
    return this.#list(`${view} span ${start} ${end}`, { view, request }, () => this.#reads.blocks.span(start, end));
  }

  /** A deploy in the block that counts. @throws {ApiError} @spec 50 §10.4 */
  async deploy(signature: Uint8Array, view: View, request: QueuedRequest): Promise<EncodedBody> {
    const { blocks } = this.#reads;
    const metadata = blocks.requireBlockOfDeploy(signature);
    const make = () => this.#deployIn(signature, metadata, view);
    const made = blocks.hasLargeText(metadata) ? undefined : await make();
    if (made?.isLong === false) return new EncodedBody(printJson(made.deploy));
    const key = `${blocks.version} ${view} deploy ${toHex(signature)}`;
    const { printed } = await blocks.large.find(key, request, async () => {
      const { deploy, isComplete } = made ?? (await make());
      return { printed: await printLarge(deploy), isComplete };
    });
    return printed;
  }

  async #deployIn(signature: Uint8Array, metadata: BlockMetadata, view: View) {
    const { blocks, transfers, accounts } = this.#reads;
    const { block, facts } = blocks.read(metadata);
    const found = block.body.deploys.find(({ deploy }) => equalBytes(deploy.signature, signature));
    if (found === undefined) throw new ApiError("The block of the deploy does not hold it.", { reason: "failed" });
    const { deploy } = found;
    const { state, rejections } = accounts.finalization(signature);
    const short = {
      deployId: toHex(signature),
      blockHash: toHex(metadata.hash),
      blockNumber: metadata.number,
      timestamp: block.header.timestamp,
      cost: found.cost,
      errored: found.failed,
      isFinalized: facts.isFinalized,
      finalizationState: state,
      rejectionCount: rejections,
    };
    if (view === "summary") return { deploy: short, isComplete: true, isLong: false };
    const moved = await transfers.ofBlock(metadata, () => block);
    const full = {
      ...short,
      deployer: toHex(deploy.deployer),
      term: deploy.term,
      systemDeployError: found.systemDeployError,
      phloPrice: deploy.phloPrice,
      phloLimit: deploy.phloLimit,
      sigAlgorithm: deploy.algorithm,
      validAfterBlockNumber: deploy.validAfterBlockNumber,
      transfers: moved === undefined ? undefined : transfersInfo(found, moved),
    };
    return { deploy: full, isComplete: moved !== undefined, isLong: deploy.term.length > maxTermUnits };
  }

  async #viewed(metadata: BlockMetadata, { view, request }: Wanted, isSettled: boolean): Promise<MadeAnswer> {
    const { blocks, transfers } = this.#reads;
    if (view === "summary") {
      return { printed: new EncodedBody(this.#lightMember(metadata)), isSettled, isComplete: true };
    }
    const find = () => transfers.ofBlock(metadata, () => blocks.read(metadata).block);
    if (blocks.hasLargeText(metadata)) {
      const { printed, isComplete } = await blocks.largeText(metadata, request, find);
      return { printed, isSettled: isSettled && isComplete, isComplete };
    }
    const moved = await find();
    const isComplete = moved !== undefined;
    const printed = new EncodedBody(blocks.fullText(metadata, moved));
    return { printed, isSettled: isSettled && isComplete, isComplete };
  }

  #list(key: string, { view, request }: Wanted, find: () => readonly BlockMetadata[]): Promise<BlockAnswer> {
    return this.#answer(key, async () => {
      const blocks = find();
      if (view === "summary") {
        const text = `[${blocks.map((one) => this.#lightMember(one)).join(",")}]`;
        return { printed: new EncodedBody(text), isSettled: false, isComplete: true };
      }
      return this.#lists.find(`${this.#reads.blocks.version} ${key}`, request, () => this.#full(blocks));
    });
  }

  async #full(blocks: readonly BlockMetadata[]): Promise<MadeAnswer> {
    const sliced = new SlicedText();
    let length = 0;
    let isComplete = true;
    const untilMs = longestWait();
    for (const [index, metadata] of blocks.entries()) {
      const member = await this.#fullMember(metadata, untilMs);
      isComplete &&= member.isComplete;
      sliced.add(index === 0 ? "[" : ",");
      for (const piece of member.pieces) {
        length += piece.length;
        if (length > longestList) throw tooLong();
        if (sliced.add(piece)) await yieldNow();
      }
    }
    sliced.add(blocks.length === 0 ? "[]" : "]");
    return { printed: sliced.end(), isSettled: false, isComplete };
  }

  #lightMember(metadata: BlockMetadata): string {
    return `{"blockInfo":${this.#reads.blocks.lightText(metadata)}}`;
  }

  async #fullMember(
    metadata: BlockMetadata,
    untilMs: number,
  ): Promise<{ readonly pieces: Iterable<string>; readonly isComplete: boolean }> {
    const { blocks, transfers } = this.#reads;
    const moved = await transfers.ofBlock(metadata, () => blocks.read(metadata).block, untilMs);
    // Reading a block takes a while, and others wait for this thread.
    await yieldNow();
    return { pieces: blocks.fullPieces(metadata, moved), isComplete: moved !== undefined };
  }

  async #answer(key: string, make: () => Promise<MadeAnswer>): Promise<BlockAnswer> {
    const known = this.#kept.find(key);
    if (known !== undefined)
      return known.catch((error) => {
        // Another client has lost its place; this one has a place of its own.
        if (error instanceof Overload) return make();
        throw error;
      });
    const made = make();
    this.#kept.begin(key, made);
    const drop = () => this.#kept.drop(key, made);
    made.then(({ printed, isComplete }) => {
      if (this.#kept.has(key, made) && !this.#kept.keep(key, made, printed.bytes.length)) drop();
      if (!isComplete) setTimeout(drop, incompleteKeptMs).unref();
    }, drop);
    return made;
  }
}

function tooLong(): ApiError {
  return new ApiError(
    "The blocks are too long to be returned with their deploys at once; request fewer, or each by its hash.",
  );
}
