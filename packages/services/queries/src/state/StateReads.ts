import type { ContinuationsCall, DataCall, RenderedTerms, WaitingReceive } from "@vedette/executor";
import type { Bond } from "@vedette/protocol";

/** What queries ask of states, answered in another thread. */
export interface StateReads {
  /** @throws {ApiError} when it cannot be told */
  data(call: DataCall, signal: AbortSignal): Promise<RenderedTerms>;
  /** @throws {ApiError} when it cannot be told */
  continuations(call: ContinuationsCall, signal: AbortSignal): Promise<readonly WaitingReceive[]>;
  /** The stakes in a state. @throws {ApiError} when it cannot be told */
  bonds(root: Uint8Array): Promise<readonly Bond[]>;
  /**
   * Why a program cannot be compiled; `undefined` when it can.
   *
   * @param client whose it is: an address; `undefined` for those who cannot be told from each other
   * @throws {ApiError} when nobody has time to look; {Overload}
   */
  checkTerm(source: string, client: string | undefined): Promise<string | undefined>;
}
