import { compareBytes } from "@vedette/crypto";
import { type ApprovedBlock, type Block, hashKey } from "@vedette/protocol";
import type { WritableTables } from "@vedette/store";
import type { BlockReporting } from "./block/BlockReportRules.js";
import { BlockTable } from "./block/BlockTable.js";
import { bootstrapFromState } from "./bootstrapFromState.js";
import type { ChainEvent } from "./ChainEvent.js";
import { type ChainOptions, type Consensus, referenceConsensus } from "./ChainOptions.js";
import type { ChainRules } from "./ChainRules.js";
import { type ChainTransaction, ChainTransactions } from "./ChainTransactions.js";
import { Dag } from "./dag/Dag.js";
import { type YieldToEventLoop, yieldToEventLoop } from "./dag/yieldToEventLoop.js";
import { EquivocationTable } from "./equivocation/EquivocationTable.js";
import { checkCommitment } from "./evidence/checkEvidence.js";
import type { FinalityRules } from "./finality/FinalityRules.js";
import { finalize, updateFinality } from "./finality/finalityEffects.js";
import { type FindFinalStatus, rnodeFinalStatus } from "./outcome/finalDeployStatus.js";
import type { FindRejections } from "./outcome/rejectedDeploys.js";
import type { ReadyBlock } from "./ReadyBlock.js";
import { acceptedSides, isInvalidByArrival } from "./revalidation/acceptedSides.js";
import { type Revision, VerdictRevalidator } from "./revalidation/VerdictRevalidator.js";
import { unknownRulesText } from "./ruleSets/unknownRules.js";
import { takeTurns } from "./takeTurns.js";
import { judgedInsertion, judgedStatus, type ValidatedBlock, whyNotFinal } from "./ValidatedBlock.js";
import type { BlockChecks } from "./validation/BlockChecks.js";
import type { BlockStatus } from "./validation/BlockStatus.js";
import { checkBlockHash } from "./validation/blockHash.js";
import { checkBondsCache } from "./validation/bondsCache.js";
import { checkCheckpoint } from "./validation/checkpoint.js";
import { applyEffects, usualInvalidBounds } from "./validation/effects.js";
import { slashedBlocks } from "./validation/invalidBlockViews.js";
import { statusReason } from "./validation/statusReason.js";
import type { Validation, ValidationContext } from "./validation/validateBlock.js";
import { visibleInvalidBlocks } from "./validation/visibleInvalidBlocks.js";

/** The result of processing a block. */
export interface ProcessedBlock {
  readonly status: BlockStatus;
  /** Whether the block is in the DAG, as a valid or as an invalid one. */
  readonly inserted: boolean;
}

/**
 * The chain as this node sees it: adds blocks, validates them, follows finality.
 *
 * Processes one block after another. Each block's effects, finality included, are one transaction; their events are
 * published once it is on disk. @spec 40 §4.4 (steps 6, 7), §5–§8
 */
export class Chain {
  readonly dag: Dag;
  readonly blocks: BlockTable;
  readonly equivocations: EquivocationTable;
  readonly rules: ChainRules;
  /** How blocks are read and executed again for reports of their effects. */
  readonly reporting: BlockReporting;
  /** For the log of events; left out: as with rnode. */
  readonly findRejections: FindRejections | undefined;
  /** Returns the final outcome of a deploy. */
  readonly finalStatusOf: FindFinalStatus;
  private readonly options: ChainOptions;
  private readonly checks: BlockChecks;
  private readonly finality: FinalityRules;
  private readonly acceptsSides: boolean;
  private readonly transactions: ChainTransactions;
  private readonly yieldNow: YieldToEventLoop;
  /** Blocks are processed one after another. */
  private readonly inTurn = takeTurns();
  private readonly reviser: VerdictRevalidator | undefined;
  /** Whether there may be verdicts to take back. */
  private mayRevise = true;

