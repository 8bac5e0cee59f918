import { errorClass } from "@vedette/errors";

/** Why a snapshot cannot be made, read or begun with. */
export type SnapshotFailure =
  /** `passes`: the same may go well some time later. */
  | { readonly code: "placeUnusable"; readonly place: string; readonly reason: string; readonly passes?: boolean }
  | { readonly code: "nothingFinal" }
  | { readonly code: "unknownBlock"; readonly block: string }
  | { readonly code: "stateMissing"; readonly height: bigint; readonly reason: string }
  | { readonly code: "blocksMissing"; readonly hash: string; readonly lowest: bigint | undefined }
  | { readonly code: "noSnapshot"; readonly place: string; readonly wanted: string }
  | { readonly code: "manifestWrong"; readonly name: string; readonly reason: string }
  | { readonly code: "chunkWrong"; readonly hash: string; readonly reason: string }
  | { readonly code: "otherBlock"; readonly name: string; readonly found: string; readonly trusted: string }
  | { readonly code: "otherShard"; readonly name: string; readonly found: string; readonly expected: string }
  | { readonly code: "otherDialect"; readonly name: string; readonly found: string; readonly expected: string }
  | { readonly code: "otherRules"; readonly name: string; readonly found: string; readonly expected: string }
  | {
      readonly code: "otherMaker";
      readonly name: string;
      readonly found: string | undefined;
      readonly expected: string;
    }
  | {
      readonly code: "otherCheckpoint";
      readonly name: string;
      readonly field: string;
      readonly found: string;
      readonly trusted: string;
    }
  | { readonly code: "incomplete"; readonly name: string; readonly reason: string }
  | { readonly code: "floorWrong"; readonly name: string; readonly hash: string }
  | { readonly code: "horizonWrong"; readonly name: string; readonly reason: string }
  | { readonly code: "chainThere"; readonly path: string };

/** A snapshot cannot be used; the message states what to do. */
export class SnapshotError extends errorClass("SnapshotError", sentence) {}

function sentence(failure: SnapshotFailure): string {
  switch (failure.code) {
    case "placeUnusable":
      return `${failure.place} cannot be used for snapshots: ${failure.reason}`;
    case "nothingFinal":
      return "no final block in this data directory yet: create the snapshot after the first one";
    case "unknownBlock":
      return `no block ${failure.block} in this data directory: give its complete hash, or omit --at`;
    case "stateMissing":
      return `incomplete state of block #${failure.height} (${failure.reason}), perhaps pruned: choose a newer block`;
    case "blocksMissing":
      return failure.lowest === undefined
        ? `missing block ${failure.hash}, which a node needs to start from this snapshot: choose a newer block`
        : `missing block ${failure.hash} of the blocks from #${failure.lowest} on: the node may have started later, raise --blocks-from`;
    case "noSnapshot":
      return `${failure.place} has no snapshot ${failure.wanted}: \`vedette snapshot list\` shows the existing ones`;
    case "manifestWrong":
      return `The manifest ${failure.name} is wrong: ${failure.reason}; create the snapshot again, or use another one`;
    case "chunkWrong":
      return `Chunk ${failure.hash} is wrong: ${failure.reason}; create the snapshot again, or use another one`;
    case "otherBlock":
      return `snapshot ${failure.name} is of block ${failure.found}, not of the trusted block ${failure.trusted}; nothing was written`;
    case "otherShard":
      return `The snapshot ${failure.name} is of shard '${failure.found}', but '${failure.expected}' is configured; check casper.shard-name; nothing was written`;
    case "otherDialect":
      return `The snapshot ${failure.name} is of a network of the dialect '${failure.found}', and '${failure.expected}' is wanted; nothing was written`;
    case "otherRules":
      return `The snapshot ${failure.name} is of a network of the rule set '${failure.found}', but '${failure.expected}' is configured; check casper.rule-set; nothing was written`;
    case "otherMaker":
      return failure.found === undefined
        ? `snapshot ${failure.name} is not signed, expected the signature of ${failure.expected}; nothing was written`
        : `The snapshot ${failure.name} was made by node ${failure.found}, and not by ${failure.expected}; nothing was written`;
    case "otherCheckpoint":
      return `snapshot ${failure.name} contradicts the checkpoint: its ${failure.field} is ${failure.found}, the checkpoint states ${failure.trusted}; nothing was written`;
    case "incomplete":
      return `The snapshot ${failure.name} is incomplete: ${failure.reason}; create it again, or use another one`;
    case "floorWrong":
      return `The snapshot ${failure.name} states another final block for ${failure.hash} than the blocks show; use a snapshot of another creator`;
    case "horizonWrong":
      return `The snapshot ${failure.name} is wrong about states below its block: ${failure.reason}; use a snapshot of another creator`;
    case "chainThere":
      return `${failure.path} holds a chain already; a snapshot needs an empty data directory`;
  }
}
