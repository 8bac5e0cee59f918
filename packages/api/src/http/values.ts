import * as Type from "typebox";
import { conditionCodes } from "../value/conditions.js";
import { float32, hexBytes, int32, int64, named, orNull } from "./scalars.js";

const stringOfBytes = (description: string) => Type.String({ description });

/** `Peer`. @spec 50 §1.4 */
export const peer = named(
  "Peer",
  Type.Object({
    address: Type.String(),
    nodeId: Type.String(),
    host: Type.String(),
    protocolPort: int32(),
    discoveryPort: int32(),
    isConnected: Type.Boolean(),
  }),
);

/** How far a node has come. @spec 50 §8.7 */
export const syncStatus = named(
  "SyncStatus",
  Type.Object({
    phase: Type.Enum(["connecting", "importingState", "replaying", "following", "stalled"], {
      description:
        "connecting: no peer, or none that has answered; importingState: the state of a finalized block is fetched; replaying: blocks are executed to catch up; following: all known blocks are done; stalled: there is work, and none has got done for two minutes.",
    }),
    blockNumber: orNull(int64({ description: "Greatest height of an own valid block." })),
    bestPeerBlockNumber: orNull(
      int64({ description: "Greatest height that validators with more than half of the stake have signed blocks of." }),
    ),
    finalizedBlockNumber: orNull(int64()),
    progress: Type.Object({
      unit: Type.Enum(["stateItems", "blocks"]),
      done: Type.Number(),
      total: orNull(Type.Number({ description: "Of state items an estimate." })),
      perSecond: Type.Number({ description: "Over the last thirty seconds." }),
    }),
    blocksPerSecond: Type.Number({ description: "Over the last thirty seconds." }),
    secondsLeft: orNull(Type.Number({ description: "Estimate; null where there is none." })),
    peers: int32(),
    unvalidatedBlocks: int32({ description: "Blocks that could not be validated; their descendants wait." }),
    revalidatedBlocks: int32({
      description:
        "Blocks that are valid though the node had found them invalid, since most of the stake builds on them.",
    }),
    lastError: orNull(Type.String({ description: "What went wrong last; of the conditions below the first, if any." })),
    // Nodes of earlier versions do not tell these two.
    conditions: Type.Optional(
      Type.Array(
        Type.Object({
          code: Type.Enum([...conditionCodes]),
          since: Type.String({ format: "date-time" }),
          reason: Type.String({ description: "What is wrong." }),
          advice: Type.String({ description: "What to do." }),
          isUnready: Type.Boolean({ description: "Whether the node is not ready as long as it holds." }),
        }),
        {
          description:
            "Why the node stands still, or does less than it should, the worst first; docs/reference/conditions.md lists all.",
        },
      ),
    ),
    finality: Type.Optional(
      orNull(
        Type.Object(
          {
            validators: int32({ description: "How many have stake in the last finalized block." }),
            inactiveValidators: Type.Array(
              Type.Object({
                publicKey: Type.String(),
                stake: int64(),
                silentSince: Type.String({ format: "date-time" }),
              }),
              { description: "Who has made no block for a minute, while others have or while finality stands." },
            ),
            standsSince: orNull(
              Type.String({
                format: "date-time",
                description:
                  "Finality is stalled: blocks exist above the last finalized one, which has not changed for a minute.",
              }),
            ),
            reason: orNull(Type.String({ description: "All of this in a sentence." })),
          },
          { description: "null while the node is behind, or has no chain yet." },
        ),
      ),
    ),
    bottleneck: orNull(
      Type.Enum(["fetching", "execution"], {
        description: "What a node that is behind waits for: blocks of its peers, or its own work on them.",
      }),
    ),
    // Nodes of earlier versions do not tell these two.
    verifiedFrom: Type.Optional(
      orNull(int64({ description: "From this height on the node has replayed every block itself; 0: all." })),
    ),
    history: Type.Optional(
      orNull(
        Type.Object(
          {
            phase: Type.Enum(["waiting", "replaying", "refuted"]),
            blockNumber: orNull(int64()),
            target: int64({ description: "The block with the state that the node began with." }),
            blocksPerSecond: Type.Number(),
            reason: orNull(Type.String({ description: "Why it does not go on, or what is wrong." })),
          },
          { description: "How far the replay of what lies before that height is; null where there is none." },
        ),
      ),
    ),
    sources: Type.Array(
      Type.Object({
        address: Type.String(),
        nodeId: Type.String(),
        given: int32({ description: "Blocks, or items of a state, in the last thirty seconds." }),
      }),
      { description: "Peers that gave something lately, the one that gave most first; eight at most." },
    ),
    // On a replica alone.
    replica: Type.Optional(
      Type.Object(
        {
          server: Type.String({ description: "Where the stream is." }),
          isConnected: Type.Boolean(),
          sequence: orNull(Type.Number({ description: "Of the last message of the stream that it has taken." })),
          messagesPending: Type.Number({ description: "Messages that it knows of and has not taken." }),
          messagesSkipped: Type.Optional(
            Type.Number({ description: "Messages that it could not take and has passed over since it began." }),
          ),
          lagMs: orNull(
            Type.Number({
              description:
                "For how long it has not been at the end of the stream, or nobody has told that the stream has everything; null before that was so, and while nothing shows that the stream is of its chain.",
            }),
          ),
          lastTookMs: orNull(
            Type.Number({
              description: "From when the stream had the last block until the replica had it, by two clocks.",
            }),
          ),
          stopReason: orNull(Type.String({ description: "Why it does not go on." })),
          publishers: Type.Array(
            Type.Object({
              name: Type.String(),
              lastHeartbeatAgeMs: Type.Number(),
              eventsLeft: Type.Number({ description: "Events of its node that it had not published." }),
              isNodeRunning: Type.Boolean(),
            }),
            { description: "What the stream's publishers told of themselves last; those that were heard, 64 at most." },
          ),
        },
        { description: "How far a replica is in the stream that brings its blocks; absent on a node." },
      ),
    ),
  }),
);

