import { blockBytesRoute, lightCheckpointRoute } from "@vedette/api";
import { ClientError, type DeployStatus, type FullBlock, fromHex, type HttpClient, toHex } from "@vedette/client";
import {
  type Checkpoint,
  createLightClient,
  type LightClient,
  LightClientError,
  readCheckpoint,
  type UpdateOutcome,
} from "@vedette/light";
import { type Block, checkBlockSignature, type Dialect, findDialect } from "@vedette/protocol";
import type { Finality } from "../data/BlockSummary.js";
import { blockOf } from "../page/block/readBlock.js";
import { blockMembers, reportedBlock } from "./blockMembers.js";
import { checkDeployIn } from "./checkDeployIn.js";
import { type CheckedEntries, checkEntries } from "./checkEntries.js";
import { type Finding, findingOf, type Lie, liesBetween, type Standing, type Trust } from "./Finding.js";
import { failedFinding, wrongAnswer } from "./failedFinding.js";
import { textOfGiven } from "./givenName.js";
import { LieError } from "./LieError.js";
import { ProgramRunner } from "./ProgramRunner.js";
import { type CheckedRun, checkpointAt, findingOfRun, type RunFinding } from "./runFinding.js";
import type { OwnRun } from "./runMessages.js";
import type { TrustStore } from "./TrustStore.js";

/** The parts that a verifier works with. */
export interface VerifierOptions {
  readonly node: HttpClient;
  readonly store: TrustStore;
  /** Called when something of {@link Verifier.progress} has changed. */
  readonly onChange: () => void;
}

/** How far verification has come. */
export interface Progress {
  readonly trust: Trust | undefined;
  readonly block: { readonly hash: string; readonly number: number; readonly timestamp: number } | undefined;
  /** How long the checks of the last update to a newer block took, in milliseconds. */
  readonly verifiedMs: number | undefined;
  /** Why there is no newer block; `undefined` where there is no failure. */
  readonly problem: string | undefined;
  /** Validators that signed two blocks of one number. */
  readonly doubled: readonly string[];
}

/** A finding about a balance, with the balance that was proven. */
export interface BalanceFinding extends Finding {
  readonly proven?: { readonly balance: bigint; readonly hash: string; readonly number: number };
}

/** The answer about a block to check: the name in the page's address, the answer, and the block's status. */
export interface BlockToVerify {
  readonly asked: string;
  readonly block: FullBlock;
  readonly finality: Finality;
}

/** Steps of one update, each to a newer block. */
const maxSteps = 64;
/** Paths have at most 256 blocks. @spec 70 §7.2 */
const maxDepth = 255n;
const uncovered =
  "justifications, size and fault tolerance: the hash of a block does not cover them, or they follow from other blocks";

/** Checks in this browser what its node reports, from a block that the browser trusts. @spec 70 §5, §7, §9 */
export class Verifier {
  readonly #options: VerifierOptions;
  #client: Promise<LightClient> | undefined;
  #updating: Promise<void> | undefined;
  #verifiedMs: number | undefined;
  #problem: string | undefined;
  #doubled: readonly string[] = [];
  #trusted: LightClient["trusted"] | undefined;
  readonly #runner = new ProgramRunner();

  constructor(options: VerifierOptions) {
    this.#options = options;
  }

