import { type RhoValue, rhoValueOfPar } from "@vedette/client";
import {
  type ExecutionDialect,
  ExecutionError,
  type ExploreResult,
  exploreDeploy,
  f1r3nodeExecution,
  nameOfValue,
  noDeployer,
  processLookup,
  registryLookup,
  rnodeExecution,
} from "@vedette/execution";
import type { Dialect } from "@vedette/protocol";
import { isNil, type Par } from "@vedette/terms";
import { f1r3nodeSpace, isPieceOf, rnodeSpace, type SpaceDialect } from "@vedette/tuplespace";
import type { LightClient } from "../client/LightClient.js";
import { LightClientError } from "../client/LightClientError.js";
import type { ReadingProgram } from "../client/LightServer.js";
import type { TrustedBlock } from "../TrustedBlock.js";
import { PartialState } from "./PartialState.js";

/** The limits of a program. */
export interface VerifiedExploreOptions {
  /** Left out: as much as an exploratory deploy has. */
  readonly phloLimit?: bigint | undefined;
  /** The time for fetching and running together; default: 30 s. */
  readonly timeoutMs?: number | undefined;
}

/** The result of a program, and the block with the state on which it ran. */
export interface VerifiedExploration {
  readonly result: ExploreResult;
  readonly block: TrustedBlock;
  /** Pieces of the state that were fetched for it. */
  readonly fetched: number;
  /** Hashes of the pieces that it read, that of the root first. */
  readonly read: readonly Uint8Array[];
}

/** The registry's entry at a URI in a verified state. */
export interface VerifiedEntry {
  /** `undefined`: the registry has nothing there. What is stored as `Nil` cannot be distinguished from that. */
  readonly entry: RegistryEntry | undefined;
  readonly block: TrustedBlock;
  /** Pieces of the state that were fetched for it. */
  readonly fetched: number;
}

/** The name behind a URI in a verified state. */
export interface VerifiedName {
  /** `undefined`: the registry has no name there, and no built-in process has the URI. */
  readonly name: Par | undefined;
  readonly block: TrustedBlock;
  /** Hashes of the pieces of the state that the last look-up read, that of the root first. */
  readonly read: readonly Uint8Array[];
}

/** A value in the registry; signed ones are pairs with their version. */
export interface RegistryEntry {
  readonly par: Par;
  /** `undefined` for what is no plain value. */
  readonly value: RhoValue | undefined;
}

const forms: Readonly<Record<Dialect["name"], { readonly space: SpaceDialect; readonly execution: ExecutionDialect }>> =
  {
    rnode: { space: rnodeSpace, execution: rnodeExecution },
    f1r3node: { space: f1r3nodeSpace, execution: f1r3nodeExecution },
  };
/** Pieces of states that are kept, and that one program may need. */
const maxBytes = 64 << 20;
const defaultTimeoutMs = 30_000;

/**
 * Runs programs here on a verified state: fetches the nodes and leaves that a program reads, each checked by the hash that
 * the verified root leads to, and runs the program again until it lacks nothing.
 *
 * @spec 70 §7.4
 */
export class VerifiedExplorer {
  readonly #client: LightClient;
  readonly #space: SpaceDialect;
  readonly #execution: ExecutionDialect;
  #state: PartialState;

  constructor(client: LightClient) {
    const { space, execution } = forms[client.dialect.name];
    this.#client = client;
    this.#space = space;
    this.#execution = execution;
    this.#state = new PartialState(space);
  }

  /**
   * Returns the registry's entry at a URI in the state of the newest verified block.
   *
   * @throws {LightClientError} `noRegistryAnswer`, `noAnswer`: then it is not known whether there is an entry
   * @throws {RangeError} for a text that is not a URI; where the look-up reads more than 64 MiB of the state
   * @spec 70 §7.5
   */
  async getRegistryEntry(uri: string, options: Pick<VerifiedExploreOptions, "timeoutMs"> = {}): Promise<VerifiedEntry> {
    const { par, block, fetched } = await this.#lookUp(uri, options);
    const entry = isNil(par) ? undefined : { par, value: rhoValueOfPar(par) };
    return { entry, block, fetched };
  }