  constructor(options: ChainOptions) {
    this.options = options;
    this.rules = options.rules;
    this.dag = new Dag(options.store, options.record, options.firstMessage);
    this.equivocations = new EquivocationTable(options.store);
    this.transactions = new ChainTransactions(options.store, options.emit ?? (() => {}), () => this.reload());
    this.yieldNow = options.yieldNow ?? yieldToEventLoop;
    this.blocks = new BlockTable(options.store, { yieldNow: this.yieldNow, form: options.rules.dialect.blockForm });
    const consensus: Consensus = options.consensus?.(this) ?? referenceConsensus(options.rules);
    const { checks, finality, revisions, invalidBlocksFor = visibleInvalidBlocks } = consensus;
    const { faultToleranceOf } = consensus;
    this.findRejections = consensus.findRejections;
    const sources = { dag: this.dag, store: options.store, rules: options.rules };
    this.finalStatusOf = consensus.finalStatusFinder?.(sources) ?? rnodeFinalStatus(sources, this.blocks);
    this.reporting = {
      form: options.rules.dialect.blockForm,
      invalidBlocksFor,
      ...(faultToleranceOf === undefined ? {} : { faultToleranceOf }),
    };
    this.checks = checks;
    this.finality = finality;
    this.acceptsSides = consensus.acceptsSides === true;
    this.reviser =
      revisions &&
      new VerdictRevalidator({
        ...{ dag: this.dag, blocks: this.blocks, equivocations: this.equivocations, rules: revisions },
        isObstacle: (parent) =>
          this.dag.isInvalid(parent) && !(this.acceptsSides && isInvalidByArrival(parent, this.dag)),
        revalidate: (block) => this.validate(block, { isAwaited: false, isTimeless: true }),
        revise: (revision) => this.revise(revision),
      });
  }

  /** Reads anew what is in memory, after the store has lost what was held of it. */
  reload(): void {
    this.dag.reload();
    this.equivocations.reload();
  }

  /** Begins with an approved block, which is taken as it is. Nothing happens when it is there already. @spec 40 §6.2 */
  insertApproved(block: Block): void {
    this.dag.insert(block, { invalid: false, approved: true }, (tables) => this.blocks.putIn(tables, block));
  }

  /** Inserts a block that came with an approved state, without validation. @spec 40 §3.9 */
  insertTrusted(block: Block, invalid: boolean): void {
    this.dag.insert(block, { invalid, approved: false }, (tables) => this.blocks.putIn(tables, block));
  }

  /**
   * Begins at genesis: executes it from the empty state, then stores it and the approval in one transaction.
   *
   * @returns its fault; `undefined` when the chain has begun
   * @spec 40 §3.7, 41 §4.2
   */
  async adoptGenesis(approved: ApprovedBlock): Promise<BlockStatus | undefined> {
    const { block } = approved.candidate;
    const { execution } = this.options;
    const { emptyStateHash, faultToleranceThreshold } = this.rules;
    const context = { dag: this.dag, execution, emptyStateHash, faultToleranceThreshold, yieldNow: this.yieldNow };
    const wrong =
      (await checkCheckpoint(block, [], context)) ??
      checkBondsCache(block, await execution.bonds(block.body.state.postStateHash));
    if (wrong !== undefined) return wrong;
    await this.blocks.prepare(block);
    this.adoptImported(approved, []);
    return undefined;
  }

  /**
   * Begins at a state that was imported: in one transaction the DAG becomes the approved block and these others.
   *
   * The approved block's ancestors among them are final with it.
   *
   * @param blocks stored already; in the order in which they are to be entered, without the approved block: the
   *   highest first. Where blocks are judged by evidence, their statements show which of them are invalid
   * @param also written in the same transaction
   * @throws {ChainError} `blockMissing` when one is not stored; nothing has changed then
   * @spec 40 §3.5, §3.9
   */
  adoptImported(
    approved: ApprovedBlock,
    blocks: readonly { readonly hash: Uint8Array; readonly isInvalid: boolean }[],
    also?: (tables: WritableTables) => void,
  ): void {
    bootstrapFromState({ dag: this.dag, blocks: this.blocks }, approved, blocks, also);
  }

