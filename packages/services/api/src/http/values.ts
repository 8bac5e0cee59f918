import * as Type from "typebox";
import { conditionCodes } from "../value/conditions.js";
import { float32, hexBytes, int32, int64, named, orNull, renamed } from "./scalars.js";

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
        "`connecting`: no peer has answered; `importingState`: fetches the state of a finalized block; `replaying`: executes blocks to catch up; `following`: has executed all known blocks; `stalled`: no progress for two minutes although work is pending.",
    }),
    blockNumber: orNull(int64({ description: "Highest valid block on this node." })),
    bestPeerBlockNumber: orNull(
      int64({ description: "Highest height at which validators with more than half of the stake have signed blocks." }),
    ),
    finalizedBlockNumber: orNull(int64()),
    progress: Type.Object({
      unit: Type.Enum(["stateItems", "blocks"]),
      done: Type.Number(),
      total: orNull(Type.Number({ description: "Total number; an estimate for state items." })),
      perSecond: Type.Number({ description: "Average over the last 30 seconds." }),
    }),
    blocksPerSecond: Type.Number({ description: "Average over the last 30 seconds." }),
    secondsLeft: orNull(Type.Number({ description: "Estimated seconds; null if unknown." })),
    peers: int32(),
    unvalidatedBlocks: renamed(
      "unjudgedBlocks",
      int32({
        description: "Number of blocks that the node could not validate; their descendants wait.",
      }),
    ),
    revalidatedBlocks: renamed(
      "revisedVerdicts",
      int32({
        description:
          "Number of blocks that the node first judged invalid and now accepts, because most of the stake builds on them.",
      }),
    ),
    lastError: orNull(Type.String({ description: "Last error, or the first of `conditions` if any holds." })),
    // Earlier versions do not report these two.
    conditions: Type.Optional(
      Type.Array(
        Type.Object({
          code: Type.Enum([...conditionCodes]),
          since: Type.String({ format: "date-time" }),
          reason: Type.String({ description: "Description of the problem." }),
          advice: Type.String({ description: "Recommended action." }),
          isUnready: Type.Boolean({ description: "True if the node is not ready while the condition holds." }),
        }),
        {
          description:
            "Conditions that stop or limit the node, the worst first. All are listed in `docs/reference/conditions.md`.",
        },
      ),
    ),
    finality: Type.Optional(
      orNull(
        Type.Object(
          {
            validators: int32({ description: "Number of validators with stake in the last finalized block." }),
            inactiveValidators: renamed(
              "silentValidators",
              Type.Array(
                Type.Object({
                  publicKey: Type.String(),
                  stake: int64(),
                  silentSince: Type.String({ format: "date-time" }),
                }),
                {
                  description:
                    "Validators without a block for one minute, while others proposed or finality is stalled.",
                },
              ),
            ),
            standsSince: orNull(
              Type.String({
                format: "date-time",
                description:
                  "Time since finality is stalled: later blocks exist, but the last finalized block has not changed for one minute. Null if not stalled.",
              }),
            ),
            reason: orNull(Type.String({ description: "Summary of the problem in one sentence." })),
          },
          { description: "State of finality. Null while the node is behind or has no chain." },
        ),
      ),
    ),
    bottleneck: renamed(
      "limitedBy",
      orNull(
        Type.Enum(["fetching", "execution"], {
          description: "Bottleneck of a node that is behind: `fetching` blocks from peers, or their `execution`.",
        }),
      ),
    ),
    // Earlier versions do not report these two.
    verifiedFrom: Type.Optional(
      orNull(
        int64({
          description: "Lowest height from which this node has replayed every block itself; 0 means all blocks.",
        }),
      ),
    ),
    history: Type.Optional(
      orNull(
        Type.Object(
          {
            phase: Type.Enum(["waiting", "replaying", "refuted"]),
            blockNumber: orNull(int64()),
            target: int64({ description: "Height of the block with the state that the node started from." }),
            blocksPerSecond: Type.Number(),
            reason: orNull(
              Type.String({ description: "Reason why the replay waits, or the contradiction that it found." }),
            ),
          },
          { description: "Progress of the replay below `verifiedFrom`; null if there is none." },
        ),
      ),
    ),
    sources: Type.Array(
      Type.Object({
        address: Type.String(),
        nodeId: Type.String(),
        given: int32({ description: "Number of blocks or state items received in the last 30 seconds." }),
      }),
      { description: "At most eight peers that sent blocks or state items recently, the most active first." },
    ),
    // On a replica alone.
    replica: Type.Optional(
      Type.Object(
        {
          server: Type.String({ description: "Address of the stream." }),
          isConnected: Type.Boolean(),
          sequence: orNull(
            Type.Number({ description: "Sequence number of the last message that the replica processed." }),
          ),
          messagesPending: renamed(
            "messagesLeft",
            Type.Number({ description: "Number of known messages that the replica has not processed." }),
          ),
          messagesSkipped: Type.Optional(
            Type.Number({
              description: "Number of messages that the replica could not process and skipped since its start.",
            }),
          ),
          lagMs: orNull(
            Type.Number({
              description:
                "Milliseconds since the replica was last at the end of a complete stream. Null before the first time, and until the stream is known to belong to the same chain.",
            }),
          ),
          lastTookMs: orNull(
            Type.Number({
              description:
                "Milliseconds between the arrival of the last block in the stream and on the replica, measured by two clocks.",
            }),
          ),
          stopReason: renamed("stoppedBy", orNull(Type.String({ description: "Reason why the replica has stopped." }))),
          publishers: Type.Array(
            Type.Object({
              name: Type.String(),
              lastHeartbeatAgeMs: renamed("heardBeforeMs", Type.Number()),
              eventsLeft: Type.Number({ description: "Number of node events that the publisher had not published." }),
              isNodeRunning: Type.Boolean(),
            }),
            { description: "Last heartbeats of the publishers of the stream; 64 at most." },
          ),
        },
        { description: "Progress of a replica in its block stream; absent on a node." },
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
        "`waiting`: the node is far behind its network and has too few cores for both; `standingBy`: another process writes the tables or is ahead of this node; `backfilling`: indexes all blocks; `following`: has all blocks of the node; `failing`: the last write failed and is retried.",
    }),
    blockNumber: orNull(int64({ description: "Height of the last indexed block." })),
    blocksPerSecond: orNull(Type.Number({ description: "Speed while backfilling; otherwise null." })),
    lastError: orNull(Type.String()),
    // Earlier versions do not report it.
    knownSince: Type.Optional(
      orNull(
        int64({
          description:
            "Lowest height from which the index is complete; 0 is genesis. Above 0 the node refuses GraphQL and SQL unless `index.partial` is set.",
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
    nativeTokenName: Type.Optional(
      Type.String({
        description:
          "Name of the native token. This and the following fields up to `epochLength` exist only on f1r3node networks.",
      }),
    ),
    nativeTokenSymbol: Type.Optional(Type.String()),
    nativeTokenDecimals: Type.Optional(int32()),
    lastFinalizedBlockNumber: Type.Optional(
      int64({ description: "Height of the last finalized block; -1 while the node has no chain." }),
    ),
    isValidator: Type.Optional(Type.Boolean()),
    isReadOnly: Type.Optional(Type.Boolean({ description: "True if the node accepts no deploys." })),
    isReady: Type.Optional(
      Type.Boolean({ description: "f1r3node's word: true if the node has a final block. /health/ready reports more." }),
    ),
    currentEpoch: Type.Optional(int64({ description: "Epoch of the last finalized block." })),
    epochLength: Type.Optional(int32({ description: "Number of blocks per epoch." })),
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
    sender: hexBytes(undefined, "Public key of the validator; empty for the genesis block."),
    seqNum: int32(),
    sig: hexBytes(),
    sigAlgorithm: Type.String(),
    shardId: Type.String(),
    extraBytes: hexBytes(),
    version: int64(),
    timestamp: int64({ description: "Unix time in milliseconds." }),
    headerExtraBytes: hexBytes(),
    parentsHashList: Type.Array(hexBytes(32)),
    blockNumber: int64(),
    preStateHash: hexBytes(),
    postStateHash: hexBytes(),
    bodyExtraBytes: hexBytes(),
    bonds: Type.Array(Type.Object({ validator: hexBytes(), stake: int64() })),
    blockSize: Type.String({ pattern: "^[0-9]+$", description: "Size of the block in bytes, as a decimal string." }),
    deployCount: int32(),
    faultTolerance: float32({
      description: "Fault tolerance from -1 to 1. It changes until the block is 100 heights below the newest block.",
    }),
    justifications: Type.Array(Type.Object({ validator: hexBytes(), latestBlockHash: hexBytes() })),
    rejectedDeploys: Type.Array(Type.Object({ sig: hexBytes() })),
    isFinalized: Type.Optional(Type.Boolean({ description: "Only on f1r3node networks." })),
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
    failReason: Type.String({ description: "Reason of the failure; empty if it succeeded." }),
  }),
);

/** The transfers of a deploy; left out if the node does not know them. @spec 50 §10.3 */
export const deployTransfers = Type.Optional(
  Type.Array(transferInfo, {
    description: "Transfers out of the deployer's vault; absent if unknown. Only on f1r3node networks.",
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
    systemDeployError: stringOfBytes("Reason why the deployer could not pay; otherwise empty."),
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
      term: Type.String({ description: "Rholang program." }),
      timestamp: int64({ description: "Unix time in milliseconds." }),
      phloPrice: int64(),
      phloLimit: int64(),
      validAfterBlockNumber: int64(),
      shardId: Type.String(),
      expirationTimestamp: Type.Optional(
        int64({
          description:
            "Unix time in milliseconds after which no block may include the deploy. Only on f1r3node networks.",
        }),
      ),
    }),
    deployer: Type.String({ description: "Public key of the deployer, in hex." }),
    signature: Type.String({ description: "Signature over the canonical bytes of the deploy, in hex." }),
    sigAlgorithm: Type.String({ description: "`secp256k1` or `secp256k1:eth`." }),
  }),
);
