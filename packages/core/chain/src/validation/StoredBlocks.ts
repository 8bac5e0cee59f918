import { equalBytes, toHex } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { type Block, checkDeploySignature, decodeBlock, hashBlock, hashKey, WireError } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import { BlockTable } from "../block/BlockTable.js";
import type { ChainOptions } from "../ChainOptions.js";
import type { ChainRules } from "../ChainRules.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import { Dag } from "../dag/Dag.js";
import type { InitialLatestMessage } from "../dag/firstMessage.js";
import { type YieldToEventLoop, yieldToEventLoop } from "../dag/yieldToEventLoop.js";
import { EquivocationTable } from "../equivocation/EquivocationTable.js";
import { type BlockChecks, referenceChecks } from "./BlockChecks.js";
import type { BlockExecution } from "./BlockExecution.js";
import type { BlockStatus } from "./BlockStatus.js";
import { checkBlockHash } from "./blockHash.js";
import { checkBondsCache } from "./bondsCache.js";
import { checkCheckpoint } from "./checkpoint.js";
import { checkFormat } from "./format.js";
import { checkSignature } from "./signature.js";
import { statusReason } from "./statusReason.js";

/** The inputs for judging the stored blocks of a data directory. */
export interface StoredBlocksOptions {
  /** Has the tables of the chain environment. Nothing is written. */
  readonly store: Store;
  readonly rules: ChainRules;
  readonly execution: BlockExecution;
  /** As the chain's. */
  readonly consensus?: ChainOptions["consensus"];
  readonly firstMessage?: InitialLatestMessage | undefined;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  readonly yieldNow?: YieldToEventLoop;
}

/** The result of judging a block again; `unjudged`: this node lacks what a verdict needs. */
export type StoredVerdict =
  | { readonly kind: "valid" }
  | { readonly kind: "invalid" | "unjudged"; readonly reason: string };

/**
 * Judges stored blocks again from their bytes: by the checks of any block that do not depend on the order of arrival,
 * execution among them. Of the blocks that they build on it uses only their own content; these are judged in turn.
 *
 * @spec 40 §5.1, §17.4, §20.2
 */
export class StoredBlocks {
  readonly #options: StoredBlocksOptions;
  readonly #dag: Dag;
  readonly #blocks: BlockTable;
  readonly #equivocations: EquivocationTable;
  readonly #checks: BlockChecks;
  /** The blocks with bytes that match their hash and the DAG. */
  readonly #sound = new Set<string>();

  constructor(options: StoredBlocksOptions) {
    this.#options = options;
    const { store, rules, consensus, firstMessage } = options;
    this.#dag = new Dag(store, undefined, firstMessage);
    this.#blocks = new BlockTable(store, { form: rules.dialect.blockForm });
    this.#equivocations = new EquivocationTable(store);
    this.#checks = consensus?.({ dag: this.#dag, blocks: this.#blocks }).checks ?? referenceChecks;
  }

