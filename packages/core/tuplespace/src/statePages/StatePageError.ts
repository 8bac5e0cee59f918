import { toHex } from "@vedette/crypto";
import { errorClass } from "@vedette/errors";

/** The faults of a page of a state, or of a request for one. */
export type StatePageFailure =
  | { readonly code: "badPath"; readonly detail: string }
  | { readonly code: "badRange"; readonly skip: number; readonly take: number; readonly most: number }
  | { readonly code: "prefixNotFound"; readonly prefix: Uint8Array }
  | { readonly code: "nodeNotFound"; readonly hash: Uint8Array }
  | { readonly code: "tooLarge"; readonly bytes: number; readonly most: number }
  | { readonly code: "tooManyItems"; readonly most: number; readonly received: number }
  | { readonly code: "nodeHash"; readonly key: Uint8Array; readonly actual: Uint8Array }
  | { readonly code: "nodeMalformed"; readonly key: Uint8Array; readonly detail: string }
  | { readonly code: "nodeNotReceived"; readonly hash: Uint8Array }
  | { readonly code: "historyItems" }
  | { readonly code: "dataItems" }
  | { readonly code: "leavesLacking"; readonly received: number; readonly expected: number }
  | { readonly code: "leafHash"; readonly key: Uint8Array; readonly actual: Uint8Array }
  | { readonly code: "leafKind"; readonly key: Uint8Array };

/** A page of the state cannot be made, or what a peer sent is not that page. @spec 30 §6.3, §6.6 */
export class StatePageError extends errorClass("StatePageError", sentence) {}

function sentence(failure: StatePageFailure): string {
  switch (failure.code) {
    case "badPath":
      return `Invalid path during export. (${failure.detail})`;
    case "badRange":
      return `Export error: invalid initial conditions (skipSize, takeSize)==(${failure.skip},${failure.take}); together 1 to ${failure.most} are served.`;
    case "prefixNotFound":
      return `Export error: node with prefix ${toHex(failure.prefix)} not found.`;
    case "nodeNotFound":
      return `Export error: Node with key ${toHex(failure.hash)} not found`;
    case "tooLarge":
      return `A page of the state has ${failure.bytes} bytes or more; the limit is ${failure.most}.`;
    case "tooManyItems":
      return `Input size of history items is not valid. Expected chunk size ${failure.most}, received ${failure.received}.`;
    case "nodeHash":
      return `Trie hash does not match decoded trie, key: ${toHex(failure.key)}, decoded: ${toHex(failure.actual)}.`;
    case "nodeMalformed":
      return `A received state tree node is malformed, key: ${toHex(failure.key)}. ${failure.detail}`;
    case "nodeNotReceived":
      return `Trie hash not found in received items or in history store, hash: ${toHex(failure.hash)}.`;
    case "historyItems":
      return "History items are corrupted.";
    case "dataItems":
      return "Data items are corrupted.";
    case "leavesLacking":
      return `Of ${failure.expected} leaves of the page ${failure.received} came: a node of the newer kind that began at a downloaded state cannot give its leaves. Join from a peer that has the whole chain (protocol-client.bootstrap), or replay it from genesis (protocol-client.disable-lfs).`;
    case "leafHash":
      return `Data hash does not match decoded data, key: ${toHex(failure.key)}, decoded: ${toHex(failure.actual)}.`;
    case "leafKind":
      return `A leaf does not hold what its first bytes say, key: ${toHex(failure.key)}.`;
  }
}