  get progress(): Progress {
    const block = this.#trusted && {
      hash: toHex(this.#trusted.hash),
      number: Number(this.#trusted.number),
      timestamp: Number(this.#trusted.timestamp),
    };
    const [verifiedMs, problem, doubled] = [this.#verifiedMs, this.#problem, this.#doubled];
    return { trust: this.#options.store.read(), block, verifiedMs, problem, doubled };
  }

  /** Begins at another checkpoint, or at the node's genesis where none is given. @throws {LightError} `form` */
  restart(checkpoint: Checkpoint | undefined, origin: Trust["origin"]): void {
    if (checkpoint !== undefined) this.#options.store.begin({ checkpoint, origin, since: Date.now() });
    this.#client = undefined;
    this.#verifiedMs = undefined;
    this.#trusted = undefined;
    this.#problem = undefined;
    this.#options.onChange();
  }

  /** The node's checkpoint at a height, unchecked; at genesis, or where the node's chain begins. */
  async reportedCheckpoint(blockNumber = 0): Promise<Checkpoint> {
    const { node } = this.#options;
    const ask = async (query: { blockNumber?: bigint }) => {
      const answer = await node.call(lightCheckpointRoute, { query });
      const { blockNumber: number, timestamp } = answer;
      return readCheckpoint({ ...answer, blockNumber: Number(number), timestamp: Number(timestamp) });
    };
    try {
      return await ask({ blockNumber: BigInt(blockNumber) });
    } catch (error) {
      if (blockNumber > 0 || !isNotThere(error)) throw error;
      return ask({});
    }
  }

  /** Goes on to the newest final block that the node shows. @throws {LieError} and what a light client throws */
  update(): Promise<void> {
    this.#updating ??= this.#update().finally(() => {
      this.#updating = undefined;
      this.#options.onChange();
    });
    return this.#updating;
  }

  /** {@link update} as a finding: what went wrong, if anything. */
  follow(): Promise<Finding> {
    return this.#finding(async () => findingOf({ isFinal: true }));
  }

  /** A block's content by its hash; and that it is final by a path from the newest verified block. */
  checkBlock({ asked, block: reported, finality }: BlockToVerify): Promise<Finding> {
    return this.#finding(async (client) => {
      const { blockHash } = reported.blockInfo;
      const { block, dialect } = await this.#content(blockHash);
      const isAsked = /^\d{1,15}$/.test(asked) ? Number(asked) === Number(block.number) : blockHash.startsWith(asked);
      const evidence = `the bytes of the block, which hash to ${blockHash}`;
      const lies = [...liesBetween(reportedBlock(reported), blockMembers(block), evidence)];
      if (!isAsked) lies.push({ field: "block", reported: blockHash, shown: `not the block ${asked}`, evidence });
      const standing = await this.#standing(client, block, finality);
      return findingOf({
        isFinal: standing.isSettled,
        checked: [
          `the bytes of the block hash to its name (${dialect.name})`,
          ...(lies.length > 0
            ? []
            : ["number, time, parents, bonds, states, deploys, costs and outcomes are those shown here"]),
          ...(block.sender.length > 0 ? ["its proposer signed it"] : []),
          ...standing.checked,
        ],
        left: [...standing.left, uncovered],
        lies: [...lies, ...standing.lies],
      });
    });
  }

