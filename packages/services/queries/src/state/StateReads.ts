import type { ContinuationsCall, DataCall, RenderedTerms, WaitingReceive } from "@vedette/executor";
import type { Bond } from "@vedette/protocol";

/** The queries of states, answered in another thread. */
export interface StateReads {
  /** @throws {ApiError} when the state cannot be read */
  data(call: DataCall, signal: AbortSignal): Promise<RenderedTerms>;
  /** @throws {ApiError} when the state cannot be read */
  continuations(call: ContinuationsCall, signal: AbortSignal): Promise<readonly WaitingReceive[]>;
  /** The stakes in a state. @throws {ApiError} when the state cannot be read */
  bonds(root: Uint8Array): Promise<readonly Bond[]>;
  /**
   * Why a program cannot be compiled; `undefined` when it can.
   *
   * @param client its client: an address; `undefined` for clients that cannot be distinguished
   * @throws {ApiError} when no reader is free in time; {Overload}
   */
  checkTerm(source: string, client: string | undefined): Promise<string | undefined>;
}