  /**
   * Returns the name that the registry has at a URI in the state of the newest verified block, or else that of the
   * built-in process with the URI.
   *
   * @throws what {@link getRegistryEntry} throws
   * @spec 70 §7.5
   */
  async getName(uri: string, options: Pick<VerifiedExploreOptions, "timeoutMs"> = {}): Promise<VerifiedName> {
    const { par, block, read } = await this.#lookUp(uri, options);
    const registered = nameOfValue(par);
    if (registered !== undefined) return { name: registered, block, read };
    const builtIn = await this.explore(processLookup(uri), options);
    const { result } = builtIn;
    const name = result.kind === "values" ? nameOfValue(result.pars[0]) : undefined;
    return { name, block, read: builtIn.read };
  }

  /**
   * Runs a program on the state of the newest verified block.
   *
   * @throws {LightClientError} `noAnswer` where no server has a piece of the state
   * @throws {ExecutionError} `stopped` where it takes more than its time, `fatal`
   * @throws {RangeError} where it reads more than 64 MiB of the state
   * @throws {InterpreterError} where it nests too deeply for the stack here, which is no answer
   */
  explore(source: string, options: VerifiedExploreOptions = {}): Promise<VerifiedExploration> {
    return this.#explore({ term: source }, source, options);
  }

  async #lookUp(uri: string, options: Pick<VerifiedExploreOptions, "timeoutMs">) {
    const unknown = (reason: string, cause?: unknown) =>
      new LightClientError({ code: "noRegistryAnswer", uri, reason }, { cause });
    try {
      const { result, ...rest } = await this.#explore({ uri }, registryLookup(uri), options);
      if (result.kind === "failed") throw unknown(result.error.message, result.error);
      const [par] = result.pars;
      if (par === undefined || result.pars.length > 1) throw unknown(`${result.pars.length} answers`);
      return { par, ...rest };
    } catch (error) {
      if (error instanceof ExecutionError) throw unknown(error.message, error);
      throw error;
    }
  }

  async #explore(
    program: ReadingProgram,
    source: string,
    { phloLimit, timeoutMs = defaultTimeoutMs }: VerifiedExploreOptions,
  ): Promise<VerifiedExploration> {
    const block = this.#client.trusted;
    const deadlineMs = performance.now() + timeoutMs;
    if (this.#state.pieceBytes > maxBytes / 2) this.#state = new PartialState(this.#space);
    const state = this.#state;
    let isAsked = false;
    for (let fetched = 0; ; isAsked = true) {
      const outcome = this.#run(state, { root: block.postState, source, phloLimit, deadlineMs });
      const { missing } = state;
      if (missing === undefined) {
        if ("error" in outcome) throw outcome.error;
        return { result: outcome.result, block, fetched, read: state.read };
      }
      if (performance.now() > deadlineMs) throw new ExecutionError({ code: "stopped", reason: "deadline" });
      if (state.pieceBytes > maxBytes)
        throw new RangeError(`the program reads more than ${maxBytes} bytes of the state`);
      fetched += isAsked ? await this.#fetchPiece(state, missing) : await this.#fetchRead(state, program, block);
    }
  }

  async #fetchPiece(state: PartialState, hash: Uint8Array): Promise<number> {
    const [piece] = await this.#client.getStatePieces([hash], (bytes) => isPieceOf(bytes, hash, this.#space));
    state.add(hash, piece!);
    return 1;
  }

  /**
   * Fetches the pieces that a server read when it ran the program. If no server reports them, each piece is requested
   * by itself.
   */
  async #fetchRead(state: PartialState, program: ReadingProgram, block: TrustedBlock): Promise<number> {
    try {
      const pieces = await this.#client.getPiecesRead(program, block, (bytes, hash) =>
        isPieceOf(bytes, hash, this.#space),
      );
      for (const { hash, bytes } of pieces) state.add(hash, bytes);
      return pieces.length;
    } catch (error) {
      if (error instanceof LightClientError) return 0;
      throw error;
    }
  }

  #run(state: PartialState, { deadlineMs, ...program }: RequestedProgram): RunOutcome {
    const budget = { deadlineMs, nowMs: () => performance.now() };
    state.begin();
    try {
      return { result: exploreDeploy(state, { ...noDeployer, ...program, form: this.#execution, budget }) };
    } catch (error) {
      return { error };
    }
  }
}

type RunOutcome = { readonly result: ExploreResult } | { readonly error: unknown };

interface RequestedProgram {
  readonly root: Uint8Array;
  readonly source: string;
  readonly phloLimit: bigint | undefined;
  readonly deadlineMs: number;
}