  /** Checks a node's balance of an address under the newest verified block. */
  async checkBalance(address: string): Promise<BalanceFinding> {
    let proven: BalanceFinding["proven"];
    const finding = await this.#finding(async (client) => {
      const { value: balance, block } = await client.getBalance(address);
      const [hash, number] = [toHex(block.hash), Number(block.number)];
      const [reported = 0n] = await this.#options.node.balances([address], hash);
      proven = { balance, hash, number };
      const evidence = `a proof under the state of the verified block #${number} (${hash})`;
      return findingOf({
        isFinal: true,
        checked: [`the state of the verified block #${number} holds this balance, by a Merkle proof`],
        lies: liesBetween({ balance: reported }, { balance }, evidence),
      });
    });
    return { ...finding, ...(proven !== undefined && { proven }) };
  }

  /** A deploy with its outcome, in the final block that has it. */
  checkDeploy(reported: DeployStatus): Promise<Finding> {
    return this.#finding(async (client) => {
      const first = reported.blocks[0];
      if (first === undefined) return findingOf({ isFinal: false, left: ["no block has the deploy yet"] });
      const { block } = await this.#content(first.block.blockHash);
      if (block.number > client.trusted.number) {
        const evidence = `the bytes of block ${first.block.blockHash}`;
        const { lies, checked } = checkDeployIn(reported, block, evidence);
        return findingOf({ isFinal: false, checked, lies, left: [notYet(client)] });
      }
      const { value } = await client.getDeploy(fromHex(reported.deploy.deployId));
      const evidence = `block ${toHex(value.block.hash)}, in the past of the verified block #${client.trusted.number}`;
      const { lies, checked, left } = checkDeployIn(reported, value.block, evidence, value.effect);
      return findingOf({ isFinal: true, checked, lies, left });
    });
  }

  /** Entries of a name after a block. */
  checkEntries(reported: CheckedEntries): Promise<Finding> {
    return this.#finding(async (client) => {
      const { block, dialect } = await this.#content(reported.blockHash);
      const lookUp = await this.#lookUp(client, block, reported);
      const { checked, left } = checkEntries(reported, dialect, lookUp?.channel);
      const standing = await this.#standing(client, block, undefined);
      return findingOf({
        isFinal: standing.isSettled,
        checked: [...checked, ...(lookUp?.checked ?? []), ...standing.checked],
        left: [...left, ...(lookUp?.left ?? []), ...standing.left],
        lies: lookUp?.lies ?? [],
      });
    });
  }

  /**
   * Checks the result of a program after a block, by a run in this browser on the state that the block's hash leads to.
   */
  async checkRun({ blockHash, ...program }: CheckedRun): Promise<RunFinding> {
    let own: OwnRun | undefined;
    const { url } = this.#options.node.connection;
    const finding = await this.#finding(async (client) => {
      const { block } = await this.#content(blockHash);
      const standing = await this.#standing(client, block, undefined);
      const checkpoint = checkpointAt(block, client.checkpoint);
      const reply = await this.#runner.run({ task: program, url, checkpoint });
      if ("own" in reply) own = reply.own;
      return findingOfRun(reply, block, standing);
    });
    return { ...finding, ...(own !== undefined && { own }) };
  }

  /** Finds the name at a URI by a run of the registry in this browser. Names in other forms need none. */
  async #lookUp(client: LightClient, block: Block, { given, blockHash, reported }: CheckedEntries) {
    if (given.by !== "uri") return undefined;
    const { url } = this.#options.node.connection;
    const task = { uri: textOfGiven(given) };
    const reply = await this.#runner.run({ task, url, checkpoint: checkpointAt(block, client.checkpoint) });
    const { lies } = reply;
    if ("problem" in reply) return { checked: [], left: [`the look-up of the URI: ${reply.problem}`], lies };
    const { channel, read } = reply.own;
    if (channel === undefined)
      throw new LieError({
        ...{ field: "names", reported: reported.names[0]?.rholang ?? "a name", shown: "no name at this URI" },
        evidence: `the look-up of the URI, run in this browser after block ${blockHash}`,
      });
    const ran = `the URI was looked up in this browser: the registry names this name (${read.length} pieces of the state)`;
    return { channel: fromHex(channel), checked: [ran], left: [], lies };
  }

  async #finding(check: (client: LightClient) => Promise<Finding>): Promise<Finding> {
    try {
      await this.update();
    } catch (error) {
      return this.#withTrust(failedFinding(error));
    }
    try {
      return this.#withTrust(await check(await this.#client!));
    } catch (error) {
      return this.#withTrust(failedFinding(error));
    }
  }

  #withTrust(finding: Finding): Finding {
    const trust = this.#options.store.read();
    return trust === undefined ? finding : { ...finding, trust };
  }

  async #update(): Promise<void> {
    this.#client ??= this.#begin().catch((error: unknown) => {
      this.#client = undefined;
      throw error;
    });
    const client = await this.#client;
    this.#trusted = client.trusted;
    this.#problem = undefined;
    for (let step = 0; step < maxSteps; step += 1) {
      let outcome: UpdateOutcome;
      try {
        outcome = await client.update();
      } catch (error) {
        // Verified blocks stay verified; the page shows why there is no newer one.
        if (!(error instanceof LightClientError)) throw error;
        await this.#requireSameChain(this.#options.store.read()!);
        await this.#requireNotOlder(client.checkpoint);
        this.#problem = failedFinding(error).left.join("; ");
        return;
      }
      const [{ state, reason } = { state: "agrees", reason: "" }] = outcome.servers;
      if (state === "wrong") throw new LieError(wrongAnswer("update", reason));
      this.#problem = state === "unclear" ? reason : undefined;
      this.#trusted = outcome.trusted;
      this.#doubled = [...new Set([...this.#doubled, ...outcome.doubled.map(({ validator }) => toHex(validator))])];
      if (!outcome.isNewer) return;
      this.#verifiedMs = outcome.verifiedMs;
      this.#keep(client.checkpoint);
    }
  }

  async #begin(): Promise<LightClient> {
    const { store, node } = this.#options;
    let trust = store.read();
    if (trust === undefined) {
      store.begin({ checkpoint: await this.reportedCheckpoint(), origin: "firstUse", since: Date.now() });
      trust = store.read()!;
    } else await this.#requireSameChain(trust);
    const checkpoint = trust.newest ?? trust.checkpoint;
    try {
      return await createLightClient({ checkpoint, servers: [node.connection.url] });
    } catch (error) {
      await this.#requireNotOlder(checkpoint);
      throw error;
    }
  }

  /** The node's chain must have the trusted block, and the network's rules as they were. */
  async #requireSameChain({ checkpoint, origin, since }: Trust): Promise<void> {
    let reported: Checkpoint;
    try {
      reported = await this.reportedCheckpoint(checkpoint.blockNumber);
    } catch (error) {
      if (isNotThere(error)) return;
      throw error;
    }
    const day = new Date(since).toISOString().slice(0, 10);
    const how = origin === "firstUse" ? "trusted on first use" : "entered by you";
    // A node that began above genesis names a later block.
    if (reported.blockNumber !== checkpoint.blockNumber) return;
    const lies = liesBetween({ ...reported }, { ...checkpoint }, `the trusted block, ${how} on ${day}`);
    if (lies.length > 0) throw new LieError(...lies.map((lie) => ({ ...lie, field: `chain: ${lie.field}` })));
  }

  async #requireNotOlder({ blockHash, blockNumber }: Checkpoint): Promise<void> {
    const { blockInfo } = await this.#options.node.lastFinalizedBlock();
    if (Number(blockInfo.blockNumber) >= blockNumber) return;
    throw new LieError({
      field: "older view: lastFinalizedBlock",
      reported: `#${blockInfo.blockNumber} (${blockInfo.blockHash})`,
      shown: `#${blockNumber} (${blockHash})`,
      evidence: "this browser has verified the later block on this chain before",
    });
  }

  #keep(newest: Checkpoint): void {
    const { store } = this.#options;
    const trust = store.read();
    if (trust !== undefined) store.write({ ...trust, newest });
  }

  /** Returns a block with bytes that hash to its name. @throws {LieError} */
  async #content(hash: string): Promise<{ readonly block: Block; readonly dialect: Dialect }> {
    const { store, node } = this.#options;
    const dialect = findDialect(store.read()!.checkpoint.dialect)!;
    const { bytes } = await node.call(blockBytesRoute, { params: { hash } });
    const block = blockOf(fromHex(bytes), hash, dialect);
    if (block === undefined) {
      const evidence = "the bytes of the block, which hash to another name";
      throw new LieError({ field: "bytes", reported: hash, shown: "bytes of another block, or of none", evidence });
    }
    if (block.sender.length > 0 && checkBlockSignature(block, dialect) !== undefined)
      throw new LieError({
        ...{ field: "sig", reported: toHex(block.signature), shown: "no signature of the proposer" },
        evidence: `the hash ${hash} and the key ${toHex(block.sender)}`,
      });
    return { block, dialect };
  }

  /** Whether a block is final, or never will be, by the newest verified block. */
  async #standing(client: LightClient, block: Block, finality: Finality | undefined): Promise<Standing> {
    const { number } = client.trusted;
    const nothing = { isSettled: false, checked: [], left: [], lies: [] };
    if (block.number > number) {
      const claim = finality === "finalized" ? `; the node claims that it is, without evidence` : "";
      return { ...nothing, left: [`that the block is final${claim}: ${notYet(client)}`] };
    }
    if (number - block.number > maxDepth)
      return {
        ...nothing,
        left: [`that the block is final: it lies more than ${maxDepth} below the verified #${number}`],
      };
    const evidence = `the blocks from the verified block #${number} down to number ${block.number}`;
    try {
      await client.getBlock(block.hash);
    } catch (error) {
      if (!(await isExcluded(client, block).catch(() => false))) throw error;
      const lies: Lie[] =
        finality === "finalized" ? [{ field: "status", reported: "finalized", shown: "orphaned", evidence }] : [];
      return { ...nothing, isSettled: true, checked: [`it is not on the final chain, by ${evidence}`], lies };
    }
    const lies: Lie[] =
      finality === "forkedAway" ? [{ field: "status", reported: "orphaned", shown: "finalized", evidence }] : [];
    return { ...nothing, isSettled: true, checked: [`it is final, by ${evidence}`], lies };
  }
}

function notYet({ trusted: { number } }: LightClient): string {
  return `the newest block that the node shows to be final is #${number}`;
}

/** Where each block down to the height has one parent, another block of the height is on no other way. */
async function isExcluded(client: LightClient, { number, hash }: Block): Promise<boolean> {
  const { value: path } = await client.getMainChain(number);
  const last = path.at(-1)!;
  return path.slice(0, -1).every(({ parents }) => parents.length === 1) && toHex(last.hash) !== toHex(hash);
}

function isNotThere(error: unknown): boolean {
  return error instanceof ClientError && error.failure.code === "refused" && error.failure.status === 404;
}
