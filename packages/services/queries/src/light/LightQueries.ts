import { setImmediate as turn } from "node:timers/promises";
import type { BlockMetadata, DagView } from "@vedette/chain";
import { fromHex, toHex } from "@vedette/crypto";
import {
  type Checkpoint,
  checkpointFormat,
  f1r3nodeRules,
  knownBytes,
  type LightRules,
  type LightUpdate,
  makeUpdate,
  packUpdate,
  rnodeRules,
  type UpdateSource,
} from "@vedette/light";
import { type BlockCodec, type Dialect, decodeBlock, f1r3node } from "@vedette/protocol";
import type { BlockQueries } from "../block/BlockQueries.js";
import { type Room, RoomCache } from "../block/RoomCache.js";
import type { FairScheduler } from "../explore/FairScheduler.js";
import { StateQueryError } from "../state/StateQueryError.js";
import { LightPaths } from "./LightPaths.js";
import { LightPieceReads, type PieceReads } from "./LightPieceReads.js";

/** The request of a light client. */
export interface UpdateQuestion {
  /** 64 hexadecimal digits. */
  readonly trusted: string;
  /** Parts of a million; left out: the node's own threshold. */
  readonly thresholdPpm?: number | undefined;
  /** Whether the blocks may come packed. */
  readonly packed?: boolean | undefined;
}

/** The block that the client trusts, and what shows a newer one; `undefined` where nothing does. */
export interface UpdateAnswer {
  readonly trusted: BlockMetadata;
  readonly target: BlockMetadata | undefined;
  /** Hexadecimal digits. */
  readonly blocks: readonly string[];
  /** Hexadecimal digits of the packed update, in the place of blocks. */
  readonly packed?: string;
}

/** The sources of updates. */
export interface LightReads {
  readonly dag: DagView;
  readonly blocks: BlockQueries;
  readonly turns: FairScheduler;
  /** The encoding of the chain's blocks; default: rnode's. */
  readonly form: BlockCodec | undefined;
  /** `casper.fault-tolerance-threshold` */
  readonly threshold: number;
  readonly pieces: PieceReads;
}

/** Room for answers, in digits: clients at the same place request the same. */
const answerRoom: Room = { units: 32 << 20, entries: 256 };
/** The trusted block and an update that are packed; what is larger is sent as it is. */
const maxPackedBytes = 2 << 20;
const maxBlocksOfHeight = 1_024;
/** Heights without a final block that are gone down. */
const maxGap = 1_000n;

/** Makes updates for light clients: the blocks that prove a newer block final, given a trusted one. @spec 70 §9 */
export class LightQueries {
  readonly #reads: LightReads;
  /** Blocks, and the way down to them. */
  readonly paths: LightPaths;
  /** The pieces that programs read from states. */
  readonly pieces: LightPieceReads;
  readonly #answers = new RoomCache<UpdateAnswer>(answerRoom);

  constructor(reads: LightReads) {
    this.#reads = reads;
    this.paths = new LightPaths(reads);
    this.pieces = new LightPieceReads(reads.pieces);
  }

