import { type Block, hashKey } from "@vedette/protocol";
import type { BlockTable } from "../block/BlockTable.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { Dag } from "../dag/Dag.js";
import type { EquivocationRecord, EquivocationTable } from "../equivocation/EquivocationTable.js";
import { isEquivocationVisible } from "../equivocation/isEquivocationVisible.js";
import { isSide } from "../validation/sideViews.js";
import type { Validation } from "../validation/validateBlock.js";
import { acceptedBlocks } from "./acceptance.js";
import type { RevisionRules } from "./RevisionRules.js";

/** The parts that a reviser works with. */
export interface VerdictRevalidatorOptions {
  readonly dag: Dag;
  readonly blocks: BlockTable;
  readonly equivocations: EquivocationTable;
  readonly rules: RevisionRules;
  /** Whether a block can be the parent of no valid one. */
  readonly isObstacle: (hash: Uint8Array) => boolean;
  /** Judges a block anew without what depends on the order in which blocks came. */
  readonly revalidate: (block: Block) => Promise<Validation>;
  /** Makes the block valid. */
  readonly revise: (revision: Revision) => void;
}

/** A verdict that is taken back. */
export interface Revision {
  readonly block: Block;
  /** The earlier verdict on the block; `unknown` if it was not recorded. */
  readonly verdict: string;
  /** Equivocations that the block takes notice of. */
  readonly detected: readonly EquivocationRecord[];
  /** Equivocations that no longer make any block invalid. */
  readonly overruled: readonly EquivocationRecord[];
  /** Whether most of the stake contradicts the verdict; else the cause of the invalidity has become valid. */
  readonly isOverruled: boolean;
}

/** Times that verdicts are looked at because of one block; each takes back one more layer of a split at least. */
const maxRounds = 16;
/** Maximum number of verdicts in memory that were checked again and stayed. */
const maxFutile = 10_000;

/**
 * Takes verdicts back that came from the order in which blocks arrived, where validators with more than half of the
 * stake go on from the block.
 *
 * @spec 40 §17.4, 61 §15.7
 */
export class VerdictRevalidator {
  readonly #use: VerdictRevalidatorOptions;
  /** Blocks with a verdict that stayed after a check, with the stake behind them at that time. */
  readonly #futile = new Map<string, bigint>();

  constructor(use: VerdictRevalidatorOptions) {
    this.#use = use;
  }

  /** Looks at all invalid blocks that latest messages go on from. */
  async look(): Promise<void> {
    for (let round = 0; round < maxRounds; round += 1) if (!(await this.#lookOnce(round > 0))) return;
  }

  /**
   * @param wasChanged whether some verdict was taken back just before
   * @returns whether some verdict was taken back
   */
  async #lookOnce(wasChanged: boolean): Promise<boolean> {
    const { dag, rules } = this.#use;
    const accepted = acceptedBlocks(dag, {
      isOffender: rules.offenders(this.#use),
      slashedBy: (block) => rules.slashedBy(block, this.#use),
    });
    let isChanged = false;
    for (const { block, stake, total } of accepted) {
      const verdict = dag.invalidReason(block.hash) ?? "unknown";
      // The block below a verdict may have become valid in this very round.
      const revision =
        (await this.#fallsByItself(block, verdict, wasChanged || isChanged)) ??
        (2n * stake > total && rules.overrulable.has(verdict)
          ? await this.#overrule(block, verdict, stake)
          : undefined);
      if (revision === undefined) continue;
      this.#use.revise(revision);
      isChanged = true;
    }
    return isChanged;
  }

  /** The cause of the block's invalidity has become valid. @param isChanged whether other verdicts were taken back just now */
  async #fallsByItself(metadata: BlockMetadata, verdict: string, isChanged: boolean): Promise<Revision | undefined> {
    const { dag, blocks, rules, revalidate } = this.#use;
    if (!rules.derived.has(verdict) || isSide(metadata, dag) || (rules.judgesDerived && !isChanged)) return undefined;
    const block = this.#hasValidParents(metadata) ? blocks.find(metadata.hash) : undefined;
    const detected: EquivocationRecord[] = [];
    if (block === undefined || rules.offends(block, this.#use, detected)) return undefined;
    if (rules.judgesDerived && (await revalidate(block)).status.status !== "Valid") return undefined;
    return { block, verdict, detected, overruled: [], isOverruled: false };
  }

  async #overrule(metadata: BlockMetadata, verdict: string, stake: bigint): Promise<Revision | undefined> {
    const { blocks, revalidate } = this.#use;
    const { hash, key } = metadata;
    if ((this.#futile.get(key) ?? -1n) >= stake) return undefined;
    const block = this.#hasValidParents(metadata) ? blocks.find(hash) : undefined;
    if (block === undefined) return undefined;
    const { status, detected } = await revalidate(block);
    // It may succeed the next time.
    if (status.status === "BlockException" && status.isOfMachine === true) return undefined;
    if (status.status === "Valid") {
      this.#futile.delete(key);
      return { block, verdict, detected, overruled: this.#overruledBy(block, verdict), isOverruled: true };
    }
    if (this.#futile.size >= maxFutile) this.#futile.clear();
    this.#futile.set(key, stake);
    return undefined;
  }

  /** A verdict stays above one that stays: the lower ones are looked at first. */
  #hasValidParents({ parents }: BlockMetadata): boolean {
    return !parents.some(this.#use.isObstacle);
  }

  /** The equivocations that most of the stake does not hold against this block, or against this side. */
  #overruledBy(block: Block, verdict: string): EquivocationRecord[] {
    const { dag, equivocations } = this.#use;
    const sender = hashKey(block.sender);
    const base = block.sequenceNumber - 1;
    return equivocations.records().filter((record) => {
      if (verdict === "AdmissibleEquivocation")
        return record.validatorKey === sender && record.baseSequenceNumber === base;
      return (
        verdict === "NeglectedEquivocation" && isEquivocationVisible(record, block.justifications, dag, equivocations)
      );
    });
  }
}