  /** @throws {StoreError}; what the execution throws that is no judgement */
  async judge(hash: Uint8Array): Promise<StoredVerdict> {
    const found = this.#read(hash);
    if ("kind" in found) return found;
    const { block } = found;
    for (const parent of block.parents) {
      const below = this.#sound.has(hashKey(parent)) ? undefined : this.#read(parent);
      if (below !== undefined && "kind" in below)
        return { kind: below.kind, reason: `its parent ${toHex(parent)}: ${below.reason}` };
    }
    const isFirst = block.parents.length === 0;
    if (isFirst && block.number !== 0n) return { kind: "invalid", reason: "it has no parents and is no genesis" };
    const malformed = isFirst ? undefined : (checkFormat(block) ?? checkSignature(block, this.#options.rules.dialect));
    if (malformed !== undefined) return { kind: "invalid", reason: malformed };
    const forged = block.body.deploys.findIndex(
      ({ deploy }) => !checkDeploySignature(deploy, this.#options.rules.dialect),
    );
    if (forged >= 0) return { kind: "invalid", reason: `the signature of its deploy ${forged} is wrong` };
    return verdictOf(block, isFirst ? await this.#judgeFirst(block) : await this.#judge(block));
  }

  /** Returns the block with these bytes, which match its hash and the DAG. */
  #read(hash: Uint8Array): { readonly block: Block } | Exclude<StoredVerdict, { kind: "valid" }> {
    const metadata = this.#dag.find(hash);
    const bytes = metadata === undefined ? undefined : this.#blocks.findBytes(hash);
    if (metadata === undefined || bytes === undefined) return { kind: "unjudged", reason: "the block is not here" };
    let block: Block;
    try {
      block = decodeBlock(bytes, this.#options.rules.dialect.blockForm);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      return { kind: "invalid", reason: `its bytes are no block: ${errorText(error)}` };
    }
    const computed = hashBlock(block, this.#options.rules.dialect);
    if (!equalBytes(computed, hash)) return { kind: "invalid", reason: `its bytes have the hash ${toHex(computed)}` };
    const other = differenceOf(block, metadata);
    if (other !== undefined) return { kind: "invalid", reason: `the DAG has another ${other} than the block` };
    this.#sound.add(hashKey(hash));
    return { block };
  }

  async #judgeFirst(block: Block): Promise<BlockStatus> {
    const { rules, execution, yieldNow = yieldToEventLoop } = this.#options;
    const { emptyStateHash, faultToleranceThreshold } = rules;
    const context = { dag: this.#dag, execution, emptyStateHash, faultToleranceThreshold, yieldNow };
    return (
      checkBlockHash(block, rules.dialect) ??
      (await checkCheckpoint(block, [], context)) ??
      checkBondsCache(block, await execution.bonds(block.body.state.postStateHash)) ?? { status: "Valid" }
    );
  }

  async #judge(block: Block): Promise<BlockStatus> {
    const { rules, execution, nowMs, yieldNow = yieldToEventLoop } = this.#options;
    const { status } = await this.#checks.validate(block, {
      ...{ rules, dag: this.#dag, equivocations: this.#equivocations, execution, yieldNow },
      nowMs: BigInt(Math.floor(nowMs())),
      isAwaited: true,
      isTimeless: !this.#dag.judgesByEvidence,
    });
    return status;
  }
}

/** Compares the DAG's facts of a block with the block itself; only facts by which other blocks are judged. */
function differenceOf({ number, parents, body }: Block, metadata: BlockMetadata): string | undefined {
  if (number !== metadata.number) return "height";
  if (!equalBytes(body.state.postStateHash, metadata.postStateHash)) return "post-state";
  if (!equalBytes(body.state.preStateHash, metadata.preStateHash)) return "pre-state";
  const isSame =
    parents.length === metadata.parents.length && parents.every((one, at) => equalBytes(one, metadata.parents[at]!));
  return isSame ? undefined : "list of parents";
}

function verdictOf(block: Block, status: BlockStatus): StoredVerdict {
  if (status.status === "Valid") return { kind: "valid" };
  if (status.status === "BlockException") return { kind: "unjudged", reason: status.message };
  // The clock goes on by itself, and may be wrong.
  const kind = status.status === "InvalidTimestamp" ? "unjudged" : "invalid";
  return { kind, reason: `${status.status}: ${reasonOf(block, status)}` };
}

function reasonOf(block: Block, status: Exclude<BlockStatus, { status: "Valid" | "BlockException" }>): string {
  if (status.status === "InvalidTransaction") {
    if (status.problem === "replay") return status.message;
    const [state, by] = status.problem === "preState" ? ["begins with", "its parents"] : ["leads to", "its deploys"];
    return `it states that it ${state} ${toHex(status.stated)}, and by ${by} this is ${toHex(status.computed)}`;
  }
  return statusReason(block, status) ?? "this check fails";
}
