import type { TLiteral, TObject, TProperties } from "typebox";
import * as Type from "typebox";
import { amountNames } from "../http/amountNames.js";
import { amount64, hexBytes, int32, int64, named, orNull } from "../http/scalars.js";
import type { EventKind } from "./eventKinds.js";

const cursor = Type.String({
  description: "Position of this event. To resume, send the last one as `after` or as the header `Last-Event-ID`.",
});
const place = { blockHash: hexBytes(32), blockNumber: int64() };
const block = {
  ...place,
  parents: Type.Array(hexBytes(32)),
  sender: hexBytes(undefined, "Public key of the validator; empty for the genesis block."),
  seqNum: int32(),
  timestamp: int64({ description: "Unix time in milliseconds." }),
  preStateHash: hexBytes(),
  postStateHash: hexBytes(),
  deployCount: int32(),
  rejectedDeploys: Type.Array(hexBytes(), { description: "Deploys of ancestors that the merge rejected." }),
};
const deploy = {
  deployId: hexBytes(undefined, "Signature of the deploy."),
  deployer: hexBytes(undefined, "Public key of the deployer."),
};
const processed = {
  ...deploy,
  address: orNull(Type.String({ description: "Vault address of the deployer." })),
  cost: amount64({ description: "Cost in phlo." }),
  errored: Type.Boolean(),
  systemDeployError: Type.String({ description: "Reason why nothing was executed; otherwise empty." }),
  ...place,
};

/** A message of a kind of event: that, the cursor, and what the kind has beside. */
function eventOf<K extends EventKind, Members extends TProperties>(kind: K, members: Members) {
  const schema: TObject<{ kind: TLiteral<K>; cursor: typeof cursor } & Members> = Type.Object({
    kind: Type.Literal(kind),
    cursor,
    ...members,
  });
  return named(`${kind.charAt(0).toUpperCase()}${kind.slice(1)}Event`, schema);
}

const invalidBlock = { ...block, reason: orNull(Type.String({ description: "Name of the violated rule." })) };
const transfer = {
  from: Type.String({ description: "Address of a vault." }),
  to: Type.String({ description: "Address of a vault." }),
  amount: amount64({ description: "Amount in the smallest unit." }),
  isSuccessful: Type.Boolean(),
  failReason: orNull(Type.String()),
  ...deploy,
  ...place,
};
const rejected = {
  ...processed,
  rejectedBy: hexBytes(
    32,
    "Hash of the block with the merge that rejected the deploy; the state has none of its effects.",
  ),
};
const dataSent = {
  channelHash: hexBytes(32, "Blake2b-256 hash of the channel; the first message has the hash of each watched name."),
  isPersistent: Type.Boolean(),
  ...deploy,
  ...place,
};

const failed = {
  errors: Type.Array(
    Type.Object({
      class: Type.String({ description: "Error class, as named by rnode." }),
      text: Type.String(),
      line: orNull(Type.Integer({ description: "Line in the program, from 1; null if the error has no position." })),
      column: orNull(Type.Integer()),
    }),
  ),
  ...deploy,
  ...place,
};
const printed = {
  stream: Type.Enum(["stdout", "stderr"]),
  text: Type.String({ description: "Output, cut after 1,000 characters; only the size for terms above 4 KiB." }),
  ...deploy,
  ...place,
};

/** The first message: from where on events follow. */
const startedMessage = named(
  "EventsStarted",
  Type.Object({
    kind: Type.Literal("started"),
    cursor,
    names: Type.Array(Type.Object({ name: Type.String(), channelHash: hexBytes(32) })),
  }),
);

/** Nothing has happened that passes the filter; the cursor stays fresh. */
const heartbeatMessage = named("EventsHeartbeat", Type.Object({ kind: Type.Literal("heartbeat"), cursor }));

/** The last message: why no more events follow. */
const endMessage = named(
  "EventsEnd",
  Type.Object({
    kind: Type.Enum(["behind", "closing", "problem"]),
    cursor,
    detail: Type.String(),
    code: Type.Optional(Type.String()),
    oldest: Type.Optional(Type.String({ description: "Oldest cursor from which the stream can resume." })),
  }),
);

/** Any message of an event stream; {@link eventAmounts} names its amounts. */
export const eventMessage = named(
  "EventMessage",
  Type.Union([
    eventOf("chainStarted", block),
    eventOf("blockAdded", block),
    eventOf("blockInvalid", invalidBlock),
    eventOf("blockFinalized", block),
    eventOf("blockOrphaned", block),
    eventOf("deployIncluded", processed),
    eventOf("deployFinalized", processed),
    eventOf("deployRejected", rejected),
    eventOf("transfer", transfer),
    eventOf("dataSent", dataSent),
    eventOf("deployFailed", failed),
    eventOf("deployOutput", printed),
    startedMessage,
    heartbeatMessage,
    endMessage,
  ]),
);

/** Members of events that are amounts: decimal texts in JSON. */
export const eventAmounts: ReadonlySet<string> = amountNames(eventMessage);
