import { type BlockStatus, type Chain, checkFormat, checkSignature, statusReason } from "@vedette/chain";
import { emptyBytes, equalBytes, toHex } from "@vedette/crypto";
import type { GroupLimits } from "@vedette/executor";
import {
  type ApprovedBlock,
  type Block,
  checkDeploySignatures,
  type Dialect,
  decodeApprovedBlock,
  decodeStoreItems,
  shortBlock,
  shortHash,
} from "@vedette/protocol";
import { pageSize } from "@vedette/tuplespace";
import { type DataDirectory, openDataDirectory } from "../machine/dataDirectory.js";
import { agreesByExecution } from "./agreesByExecution.js";
import { compareFacts } from "./compareFacts.js";
import { runRnodeReplay } from "./executorGround.js";
import { recordedRuleSet, runF1r3nodeReplay } from "./floorGround.js";
import type { RecordedChain, RecordedDag, RecordedNetwork } from "./RecordedChain.js";
import type { ReplayBackend, ReplayBackendRunner } from "./ReplayBackend.js";

/** How a replay begins. */
export type ReplayStart = "genesis" | "state";

/** The counts and findings of a replay. */
export interface ReplaySummary {
  readonly blocks: number;
  readonly deploys: number;
  readonly events: number;
  /** Blocks that were in the data directory already. */
  readonly skipped: number;
  /** Blocks that could be executed but not placed, since the recording lacks what they refer to. */
  readonly detached: number;
  /** Blocks that were taken as they are, since the imported state does not reach down to theirs. */
  readonly trusted: number;
  /** One line for each difference to the recording. */
  readonly differences: readonly string[];
}

/** The options of a replay. */
export interface ReplayOptions {
  readonly chain: RecordedChain;
  readonly directory: DataDirectory;
  readonly start: ReplayStart;
  readonly signal: AbortSignal;
  readonly progress: (numbers: { readonly blocks: number; readonly deploys: number }) => void;
  /** How much is brought to disk at a time; left out: what is usual. */
  readonly groups?: Partial<GroupLimits>;
}

/** How far below an imported state's block its predecessors are needed. @spec 40 §3.8 */
const importDepth = 50n;

/**
 * Replays a recorded chain into a data directory, with every check that a block from the network undergoes, and
 * compares the outcome with rnode's facts. Continues an earlier replay into the directory.
 *
 * @throws {RecordedChainError}, {StoreError}
 */
export async function replayChain(options: ReplayOptions): Promise<ReplaySummary> {
  const { chain, directory, start, groups } = options;
  const place = { network: chain.network, directory, isFromState: start === "state", groups };
  let summary: ReplaySummary | undefined;
  await grounds[chain.dialect.name].run(place, async (ground) => {
    const replay = new Replay(options, ground);
    await replay.run();
    summary = replay.summary();
  });
  return summary!;
}

interface ReplayGround {
  readonly run: ReplayBackendRunner;
  ruleSet(network: RecordedNetwork): string | undefined;
}

const grounds: Readonly<Record<Dialect["name"], ReplayGround>> = {
  rnode: { run: runRnodeReplay, ruleSet: () => undefined },
  f1r3node: { run: runF1r3nodeReplay, ruleSet: (network) => recordedRuleSet(network).name },
};

/** Opens the data directory of a replay. @throws {RecordedChainError} `otherRules`; {DataDirectoryError} @spec 61 §24 */
export function openReplayDirectory(path: string, { dialect: { name }, network }: RecordedChain) {
  return openDataDirectory(path, name, grounds[name].ruleSet(network));
}

class Replay {
  readonly #options: ReplayOptions;
  readonly #chain: Chain;
  readonly #ground: ReplayBackend;
  readonly #differences: string[] = [];
  #blocks = 0;
  #skipped = 0;
  #deploys = 0;
  #events = 0;
  /** Hashes of blocks that are right, but cannot be placed in the DAG. */
  readonly #detached = new Set<string>();
  #trusted = 0;
  /** Blocks that are older than an imported state and have no place in its DAG. */
  readonly #below = new Set<string>();
  /** Blocks that wait for others: a recording is in the order of parents alone. */
  #waiting: Block[] = [];

  constructor(options: ReplayOptions, ground: ReplayBackend) {
    this.#options = options;
    this.#chain = ground.chain;
    this.#ground = ground;
  }

