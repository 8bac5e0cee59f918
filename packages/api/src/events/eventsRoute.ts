import * as Type from "typebox";
import { defineRoute } from "../http/RouteContract.js";
import { eventKinds, maxFilterValues } from "./eventKinds.js";
import { eventMessage } from "./eventMessages.js";

const description = `Server-sent events, or a WebSocket when the request asks for an upgrade; one JSON message an event.

Every event has a cursor. After a disconnect send the last one as \`after\` (or as Last-Event-ID): the stream goes on with the next event, also after the node was restarted; none is left out or told twice. \`after=oldest\` begins with everything that is kept, \`newest\` (the default) with what comes.

An event passes when it has one of the values of every filter that its kind can be filtered by. Without \`kind\`, all kinds are told that the other filters know; without any filter, all but \`dataSent\`, which needs names.

A name is \`text:…\` (the name is a string), \`uri:…\`, \`int:…\`, \`private:<hex>\`, \`deployId:<hex>\`, \`deployerId:<hex>\`, or \`hash:<hex>\` (Blake2b-256 of the channel's bytes).

A client that reads too slowly is sent \`behind\` and disconnected; it can resume. While nothing happens a heartbeat comes every 15 seconds.`;

const publicKey = Type.String({ pattern: "^[0-9a-fA-F]{130}$" });

/** Live events with filters, from any place in the log of events. @spec 50 §4 */
export const eventsRoute = defineRoute({
  name: "events",
  method: "GET",
  paths: ["/v2/events"],
  group: "Events",
  summary: "What happens, as it happens",
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
        description: "Vaults from or to which is transferred.",
      }),
    ),
    name: Type.Optional(
      Type.Array(Type.String({ maxLength: 1024 }), {
        maxItems: maxFilterValues,
        description: "Names on which sends are watched.",
      }),
    ),
    after: Type.Optional(Type.String({ maxLength: 64, description: "A cursor, `newest` or `oldest`." })),
  }),
  answer: { description: "A stream of events", type: "text/event-stream", schema: eventMessage },
  changes: "always",
  refusals: "problem",
  otherStatuses: [410, 503],
  examples: [
    { name: "blocks", query: { kind: ["blockAdded", "blockFinalized"] } },
    { name: "fromTheOldest", query: { after: "oldest" } },
  ],
});