  /**
   * Inserts a block unjudged, as valid, that a block above it needs and that lies below what this node began with. Waits
   * for its turn among the blocks that are judged. Genesis is final everywhere.
   *
   * @returns whether it is in the DAG now, and was not before
   * @spec 61 §16.5
   */
  admitSettled(block: Block): Promise<boolean> {
    return this.inTurn(async () => {
      if (this.dag.has(block.hash)) return false;
      await this.blocks.prepare(block);
      const insertion = { invalid: false, approved: false, finalized: block.number === 0n };
      this.dag.insert(block, insertion, (tables) => this.blocks.putIn(tables, block));
      return true;
    });
  }

  /**
   * Adds a block that another node has judged. A block that is valid there must keep every rule here that does not
   * depend on the order of arrival; the options' execution supplies the outcome of its deploys. Finality is not
   * updated.
   *
   * @returns the fault of a block that is valid there: then nothing was written
   * @throws {ChainError} `blockMissing`
   * @spec 40 §5.1, §17.4
   */
  takeJudged(judged: ValidatedBlock): Promise<BlockStatus | undefined> {
    return this.inTurn(async () => {
      const { block, verdict, also } = judged;
      if (verdict === "valid") {
        const isTimeless = !this.dag.judgesByEvidence;
        const { status } = await this.validate(block, { isAwaited: true, isTimeless });
        if (status.status !== "Valid") return status;
      }
      await this.blocks.prepare(block);
      this.transactions.writeAndPublish((emit) => {
        this.dag.insert(block, judgedInsertion(judged), (tables) => {
          if (!this.blocks.isStored(block)) this.blocks.putIn(tables, block);
          also(tables);
        });
        if (verdict === "valid") emit({ type: "blockAdded", block });
        else emit({ type: "blockRefused", block, status: judgedStatus(judged), recorded: true });
      });
      return undefined;
    });
  }

  /** Makes a block valid that was invalid, as the node did that judged it. @throws {ChainError} `blockMissing` @spec 40 §17.4 */
  takeRevised(block: Block, also: (tables: WritableTables) => void): void {
    const verdict = this.dag.invalidReason(block.hash) ?? "";
    this.transactions.writeAndPublish((emit) => {
      this.dag.revise(block.hash, verdict, also);
      emit({ type: "blockRevalidated", block, verdict, isOverruled: false });
      emit({ type: "blockAdded", block });
    });
  }

  /**
   * Makes a block the last finalized one that is so for another node.
   *
   * @returns why it cannot be so: then nothing was written
   * @throws {ChainError} `blockMissing`
   * @spec 40 §8.3
   */
  takeFinal(hash: Uint8Array, also: (tables: WritableTables) => void): string | undefined {
    const { dag, blocks } = this;
    const found = dag.require(hash);
    const wrong = found.finalized ? undefined : whyNotFinal(dag, found);
    if (wrong !== undefined) return wrong;
    this.transactions.writeAndPublish((emit) => {
      if (!found.finalized) finalize({ dag, blocks, emit }, found);
      this.options.store.write(also);
    });
    return undefined;
  }

  /**
   * Blocks that a block slashes for and that must be processed before it; none where blocks are judged by evidence,
   * since there what is slashed for lies in the block's past.
   *
   * @spec 40 §17.2
   */
  slashedDependencies(block: Block): readonly Uint8Array[] {
    return this.dag.judgesByEvidence ? [] : slashedBlocks(block).filter(({ length }) => length === 32);
  }

  /**
   * Checks that a block refers to what its creator signed, where the network's rule requires that. It runs before any
   * look-up of a hash that a peer may have invented.
   *
   * @returns the reason, in the words of the log, or `undefined`
   * @spec 40 §16.1
   */
  checkReferences(block: Block): string | undefined {
    const wrong = this.dag.judgesByEvidence ? checkCommitment(block) : undefined;
    return wrong === undefined ? undefined : statusReason(block, wrong);
  }

