import { isUri, registryLookup } from "@vedette/execution";
import type { StatePiece } from "@vedette/executor";
import type { QueryReaders } from "@vedette/executor/threads";
import type { FairScheduler } from "../explore/FairScheduler.js";
import { mapToStateQueryError } from "../state/StateQueries.js";
import { StateQueryError } from "../state/StateQueryError.js";
import type { StateRoots } from "../state/StateRoots.js";
import type { Asking } from "./LightPaths.js";

/** How programs are run to see what they read, and for how long. */
export interface PieceReads {
  readonly roots: StateRoots;
  readonly readers: QueryReaders;
  /** For look-ups, and for programs of clients. */
  readonly lookups: { readonly turns: FairScheduler; readonly timeoutMs: number };
  /** `isAllowed`: on a node without a validator's key, or in dev mode. @spec 50 §9 */
  readonly programs: { readonly turns: FairScheduler; readonly timeoutMs: number; readonly isAllowed: boolean };
}

/** The pieces of a state that a program reads: a client that checks them runs it itself. @spec 70 §7.4, §7.5 */
export class LightPieceReads {
  readonly #reads: PieceReads;

  constructor(reads: PieceReads) {
    this.#reads = reads;
  }

  /**
   * Returns the pieces for the look-up of a URI in the registry after a block.
   *
   * @param block its hash: 64 hexadecimal digits
   * @throws {StateQueryError}
   */
  registry(uri: string, block: string, asking: Asking): Promise<readonly StatePiece[]> {
    if (!isUri(uri)) {
      const problem = "must have 1 to 256 characters of A-Z a-z 0-9 : . _ / + -";
      throw new StateQueryError({ code: "badRequest", field: "uri", problem });
    }
    return this.#read(registryLookup(uri), block, this.#reads.lookups, asking);
  }

  /** Returns the pieces for a program after a block. @throws {StateQueryError} */
  program(source: string, block: string, asking: Asking): Promise<readonly StatePiece[]> {
    const { programs } = this.#reads;
    if (!programs.isAllowed) throw new StateQueryError({ code: "notAllowed" });
    return this.#read(source, block, programs, asking);
  }

  async #read(
    source: string,
    block: string,
    { turns, timeoutMs }: PieceReads["lookups"],
    { client, signal }: Asking,
  ): Promise<readonly StatePiece[]> {
    const { roots, readers } = this.#reads;
    const { root } = roots.stateOfBlock(block, "post", "block");
    const answer = await turns.take({ client, signal, bytes: 2 * source.length }, (onWorked) =>
      mapToStateQueryError(readers.call("piecesRead", { root, source, timeoutMs }, timeoutMs, { signal, onWorked })),
    );
    if (answer.kind === "noState") throw await roots.notHere(root, "block");
    return answer.pieces;
  }
}
