import { errorClass } from "@vedette/errors";

/** Why a command cannot be carried out. */
export type CommandFailure =
  | { readonly code: "noPrivateKey" }
  | { readonly code: "badPrivateKey"; readonly source: string }
  | { readonly code: "noTerminal" }
  | { readonly code: "noPassword" }
  | { readonly code: "unreadableFile"; readonly path: string; readonly reason: string }
  | { readonly code: "inputTooLarge"; readonly name: string; readonly limit: number }
  | { readonly code: "badArgument"; readonly name: string; readonly expected: string }
  | { readonly code: "badName"; readonly reason: string }
  | { readonly code: "missingArgument"; readonly expected: string }
  | { readonly code: "unexpectedAnswer"; readonly what: string }
  | { readonly code: "callFailed"; readonly address: string; readonly reason: string }
  /** A node made no block: its answer, the cause, and the remedy. */
  | { readonly code: "noBlock"; readonly said: string; readonly cause: string; readonly remedy: string }
  | { readonly code: "noDevChain"; readonly url: string }
  | { readonly code: "noIndex"; readonly url: string }
  /** A deploy was accepted, but its result could not be read; the cause has the reason. */
  | { readonly code: "unsettled"; readonly deployId: string; readonly reason: string };

/** A command cannot be carried out; the message never holds a part of a key. */
export class CommandError extends errorClass("CommandError", sentence) {}

function sentence(failure: CommandFailure): string {
  switch (failure.code) {
    case "noPrivateKey":
      // The beginning is rnode's text: 50 §5.6.
      return "Private key is missing: give --private-key-file <file>, or set VEDETTE_PRIVATE_KEY, or give --private-key <hex>";
    case "badPrivateKey":
      return `invalid private key in ${failure.source}: expected 64 hex digits, optional 0x prefix`;
    case "noTerminal":
      return "no terminal to enter the password: set VEDETTE_KEY_PASSWORD";
    case "noPassword":
      return "no password given";
    case "unreadableFile":
      return `Error with given file: ${failure.path}\n${failure.reason}`;
    case "inputTooLarge":
      return `${failure.name} exceeds the limit of ${failure.limit} bytes`;
    case "badArgument":
      return `${failure.name} must be ${failure.expected}`;
    case "badName":
      return `invalid Rholang name: ${failure.reason}`;
    case "missingArgument":
      return `Give ${failure.expected}`;
    case "unexpectedAnswer":
      return failure.what;
    case "callFailed":
      return `no response from the node at ${failure.address}: ${failure.reason}`;
    case "noBlock":
      return `${failure.said}\n${failure.cause}\n${failure.remedy}`;
    case "noDevChain":
      return `the node at ${failure.url} is no \`vedette dev\` chain, and only those have a faucet: start one or set --admin-port`;
    case "noIndex":
      return `no index on the node at ${failure.url}: start it with --index (index.enabled), or set --admin-port`;
    case "unsettled":
      return `${failure.reason}\nThe deploy was accepted; check it with \`vedette deploy-status ${failure.deployId}\``;
  }
}
