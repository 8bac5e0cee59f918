import { hashKey } from "@vedette/protocol";
import type { ProposeExecution } from "./ProposeExecution.js";
import type { BlockTemplate, ProposeRules } from "./ProposeRules.js";
import { type PreparedState, prepareState } from "./prepareState.js";
import { takeSnapshot } from "./snapshot.js";

/**
 * How blocks are made on rnode networks.
 *
 * @spec 40 §9
 */
export function referenceProposing(execution: ProposeExecution): ProposeRules {
  const active = new ActiveValidators(execution);
  return {
    takeSnapshot({ chain, key, nowMs, slashesUnconfirmed, emit }) {
      return takeSnapshot(chain.dag, { ownKey: key.publicKey, nowMs: nowMs(), slashesUnconfirmed }, chain.rules, emit);
    },
    activeOn: ({ parents }) => active.on(parents[0]!.postStateHash),
    async prepare(snapshot, timestamp, view) {
      return templateOf(await prepareState(snapshot, { ...view, execution }), timestamp, view.key.publicKey, execution);
    },
    // A deploy that a merge gives up has its final outcome with that.
    isSettled: () => true,
  };
}

function templateOf(
  { snapshot, state }: PreparedState,
  timestamp: bigint,
  sender: Uint8Array,
  execution: ProposeExecution,
): BlockTemplate {
  const { number: blockNumber, sequenceNumber, invalidBlocks, toSlash } = snapshot;
  const slashes = toSlash.map((invalidBlockHash) => {
    return { kind: "slash", invalidBlockHash, issuerPublicKey: sender } as const;
  });
  return {
    ...{ snapshot, timestamp, slashes },
    play: (work) =>
      execution.play({
        ...work,
        preStateHash: state.stateHash,
        rejectedDeploys: state.rejectedDeploys,
        ...{ timestamp, blockNumber, sender, sequenceNumber, invalidBlocks },
        systemDeploys: [...slashes, { kind: "closeBlock" }],
      }),
  };
}

/** Queries a state for its active validators, once for each state in a row. @spec 41 §7.3 */
class ActiveValidators {
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
