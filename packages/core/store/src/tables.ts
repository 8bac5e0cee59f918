/** The content of a table, and its only writer. */
export interface TableFacts {
  readonly environment: "state" | "chain";
  readonly key: string;
  readonly value: string;
  readonly owner: string;
}

/**
 * Every table of every store: its name, its content, and its one writer.
 *
 * The formats are private; no other node sees them. @spec 30 §5.8, 40 §6.1
 */
export const tables = {
  history: {
    environment: "state",
    key: "hash of a node (32 bytes)",
    value: "encoding of the node",
    owner: "tuplespace/history",
  },
  changedHistory: {
    environment: "state",
    key: "hash of a node (32 bytes) that differs from another in few items",
    value: "the other's hash, number of items that are gone, which, encodings of those that are new or changed",
    owner: "tuplespace/history",
  },
  roots: {
    environment: "state",
    key: "a state root (32 bytes), or the text `current-root` or `forgotten-below`",
    value: "the text `root`; the current root; the height (8 bytes) below which states were forgotten",
    owner: "tuplespace/history",
  },
  cold: { environment: "state", key: "hash of a leaf (32 bytes)", value: "leaf", owner: "tuplespace/history" },
  mergeable: {
    environment: "state",
    key: "post-state hash of a block, first 20 bytes of a hash of its sender and sequence number; these themselves where an earlier version wrote it",
    value: "differences of number channels for each deploy",
    owner: "tuplespace/merge",
  },
  outcomes: {
    environment: "state",
    key: "post-state hash of a block, first 20 bytes of a hash of its sender and sequence number",
    value:
      "length of what follows, what each deploy moved between vaults; why deploys failed and what they wrote, as JSON, if anything",
    owner: "execution/outcome",
  },
  transfers: {
    environment: "state",
    key: "post-state hash, sender, sequence number of a block",
    value: "what each deploy moved between vaults, by earlier versions",
    owner: "execution/outcome",
  },
  deployNotes: {
    environment: "state",
    key: "post-state hash, sender, sequence number of a block",
    value: "why deploys failed and what they wrote, as JSON, by earlier versions",
    owner: "execution/outcome",
  },
  blocks: {
    environment: "chain",
    key: "block hash",
    value:
      "BlockMessageProto bytes; of a large block 0x00, number of its writing (8 bytes), length (4 bytes); of a packed one 0x01, number of the pack (8 bytes), place in it, length (4 bytes each)",
    owner: "chain/block",
  },
  packedBlocks: {
    environment: "chain",
    key: "0x01, number of a pack (8 bytes); 0x00: how far the packing has come",
    value:
      "0x01, length (4 bytes), bytes of blocks one after the other, brotli; number of the next pack, key of the last block",
    owner: "chain/block",
  },
  blockParts: {
    environment: "chain",
    key: "0x01, number of a writing (8 bytes), index (4 bytes); 0x00, number of a writing that is not entered",
    value: "part of a large block's bytes; empty",
    owner: "chain/block",
  },
  missingBlocks: {
    environment: "chain",
    key: "hash of a block in the DAG with damaged bytes",
    value: "empty",
    owner: "sync/blocks",
  },
  approvedBlock: { environment: "chain", key: "0x2a", value: "ApprovedBlockProto bytes", owner: "chain/block" },
  provenHistory: {
    environment: "chain",
    key: "0x00",
    value: "hash of the block that the chain began with, once all before it has been replayed",
    owner: "chain/block",
  },
  replayedBlocks: {
    environment: "chain",
    key: "Blake2b-256 of a block's bytes; first height of a segment of history (8 bytes)",
    value: "the state from which its replay led to its post-state; the height up to which the segment is replayed",
    owner: "sync/verify",
  },
  blockMetadata: { environment: "chain", key: "block hash", value: "what the DAG knows of it", owner: "chain/dag" },
  bondSets: {
    environment: "chain",
    key: "Blake2b-256 of the value",
    value: "bonds that blocks have: of each validator its key and stake",
    owner: "chain/dag",
  },
  latestMessages: { environment: "chain", key: "validator", value: "block hash", owner: "chain/dag" },
  lastFinalized: { environment: "chain", key: "0x00", value: "block hash", owner: "chain/dag" },
  childBlocks: { environment: "chain", key: "block hash, hash of a child", value: "empty", owner: "chain/dag" },
  blocksByHeight: {
    environment: "chain",
    key: "height (8 bytes in order), hash of a valid block",
    value: "empty",
    owner: "chain/dag",
  },
  invalidBlocks: {
    environment: "chain",
    key: "block hash",
    value: "sender, and why it is invalid",
    owner: "chain/dag",
  },
  blocksOfDeploy: {
    environment: "chain",
    key: "hash of a deploy's signature, hash of a block that has it",
    value: "number of the insertion (8 bytes)",
    owner: "chain/dag",
  },
  ownBlocks: {
    environment: "chain",
    key: "validator, hash of its own block before, hash of a block of it",
    value: "empty",
    owner: "chain/dag",
  },
  statelessBlocks: {
    environment: "chain",
    key: "hash of a valid block with a state that a replica does not get: it is beside the one that the replica began with",
    value: "empty",
    owner: "chain/dag",
  },
  revisedBlocks: {
    environment: "chain",
    key: "hash of a valid block that was recorded as invalid",
    value: "why it was invalid",
    owner: "chain/dag",
  },
  offences: {
    environment: "chain",
    key: "validator",
    value: "hash of an invalid block of it, or of two blocks that build on one own block",
    owner: "chain/dag",
  },
  equivocations: {
    environment: "chain",
    key: "validator, base sequence number",
    value: "hashes of the blocks that saw it",
    owner: "chain/equivocation",
  },
  floors: {
    environment: "chain",
    key: "block hash",
    value:
      "hash of what is final for the block; hash of the highest final block on its main parent's main chain, none for genesis",
    owner: "chain/finality",
  },
  deployPool: {
    environment: "chain",
    key: "hash of a deploy's signature",
    value: "number of its arrival (8 bytes), DeployDataProto bytes",
    owner: "chain/propose",
  },
  refusedDeploys: {
    environment: "chain",
    key: "hash of a deploy's signature",
    value:
      "length of a text (2 bytes), the reason why it cannot be executed (none: no block can have it any more), DeployDataProto bytes",
    owner: "chain/propose",
  },
  ownProposals: {
    environment: "chain",
    key: "own public key",
    value: "sequence number (4 bytes) and hash of the last block made with it",
    owner: "chain/propose",
  },
  eventLog: {
    environment: "chain",
    key: "0x00: which log this is; 0x01, number of an entry (8 bytes)",
    value: "its random id; kind of the event (1 byte), block hash, reason",
    owner: "events",
  },
  followed: {
    environment: "chain",
    key: "0x00; 0x01; 0x02 ++ entry (8 bytes); 0x03 ++ stream (8 bytes) ++ sequence (8 bytes)",
    value:
      "how far a replica is in the stream that it follows: which stream, as text, and sequence, as JSON; the stream of which entries have names; stream, sequence and number of entries that begin with this one; the first entry of a message",
    owner: "stream, events",
  },
  undecidedBlocks: {
    environment: "chain",
    key: "height (8 bytes), hash of a valid block that is neither final nor forked away",
    value: "empty",
    owner: "chain/outcome",
  },
  merges: {
    environment: "chain",
    key: "hash of a block with several parents",
    value: "hash of the merge's base; block hash and signature of each deploy that was given up",
    owner: "chain/outcome",
  },
  rejectedDeploys: {
    environment: "chain",
    key: "hash of a final block, hash of a deploy's signature; 0x00",
    value: "hash of the block with the merge that gave the deploy up; the final block up to which this is so",
    owner: "chain/outcome",
  },
  historyBlocks: {
    environment: "chain",
    key: "hash of a valid block that the history has; 0x00 while the history is being emptied",
    value: "0x01, or 0x00 where its transfers are not known; empty",
    owner: "queries/accounts",
  },
  historyGaps: {
    environment: "chain",
    key: "height (8 bytes; the first bit where they never will be), hash of a block with unknown transfers",
    value: "empty",
    owner: "queries/accounts",
  },
  historyOfAddress: {
    environment: "chain",
    key: "hash of an address (20 bytes), kind (1 byte), height (8 bytes), block hash, index in it (4 bytes)",
    value: "the deploy or transfer as a JSON array",
    owner: "queries/accounts",
  },
  bufferedBlocks: { environment: "chain", key: "block hash", value: "hashes it waits for", owner: "sync/blocks" },
} as const satisfies Record<string, TableFacts>;

/** Name of a table. */
export type TableName = keyof typeof tables;

/** The names of one environment's tables. @spec 30 §5.8 */
export function tablesOf(environment: "state" | "chain"): readonly TableName[] {
  return (Object.keys(tables) as TableName[]).filter((name) => tables[name].environment === environment);
}