  /**
   * The state that a block leads to, which may be fetched from peers to judge a block on it.
   *
   * @returns `undefined` for a block that is not there, or whose state need not exist
   * @spec 61 §14.4
   */
  stateToFetch(hash: Uint8Array): Uint8Array | undefined {
    if (this.checks.isLocalAboveInvalid === true && this.dag.isInvalid(hash)) return undefined;
    return this.dag.find(hash)?.postStateHash;
  }

  /** Parents, justified and slashed blocks that must be processed before this block can be. @spec 40 §4.4 (step 5) */
  missingDependencies(block: Block): readonly Uint8Array[] {
    const missing = new Map<string, Uint8Array>();
    const hashes = [
      ...block.parents,
      ...block.justifications.map(({ latestBlockHash }) => latestBlockHash),
      ...this.slashedDependencies(block),
    ];
    for (const hash of hashes) {
      if (!this.dag.has(hash) && !this.equivocations.isDetectedAnywhere(hash)) missing.set(hashKey(hash), hash);
    }
    return [...missing.values()];
  }

  /**
   * Validates a block, stores what becomes of it, and looks for finality.
   *
   * Format, signature and deploys' signatures must have been checked. Calls wait for each other.
   *
   * @param isAwaited whether another block waits for this one
   * @spec 40 §4.4, §5.9
   */
  async process(block: Block, isAwaited: boolean): Promise<ProcessedBlock> {
    const [processed] = await this.processTogether([{ block, isAwaited }]);
    return processed!;
  }

  /**
   * As {@link process}, for blocks that are ready at the same time: each is judged on the DAG as it was before any
   * of them. So do rnode's nodes, which judge them in parallel; a block that equivocates with another of
   * them is found valid, as they find it.
   *
   * @returns the result of each, in the same order
   * @spec 40 §4.4, §5.8
   */
  processTogether(ready: readonly ReadyBlock[]): Promise<ProcessedBlock[]> {
    return this.inTurn(() => this.processNext(ready));
  }

  /**
   * Validates a block of our own. Only if it is valid it is inserted, in one transaction with what `also` writes; of
   * a block that is not, no trace is left. Waits for its turn among the blocks of others.
   *
   * @param use `inserted` is called when the block is on disk, before any other event of it is published
   * @spec 40 §4.5, §9.7 (steps 5, 6)
   */
  insertOwn(
    block: Block,
    use: { readonly also: (tables: WritableTables) => void; readonly inserted: () => void },
  ): Promise<BlockStatus> {
    return this.inTurn(async () => {
      const validation = await this.judge({ block, isAwaited: false }, true);
      if (validation === undefined) return this.knownStatus(block).status;
      if (validation.status.status !== "Valid") return validation.status;
      await this.blocks.prepare(block);
      const { publish } = this.takeIn(block, () => {
        this.dag.insert(block, { invalid: false, approved: false }, (tables) => {
          this.blocks.putIn(tables, block);
          this.equivocations.putDetected(tables, validation.detected, block.hash);
          use.also(tables);
        });
        return { status: validation.status, inserted: true };
      });
      use.inserted();
      publish();
      return validation.status;
    });
  }

  private async processNext(ready: readonly ReadyBlock[]): Promise<ProcessedBlock[]> {
    const judged: (ReadyBlock & { readonly validation: Validation | undefined })[] = [];
    for (const one of ready) judged.push({ ...one, validation: await this.judge(one) });
    // The order decides nothing but which of two equal sequence numbers becomes the latest message, so it must not
    // depend on the order of arrival: the smallest hash comes last.
    const processed = new Map<ReadyBlock["block"], ProcessedBlock>();
    for (const one of judged.sort((a, b) => compareBytes(b.block.hash, a.block.hash)))
      processed.set(
        one.block,
        one.validation === undefined ? this.knownStatus(one.block) : this.settle(one, one.validation),
      );
    await this.reviseVerdicts();
    await this.options.settled?.(ready.length);
    return ready.map(({ block }) => processed.get(block)!);
  }