/** How far a node's index has come. @spec 60 §1 */
const indexStatus = named(
  "IndexStatus",
  Type.Object({
    phase: Type.Enum(["starting", "waiting", "standingBy", "backfilling", "following", "failing"], {
      description:
        "waiting: the node is far behind its network, and has too few cores for both; standingBy: another process writes the tables, or is ahead of this node; backfilling: it goes through all blocks; following: it has what the node has; failing: what it wrote last failed, and it tries again.",
    }),
    blockNumber: orNull(int64({ description: "Height of the block that was indexed last." })),
    blocksPerSecond: orNull(Type.Number({ description: "While it goes through all blocks." })),
    lastError: orNull(Type.String()),
    // Nodes of earlier versions do not tell it.
    knownSince: Type.Optional(
      orNull(
        int64({
          description:
            "The height from which on it has all of the chain; 0: from genesis on. Above 0, GraphQL and SQL are refused unless index.partial is set.",
        }),
      ),
    ),
  }),
);

/** The root `/status`. @spec 50 §1.4, §8.7 */
export const status = named(
  "Status",
  Type.Object({
    address: Type.String(),
    version: Type.String(),
    peers: int32(),
    nodes: int32(),
    peerList: Type.Array(peer),
    syncStatus,
    // Only where there is an index.
    index: Type.Optional(indexStatus),
  }),
);

/** `ApiStatus`. @spec 50 §1.7 */
export const apiStatus = named(
  "ApiStatus",
  Type.Object({
    version: Type.Object({ api: Type.String(), node: Type.String() }),
    address: Type.String(),
    networkId: Type.String(),
    shardId: Type.String(),
    peers: int32(),
    nodes: int32(),
    minPhloPrice: int64(),
    peerList: Type.Array(peer),
    nativeTokenName: Type.Optional(Type.String({ description: "Of the newer dialect, as the next ones." })),
    nativeTokenSymbol: Type.Optional(Type.String()),
    nativeTokenDecimals: Type.Optional(int32()),
    lastFinalizedBlockNumber: Type.Optional(int64({ description: "-1 where the node has no chain yet." })),
    isValidator: Type.Optional(Type.Boolean()),
    isReadOnly: Type.Optional(Type.Boolean({ description: "Takes no deploys." })),
    isReady: Type.Optional(Type.Boolean({ description: "Has a chain." })),
    currentEpoch: Type.Optional(int64({ description: "That of the last finalized block." })),
    epochLength: Type.Optional(int32({ description: "Blocks in an epoch." })),
    syncStatus,
    // Only where there is an index.
    index: Type.Optional(indexStatus),
  }),
);

