import { setImmediate as turn } from "node:timers/promises";
import {
  type BlockFacts,
  blockInfo,
  type DeployTransfers,
  type LightBlockJson,
  lightBlockInfo,
  printJson,
  printJsonPieces,
  refreshedInfo,
} from "@vedette/api";
import {
  type BlockMetadata,
  type BlockReporting,
  type BlockTable,
  type DagView,
  type EquivocationView,
  faultTolerance,
  initialFault,
} from "@vedette/chain";
import { fromHex, toHex } from "@vedette/crypto";
import { type Block, encodeBlock } from "@vedette/protocol";
import { ApiError } from "../ApiError.js";
import { type AnswerRules, answerRulesOf } from "../dialect/AnswerRules.js";
import type { QueuedRequest } from "../explore/FairQueue.js";
import { shownBytes, shownName } from "../state/longNames.js";
import { LargeAnswers } from "./LargeAnswers.js";
import { joinPieces, type LargeText } from "./LargeText.js";
import { LastReadBlock } from "./LastReadBlock.js";
import { type Room, RoomCache } from "./RoomCache.js";

/** From this distance below the top on, finality alone decides the reported fault tolerance. @spec 50 §1.7 */
const settledDistance = 100n;
const topologyError = () =>
  new ApiError("coop.rchain.blockstorage.TopoSortFragmentParameterError", { kind: "nameless" });
const hashHexLength = 64;
const shortestPrefix = 6;
/** Room for texts of blocks, in UTF-16 units, and their number: under many requests, most are soon out of date. */
const textRoom: Room = { units: 4 << 20, entries: 256 };
/** To read and send a block that is longer is more than one piece of work. */
const largeBytes = 4 << 20;
/** A byte of a program, such as a control character, takes as many characters in JSON. */
const maxUnitsPerByte = 6;
/** Room for light infos, by the length of their texts; one that is longer than a part of it is not kept. */
const infoRoom: Room = { units: 4 << 20, entries: 256 };
const maxInfoUnits = 1 << 18;

/** Maximum of blocks with one deploy that are read; honest validators never make that many. */
const maxBlocksOfDeploy = 64;

/** The parts that answers about blocks are read from; a {@link Chain} has them all. */
export interface BlockReads {
  readonly dag: DagView;
  readonly blocks: Pick<BlockTable, "has" | "lengthOf" | "findBytes" | "read">;
  readonly equivocations: EquivocationView;
  readonly reporting?: (Pick<BlockReporting, "faultToleranceOf"> & Partial<Pick<BlockReporting, "form">>) | undefined;
}

/**
 * Answers about blocks, as JSON texts. A block's own part of the text never changes, so it is printed once.
 *
 * @spec 50 §1.7, §1.9
 */
export class BlockQueries {
  readonly #reads: BlockReads;
  readonly #maxBlocks: number;
  readonly #rules: AnswerRules;
  readonly #reading: LastReadBlock;
  readonly #texts = new RoomCache<string>(textRoom);
  /** Light infos by their blocks. What changes later is replaced on each use, so that a block need not be read for it. */
  readonly #lightInfos = new RoomCache<LightBlockJson>(infoRoom);
  readonly #tolerances = new Map<string, number>();
  #version = 0;

  /** @param maxBlocks `api-server.max-blocks-limit` */
  constructor(reads: BlockReads, maxBlocks: number) {
    this.#reads = reads;
    this.#reading = new LastReadBlock((hash) => reads.blocks.read(hash));
    this.#maxBlocks = maxBlocks;
    this.#rules = answerRulesOf(reads.reporting?.form);
  }

  /** Invalidates all fault tolerances. To be called after blocks were added or finalized. */
  chainChanged(): void {
    this.#version += 1;
    this.#tolerances.clear();
  }

  /** Another one after each change of the chain. */
  get version(): number {
    return this.#version;
  }

  /** `BlockInfo` of the last finalized block. @throws {ApiError} */
  lastFinalizedBlock(): string {
    return this.#fullText(this.requireLastFinalized());
  }

  /** @throws {ApiError} when the node is not running yet */
  requireLastFinalized(): BlockMetadata {
    const metadata = this.#reads.dag.lastFinalized();
    if (metadata === undefined)
      throw new ApiError("Error: Could not get last finalized block, casper instance was not available yet.", {
        reason: "notRunning",
      });
    return metadata;
  }