  /** After a block was recorded as invalid, and when the process begins. @spec 40 §17.4 */
  private async reviseVerdicts(): Promise<void> {
    if (this.reviser === undefined || !this.mayRevise || this.dag.judgesByEvidence) return;
    this.mayRevise = false;
    await this.reviser.look();
  }

  private revise({ block, verdict, isOverruled, detected, overruled }: Revision): void {
    this.acceptSides(block);
    const { publish } = this.takeIn(block, () => {
      this.dag.revise(block.hash, verdict, (tables) => {
        this.equivocations.putDetected(tables, detected, block.hash);
        this.equivocations.putOverruled(tables, overruled);
      });
      return { status: { status: "Valid" }, inserted: true };
    });
    this.transactions.emit({ type: "blockRevalidated", block, verdict, isOverruled });
    publish();
  }

  /** @returns `undefined` for a block that is in the DAG already */
  private judge({ block, isAwaited }: ReadyBlock, isOwn = false): Promise<Validation> | undefined {
    return this.dag.has(block.hash) ? undefined : this.validate(block, { isAwaited, isOwn });
  }

  private async validate(
    block: Block,
    how: Pick<ValidationContext, "isAwaited" | "isTimeless" | "isOwn">,
  ): Promise<Validation> {
    const { dag, equivocations, rules } = this;
    const nowMs = BigInt(Math.floor(this.options.nowMs()));
    const { execution } = this.options;
    const message = unknownRulesText(block);
    // A block that only claims a newer version has a wrong hash.
    if (message !== undefined && checkBlockHash(block, rules.dialect) === undefined)
      return { status: { status: "BlockException", message, isOfMachine: false }, detected: [] };
    return this.checks.validate(block, {
      rules,
      dag,
      equivocations,
      execution,
      nowMs,
      yieldNow: this.yieldNow,
      ...how,
    });
  }

  private settle(ready: ReadyBlock, validation: Validation): ProcessedBlock {
    const { dag, equivocations } = this;
    if (validation.status.status === "Valid") this.acceptSides(ready.block);
    const { store, invalidBounds = usualInvalidBounds } = this.options;
    const { blocks, checks } = this;
    const { result, publish } = this.takeIn(ready.block, () =>
      applyEffects(ready, validation, { store, dag, equivocations, blocks, checks, invalidBounds }),
    );
    publish();
    return result;
  }

  /** @spec 61 §15.5 */
  private acceptSides(block: Block): void {
    if (!this.acceptsSides) return;
    for (const { hash } of acceptedSides(block, this.dag)) {
      const side = this.blocks.find(hash);
      const verdict = this.dag.invalidReason(hash) ?? "unknown";
      if (side !== undefined) this.revise({ block: side, verdict, detected: [], overruled: [], isOverruled: false });
    }
  }

  /** Writes a block's effects and what becomes final by them in one transaction. `publish` emits their events. */
  private takeIn(block: Block, write: () => ProcessedBlock): ChainTransaction<ProcessedBlock> {
    return this.transactions.write((emit) => {
      const written = write();
      this.report(block, written, emit);
      return written;
    });
  }

  private knownStatus(block: Block): ProcessedBlock {
    const status: BlockStatus = this.dag.require(block.hash).invalid
      ? { status: "BlockException", message: "the block is recorded as invalid already" }
      : { status: "Valid" };
    return { status, inserted: true };
  }

  private report(block: Block, { status, inserted }: ProcessedBlock, emit: (event: ChainEvent) => void): void {
    if (status.status !== "Valid") {
      this.mayRevise ||= inserted;
      emit({ type: "blockRefused", block, status, recorded: inserted });
      return;
    }
    emit({ type: "blockAdded", block });
    if (block.number % BigInt(this.rules.finalizationRate) !== 0n) return;
    updateFinality({ dag: this.dag, blocks: this.blocks, rules: this.finality, emit });
  }
}
