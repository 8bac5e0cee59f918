import { rejectedIdsOf } from "@vedette/protocol";
import type { BlockExecution } from "./BlockExecution.js";

/**
 * Replaces execution where another node has executed: every block leads to its stated post-state. The caller must have
 * that state, checked by its hashes, and trusts the other node for everything else.
 *
 * @param bonds those in a state; `undefined` where the state is not stored
 */
export function statedExecution(
  bonds: (stateHash: Uint8Array) => Awaited<ReturnType<BlockExecution["bonds"]>> | undefined,
): BlockExecution {
  let replayed: Parameters<BlockExecution["replay"]>[0]["block"] | undefined;
  return {
    async parentsPostState({ body }) {
      return { stateHash: body.state.preStateHash, rejectedDeploys: rejectedIdsOf(body) };
    },
    async replay({ block }) {
      replayed = block;
      return { kind: "replayed", postStateHash: block.body.state.postStateHash };
    },
    async bonds(stateHash) {
      return bonds(stateHash) ?? replayed?.body.state.bonds ?? [];
    },
  };
}
