import { errorClass } from "@vedette/errors";

/** The content of `application/problem+json`. @spec 50 §8.7 */
export interface ProblemContent {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string | undefined;
  /** The member of the request that is to blame: `data.term`. */
  readonly field?: string | undefined;
  /** All other members. */
  readonly more: { readonly [name: string]: unknown };
}

/** The reasons why a node did not fulfill a request. */
export type ClientFailure =
  | { readonly code: "unreachable"; readonly address: string; readonly reason: string }
  | { readonly code: "timedOut"; readonly address: string; readonly call: string; readonly timeoutMs: number }
  | { readonly code: "cancelled"; readonly call: string }
  | { readonly code: "notOffered"; readonly address: string; readonly call: string }
  | { readonly code: "tooLarge"; readonly address: string; readonly call: string; readonly reason: string }
  | { readonly code: "notUnderstood"; readonly address: string; readonly call: string; readonly reason: string }
  | {
      readonly code: "refused";
      readonly call: string;
      readonly messages: readonly string[];
      /** HTTP's status; over gRPC the one that means the same, where there is one. */
      readonly status?: number;
      readonly problem?: ProblemContent;
      /** The word that nodes of f1r3node have for it: `deploy_not_found`. @spec 50 §10.2 */
      readonly kind?: string;
    }
  | { readonly code: "badArgument"; readonly call: string; readonly argument: string; readonly reason: string }
  | {
      readonly code: "cursorGone";
      readonly address: string;
      readonly cursor: string;
      /** The oldest cursor from which events are available. */
      readonly oldest: string | undefined;
    }
  | {
      readonly code: "deployRejected";
      /** The final block that has the deploy. */
      readonly blockHash: string;
      /** The block with the merge of its parents that gave it up. */
      readonly rejectedBy: string;
    }
  | { readonly code: "deployExpired" }
  | { readonly code: "waitedTooLong"; readonly what: string; readonly timeoutMs: number };

/** A request could not reach a node, or was refused: `refused` holds the node's own words. @spec 50 §1.3, §3.2 */
export class ClientError extends errorClass("ClientError", sentence) {}

function sentence(failure: ClientFailure): string {
  switch (failure.code) {
    case "unreachable":
      return `no node at ${failure.address} (${failure.reason}): check that it runs, and ${isHttp(failure.address) ? "the URL" : "host (-H) and gRPC port (-p)"}`;
    case "timedOut":
      return `no response to ${failure.call} from ${failure.address} within ${seconds(failure.timeoutMs)}: try again, or raise ${isHttp(failure.address) ? "timeoutMs" : "--timeout"}`;
    case "cancelled":
      return `${failure.call} was interrupted`;
    case "notOffered":
      return isHttp(failure.address)
        ? `The node at ${failure.address} does not offer ${failure.call}; check its version and the path of the URL`
        : `The node at ${failure.address} does not offer ${failure.call} on this port; send proposals to its internal gRPC port (default 40402)`;
    case "tooLarge":
      return `A message of ${failure.call} is too large for this client or for the node at ${failure.address} (${failure.reason}); request less, or raise ${isHttp(failure.address) ? "maxAnswerBytes" : "--grpc-max-recv-message-size"}`;
    case "notUnderstood":
      return `invalid response to ${failure.call} from ${failure.address} (${failure.reason}): check that this is ${isHttp(failure.address) ? "the HTTP port of a node (default 40403" : "a gRPC port of a node (default 40401 or 40402"})`;
    case "refused":
      // The list may be empty: rnode leaves out exceptions that have no message.
      return failure.messages.length > 0
        ? failure.messages.join("\n")
        : `The node refused ${failure.call} without a reason`;
    case "badArgument":
      return `invalid argument of ${failure.call}: ${failure.argument} ${failure.reason}`;
    case "cursorGone":
      return `The node at ${failure.address} cannot resume after cursor ${failure.cursor}: another event log, or older than ${failure.oldest ?? "the stored events"}; read the missed blocks, then start at "oldest" or "newest"`;
    case "deployRejected":
      return `block ${failure.blockHash} includes the deploy, but the merge of block ${failure.rejectedBy} rejected it, without effect: sign it again`;
    case "deployExpired":
      return "deploy expired without effect: sign it again";
    case "waitedTooLong":
      return `${failure.what} within ${seconds(failure.timeoutMs)}; it may still happen: check again, or raise --wait-timeout`;
  }
}

/** Addresses of gRPC ports have no scheme. */
function isHttp(address: string): boolean {
  return /^https?:/.test(address);
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
