import type { DeployStatus, PlacedBlock } from "../http/answers.js";

/** How a state is called everywhere, and what it means. */
export interface StateText {
  readonly word: string;
  readonly sentence: string;
}

/** The texts for a block's status in `/v2`. @spec 50 §1.13 */
export const blockStateTexts: Readonly<Record<PlacedBlock["status"], StateText>> = {
  pending: {
    word: "Proposed",
    sentence: "A validator has made the block, and it is not decided whether it becomes final.",
  },
  finalized: { word: "Finalized", sentence: "The block is final: what it did stays." },
  forkedAway: { word: "Orphaned", sentence: "Another block became final in its place: it will never be final." },
};

/** The texts for a block that broke a rule. Lists of `/v2` have valid blocks alone. */
export const invalidBlockText: StateText = {
  word: "Invalid",
  sentence: "The block broke a rule of the chain: nothing of it is in any state, and its validator may be slashed.",
};

/** The texts for a deploy's status in `/v2`. @spec 50 §1.13 */
export const deployStateTexts: Readonly<Record<DeployStatus["status"], StateText>> = {
  pending: { word: "Pending", sentence: "No block that counts has the deploy yet: it waits for one." },
  included: { word: "Included", sentence: "A block has the deploy, and it is not decided whether that becomes final." },
  finalized: { word: "Finalized", sentence: "What the deploy did is final." },
  failed: {
    word: "Failed",
    sentence: "The program failed in a final block: nothing of it is in the state but its fee.",
  },
  failedSoFar: {
    word: "Failed so far",
    sentence: "The program failed in a final block; it is not decided yet that no other block brings it.",
  },
  expired: {
    word: "Expired",
    sentence: "Nothing of the deploy is in the final state, and no block can bring it any more.",
  },
  rejected: {
    word: "Rejected in merge",
    sentence:
      "A final block has the deploy, but a merge left it out: nothing of it is in the state, and it cost nothing.",
  },
  forkedAway: { word: "Orphaned", sentence: "Only blocks have the deploy that will never be final." },
  refused: { word: "Refused", sentence: "This node could not execute the deploy, and tries it no more." },
};
