/** Kinds of the events that `/v2/events` sends. */
export const eventKinds = [
  "chainStarted",
  "blockAdded",
  "blockInvalid",
  "blockFinalized",
  "blockOrphaned",
  "deployIncluded",
  "deployFinalized",
  "deployRejected",
  "transfer",
  "dataSent",
  "deployFailed",
  "deployOutput",
] as const;

/** A kind of event. */
export type EventKind = (typeof eventKinds)[number];

/** Kinds that each member of a filter applies to; events of other kinds lack that member. */
export const filteredKinds = {
  deployer: [
    "deployIncluded",
    "deployFinalized",
    "deployRejected",
    "transfer",
    "dataSent",
    "deployFailed",
    "deployOutput",
  ],
  address: ["transfer"],
  name: ["dataSent"],
} as const satisfies { readonly [filter: string]: readonly EventKind[] };

/** Most values of one filter. */
export const maxFilterValues = 64;

/** How a stream over a WebSocket ends: the codes of its close frames. @spec RFC 6455 §7.4 */
export const eventCloseCodes = {
  stopping: 1001,
  rateLimited: 1008,
  behind: 4008,
  cursorGone: 4010,
  unavailable: 4013,
} as const;

/** The meaning of each close code for a client. */
export const eventCloseTexts: { readonly [name in keyof typeof eventCloseCodes]: string } = {
  stopping: "The node is stopping; reconnect later.",
  rateLimited: "The client sends too many messages.",
  behind: "The client reads too slowly; resume after the last cursor.",
  cursorGone: "The events after the cursor were deleted, or the cursor belongs to another log.",
  unavailable: "An event is not available now; resume later after the last cursor.",
};
