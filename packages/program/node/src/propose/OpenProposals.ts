import type { ProposeEvent } from "@vedette/chain";
import type { NodeProposeEvent } from "./NodeProposeEvent.js";

/** The rest after a proposal that failed here: twice as long after each further one in a row. */
const firstRestMs = 1_000;
const longestRestMs = 60_000;

/** The work that remains after a proposal. */
export type ProposalRemainder =
  | { readonly kind: "none" }
  /** Another proposal may take the waiting deploys, after this many milliseconds. */
  | { readonly kind: "again"; readonly afterMs: number };

/**
 * Follows proposals, and reports whether another one may take the remaining deploys: those without time or place, and
 * those for a second try.
 *
 * @spec 40 §9.9
 */
export class OpenProposals {
  #hasPutAside = false;
  #failures = 0;

  /** Takes every event about proposals. @returns the action after one that has ended */
  onEvent(event: ProposeEvent | NodeProposeEvent): ProposalRemainder {
    if (event.type === "deployPutAside") this.#hasPutAside = true;
    if (event.type !== "proposeFinished") return { kind: "none" };
    const { status } = event.result;
    const hasPutAside = this.#hasPutAside;
    this.#hasPutAside = false;
    // The other failures end with blocks of others.
    const hasFailed = status === "BugError" || (status === "InternalDeployError" && !hasPutAside);
    this.#failures = hasFailed ? this.#failures + 1 : 0;
    if (status !== "Success" && !hasFailed && !hasPutAside) return { kind: "none" };
    const afterMs = this.#failures === 0 ? 0 : Math.min(longestRestMs, firstRestMs * 2 ** (this.#failures - 1));
    return { kind: "again", afterMs };
  }
}
