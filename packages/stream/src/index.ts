export { type BlockFacts, readEntries, readFacts } from "./blockMessage.js";
export { JetStreamPort, type NatsOptions } from "./JetStreamPort.js";
export { Publisher, type PublisherEvent, type PublisherOptions } from "./Publisher.js";
export { CursorFile, type PublisherCursor, type PublisherPlace } from "./PublisherCursor.js";
export { StreamError, type StreamFailure } from "./StreamError.js";
export { StreamNames, type Verdict } from "./StreamNames.js";
export type { StreamPort } from "./StreamPort.js";