  /**
   * The last final block, or that of a height of the main chain, with the rules of the network.
   *
   * @throws {StateQueryError}
   * @spec 70 §10
   */
  checkpoint(
    number: bigint | undefined,
    client: string | undefined,
    signal?: AbortSignal,
  ): Promise<Checkpoint & { readonly dialect: Dialect["name"] }> {
    const { dag, threshold, turns, blocks } = this.#reads;
    if (dag.lastFinalized() === undefined) throw new StateQueryError({ code: "notRunning" });
    const { lastFinal, finalAt } = sourceOf(this.#reads);
    if (number !== undefined && number > lastFinal) {
      const problem = `must be at most ${lastFinal}, the number of the last finalized block`;
      throw new StateQueryError({ code: "badRequest", field: "blockNumber", problem });
    }
    const metadata = finalAt(number ?? lastFinal);
    if (metadata === undefined || blocks.lengthOf(metadata) === 0)
      throw new StateQueryError({ code: "unknownBlock", field: "blockNumber", hash: `at height ${number}` });
    const { dialect } = this.#rulesOf(undefined);
    return turns.take({ client, signal, bytes: 256 }, async () => {
      const { shardId, header } = decodeBlock(blocks.bytesOf(metadata), dialect.blockForm);
      return {
        ...{ format: checkpointFormat, dialect: dialect.name, shardId, blockHash: toHex(metadata.hash) },
        ...{ blockNumber: Number(metadata.number), timestamp: Number(header.timestamp) },
        thresholdPpm: Math.round(threshold * 1e6),
      };
    });
  }

  /**
   * The update to the newest block that can be shown to be final, one question after the other.
   *
   * @throws {StateQueryError}
   */
  async update(question: UpdateQuestion, client: string | undefined, signal?: AbortSignal): Promise<UpdateAnswer> {
    const { dag, turns } = this.#reads;
    const rules = this.#rulesOf(question.thresholdPpm);
    if (dag.lastFinalized() === undefined) throw new StateQueryError({ code: "notRunning" });
    const trusted = dag.find(fromHex(question.trusted));
    if (trusted === undefined)
      throw new StateQueryError({ code: "unknownBlock", field: "trusted", hash: question.trusted });
    const known = this.#answers.get(this.#keyOf(question));
    return known ?? turns.take({ client, signal, bytes: 256 }, () => this.#make(question, trusted, rules));
  }

  async #make(question: UpdateQuestion, trusted: BlockMetadata, rules: LightRules): Promise<UpdateAnswer> {
    const key = this.#keyOf(question);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const update = await makeUpdate(sourceOf(this.#reads), trusted, rules, async () => void (await turn()));
    const target = update === undefined ? undefined : this.#reads.dag.require(update.target);
    const packed = update === undefined || question.packed !== true ? undefined : this.#pack(update, trusted);
    const blocks = packed === undefined ? (update?.blocks ?? []).map(toHex) : [];
    const answer = { trusted, target, blocks, ...(packed !== undefined && { packed }) };
    const units = blocks.reduce((sum, digits) => sum + digits.length, 256 + (packed?.length ?? 0));
    this.#answers.set(key, answer, units);
    return answer;
  }

  /** @returns `undefined` if it would delay other work, or if the trusted block is gone */
  #pack(update: LightUpdate, trusted: BlockMetadata): string | undefined {
    const { blocks } = this.#reads;
    const known = blocks.lengthOf(trusted);
    if (known === 0 || update.blocks.reduce((sum, { length }) => sum + length, known) > maxPackedBytes)
      return undefined;
    const { dialect } = this.#rulesOf(undefined);
    return toHex(packUpdate(update, knownBytes(decodeBlock(blocks.bytesOf(trusted), dialect.blockForm))));
  }

  #keyOf({ trusted, thresholdPpm, packed = false }: UpdateQuestion): string {
    return `${this.#reads.blocks.version} ${trusted.toLowerCase()} ${thresholdPpm} ${packed}`;
  }

  #rulesOf(thresholdPpm: number | undefined): LightRules {
    const threshold = thresholdPpm === undefined ? this.#reads.threshold : thresholdPpm / 1e6;
    try {
      if (this.#reads.form !== f1r3node.blockForm) return rnodeRules(threshold);
      return f1r3nodeRules(BigInt(Math.round(threshold * 1e6)));
    } catch (cause) {
      const problem = "must be from 0 to below 1000000";
      throw new StateQueryError({ code: "badRequest", field: "thresholdPpm", problem }, { cause });
    }
  }
}

function sourceOf({ dag, blocks }: LightReads): UpdateSource {
  const final = dag.lastFinalized()!;
  const lengthOf = (hash: Uint8Array) => {
    const metadata = dag.find(hash);
    const length = metadata === undefined ? 0 : blocks.lengthOf(metadata);
    return length === 0 ? undefined : length;
  };
  const atHeight = (number: bigint) =>
    [...dag.blocksByHeight(number, number, maxBlocksOfHeight)].map(({ hash }) => hash);
  return {
    find: (hash) => dag.find(hash),
    lengthOf,
    bytesOf: (hash) => (lengthOf(hash) === undefined ? undefined : blocks.bytesOf(dag.require(hash))),
    atHeight,
    finalAt: (number) => {
      if (number >= final.number) return final;
      for (let at = number; at >= 0n && at > number - maxGap; at -= 1n)
        for (const hash of atHeight(at)) if (dag.find(hash)?.finalized === true) return dag.find(hash);
      return undefined;
    },
    lastFinal: final.number,
    top: dag.nextBlockNumber() - 1n,
  };
}
