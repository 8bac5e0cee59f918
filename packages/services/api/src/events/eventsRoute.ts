import * as Type from "typebox";
import { defineRoute } from "../http/RouteContract.js";
import { eventKinds, maxFilterValues } from "./eventKinds.js";
import { eventMessage } from "./eventMessages.js";

const description = `The answer is a stream of server-sent events, or a WebSocket if the request has an upgrade. Each event is one JSON message.

Every event has a cursor. To resume after a disconnect, send the last cursor as \`after\` or as \`Last-Event-ID\`. The stream continues with the next event, without gaps or duplicates, even after a restart of the node. \`after=oldest\` starts with all stored events, \`newest\` (the default) with new ones.

An event passes if it matches one value of each filter that applies to its kind. Without \`kind\`, the stream has all kinds to which the other filters apply. Without any filter it has all kinds except \`dataSent\`, which needs names.

A name is \`text:…\` (the name is a string), \`uri:…\`, \`int:…\`, \`private:<hex>\`, \`deployId:<hex>\`, \`deployerId:<hex>\`, or \`hash:<hex>\` (Blake2b-256 hash of the channel's bytes).

The node sends \`behind\` to a client that reads too slowly and disconnects it; the client can resume. Without events the node sends a heartbeat every 15 seconds.`;

const publicKey = Type.String({ pattern: "^[0-9a-fA-F]{130}$" });

/** Live events with filters, from any place in the log of events. @spec 50 §4 */
export const eventsRoute = defineRoute({
  name: "events",
  method: "GET",
  paths: ["/v2/events"],
  group: "Events",
  summary: "Returns live events of the chain as a stream.",
  description,
  query: Type.Object({
    kind: Type.Optional(
      Type.Array(Type.Enum([...eventKinds]), { maxItems: maxFilterValues, description: "Kinds of events." }),
    ),
    deployer: Type.Optional(
      Type.Array(publicKey, { maxItems: maxFilterValues, description: "Public keys of deployers." }),
    ),
    address: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        maxItems: maxFilterValues,
        description: "Vault addresses of senders or receivers.",
      }),
    ),
    name: Type.Optional(
      Type.Array(Type.String({ maxLength: 1024 }), {
        maxItems: maxFilterValues,
        description: "Names whose sends are reported.",
      }),
    ),
    after: Type.Optional(Type.String({ maxLength: 64, description: "Cursor, `newest` or `oldest`." })),
  }),
  answer: { description: "Stream of events.", type: "text/event-stream", schema: eventMessage },
  changes: "always",
  refusals: "problem",
  otherStatuses: [410, 503],
  examples: [
    { name: "blocks", query: { kind: ["blockAdded", "blockFinalized"] } },
    { name: "fromTheOldest", query: { after: "oldest" } },
  ],
});
