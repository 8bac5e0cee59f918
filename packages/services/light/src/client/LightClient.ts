import { parOfRhoValue, pause, type RhoInput, type RhoValue, rhoValueOfPar } from "@vedette/client";
import {
  type ProofForm,
  rnodeProofs,
  vaultBalanceName,
  verifyStateProof,
  verifyVaultBalance,
} from "@vedette/client/proof";
import { f1r3nodeProofs } from "@vedette/client/rust-proofs";
import { fromHex, toHex } from "@vedette/crypto";
import type { Block, Dialect } from "@vedette/protocol";
import { encodePar } from "@vedette/terms";
import type { StatePiece } from "@vedette/tuplespace";
import { type IncludedDeploy, readIncludedDeploy } from "../deployOutcome.js";
import type { DoubledBlock } from "../Evidence.js";
import { LightError } from "../LightError.js";
import type { LightRules } from "../LightRules.js";
import type { LightUpdate } from "../LightUpdate.js";
import { readTrustedBlock, type TrustedBlock } from "../TrustedBlock.js";
import { verifyPath } from "../verifyPath.js";
import { type TrustAge, verifyUpdate } from "../verifyUpdate.js";
import { type Checkpoint, checkpointFormat, checkpointRules, readCheckpoint } from "./Checkpoint.js";
import { type Conflict, compareTargets, type ShownTarget } from "./compareTargets.js";
import { LightClientError } from "./LightClientError.js";
import { LightServer, type LightServerOptions, type ReadingProgram } from "./LightServer.js";
import { proofOfStakeVault } from "./proofOfStakeVault.js";
import { reportFailure, type ServerReport } from "./ServerReport.js";

/** The options of a light client. */
export interface LightClientOptions extends LightServerOptions {
  /** As `vedette checkpoint` prints it, from a source that is trusted. */
  readonly checkpoint: Checkpoint;
  /** URLs of nodes' public HTTP ports; none of them is trusted. */
  readonly servers: readonly string[];
  /** The greatest age of the trusted block, in milliseconds; without a limit if left out. @spec 70 §6.2 */
  readonly maxAgeMs?: number | undefined;
  /** Unix milliseconds; the platform's clock if left out. */
  readonly now?: (() => number) | undefined;
}

/** The result of one look at all servers. */
export interface UpdateOutcome {
  /** The newest verified block. */
  readonly trusted: TrustedBlock;
  readonly isNewer: boolean;
  readonly servers: readonly ServerReport[];
  /** Two servers have shown two chains with valid evidence; the trusted block stays as it was. */
  readonly conflict: Conflict | undefined;
  /** Validators that signed two blocks of one number, with these. */
  readonly doubled: readonly DoubledBlock[];
  /** How long the checks of all answers took, in milliseconds. */
  readonly verifiedMs: number;
  /** By how many milliseconds the trusted block is ahead of the clock; 0 for a clock that is right. */
  readonly clockBehindMs: number;
}

/** A value of the verified state, and the block under which the state is verified. */
export interface Verified<T> {
  readonly value: T;
  readonly block: TrustedBlock;
  /** The server that gave the proof. */
  readonly server: string;
}

/** A datum on a name that was sent and not received yet. */
export interface VerifiedDatum {
  readonly values: readonly (RhoValue | undefined)[];
  readonly isPersistent: boolean;
}

/** A clock that is behind by less is taken for right. */
const clockToleranceMs = 15_000;
/** The maximum size of the pieces in one answer. @spec 70 §7.4 */
const maxBytesRead = 4 << 20;
const proofForms: Readonly<Record<string, ProofForm>> = { rnode: rnodeProofs, f1r3node: f1r3nodeProofs };

/**
 * Begins at a checkpoint, and fetches its block from any server.
 *
 * @throws {LightError} `form`, `checkpoint`, `trustExpired`
 * @throws {LightClientError} `noServers`, `noAnswer`
 * @throws {ClientError} `badArgument` for an invalid URL
 * @spec 70 §3, §10
 */
export async function createLightClient(options: LightClientOptions): Promise<LightClient> {
  const checkpoint = readCheckpoint(options.checkpoint);
  if (options.servers.length === 0) throw new LightClientError({ code: "noServers" });
  const rules = checkpointRules(checkpoint);
  const client = new LightClient({ ...options, checkpoint }, rules);
  await client.begin();
  return client;
}

