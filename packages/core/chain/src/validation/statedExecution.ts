import { rejectedIdsOf } from "@vedette/protocol";
import type { BlockExecution } from "./BlockExecution.js";

/**
 * Stands in for execution where somebody else has executed: every block leads where it says. Whoever uses it must have
 * the state that a block leads to, checked by its hashes, and take that somebody's word for the rest.
 *
 * @param bonds those in a state; `undefined` where the state is not here
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
