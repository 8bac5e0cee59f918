import type { Dialect } from "@vedette/protocol";

/** What of a dialect the transport must know. @spec 10 §9, 61 §16.1 */
export type TransportDialect = Pick<Dialect, "compressedStreamsHaveLength" | "packetForm" | "transport">;
