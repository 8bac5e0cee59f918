import { ActiveValidators } from "./ActiveValidators.js";
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
