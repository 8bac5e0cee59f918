import { blockAnswersOf } from "@vedette/api";
import { type BlockInfo, blockMessage, type LightBlockInfo, lightBlockMessage } from "@vedette/api/grpc";
import type { BlockMetadata } from "@vedette/chain";
import { dropOldest } from "@vedette/errors";
import { type ApiQueries, type BlockQueries, LargeAnswers, type QueuedRequest } from "@vedette/queries";

/** Light infos that are kept; one has some kilobytes. */
const maxKept = 256;
/** One with more extra bytes is not kept. */
const maxExtraBytes = 1 << 16;

/** A light info, as it was when its block was read. */
interface KeptInfo {
  readonly message: LightBlockInfo;
  /** Whether it reports that the block is final. */
  readonly reportsFinality: boolean;
}

/** Blocks as messages. Reading a block takes a while, so the light infos of the last ones are kept. @spec 50 §3.3 */
export class BlockMessages {
  readonly #blocks: BlockQueries;
  readonly #transfers: ApiQueries["transfers"];
  readonly #kept = new Map<string, KeptInfo>();
  readonly #large = new LargeAnswers<{ readonly message: BlockInfo; readonly isComplete: boolean }>();

  constructor({ blocks, transfers }: Pick<ApiQueries, "blocks" | "transfers">) {
    this.#blocks = blocks;
    this.#transfers = transfers;
  }

  /** @throws {ApiError} when the block is not stored */
  light(metadata: BlockMetadata): LightBlockInfo {
    const { key } = metadata;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return this.#refreshed(kept, metadata);
    const { block, facts } = this.#blocks.read(metadata);
    const message = lightBlockMessage(block, facts);
    if (!detachExtraBytes(message)) return message;
    this.#kept.set(key, { message, reportsFinality: blockAnswersOf(block).reportsFinality });
    dropOldest(this.#kept, maxKept);
    return message;
  }

  /** Replaces the facts that change; the block is not read for it. */
  #refreshed({ message, reportsFinality }: KeptInfo, metadata: BlockMetadata): LightBlockInfo {
    const faultTolerance = this.#blocks.faultTolerance(metadata);
    const isFinalized = reportsFinality && metadata.finalized;
    return { ...message, faultTolerance, isFinalized };
  }

  /**
   * Encodes a block with its deploys' transfers, if these are reported.
   *
   * @param request the request with the turn
   * @param room waits until there is room for the given bytes
   * @throws {ApiError} when the block is not stored
   * @spec 50 §10
   */
  async full(
    metadata: BlockMetadata,
    request: QueuedRequest,
    room: (bytes: number) => Promise<void>,
  ): Promise<BlockInfo> {
    await room(this.#blocks.lengthOf(metadata));
    if (!this.#blocks.isLarge(metadata)) return (await this.#read(metadata)).message;
    const key = `${metadata.finalized}${this.#blocks.faultTolerance(metadata)}${metadata.key}`;
    return (await this.#large.find(key, request, () => this.#read(metadata))).message;
  }

  async #read(metadata: BlockMetadata): Promise<{ readonly message: BlockInfo; readonly isComplete: boolean }> {
    const { block, facts } = this.#blocks.read(metadata);
    const transfers = await this.#transfers?.ofBlock(metadata, () => block);
    const isComplete = this.#transfers === undefined || transfers !== undefined;
    return { message: blockMessage(block, { ...facts, transfers }), isComplete };
  }
}

/** Lets go of what the block was read from. @returns whether the message is short enough to be kept */
function detachExtraBytes(message: LightBlockInfo): boolean {
  const { extraBytes, headerExtraBytes, bodyExtraBytes } = message;
  if (extraBytes.length + headerExtraBytes.length + bodyExtraBytes.length > maxExtraBytes) return false;
  message.extraBytes = extraBytes.slice();
  message.headerExtraBytes = headerExtraBytes.slice();
  message.bodyExtraBytes = bodyExtraBytes.slice();
  return true;
}
