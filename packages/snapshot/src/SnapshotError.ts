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
  | {
      readonly code: "otherMaker";
      readonly name: string;
      readonly found: string | undefined;
      readonly expected: string;
    }
  | { readonly code: "incomplete"; readonly name: string; readonly reason: string }
  | { readonly code: "floorWrong"; readonly name: string; readonly hash: string }
  | { readonly code: "horizonWrong"; readonly name: string; readonly reason: string }
  | { readonly code: "chainThere"; readonly path: string };

/** A snapshot cannot be used; the message says what to do. */
export class SnapshotError extends Error {
  constructor(
    readonly failure: SnapshotFailure,
    options?: ErrorOptions,
  ) {
    super(sentence(failure), options);
    this.name = "SnapshotError";
  }
}

function sentence(failure: SnapshotFailure): string {
  switch (failure.code) {
    case "placeUnusable":
      return `${failure.place} cannot be used for snapshots: ${failure.reason}`;
    case "nothingFinal":
      return "Nothing is final yet in this data directory; make the snapshot once a block is";
    case "unknownBlock":
      return `This data directory has no block ${failure.block}; name it by its whole hash, or leave --at away`;
    case "stateMissing":
      return `The state of block #${failure.height} is not whole here (${failure.reason}); it may have been pruned: take a newer block`;
    case "blocksMissing":
      return failure.lowest === undefined
        ? `Block ${failure.hash}, which a node needs to begin with this snapshot's, is not here; take a newer block`
        : `Block ${failure.hash} is not here, and all blocks from #${failure.lowest} on are wanted; this node may have begun later: give a higher --blocks-from`;
    case "noSnapshot":
      return `${failure.place} has no snapshot ${failure.wanted}; \`vedette snapshot list\` tells which ones there are`;
    case "manifestWrong":
      return `The manifest ${failure.name} is wrong: ${failure.reason}; make the snapshot anew, or take another one`;
    case "chunkWrong":
      return `Chunk ${failure.hash} is wrong: ${failure.reason}; make the snapshot anew, or take another one`;
    case "otherBlock":
      return `The snapshot ${failure.name} is of block ${failure.found}, and the block to be trusted is ${failure.trusted}; nothing was written`;
    case "otherShard":
      return `The snapshot ${failure.name} is of shard '${failure.found}', but '${failure.expected}' is configured; check casper.shard-name; nothing was written`;
    case "otherDialect":
      return `The snapshot ${failure.name} is of a network of the dialect '${failure.found}', and '${failure.expected}' is wanted; nothing was written`;
    case "otherMaker":
      return failure.found === undefined
        ? `The snapshot ${failure.name} is not signed, and ${failure.expected} was to have made it; nothing was written`
        : `The snapshot ${failure.name} was made by node ${failure.found}, and not by ${failure.expected}; nothing was written`;
    case "incomplete":
      return `The snapshot ${failure.name} is not whole: ${failure.reason}; make it anew, or take another one`;
    case "floorWrong":
      return `The snapshot ${failure.name} says of block ${failure.hash} that another one was final than the blocks tell; take one of another maker`;
    case "horizonWrong":
      return `The snapshot ${failure.name} is wrong about what lies below its block: ${failure.reason}; take one of another maker`;
    case "chainThere":
      return `${failure.path} holds a chain already; a snapshot needs an empty data directory`;
  }
}
