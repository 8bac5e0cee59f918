import { addressKey } from "../address/addressKey.js";
import { FairGate, GateError } from "./FairGate.js";
import { StateQueryError } from "./StateQueryError.js";

/** Whose turn is waited for, and how much memory the waiting takes. */
export interface Turn {
  /** An address; `undefined` for those who cannot be told from each other. */
  readonly client: string | undefined;
  readonly signal: AbortSignal;
  readonly bytes: number;
}

/** Questions of one address that may be answered and wait; of all that may wait; and for how long. @spec 50 §1.11 */
const limits = { ofOneClient: 128, waiting: 1_000, waitingBytes: 64 << 20, longestWaitMs: 30_000 } as const;

/** Lets clients have their questions answered in turns. @spec 50 §1.11 */
export class Turns {
  readonly #gate: FairGate;

  /** @param atOnce questions that are answered at the same time */
  constructor(atOnce: number) {
    this.#gate = new FairGate({ running: atOnce, ...limits });
  }

  /** Does the work when it is the client's turn. @throws {StateQueryError} */
  async take<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    try {
      const client = turn.client === undefined ? undefined : addressKey(turn.client);
      return await this.#gate.run({ ...turn, client }, work);
    } catch (cause) {
      if (!(cause instanceof GateError)) throw cause;
      switch (cause.failure.code) {
        case "tooMany":
          throw new StateQueryError({ code: "tooMany", most: limits.ofOneClient }, { cause });
        case "busy":
        case "waitedTooLong":
          throw new StateQueryError({ code: "busy" }, { cause });
        case "cancelled":
          throw new StateQueryError({ code: "gaveUp", message: "The query was cancelled." }, { cause });
      }
    }
  }
}