  /** A block named by its hash or a prefix of it. @throws {ApiError} @spec 50 §1.9 */
  requireBlock(hashText: string): BlockMetadata {
    if (hashText.length < shortestPrefix)
      throw new ApiError(`Input hash value must be at least ${shortestPrefix} characters: ${shownName(hashText)}`, {
        reason: "invalidHash",
      });
    if (!/^[0-9a-fA-F]*$/.test(hashText))
      throw new ApiError(`Input hash value is not valid hex string: ${shownName(hashText)}`, { reason: "invalidHash" });
    const { dag, blocks } = this.#reads;
    if (dag.nextBlockNumber() === 0n)
      throw new ApiError("Error: Could not get block, casper instance was not available yet.", {
        reason: "notRunning",
      });
    if (hashText.length !== hashHexLength) {
      const [found, ...others] = dag.blocksByPrefix(hashText.toLowerCase(), shownCandidates);
      if (found === undefined) throw notFound(hashText);
      if (others.length > 0)
        throw new ApiError(`Error: ${severalText(hashText, [found, ...others])}`, { reason: "invalidHash" });
      return found;
    }
    const hash = fromHex(hashText.toLowerCase());
    if (!blocks.has(hash)) throw notFound(hashText);
    const metadata = dag.find(hash);
    if (metadata === undefined)
      throw new ApiError(`Error: Block with hash ${hashText} received but not added yet`, { reason: "unknownBlock" });
    return metadata;
  }

  /** Light infos of the `depth` greatest heights as JSON. @throws {ApiError} @spec 50 §1.9 */
  newestBlocks(depth: number): string {
    return this.#lightTexts(this.newest(depth));
  }

  /** Light infos of a span of heights as JSON. @throws {ApiError} @spec 50 §1.9 */
  blockSpan(start: bigint, end: bigint): string {
    return this.#lightTexts(this.span(start, end));
  }

  /** The blocks of the `depth` greatest heights, the greatest first. @throws {ApiError} @spec 50 §1.9 */
  newest(depth: number): BlockMetadata[] {
    const latest = this.#reads.dag.nextBlockNumber();
    if (latest === 0n)
      throw new ApiError("Could not visualize graph, casper instance was not available yet.", { reason: "notRunning" });
    const heights = this.checkDepth("", depth);
    if (heights < 0) throw topologyError();
    return this.between(latest - BigInt(heights), latest - 1n).reverse();
  }