  async run(): Promise<void> {
    const { start, chain, signal } = this.#options;
    if (start === "state") await this.#importState();
    for (const block of chain.blocks()) {
      if (signal.aborted) return;
      // All blocks of a height are looked at together: the recording puts siblings in any order.
      const isHigher = this.#waiting.some((waiting) => waiting.number < block.number);
      if (isHigher) {
        this.#announce(block);
        await this.#takeReady();
      }
      if (!this.#isSkipped(block)) this.#waiting.push(block);
    }
    await this.#takeReady();
    for (const block of this.#waiting) await this.#takeDetached(block);
    this.#compareDag();
  }

  summary(): ReplaySummary {
    return {
      blocks: this.#blocks,
      deploys: this.#deploys,
      events: this.#events,
      skipped: this.#skipped,
      detached: this.#detached.size,
      trusted: this.#trusted,
      differences: this.#differences,
    };
  }

  /** With an imported state, checks before each block whether the executor has the state. */
  #announce(block: Block): void {
    const [hash, ...others] = block.parents;
    if (hash === undefined || others.length > 0 || this.#options.start === "state") return;
    if (this.#chain.dag.has(block.hash)) return;
    const parent = this.#waiting.find((waiting) => equalBytes(waiting.hash, hash));
    if (parent !== undefined) this.#ground.announce(block, parent);
  }

  #isSkipped(block: Block): boolean {
    if (this.#chain.dag.has(block.hash)) {
      this.#skipped += 1;
      return true;
    }
    const approved = this.#chain.dag.approvedBlock();
    if (approved === undefined || block.number >= approved.number) return false;
    this.#below.add(toHex(block.hash));
    return true;
  }

  /** Takes every waiting block that has its dependencies, and those that this releases. */
  async #takeReady(): Promise<void> {
    for (let ready = this.#ready(); ready.length > 0; ready = this.#ready()) {
      this.#waiting = this.#waiting.filter((block) => !ready.includes(block));
      await this.#take(ready);
    }
  }

  #ready(): Block[] {
    if (this.#chain.dag.approvedBlock() === undefined) return this.#waiting.slice(0, 1);
    return this.#waiting.filter((block) => this.#chain.missingDependencies(block).length === 0);
  }

  async #take(ready: readonly Block[]): Promise<void> {
    if (this.#chain.dag.approvedBlock() === undefined) {
      this.#finish(ready[0]!, await this.#begin(ready[0]!));
      return;
    }
    const sound: Block[] = [];
    for (const block of ready) {
      const malformed = checkFormat(block) ?? checkSignature(block, this.#options.chain.dialect);
      if (malformed !== undefined) this.#finish(block, malformed);
      else if (await this.#isBelowImport(block)) this.#trust(block);
      else sound.push(block);
    }
    for (const block of sound) checkDeploySignatures(block, this.#options.chain.dialect);
    // An equivocation that the recording holds is one that later blocks refer to.
    const processed = await this.#chain.processTogether(sound.map((block) => ({ block, isAwaited: true })));
    for (const [index, block] of sound.entries()) this.#finish(block, problemOf(block, processed[index]!.status));
  }

  #trust(block: Block): void {
    this.#chain.insertTrusted(block, false);
    this.#trusted += 1;
    this.#finish(block, undefined);
  }

  #finish(block: Block, problem: string | undefined): void {
    this.#compare(block, problem);
    this.#count(block);
  }

  /** Checks a block by its execution alone, since the recording does not hold what it refers to. */
  async #takeDetached(block: Block): Promise<void> {
    const parent = this.#chain.dag.find(block.parents[0] ?? emptyBytes);
    const recorded = this.#options.chain.dag?.invalidBlocks ?? [];
    const isRight = parent !== undefined && (await agreesByExecution(this.#ground.states, block, parent, recorded));
    const missing = this.#chain.missingDependencies(block).map((hash) => shortHash(hash));
    this.#compare(
      block,
      isRight ? undefined : `it depends on blocks that the recording does not hold: ${missing.join(", ")}`,
    );
    if (isRight) this.#detached.add(toHex(block.hash));
    this.#count(block);
  }

  #count(block: Block): void {
    this.#blocks += 1;
    this.#deploys += block.body.deploys.length;
    this.#events += countEvents(block);
    this.#options.progress({ blocks: this.#blocks + this.#skipped, deploys: this.#deploys });
  }

  /** Executes genesis, which has neither signature nor parents, and begins the chain with it. */
  async #begin(genesis: Block): Promise<string | undefined> {
    if (genesis.parents.length > 0) return "the recording does not begin with genesis";
    checkDeploySignatures(genesis, this.#options.chain.dialect);
    const recorded = this.#options.chain.approvedBlock;
    const approved =
      recorded === undefined ? trusted(genesis) : decodeApprovedBlock(recorded, this.#options.chain.dialect.blockForm);
    const isOfGenesis = equalBytes(approved.candidate.block.hash, genesis.hash);
    const wrong = await this.#chain.adoptGenesis(isOfGenesis ? approved : trusted(genesis));
    return wrong === undefined ? undefined : problemOf(genesis, wrong);
  }

  /** Whether a block goes on from a state that was not imported. */
  async #isBelowImport(block: Block): Promise<boolean> {
    return this.#options.start === "state" && !(await this.#ground.states.hasRoot(block.body.state.preStateHash));
  }

