import { hashKey } from "@vedette/protocol";
import type { ProposeExecution } from "./ProposeExecution.js";

/** Queries a state for its active validators, once for each state in a row. @spec 41 §7.3 */
export class ActiveValidators {
  readonly #execution: ProposeExecution;
  #last: { readonly state: string; readonly answer: Promise<readonly Uint8Array[]> } | undefined;

  constructor(execution: ProposeExecution) {
    this.#execution = execution;
  }

  /** Rejects if the state cannot be queried. */
  async on(stateHash: Uint8Array): Promise<readonly Uint8Array[]> {
    const state = hashKey(stateHash);
    if (this.#last?.state !== state) this.#last = { state, answer: this.#execution.activeValidators(stateHash) };
    const asked = this.#last;
    try {
      return await asked.answer;
    } catch (error) {
      if (this.#last === asked) this.#last = undefined;
      throw error;
    }
  }
}