/** `LightBlockInfo`. @spec 50 §1.7 */
export const lightBlockInfo = named(
  "LightBlockInfo",
  Type.Object({
    blockHash: hexBytes(32),
    sender: hexBytes(undefined, "Public key of the validator; empty for genesis."),
    seqNum: int32(),
    sig: hexBytes(),
    sigAlgorithm: Type.String(),
    shardId: Type.String(),
    extraBytes: hexBytes(),
    version: int64(),
    timestamp: int64({ description: "Milliseconds since 1970." }),
    headerExtraBytes: hexBytes(),
    parentsHashList: Type.Array(hexBytes(32)),
    blockNumber: int64(),
    preStateHash: hexBytes(),
    postStateHash: hexBytes(),
    bodyExtraBytes: hexBytes(),
    bonds: Type.Array(Type.Object({ validator: hexBytes(), stake: int64() })),
    blockSize: Type.String({ pattern: "^[0-9]+$", description: "Bytes of the block's message, as decimal text." }),
    deployCount: int32(),
    faultTolerance: float32({ description: "From -1 to 1; changes until the block lies 100 below the top." }),
    justifications: Type.Array(Type.Object({ validator: hexBytes(), latestBlockHash: hexBytes() })),
    rejectedDeploys: Type.Array(Type.Object({ sig: hexBytes() })),
    isFinalized: Type.Optional(Type.Boolean({ description: "Of the newer dialect." })),
  }),
);

/** `TransferInfo`. @spec 50 §10.3 */
const transferInfo = named(
  "TransferInfo",
  Type.Object({
    fromAddr: Type.String(),
    toAddr: Type.String(),
    amount: int64(),
    success: Type.Boolean(),
    failReason: Type.String({ description: "Empty where it succeeded." }),
  }),
);

/** What a deploy moved; left out where the node does not know it. @spec 50 §10.3 */
export const deployTransfers = Type.Optional(
  Type.Array(transferInfo, {
    description: "What it moved out of its deployer's vault; absent where that is not known. Of the newer dialect.",
  }),
);

/** `DeployInfo`. @spec 50 §1.7 */
export const deployInfo = named(
  "DeployInfo",
  Type.Object({
    deployer: hexBytes(),
    term: Type.String(),
    timestamp: int64(),
    sig: hexBytes(),
    sigAlgorithm: Type.String(),
    phloPrice: int64(),
    phloLimit: int64(),
    validAfterBlockNumber: int64(),
    cost: int64(),
    errored: Type.Boolean(),
    systemDeployError: stringOfBytes("Empty when there is none."),
    transfers: deployTransfers,
  }),
);

/** `BlockInfo`. @spec 50 §1.7 */
export const blockInfo = named(
  "BlockInfo",
  Type.Object({ blockInfo: lightBlockInfo, deploys: Type.Array(deployInfo) }),
);

/** `DeployRequest`. @spec 50 §1.7 */
export const deployRequest = named(
  "DeployRequest",
  Type.Object({
    data: Type.Object({
      term: Type.String({ description: "The program, in Rholang." }),
      timestamp: int64({ description: "Milliseconds since 1970." }),
      phloPrice: int64(),
      phloLimit: int64(),
      validAfterBlockNumber: int64(),
      shardId: Type.String(),
      expirationTimestamp: Type.Optional(
        int64({ description: "Milliseconds since 1970, after which no block may have it. Of the newer dialect." }),
      ),
    }),
    deployer: Type.String({ description: "Public key, in hex." }),
    signature: Type.String({ description: "Over the deploy's canonical bytes, in hex." }),
    sigAlgorithm: Type.String({ description: "secp256k1 or secp256k1:eth" }),
  }),
);
