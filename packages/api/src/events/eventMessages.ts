import type { TLiteral, TObject, TProperties } from "typebox";
import * as Type from "typebox";
import { amountNames } from "../http/amountNames.js";
import { amount64, hexBytes, int32, int64, named, orNull } from "../http/scalars.js";
import type { EventKind } from "./eventKinds.js";

const cursor = Type.String({
  description: "Where this event stands. Send the last one as `after`, or as the header Last-Event-ID, to go on.",
});
const place = { blockHash: hexBytes(32), blockNumber: int64() };
const block = {
  ...place,
  parents: Type.Array(hexBytes(32)),
  sender: hexBytes(undefined, "Public key of the validator; empty for genesis."),
  seqNum: int32(),
  timestamp: int64({ description: "Milliseconds since 1970." }),
  preStateHash: hexBytes(),
  postStateHash: hexBytes(),
  deployCount: int32(),
  rejectedDeploys: Type.Array(hexBytes(), { description: "Deploys of ancestors that a merge left out." }),
};
const deploy = {
  deployId: hexBytes(undefined, "Signature of the deploy."),
  deployer: hexBytes(undefined, "Public key."),
};
const processed = {
  ...deploy,
  address: orNull(Type.String({ description: "Vault of the deployer." })),
  cost: amount64({ description: "In phlo." }),
  errored: Type.Boolean(),
  systemDeployError: Type.String({ description: "Why nothing was executed; empty otherwise." }),
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

const invalidBlock = { ...block, reason: orNull(Type.String({ description: "Name of the rule that it breaks." })) };
const transfer = {
  from: Type.String({ description: "Address of a vault." }),
  to: Type.String({ description: "Address of a vault." }),
  amount: amount64({ description: "In the smallest unit." }),
  isSuccessful: Type.Boolean(),
  failReason: orNull(Type.String()),
  ...deploy,
  ...place,
};
const rejected = {
  ...processed,
  rejectedBy: hexBytes(32, "The block whose merge of its parents gave the deploy up: nothing of it is in the state."),
};
const dataSent = {
  channelHash: hexBytes(32, "Blake2b-256 of the channel; the first message tells it for each watched name."),
  isPersistent: Type.Boolean(),
  ...deploy,
  ...place,
};

const failed = {
  errors: Type.Array(
    Type.Object({
      class: Type.String({ description: "The reference's name of the error." }),
      text: Type.String(),
      line: orNull(Type.Integer({ description: "Where in the program, from 1." })),
      column: orNull(Type.Integer()),
    }),
  ),
  ...deploy,
  ...place,
};
const printed = {
  stream: Type.Enum(["stdout", "stderr"]),
  text: Type.String({ description: "Cut after 1,000 characters; of a term of more than 4 KiB only its size." }),
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
    oldest: Type.Optional(Type.String({ description: "The oldest cursor from which events can be told." })),
  }),
);

/** Everything that a stream may tell; its amounts are {@link eventAmounts}. */
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