  /** The blocks of a span of heights, both ends included, ascending. @throws {ApiError} @spec 50 §1.9 */
  span(start: bigint, asked: bigint): BlockMetadata[] {
    const latest = this.#reads.dag.nextBlockNumber();
    if (latest === 0n)
      throw new ApiError(`Error: Could not retrieve blocks from ${start} to ${asked}`, { reason: "notRunning" });
    const isBeyond = asked - start > this.#maxBlocks;
    const end = isBeyond ? start + BigInt(this.#maxBlocks) : asked;
    if (isBeyond && this.#rules.beyondLimit === "refuse") {
      const span = `startBlockNumber ${start} and endBlockNumber ${asked}`;
      throw new ApiError(`Your request ${span} exceed the max limit ${this.#maxBlocks}`);
    }
    if (start > (end < latest ? end : latest)) throw topologyError();
    return this.between(start, end);
  }

  /** The blocks from one height to another, ascending; both ends may lie outside. */
  between(lowest: bigint, highest: bigint): BlockMetadata[] {
    const { dag } = this.#reads;
    const found: BlockMetadata[] = [];
    for (const { hash } of dag.blocksByHeight(lowest > 0n ? lowest : 0n, highest)) found.push(dag.require(hash));
    return found;
  }

  /**
   * @returns how many blocks the answer may have
   * @throws {ApiError} when a request exceeds the maximum of blocks @spec 50 §1.9, §10.3
   */
  checkDepth(method: "" | "on getListeningName " | "on getListeningNameContinuation ", depth: number): number {
    if (this.#rules.beyondLimit === "clamp") return Math.max(0, Math.min(depth, this.#maxBlocks));
    if (depth > this.#maxBlocks)
      throw new ApiError(`Your request ${method}depth ${depth} exceed the max limit ${this.#maxBlocks}`);
    return depth;
  }

  /** `LightBlockInfo` of the block that a deploy is in. @throws {ApiError} @spec 50 §1.9 */
  blockOfDeploy(signature: Uint8Array): string {
    return this.lightText(this.requireBlockOfDeploy(signature));
  }

  /**
   * Returns the block of a deploy. If there are several, it is the finalized one, since clients that wait for a deploy
   * next check whether its block is final; while none is final, the one added last.
   *
   * @throws {ApiError} when no block has the deploy @spec 50 §1.9
   */
  requireBlockOfDeploy(signature: Uint8Array): BlockMetadata {
    const { dag } = this.#reads;
    if (dag.nextBlockNumber() === 0n) throw new ApiError("Error: errorMessage", { reason: "notRunning" });
    const hashes = dag.blocksOfDeploy(signature).slice(-maxBlocksOfDeploy);
    const last = hashes.at(-1);
    if (last === undefined)
      throw new ApiError(`Couldn't find block containing deploy with id: ${shownBytes(signature)}`, {
        reason: "unknownDeploy",
      });
    const final = hashes.length > 1 ? hashes.findLast((hash) => dag.find(hash)?.finalized === true) : undefined;
    return dag.require(final ?? last);
  }

  /** @throws {ApiError} when the node is not running yet @spec 50 §1.9 */
  isFinalized(hash: Uint8Array): boolean {
    if (this.#reads.dag.nextBlockNumber() === 0n)
      throw new ApiError("Error: Could not check if block is finalized, casper instance was not available yet.", {
        reason: "notRunning",
      });
    return this.#reads.dag.find(hash)?.finalized ?? false;
  }

  /**
   * Whether the facts reported of a block are settled: it is final, and finality alone decides its fault tolerance. Only
   * an equivocator that becomes known later still changes them.
   *
   * @spec 50 §1.7
   */
  isSettled(metadata: BlockMetadata): boolean {
    return metadata.finalized && this.#reads.dag.nextBlockNumber() - metadata.number > settledDistance;
  }

  find(hash: Uint8Array): BlockMetadata | undefined {
    return this.#reads.dag.find(hash);
  }

  /** `LightBlockInfo` as text. */
  lightText(metadata: BlockMetadata): string {
    const key = this.#keyOf("light", metadata);
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const text = printJson(this.#lightInfo(metadata));
    this.#texts.set(key, text, text.length);
    return text;
  }

  /** `BlockInfo` as text. @param transfers its deploys' transfers, if these are reported */
  fullText(metadata: BlockMetadata, transfers?: DeployTransfers): string {
    return this.#fullText(metadata, transfers);
  }

  /** As {@link fullText}, in pieces where it may be large. */
  fullPieces(metadata: BlockMetadata, transfers?: DeployTransfers): Iterable<string> {
    if (!this.hasLargeText(metadata)) return [this.#fullText(metadata, transfers)];
    const { block, facts } = this.read(metadata);
    return printJsonPieces(blockInfo(block, { ...facts, transfers }));
  }

  /** Bytes of the block message, without reading it; 0 where it is not stored. */
  lengthOf({ hash }: BlockMetadata): number {
    return this.#reads.blocks.lengthOf(hash) ?? 0;
  }

  /** Whether a block message is made and sent in several pieces of work. */
  isLarge(metadata: BlockMetadata): boolean {
    return this.lengthOf(metadata) > largeBytes;
  }

  /** Whether a block's JSON may be too long for one piece of work, and to be kept: it is printed in slices. */
  hasLargeText(metadata: BlockMetadata): boolean {
    return this.lengthOf(metadata) * maxUnitsPerByte > largeBytes;
  }

  /** Large answers of all APIs, which are made one after the other. */
  readonly large = new LargeAnswers<LargeText>();

  /**
   * As {@link fullText}, for a block with a large text: the event loop goes on meanwhile.
   *
   * @param request the request with the turn
   * @param transfers finds its deploys' transfers, when it is the block's turn
   * @throws {Overload}
   */
  async largeText(
    metadata: BlockMetadata,
    request: QueuedRequest,
    transfers?: () => Promise<DeployTransfers | undefined>,
  ): Promise<LargeText> {
    const key = this.#keyOf(transfers === undefined ? "full" : "moved", metadata);
    return this.large.find(key, request, async () => {
      const moved = await transfers?.();
      const pieces = this.fullPieces(metadata, moved);
      await turn();
      const printed = await joinPieces(pieces);
      return { printed, isComplete: transfers === undefined || moved !== undefined };
    });
  }

  /** Reads a block and the facts that are reported with it. @throws {ApiError} when it is not stored */
  read(metadata: BlockMetadata): { readonly block: Block; readonly facts: BlockFacts } {
    const { block, sizeBytes } = this.#read(metadata);
    const { finalized: isFinalized } = metadata;
    return { block, facts: { sizeBytes, faultTolerance: this.faultTolerance(metadata), isFinalized } };
  }

  #lightTexts(blocks: readonly BlockMetadata[]): string {
    return `[${blocks.map((metadata) => this.lightText(metadata)).join(",")}]`;
  }

  /** The variable parts, the fault tolerance and whether it is final, are part of the key. */
  #keyOf(form: "light" | "full" | "moved", metadata: BlockMetadata): string {
    return `${form}${this.faultTolerance(metadata)}${metadata.finalized}${metadata.key}`;
  }

  #lightInfo(metadata: BlockMetadata): LightBlockJson {
    const known = this.#lightInfos.get(metadata.key);
    if (known !== undefined)
      return refreshedInfo(known, { faultTolerance: this.faultTolerance(metadata), isFinalized: metadata.finalized });
    const { block, facts } = this.read(metadata);
    const info = lightBlockInfo(block, facts);
    const units = lightUnits(block);
    if (units <= maxInfoUnits) this.#lightInfos.set(metadata.key, info, units);
    return info;
  }

  #fullText(metadata: BlockMetadata, transfers?: DeployTransfers): string {
    const key = this.#keyOf(transfers === undefined ? "full" : "moved", metadata);
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const { block, facts } = this.read(metadata);
    const text = printJson(blockInfo(block, { ...facts, transfers }));
    this.#texts.set(key, text, text.length);
    return text;
  }

  /** The block message. @throws {ApiError} when it is not stored */
  bytesOf(metadata: BlockMetadata): Uint8Array {
    const known = this.#reading.known(metadata);
    const bytes = known === undefined ? this.#reads.blocks.findBytes(metadata.hash) : encodeBlock(known);
    return bytes ?? missing(metadata);
  }

  #read(metadata: BlockMetadata): { readonly block: Block; readonly sizeBytes: number } {
    const block = this.#reading.find(metadata);
    return block === undefined ? missing(metadata) : { block, sizeBytes: encodeBlock(block).length };
  }

  /** As it is reported: of 32 bits, less the known equivocators. @spec 50 §1.7, 61 §13.5 */
  faultTolerance(metadata: BlockMetadata): number {
    const known = this.#tolerances.get(metadata.key);
    if (known !== undefined) return known;
    const reported = this.#reportedTolerance(metadata);
    this.#tolerances.set(metadata.key, reported);
    return reported;
  }

  #reportedTolerance(metadata: BlockMetadata): number {
    const { dag, equivocations, reporting } = this.#reads;
    const isSettled = dag.nextBlockNumber() - metadata.number > settledDistance;
    if (reporting?.faultToleranceOf !== undefined)
      return isSettled && metadata.finalized ? 1 : reporting.faultToleranceOf(metadata, dag);
    const settled = metadata.finalized ? 1 : -1;
    const tolerance = isSettled ? settled : faultTolerance(dag, metadata.hash);
    return Math.fround(tolerance - initialFault(equivocations, metadata));
  }
}

/** Most blocks with the same first digits in one error. */
const shownCandidates = 5;

function notFound(hashText: string): ApiError {
  return new ApiError(`Error: Failure to find block with hash: ${shownName(hashText)}`, { reason: "unknownBlock" });
}

/** Returns the text for a prefix that several blocks have. */
function severalText(prefix: string, blocks: readonly BlockMetadata[]): string {
  return `Several blocks have a hash that begins with ${prefix}: ${blocks.map(({ hash }) => toHex(hash)).join(", ")}`;
}

function missing({ hash }: BlockMetadata): never {
  throw new ApiError(`BlockStore is missing hash ${toHex(hash).slice(0, 10)}...`, {
    kind: "exception",
    reason: "failed",
  });
}

/** Roughly how many UTF-16 units a light info has. */
function lightUnits({ header, body, justifications, extraBytes }: Block): number {
  const extra = extraBytes.length + header.extraBytes.length + body.extraBytes.length;
  const listed = body.state.bonds.length + justifications.length + header.parents.length + body.rejectedDeploys.length;
  return extra * 2 + listed * unitsOfListed + unitsOfListed;
}

/** A key and a hash in hex, with their names. */
const unitsOfListed = 256;