/** Follows a chain by evidence, and answers from what is verified. @spec 70 §9.3 */
export class LightClient {
  readonly #options: LightClientOptions;
  readonly #rules: LightRules;
  readonly #form: ProofForm;
  readonly #servers: readonly LightServer[];
  readonly #reports = new Map<string, ServerReport>();
  #trusted: TrustedBlock | undefined;

  /** @see createLightClient */
  constructor(options: LightClientOptions, rules: LightRules) {
    this.#options = options;
    this.#rules = rules;
    this.#form = proofForms[rules.dialect.name]!;
    this.#servers = options.servers.map((url) => new LightServer(url, options));
  }

  /** The newest verified block. */
  get trusted(): TrustedBlock {
    if (this.#trusted === undefined) throw new Error("begin() has not ended");
    return this.#trusted;
  }

  /** That of the network. */
  get dialect(): Dialect {
    return this.#rules.dialect;
  }

  /** Returns the known facts about each server that received a request, in the given order. */
  get servers(): readonly ServerReport[] {
    return this.#servers.flatMap(({ url }) => this.#reports.get(url) ?? []);
  }

  /** A checkpoint at the newest verified block, for the next start. */
  get checkpoint(): Checkpoint {
    const { hash, number, timestamp } = this.trusted;
    const { dialect, shardId, thresholdPpm } = this.#options.checkpoint;
    const place = { blockHash: toHex(hash), blockNumber: Number(number), timestamp: Number(timestamp) };
    return { format: checkpointFormat, dialect, shardId, ...place, thresholdPpm };
  }

  /** Fetches the checkpoint's block. */
  async begin(): Promise<void> {
    const { checkpoint } = this.#options;
    const hash = fromHex(checkpoint.blockHash);
    const { value } = await this.#fromAny("the block of the checkpoint", async (server) =>
      readTrustedBlock(await server.block(hash), hash, this.#rules.dialect),
    );
    requireSame("number", checkpoint.blockNumber, value.number);
    requireSame("timestamp", checkpoint.timestamp, value.timestamp);
    requireSame("shard", checkpoint.shardId, value.shardId);
    const { now, maxAgeMs } = this.#age() ?? {};
    if (now !== undefined && maxAgeMs !== undefined && now - value.timestamp > maxAgeMs)
      throw new LightError({ code: "trustExpired", ageMs: now - value.timestamp, maxAgeMs });
    this.#trusted = value;
  }

  /**
   * Requests evidence of a newer block from all servers, verifies and compares it, and goes on to the newest target.
   *
   * @throws {LightError} `trustExpired`
   * @throws {LightClientError} `noAnswer` if no server sent evidence or reported that there is none
   * @spec 70 §5, §9
   */
  async update(): Promise<UpdateOutcome> {
    const { trusted } = this;
    const shown: ShownTarget[] = [];
    const doubled: DoubledBlock[] = [];
    let answers = 0;
    let verifiedMs = 0;
    await Promise.all(
      this.#servers.map(async (server) => {
        try {
          const update = await server.update(trusted, this.#options.checkpoint.thresholdPpm);
          answers += 1;
          if (update === undefined) return this.#note(server, "agrees", "shows no newer block");
          const startMs = performance.now();
          try {
            doubled.push(...this.#verify(server, update, shown));
          } finally {
            verifiedMs += performance.now() - startMs;
          }
        } catch (error) {
          this.#reports.set(server.url, reportFailure(server.url, error));
        }
      }),
    );
    if (answers === 0) throw new LightClientError({ code: "noAnswer", what: "an update", reports: this.servers });
    const { newest, conflict, reports } = await compareTargets(shown, this.#rules.dialect);
    for (const report of reports) this.#reports.set(report.url, report);
    const isNewer = newest !== undefined && conflict === undefined;
    if (isNewer) this.#trusted = newest.target;
    const aheadMs = Number(this.trusted.timestamp) - this.#now();
    const clockBehindMs = aheadMs > clockToleranceMs ? aheadMs : 0;
    return { trusted: this.trusted, isNewer, servers: this.servers, conflict, doubled, verifiedMs, clockBehindMs };
  }

  #verify(server: LightServer, update: LightUpdate, shown: ShownTarget[]): readonly DoubledBlock[] {
    const { trusted: target, doubled } = verifyUpdate(this.trusted, update, this.#rules, this.#age());
    shown.push({ server, update, target });
    return doubled;
  }

  /**
   * Updates for as long as the signal lasts: at once while newer blocks come, else after a pause. A server's failure does
   * not end it, too old a trusted block does.
   *
   * @param everyMs pause; 15 s if left out
   * @throws {LightError} `trustExpired`
   */
  async *follow({
    everyMs = 15_000,
    signal,
  }: {
    readonly everyMs?: number;
    readonly signal: AbortSignal;
  }): AsyncGenerator<UpdateOutcome, void> {
    while (!signal.aborted) {
      let isNewer = false;
      try {
        const outcome = await this.update();
        isNewer = outcome.isNewer;
        yield outcome;
      } catch (error) {
        if (!(error instanceof LightClientError)) throw error;
      }
      if (!isNewer) await pause(everyMs, signal);
    }
  }

  /** The final block with this hash: the newest verified block, or one in its past. @throws {LightClientError} */
  getBlock(hash: Uint8Array): Promise<Verified<Block>> {
    return this.#read(`block ${toHex(hash)}`, async (server, { hash: from }) => {
      const path = await server.path(from, { to: hash });
      const block = verifyPath(from, path, { dialect: this.#rules.dialect, isMain: false }).at(-1)!;
      if (toHex(block.hash) !== toHex(hash)) throw lastOfPath(path, "is another block");
      return block;
    });
  }

  /**
   * Blocks of the main chain, from the newest verified one down.
   *
   * @param lowest number of the last one; where no block has it, the next lower one
   * @throws {LightClientError}
   */
  getMainChain(lowest: bigint): Promise<Verified<readonly Block[]>> {
    return this.#read(`the main chain down to ${lowest}`, async (server, { hash: from }) => {
      const blocks = await server.path(from, { number: lowest });
      const path = verifyPath(from, blocks, { dialect: this.#rules.dialect, isMain: true });
      if (path.at(-1)!.number > lowest) throw lastOfPath(blocks, "has a greater number than the requested one");
      if (path.length > 1 && path.at(-2)!.number <= lowest) throw lastOfPath(blocks, "is one too many");
      return path;
    });
  }

  /**
   * The balance of a vault, in the smallest unit; 0 without a vault.
   *
   * @throws {LightClientError} `noVaultNames` on networks with a genesis that another node made; `noAnswer`
   * @spec 30 §10.6
   */
  getBalance(address: string): Promise<Verified<bigint>> {
    return this.#read(`the balance of ${address}`, async (server, { postState: root }) => {
      const balance = await this.#balanceAt(server, root, address);
      if (balance !== undefined) return balance;
      if ((await this.#balanceAt(server, root, proofOfStakeVault)) !== undefined) return 0n;
      throw new LightClientError({ code: "noVaultNames" });
    });
  }

  async #balanceAt(server: LightServer, root: Uint8Array, address: string): Promise<bigint | undefined> {
    const name = encodePar(this.#form.decodeChannel(vaultBalanceName(address, this.#form)));
    return verifyVaultBalance(await server.dataProof(root, name), { root }, address, this.#form);
  }

  /**
   * The data on a name: what was sent to it and not received yet.
   *
   * @param name the quoted value: a text for `@"text"`, a `RhoUnforgeable` for a private name or the name of a deploy
   * @throws {LightClientError} `noAnswer`
   * @throws {ValueError} for what is no value
   */
  getData(name: RhoInput): Promise<Verified<readonly VerifiedDatum[]>> {
    const par = parOfRhoValue(name);
    const question = { kind: "data" as const, channels: [this.#form.encodeChannel(par)] };
    return this.#read("the data of a name", async (server, { postState: root }) => {
      const proof = await server.dataProof(root, encodePar(par));
      const { items } = verifyStateProof(proof, { root }, question, this.#form);
      const data = items.kind === "data" ? items.data : [];
      return data.map(({ pars, persist }) => ({ values: pars.map(rhoValueOfPar), isPersistent: persist }));
    });
  }

  /**
   * A deploy in a final block, with its outcome.
   *
   * @param signature the deploy id
   * @throws {LightClientError} `noAnswer`, also where no final block within reach has the deploy: its absence cannot be shown
   */
  getDeploy(signature: Uint8Array): Promise<Verified<IncludedDeploy>> {
    return this.#read(`deploy ${toHex(signature)}`, async (server, { hash: from }) => {
      const blocks = await server.deploy(signature, from);
      const path = verifyPath(from, blocks, { dialect: this.#rules.dialect, isMain: false });
      return readIncludedDeploy(path, signature);
    });
  }

  /**
   * Nodes and leaves of verified states.
   *
   * @param isPiece whether bytes are the piece with this hash
   * @returns the first of them, at least one, in their order
   * @throws {LightClientError} `noAnswer`
   */
  async getStatePieces(
    hashes: readonly Uint8Array[],
    isPiece: (bytes: Uint8Array, hash: Uint8Array) => boolean,
  ): Promise<readonly Uint8Array[]> {
    const { value } = await this.#fromAny("pieces of the state", async (server) => {
      const pieces = await server.statePieces(hashes);
      const wrong = pieces.findIndex((bytes, index) => !isPiece(bytes, hashes[index]!));
      if (wrong >= 0) throw new LightError({ code: "piece", hash: hashes[wrong]! });
      return pieces;
    });
    return value;
  }

  /**
   * The pieces of the state after a block that a program reads, as a server ran it; not all of them, where they are large.
   *
   * @param isPiece whether bytes are the piece with this hash
   * @throws {LightClientError} `noAnswer`
   */
  async getPiecesRead(
    program: ReadingProgram,
    { hash }: Pick<TrustedBlock, "hash">,
    isPiece: (bytes: Uint8Array, hash: Uint8Array) => boolean,
  ): Promise<readonly StatePiece[]> {
    const { value } = await this.#fromAny("what a program reads of the state", async (server) => {
      const pieces = await server.piecesRead(program, hash);
      if (pieces.reduce((sum, { bytes }) => sum + bytes.length, 0) > maxBytesRead)
        throw new LightError({ code: "tooLarge", what: "bytes", limit: maxBytesRead });
      const wrong = pieces.find((piece) => !isPiece(piece.bytes, piece.hash));
      if (wrong !== undefined) throw new LightError({ code: "piece", hash: wrong.hash });
      return pieces;
    });
    return value;
  }