  /** Begins with the state of the last finalized block instead of executing what led to it. @spec 40 §3.7 */
  async #importState(): Promise<void> {
    const lastFinalized = this.#requireLastFinalized();
    if (this.#chain.dag.has(lastFinalized.hash)) return;
    const root = lastFinalized.body.state.postStateHash;
    for (const bytes of this.#options.chain.lastFinalizedState()) {
      const { startPath } = decodeStoreItems(bytes);
      await this.#ground.states.importPage({ startPath, take: pageSize, page: bytes });
    }
    const missing = await this.#ground.states.missing(root);
    if (missing.length > 0) throw new Error(`the exported state of ${shortBlock(lastFinalized)} is not complete`);
    await this.#ground.states.recordRoot(root);
    const lowest = lastFinalized.number - importDepth;
    const slashed = slashedMessages(lastFinalized);
    const recorded = new Set<string>();
    for (const { hash } of this.#options.chain.blocks()) recorded.add(toHex(hash));
    const imported: { readonly hash: Uint8Array; readonly number: bigint; readonly isInvalid: boolean }[] = [];
    for (const block of this.#options.chain.blocks()) {
      const { hash, number } = block;
      if (number < lowest || number >= lastFinalized.number) continue;
      // One that refers to blocks which the recording lacks has no place in a DAG.
      if (!refersOnlyTo(block, recorded)) continue;
      this.#chain.blocks.put(block);
      imported.push({ hash, number, isInvalid: slashed.has(toHex(hash)) });
    }
    imported.sort((left, right) => Number(right.number - left.number));
    this.#chain.adoptImported(trusted(lastFinalized), imported);
  }

  #requireLastFinalized(): Block {
    const hash = this.#options.chain.dag?.lastFinalizedBlock;
    for (const block of this.#options.chain.blocks()) if (toHex(block.hash) === hash) return block;
    throw new Error(`${this.#options.chain.path} does not name its last finalized block`);
  }

  #compare(block: Block, problem: string | undefined): void {
    const facts = this.#options.chain.facts.get(toHex(block.hash));
    if ((problem !== undefined) !== (facts?.invalid ?? false))
      this.#report(block, problem ?? "it is valid, recorded is invalid");
    if (facts === undefined) return;
    for (const difference of compareFacts(block, facts, this.#ground.floorOf?.(block.hash)))
      this.#report(block, difference);
  }

  #report(block: Block, difference: string): void {
    this.#differences.push(`${shortBlock(block)}: ${difference}`);
  }

  /** Compares last finalized block, finalized blocks and tips. */
  #compareDag(): void {
    const { dag, facts } = this.#options.chain;
    if (dag === undefined) return;
    const own = this.#chain.dag;
    const lastFinalized = own.lastFinalized();
    const found = lastFinalized === undefined ? "none" : toHex(lastFinalized.hash);
    if (found !== dag.lastFinalizedBlock)
      this.#differences.push(`last finalized block is ${found}, recorded is ${dag.lastFinalizedBlock}`);
    for (const { hash, finalized } of facts.values()) {
      const metadata = own.find(Buffer.from(hash, "hex"));
      if (metadata !== undefined && metadata.finalized !== finalized)
        this.#differences.push(`block ${hash} is ${metadata.finalized ? "" : "not "}finalized, recorded otherwise`);
    }
    this.#compareLatest(dag);
  }

  #compareLatest({ latestMessages }: RecordedDag): void {
    const own = this.#chain.dag.latestMessages();
    for (const { validator, block } of latestMessages) {
      const latest = own.find((message) => toHex(message.validator) === validator);
      const hash = latest === undefined ? "none" : toHex(latest.hash);
      const isPlaced = this.#options.chain.facts.has(block) && !this.#detached.has(block) && !this.#below.has(block);
      if (hash !== block && isPlaced)
        this.#differences.push(`latest message of ${validator} is ${hash}, recorded is ${block}`);
    }
  }
}

function problemOf(block: Block, status: BlockStatus): string | undefined {
  if (status.status === "Valid") return undefined;
  const reason = status.status === "BlockException" ? status.message : statusReason(block, status);
  return reason === undefined ? status.status : `${status.status}: ${reason}`;
}

function refersOnlyTo(block: Block, hashes: ReadonlySet<string>): boolean {
  return (
    block.parents.every((hash) => hashes.has(toHex(hash))) &&
    block.justifications.every(({ latestBlockHash }) => hashes.has(toHex(latestBlockHash)))
  );
}

/** Latest messages of validators that have lost their stake. @spec 40 §3.9 */
function slashedMessages(block: Block): Set<string> {
  const stakes = new Map(block.body.state.bonds.map(({ validator, stake }) => [toHex(validator), stake]));
  return new Set(
    block.justifications
      .filter(({ validator }) => stakes.get(toHex(validator)) === 0n)
      .map(({ latestBlockHash }) => toHex(latestBlockHash)),
  );
}

/** An approved block without signatures, as a peer answers with its last finalized block. @spec 40 §2.2 */
function trusted(block: Block): ApprovedBlock {
  return { candidate: { block, requiredSignatures: 0 }, signatures: [] };
}

function countEvents(block: Block): number {
  let count = 0;
  for (const { log } of [...block.body.deploys, ...block.body.systemDeploys]) count += log.length;
  return count;
}
