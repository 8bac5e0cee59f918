import { setImmediate as breath } from "node:timers/promises";
import { printJson, transfersInfo } from "@vedette/api";
import type { BlockMetadata } from "@vedette/chain";
import { equalBytes, toHex } from "@vedette/crypto";
import { ApiError } from "../ApiError.js";
import type { AccountQueries } from "../accounts/AccountQueries.js";
import { PrintedText } from "../PrintedText.js";
import { longestWait, type TransferQueries } from "../report/TransferQueries.js";
import type { BlockAnswer } from "./BlockAnswers.js";
import type { BlockQueries } from "./BlockQueries.js";
import { KeptAnswers } from "./KeptAnswers.js";

/** Whether blocks are told with their deploys, a deploy with its program. @spec 50 §10.3, §10.4 */
export type View = "full" | "summary";

/** What the answers are made from. */
export interface NewerBlockReads {
  readonly blocks: BlockQueries;
  readonly transfers: TransferQueries;
  readonly accounts: Pick<AccountQueries, "finalization">;
}

interface MadeAnswer extends BlockAnswer {
  /** Whether the transfers of its blocks are known; they may be soon. */
  readonly isComplete: boolean;
}

/** A larger answer is sent to all that ask for it within this time. */
const largeKeptMs = 5_000;
/** So long is told what lacks transfers, which on a node that did not execute the block is for ever. */
const incompleteKeptMs = 1_000;
/** Most of a list's text: who wants more asks for fewer blocks. */
const longestList = 32 << 20;

/**
 * The answers about blocks as nodes of the newer dialect have them. They are kept until the chain changes, and for a
 * moment where transfers could not be told; who asks while one is made waits for the same one.
 *
 * @spec 50 §10.3
 */
export class NewerBlockAnswers {
  readonly #reads: NewerBlockReads;
  readonly #kept: KeptAnswers<Promise<MadeAnswer>>;
  /** The answer that takes more than there is room for, which is kept for a moment. */
  #large: { readonly key: string; readonly made: Promise<MadeAnswer> } | undefined;
  #printing: Promise<unknown> = Promise.resolve();

  constructor(reads: NewerBlockReads) {
    this.#reads = reads;
    this.#kept = new KeptAnswers(() => reads.blocks.version);
  }

  /** @throws {ApiError} */
  block(hashText: string, view: View): Promise<BlockAnswer> {
    return this.#answer(`${view} block ${hashText}`, async () => {
      const { blocks } = this.#reads;
      const metadata = blocks.requireBlock(hashText);
      return this.#viewed(metadata, view, hashText.length === 64 && blocks.isSettled(metadata));
    });
  }

  /** @throws {ApiError} */
  lastFinalized(view: View): Promise<BlockAnswer> {
    return this.#answer(`${view} last`, async () =>
      this.#viewed(this.#reads.blocks.requireLastFinalized(), view, false),
    );
  }

  /** The blocks of the greatest heights, the greatest first. @throws {ApiError} */
  newest(depth: number, view: View): Promise<BlockAnswer> {
    return this.#answer(`${view} newest ${depth}`, () => this.#list(this.#reads.blocks.newest(depth), view));
  }

  /** The blocks of a span of heights, ascending. @throws {ApiError} */
  span(start: bigint, end: bigint, view: View): Promise<BlockAnswer> {
    return this.#answer(`${view} span ${start} ${end}`, () => this.#list(this.#reads.blocks.span(start, end), view));
  }

  /** A deploy in the block that counts. @throws {ApiError} @spec 50 §10.4 */
  async deploy(signature: Uint8Array, view: View): Promise<string> {
    const { blocks, transfers, accounts } = this.#reads;
    const metadata = blocks.requireBlockOfDeploy(signature);
    const { block, facts } = blocks.told(metadata);
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
    if (view === "summary") return printJson(short);
    const moved = await transfers.ofBlock(metadata, () => block);
    return printJson({
      ...short,
      deployer: toHex(deploy.deployer),
      term: deploy.term,
      systemDeployError: found.systemDeployError,
      phloPrice: deploy.phloPrice,
      phloLimit: deploy.phloLimit,
      sigAlgorithm: deploy.algorithm,
      validAfterBlockNumber: deploy.validAfterBlockNumber,
      transfers: moved === undefined ? undefined : transfersInfo(found, moved),
    });
  }

  async #viewed(metadata: BlockMetadata, view: View, isSettled: boolean): Promise<MadeAnswer> {
    const { blocks, transfers } = this.#reads;
    if (view === "summary") {
      return { printed: new PrintedText(this.#lightMember(metadata)), isSettled, isComplete: true };
    }
    const moved = await transfers.ofBlock(metadata, () => blocks.told(metadata).block);
    const printed = blocks.isLarge(metadata)
      ? await this.#inTurn(() => blocks.fullTextInTurns(metadata, moved))
      : new PrintedText(blocks.fullText(metadata, moved));
    const isComplete = moved !== undefined;
    return { printed, isSettled: isSettled && isComplete, isComplete };
  }

  async #list(blocks: readonly BlockMetadata[], view: View): Promise<MadeAnswer> {
    const texts: string[] = [];
    let length = 0;
    let isComplete = true;
    const untilMs = longestWait();
    for (const metadata of blocks) {
      const member = view === "full" ? await this.#fullMember(metadata, untilMs) : undefined;
      const text = member?.text ?? this.#lightMember(metadata);
      isComplete &&= member?.isComplete ?? true;
      texts.push(text);
      length += text.length;
      if (length > longestList) throw tooLong();
    }
    return { printed: new PrintedText(`[${texts.join(",")}]`), isSettled: false, isComplete };
  }

  #lightMember(metadata: BlockMetadata): string {
    return `{"blockInfo":${this.#reads.blocks.lightText(metadata)}}`;
  }

  async #fullMember(
    metadata: BlockMetadata,
    untilMs: number,
  ): Promise<{ readonly text: string; readonly isComplete: boolean }> {
    const { blocks, transfers } = this.#reads;
    if (blocks.isLarge(metadata)) throw tooLong();
    const moved = await transfers.ofBlock(metadata, () => blocks.told(metadata).block, untilMs);
    // Reading a block takes a while, and others wait for this thread.
    await breath();
    return { text: blocks.fullText(metadata, moved), isComplete: moved !== undefined };
  }

  #answer(key: string, make: () => Promise<MadeAnswer>): Promise<BlockAnswer> {
    const known = this.#kept.find(key);
    if (known !== undefined) return known;
    const made = make();
    this.#kept.begin(key, made);
    const drop = () => this.#kept.drop(key, made);
    made.then(({ printed, isComplete }) => {
      this.#keep(key, made, printed.bytes.length);
      if (!isComplete) setTimeout(drop, incompleteKeptMs).unref();
    }, drop);
    return made;
  }

  #keep(key: string, made: Promise<MadeAnswer>, size: number): void {
    if (!this.#kept.has(key, made) || this.#kept.keep(key, made, size)) return;
    if (this.#large !== undefined) this.#kept.drop(this.#large.key, this.#large.made);
    this.#large = { key, made };
    setTimeout(() => this.#kept.drop(key, made), largeKeptMs).unref();
  }

  /** One large answer at a time is made. */
  #inTurn(print: () => Promise<PrintedText>): Promise<PrintedText> {
    const printed = this.#printing.catch(() => {}).then(print);
    this.#printing = printed;
    return printed;
  }
}

function tooLong(): ApiError {
  return new ApiError(
    "The blocks are too long to be told with their deploys at once; ask for fewer, or for each by its hash.",
  );
}
