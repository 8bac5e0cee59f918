import { type Block, hashKey } from "@vedette/protocol";
import type { BlockTable } from "../block/BlockTable.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { Dag } from "../dag/Dag.js";
import type { EquivocationRecord, EquivocationTable } from "../equivocation/EquivocationTable.js";
import { isEquivocationVisible } from "../equivocation/isEquivocationVisible.js";
import { checkNeglectedEquivocation } from "../validation/neglectedEquivocation.js";
import { checkNeglectedInvalidBlock } from "../validation/neglectedInvalidBlock.js";
import { isSide } from "../validation/sideViews.js";
import type { Validation } from "../validation/validateBlock.js";
import { acceptedBlocks } from "./acceptance.js";

/** The parts that a reviser works with. */
export interface VerdictRevalidatorOptions {
  readonly dag: Dag;
  readonly blocks: BlockTable;
  readonly equivocations: EquivocationTable;
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

/** Verdicts that most of the stake can overrule; `NeglectedInvalidBlock` falls with the block that was neglected. */
const overrulable: ReadonlySet<string> = new Set([
  "AdmissibleEquivocation",
  "NeglectedEquivocation",
  "JustificationRegression",
  "InvalidParents",
  "InvalidTransaction",
  "unknown",
]);
const derived: ReadonlySet<string> = new Set(["NeglectedInvalidBlock", "NeglectedEquivocation"]);

/**
 * Takes verdicts back that came from the order in which blocks arrived, where validators with more than half of the
 * stake go on from the block.
 *
 * @spec 40 §17.4
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
    for (let round = 0; round < maxRounds; round += 1) if (!(await this.#lookOnce())) return;
  }

  /** @returns whether some verdict was taken back */
  async #lookOnce(): Promise<boolean> {
    const { dag } = this.#use;
    const accepted = acceptedBlocks(dag, this.#isOffender());
    let isChanged = false;
    for (const { block, stake, total } of accepted) {
      const verdict = dag.invalidReason(block.hash) ?? "unknown";
      // The block below a verdict may have become valid in this very round.
      const revision =
        this.#fallsByItself(block, verdict) ??
        (2n * stake > total && overrulable.has(verdict) ? await this.#overrule(block, verdict, stake) : undefined);
      if (revision === undefined) continue;
      this.#use.revise(revision);
      isChanged = true;
    }
    return isChanged;
  }

  /** The cause of the block's invalidity has become valid. */
  #fallsByItself(metadata: BlockMetadata, verdict: string): Revision | undefined {
    const { dag, blocks, equivocations } = this.#use;
    if (!derived.has(verdict) || isSide(metadata, dag)) return undefined;
    const block = blocks.find(metadata.hash);
    if (block === undefined) return undefined;
    const detected: EquivocationRecord[] = [];
    const status =
      checkNeglectedInvalidBlock(block, dag) ?? checkNeglectedEquivocation(block, dag, equivocations, detected);
    return status === undefined ? { block, verdict, detected, overruled: [], isOverruled: false } : undefined;
  }

  async #overrule({ hash, key }: BlockMetadata, verdict: string, stake: bigint): Promise<Revision | undefined> {
    const { blocks, revalidate } = this.#use;
    const block = blocks.find(hash);
    if (block === undefined || (this.#futile.get(key) ?? -1n) >= stake) return undefined;
    const { status, detected } = await revalidate(block);
    if (status.status === "Valid") {
      this.#futile.delete(key);
      return { block, verdict, detected, overruled: this.#overruledBy(block, verdict), isOverruled: true };
    }
    if (this.#futile.size >= maxFutile) this.#futile.clear();
    this.#futile.set(key, stake);
    return undefined;
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

  #isOffender(): (validatorKey: string) => boolean {
    const offenders = new Set(this.#use.equivocations.records().map(({ validatorKey }) => validatorKey));
    return (key) => offenders.has(key);
  }
}
