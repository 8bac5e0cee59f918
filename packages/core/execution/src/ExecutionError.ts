import { errorClass } from "@vedette/errors";
import type { StopReason } from "@vedette/rholang";

/** The failures that keep a block from being executed, or a state query from being answered. */
export type ExecutionFailure =
  /** A system deploy did not answer as it must. @spec 41 §3.1 */
  | { readonly code: "platform"; readonly message: string }
  /** @spec 41 §9 */
  | { readonly code: "numberChannel"; readonly message: string }
  /** A program did what rnode answers with an exception of its host. @spec 21 §9.3 */
  | { readonly code: "fatal"; readonly message: string }
  | { readonly code: "stopped"; readonly reason: StopReason }
  /** A query that every state of the network answers was not answered. @spec 41 §7.3 */
  | { readonly code: "query"; readonly message: string }
  /** A system deploy of a block that is being made refused. @spec 41 §2.1 */
  | { readonly code: "systemDeploy"; readonly message: string }
  /** rnode would not find the same another time: sets or maps of equal scores. @spec 61 §20.3 */
  | { readonly code: "undetermined" }
  /** The configuration names the token of a network otherwise than its chain. @spec 61 §11 */
  | { readonly code: "otherToken"; readonly differences: readonly string[] }
  /** @spec 40 §12 */
  | { readonly code: "mergeTooLarge"; readonly blocks: number; readonly most: number };

/** A block operation or a query that cannot be finished, whatever the block contains. @spec 41 §3.1, §4.4 */
export class ExecutionError extends errorClass("ExecutionError", sentence) {}

function sentence(failure: ExecutionFailure): string {
  switch (failure.code) {
    case "platform":
      return `Platform failure: ${failure.message}`;
    case "stopped":
      return `The evaluation was given up: ${failure.reason}`;
    case "systemDeploy":
      return `Unexpected system error during play of system deploy: ${failure.message}`;
    case "undetermined":
      return "its outcome is not determined: a set or map has elements that differ, but rank alike";
    case "otherToken":
      return (
        "The token of this network is another one than configured (under casper.genesis-block-data): " +
        `${failure.differences.join("; ")}. Set what the chain has, or use the data directory of the other network`
      );
    case "mergeTooLarge":
      return `The deploys of ${failure.blocks} blocks are more than ${failure.most} chains, too many to merge`;
    default:
      return failure.message;
  }
}
