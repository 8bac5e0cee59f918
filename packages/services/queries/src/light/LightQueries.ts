import { setImmediate as turn } from "node:timers/promises";
import type { BlockMetadata, DagView } from "@vedette/chain";
import { fromHex, toHex } from "@vedette/crypto";
import { f1r3nodeRules, type LightRules, makeUpdate, rnodeRules, type UpdateSource } from "@vedette/light";
import { type BlockCodec, f1r3node } from "@vedette/protocol";
import type { BlockQueries } from "../block/BlockQueries.js";
import { type Room, RoomCache } from "../block/RoomCache.js";
import type { FairScheduler } from "../explore/FairScheduler.js";
import { StateQueryError } from "../state/StateQueryError.js";

/** What a light client asks for. */
export interface UpdateQuestion {
  /** 64 hexadecimal digits. */
  readonly trusted: string;
  /** Parts of a million; left out: the node's own threshold. */
  readonly thresholdPpm?: number | undefined;
}

/** The block that the client trusts, and what shows a newer one; `undefined` where nothing does. */
export interface UpdateAnswer {
  readonly trusted: BlockMetadata;
  readonly target: BlockMetadata | undefined;
  /** Hexadecimal digits. */
  readonly blocks: readonly string[];
}

/** What updates are made from. */
export interface LightReads {
  readonly dag: DagView;
  readonly blocks: BlockQueries;
  readonly turns: FairScheduler;
  /** Of the chain's blocks; left out: the reference node's. */
  readonly form: BlockCodec | undefined;
  /** `casper.fault-tolerance-threshold` */
  readonly threshold: number;
}

/** Room for answers, in digits: clients at the same place ask for the same. */
const answerRoom: Room = { units: 32 << 20, entries: 256 };
const maxBlocksOfHeight = 1_024;
/** Heights without a final block that are gone down. */
const maxGap = 1_000n;

/** Updates for light clients: the blocks that show, to whoever trusts a block, that a newer one is final. @spec 70 §9 */
export class LightQueries {
  readonly #reads: LightReads;
  readonly #answers = new RoomCache<UpdateAnswer>(answerRoom);

  constructor(reads: LightReads) {
    this.#reads = reads;
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
    const answer = { trusted, target, blocks: (update?.blocks ?? []).map(toHex) };
    this.#answers.set(
      key,
      answer,
      answer.blocks.reduce((sum, digits) => sum + digits.length, 256),
    );
    return answer;
  }

  #keyOf({ trusted, thresholdPpm }: UpdateQuestion): string {
    return `${this.#reads.blocks.version} ${trusted.toLowerCase()} ${thresholdPpm}`;
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