  async #read<T>(what: string, read: (server: LightServer, block: TrustedBlock) => Promise<T>): Promise<Verified<T>> {
    const { trusted: block } = this;
    const { value, server } = await this.#fromAny(what, (one) => read(one, block));
    return { value, block, server };
  }

  /** Sends a request to one server after the other, last to those that have been wrong. */
  async #fromAny<T>(
    what: string,
    read: (server: LightServer) => Promise<T>,
  ): Promise<{ readonly value: T; readonly server: string }> {
    const failed: ServerReport[] = [];
    for (const server of this.#inOrder()) {
      try {
        return { value: await read(server), server: server.url };
      } catch (error) {
        const report = reportFailure(server.url, error);
        failed.push(report);
        this.#reports.set(server.url, report);
      }
    }
    throw new LightClientError({ code: "noAnswer", what, reports: failed });
  }

  #inOrder(): readonly LightServer[] {
    const rank = ({ url }: LightServer) => ranks[this.#reports.get(url)?.state ?? "agrees"];
    return [...this.#servers].sort((one, other) => rank(one) - rank(other));
  }

  #note({ url }: LightServer, state: ServerReport["state"], reason: string): void {
    this.#reports.set(url, { url, state, reason, target: this.trusted });
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }

  #age(): TrustAge | undefined {
    const { maxAgeMs } = this.#options;
    return maxAgeMs === undefined ? undefined : { now: BigInt(Math.trunc(this.#now())), maxAgeMs: BigInt(maxAgeMs) };
  }
}

const ranks = { agrees: 0, unclear: 1, conflict: 2, wrong: 3 } as const;

function lastOfPath(path: readonly unknown[], problem: string): LightError {
  return new LightError({ code: "path", index: path.length - 1, problem });
}

function requireSame(field: string, claimed: string | number, actual: string | bigint): void {
  if (String(claimed) !== String(actual))
    throw new LightError({ code: "checkpoint", field, claimed: String(claimed), actual: String(actual) });
}
