import { errorClass } from "@vedette/errors";

/** Why a chain cannot begin, or go on, from another node's state. */
export type ForkFailure =
  | { readonly code: "badUrl"; readonly text: string }
  | { readonly code: "noNode"; readonly url: string; readonly reason: string }
  | { readonly code: "noBlock"; readonly url: string; readonly at: string; readonly reason: string }
  | { readonly code: "noPieces"; readonly url: string }
  | { readonly code: "otherDialect"; readonly url: string; readonly found: string; readonly wanted: string }
  | { readonly code: "gone"; readonly url: string; readonly reason: string }
  | { readonly code: "wrongPiece"; readonly url: string; readonly hash: string; readonly actual: string }
  | { readonly code: "missingPiece"; readonly url: string; readonly hash: string };

/** The forked node does not give the needed data; the message states what to do. */
export class ForkError extends errorClass("ForkError", sentence) {}

function sentence(failure: ForkFailure): string {
  switch (failure.code) {
    case "badUrl":
      return `--fork: ${failure.text} is no address of a node's HTTP API, as http://localhost:40403`;
    case "noNode":
      return `--fork: there is no node at ${failure.url}: ${failure.reason}`;
    case "noBlock":
      return `--fork: ${failure.url} has no block ${failure.at} to begin from: ${failure.reason}`;
    case "noPieces":
      return `--fork: ${failure.url} does not give parts of its state away; it has to be a Vedette node that has /v2/state-pieces`;
    case "otherDialect":
      return `--fork: ${failure.url} is a node of a network of the dialect ${failure.found}, and ${failure.wanted} is wanted; use --dialect ${failure.found}`;
    case "gone":
      return `The node that this chain is forked from, ${failure.url}, does not answer: ${failure.reason}; what was fetched already stays, start it again to go on`;
    case "wrongPiece":
      return `The node that this chain is forked from, ${failure.url}, served a wrong part of its state: ${failure.hash} was requested, it sent ${failure.actual}; do not trust it, fork from another one`;
    case "missingPiece":
      return `The node that this chain is forked from, ${failure.url}, has no part ${failure.hash} of its state any more; fork anew, from a newer block`;
  }
}
