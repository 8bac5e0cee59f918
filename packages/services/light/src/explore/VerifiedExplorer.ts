import {
  type ExecutionDialect,
  ExecutionError,
  type ExploreResult,
  exploreDeploy,
  f1r3nodeExecution,
  rnodeExecution,
} from "@vedette/execution";
import type { Dialect } from "@vedette/protocol";
import { f1r3nodeSpace, isPieceOf, rnodeSpace, type SpaceDialect } from "@vedette/tuplespace";
import type { LightClient } from "../client/LightClient.js";
import type { TrustedBlock } from "../TrustedBlock.js";
import { PartialState } from "./PartialState.js";

/** What a program may use. */
export interface ExploreOptions {
  /** Left out: as much as an exploratory deploy has. */
  readonly phloLimit?: bigint | undefined;
  /** Of fetching and running together; 30 s if left out. */
  readonly timeoutMs?: number | undefined;
}

/** What a program returned, and the block on whose state it ran. */
export interface VerifiedExploration {
  readonly result: ExploreResult;
  readonly block: TrustedBlock;
  /** Pieces of the state that were fetched for it. */
  readonly fetched: number;
}

const forms: Readonly<Record<Dialect["name"], { readonly space: SpaceDialect; readonly execution: ExecutionDialect }>> =
  {
    rnode: { space: rnodeSpace, execution: rnodeExecution },
    f1r3node: { space: f1r3nodeSpace, execution: f1r3nodeExecution },
  };
/** Pieces of states that are kept, and that one program may need. */
const maxBytes = 64 << 20;
const defaultTimeoutMs = 30_000;
/** Placeholders for the random key and signature that nodes make. */
const unsigned = { deployer: new Uint8Array(65), signature: new Uint8Array(64), timestamp: 0n };

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
   * Runs a program on the state of the newest verified block.
   *
   * @throws {LightClientError} `noAnswer` where no server has a piece of the state
   * @throws {ExecutionError} `stopped` where it takes more than its time, `fatal`
   * @throws {RangeError} where it reads more than 64 MiB of the state
   */
  async explore(
    source: string,
    { phloLimit, timeoutMs = defaultTimeoutMs }: ExploreOptions = {},
  ): Promise<VerifiedExploration> {
    const block = this.#client.trusted;
    const deadlineMs = performance.now() + timeoutMs;
    if (this.#state.pieceBytes > maxBytes / 2) this.#state = new PartialState(this.#space);
    const state = this.#state;
    for (let fetched = 0; ; fetched += 1) {
      const outcome = this.#run(state, { root: block.postState, source, phloLimit, deadlineMs });
      const { missing } = state;
      if (missing === undefined) {
        if ("error" in outcome) throw outcome.error;
        return { result: outcome.result, block, fetched };
      }
      if (performance.now() > deadlineMs) throw new ExecutionError({ code: "stopped", reason: "deadline" });
      if (state.pieceBytes > maxBytes)
        throw new RangeError(`the program reads more than ${maxBytes} bytes of the state`);
      const [piece] = await this.#client.getStatePieces([missing], (bytes, hash) =>
        isPieceOf(bytes, hash, this.#space),
      );
      state.add(missing, piece!);
    }
  }

  #run(
    state: PartialState,
    { deadlineMs, ...program }: Program,
  ): { readonly result: ExploreResult } | { readonly error: unknown } {
    const budget = { deadlineMs, nowMs: () => performance.now() };
    try {
      return { result: exploreDeploy(state, { ...unsigned, ...program, form: this.#execution, budget }) };
    } catch (error) {
      return { error };
    }
  }
}

interface Program {
  readonly root: Uint8Array;
  readonly source: string;
  readonly phloLimit: bigint | undefined;
  readonly deadlineMs: number;
}
